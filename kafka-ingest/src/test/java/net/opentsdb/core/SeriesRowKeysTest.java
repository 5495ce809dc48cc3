package net.opentsdb.core;

import static org.assertj.core.api.Assertions.assertThat;

import io.tsdbsuite.testkit.seed.Seed;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class SeriesRowKeysTest {
  /** Of tables with few metrics, too. */
  @Test
  void anyRegionMayHaveTheKey() {
    Random random = Seed.random();
    TreeMap<Integer, Integer> zeroBits = new TreeMap<>();
    for (int i = 0; i < 24_000; i++) {
      byte[] row = SeriesRowKeys.anywhere(random);
      assertThat(row).hasSize(3);
      int metric = (row[0] & 0xff) << 16 | (row[1] & 0xff) << 8 | (row[2] & 0xff);
      zeroBits.merge(Integer.numberOfLeadingZeros(metric) - 8, 1, Integer::sum);
    }
    assertThat(zeroBits.keySet()).contains(0, 8, 16, 20);
    assertThat(zeroBits.values()).allMatch(times -> times > 300);
  }
}
