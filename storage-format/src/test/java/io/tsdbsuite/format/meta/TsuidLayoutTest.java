package io.tsdbsuite.format.meta;

import static org.assertj.core.api.Assertions.assertThat;

import io.tsdbsuite.format.schema.StorageSchema;
import io.tsdbsuite.format.schema.TsdConfig;
import io.tsdbsuite.format.uid.UidKind;
import java.util.HexFormat;
import org.junit.jupiter.api.Test;

class TsuidLayoutTest {
  @Test
  void findsTheUids() {
    TsuidLayout layout = new TsuidLayout(3, 1, 8);
    byte[] tsuid = HexFormat.of().parseHex("FF0001" + "80FFFFFFFFFFFFFFFE" + "020000000000000007");
    assertThat(layout.fits(tsuid)).isTrue();
    assertThat(layout.metric(tsuid)).isEqualTo(0xFF0001);
    assertThat(layout.tags(tsuid)).isEqualTo(2);
    assertThat(layout.tagk(tsuid, 0)).isEqualTo(0x80);
    assertThat(layout.tagv(tsuid, 0)).isEqualTo(-2);
    assertThat(layout.tagv(tsuid, 1)).isEqualTo(7);
    assertThat(layout.hex(UidKind.TAGV, -2)).isEqualTo("FFFFFFFFFFFFFFFE");
    assertThat(layout.hex(UidKind.METRIC, 0xFF0001)).isEqualTo("FF0001");
  }

  @Test
  void aSeriesHasAtLeastOneTag() {
    TsuidLayout layout = new TsuidLayout(3, 3, 3);
    for (int length = 0; length < 30; length++) {
      assertThat(layout.fits(new byte[length]))
          .as("%d bytes", length)
          .isEqualTo(length == 9 || length == 15 || length == 21 || length == 27);
    }
  }

  @Test
  void pairsAscendByTagKeyAndEachKeyComesOnce() {
    TsuidLayout layout = new TsuidLayout(1, 1, 2);
    assertThat(layout.ascends(HexFormat.of().parseHex("09" + "010005"))).isTrue();
    assertThat(layout.ascends(HexFormat.of().parseHex("09" + "01FFFF" + "800000"))).isTrue();
    assertThat(layout.ascends(HexFormat.of().parseHex("09" + "800000" + "01FFFF"))).isFalse();
    assertThat(layout.ascends(HexFormat.of().parseHex("09" + "010001" + "010002"))).isFalse();
  }

  @Test
  void widthsAreThoseOfTheSchema() {
    TsuidLayout layout =
        TsuidLayout.of(
            StorageSchema.from(
                TsdConfig.parse("tsd.storage.uid.width.metric=2\ntsd.storage.uid.width.tagv=5\n")));
    assertThat(layout.width(UidKind.METRIC)).isEqualTo(2);
    assertThat(layout.width(UidKind.TAGK)).isEqualTo(3);
    assertThat(layout.width(UidKind.TAGV)).isEqualTo(5);
  }
}
