package io.tsdbsuite.hbase.load;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class RegionStartsTest {
  private static final byte[] EDGE = {};
  private static final byte[] LOW = {5};
  private static final byte[] HIGH = {(byte) 0x80, 1};

  private final RegionStarts starts =
      RegionStarts.of(
          List.of(new Region(EDGE, LOW), new Region(LOW, HIGH), new Region(HIGH, EDGE)));

  private int region(int... key) {
    byte[] padded = new byte[key.length + 2];
    for (int i = 0; i < key.length; i++) {
      padded[i + 1] = (byte) key[i];
    }
    return starts.region(padded, 1, key.length + 1);
  }

  @Test
  void aKeyIsInTheLastRegionThatBeginsAtItOrBefore() {
    assertThat(starts.count()).isEqualTo(3);
    assertThat(region()).isZero();
    assertThat(region(4, 0xff)).isZero();
    assertThat(region(5)).isEqualTo(1);
    assertThat(region(0x7f, 0xff)).isEqualTo(1);
    assertThat(region(0x80)).isEqualTo(1);
    assertThat(region(0x80, 1)).isEqualTo(2);
    assertThat(region(0xff)).isEqualTo(2);
  }

  @Test
  void equalStartsAreEqual() {
    RegionStarts same = new RegionStarts(new byte[][] {EDGE, LOW.clone(), HIGH.clone()});
    assertThat(same).isEqualTo(starts).hasSameHashCodeAs(starts);
    assertThat(new RegionStarts(new byte[][] {EDGE, LOW})).isNotEqualTo(starts);
  }
}
