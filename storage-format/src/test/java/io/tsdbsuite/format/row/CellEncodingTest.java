package io.tsdbsuite.format.row;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tsdbsuite.format.Hex;
import org.junit.jupiter.api.Test;

class CellEncodingTest {
  private final PointBuffer points = new PointBuffer(1);

  @Test
  void onePointIsASingleCell() {
    points.addInteger(1000, false, 9);
    CompactedCell cell = CompactedCell.encode(points);

    assertThat(Hex.of(cell.qualifier())).isEqualTo("0010");
    assertThat(Hex.of(cell.value())).isEqualTo("09");
  }

  @Test
  void severalPointsHaveALastByte() {
    points.addInteger(0, false, 1);
    points.addFloat(1000, false, 1.5f);
    assertThat(Hex.of(CompactedCell.encode(points).value())).isEqualTo("013fc0000000");

    points.addDouble(1001, true, 1.5);
    CompactedCell cell = CompactedCell.encode(points);
    assertThat(Hex.of(cell.qualifier())).isEqualTo("0000001bf000fa4f");
    assertThat(Hex.of(cell.value())).isEqualTo("013fc000003ff800000000000001");
  }

  @Test
  void millisecondsAloneAreNotMixed() throws Exception {
    points.addInteger(0, true, 1);
    points.addInteger(1, true, -1);
    CompactedCell cell = CompactedCell.encode(points);

    assertThat(Hex.of(cell.value())).isEqualTo("01ff00");

    PointBuffer back = new PointBuffer();
    CompactedCell.decode(cell.qualifier(), 0, 8, cell.value(), 0, 3, back);
    assertThat(back.longValue(1)).isEqualTo(-1);
    assertThat(back.rawBits(1)).isEqualTo(0xff);
  }

  @Test
  void encodingRefusesDisorder() {
    assertThatThrownBy(() -> CompactedCell.encode(points)).hasMessageContaining("none");
    points.addInteger(1000, false, 1);
    points.addInteger(1000, true, 1);
    assertThatThrownBy(() -> CompactedCell.encode(points))
        .hasMessageContaining("1000 ms after 1000");
  }

  @Test
  void appendCellsKeepTheOrder() throws Exception {
    points.addInteger(2000, false, 3);
    points.addInteger(500, true, 1);
    byte[] value = AppendCell.encode(points);

    assertThat(Hex.of(AppendCell.qualifier())).isEqualTo("050000");
    assertThat(Hex.of(value)).isEqualTo("002003f0007d0001");
    PointBuffer back = new PointBuffer();
    int dropped = AppendCell.decode(AppendCell.qualifier(), 0, 3, value, 0, value.length, back);
    assertThat(dropped).isZero();
    assertThat(back.offsetMillis(0)).isEqualTo(500);
  }

  @Test
  void buffersRefuseWhatCannotBeStored() {
    assertThatThrownBy(() -> points.addInteger(3600000, true, 1)).hasMessageContaining("3600000");
    assertThatThrownBy(() -> points.addInteger(500, false, 1)).hasMessageContaining("whole second");
    assertThatThrownBy(() -> points.add(0, true, true, 2, 1)).hasMessageContaining("4 or 8");
    points.addDouble(0, true, 1);
    assertThatThrownBy(() -> points.longValue(0)).hasMessageContaining("floating point");
    points.add(0, true, false, 1, -1);
    assertThat(points.rawBits(1)).isEqualTo(0xff);
    assertThat(points.size()).isEqualTo(2);
    points.clear();
    assertThat(points.size()).isZero();
  }
}
