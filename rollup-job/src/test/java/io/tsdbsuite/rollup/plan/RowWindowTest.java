package io.tsdbsuite.rollup.plan;

import static org.assertj.core.api.Assertions.assertThat;

import io.tsdbsuite.format.schema.StorageSchema;
import io.tsdbsuite.format.schema.TsdConfig;
import io.tsdbsuite.testkit.seed.Seed;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

class RowWindowTest {
  private static final HexFormat HEX = HexFormat.of();
  private static final long FROM = 0x5f5e0000L;
  private static final long TO = 0x5f5f0000L;

  private final RowWindow window = window("tsd.storage.uid.width.metric=3");

  private static RowWindow window(String config) {
    return new RowWindow(StorageSchema.from(TsdConfig.parse(config)), FROM, TO);
  }

  private static byte[] key(String hex) {
    return HEX.parseHex(hex.replace(" ", ""));
  }

  private static String next(RowWindow window, String hex) {
    byte[] key = key(hex);
    byte[] next = window.nextAfter(key, 0, key.length);
    return next == null ? null : HEX.formatHex(next);
  }

  private boolean contains(String hex) {
    byte[] key = key(hex);
    return window.contains(key, 0, key.length);
  }

  @Test
  void containsFromInclusiveToExclusive() {
    assertThat(contains("000001 5f5e0000 000001000001")).isTrue();
    assertThat(contains("000001 5f5effff 000001000001")).isTrue();
    assertThat(contains("000001 5f5dffff 000001000001")).isFalse();
    assertThat(contains("000001 5f5f0000 000001000001")).isFalse();
  }

  @Test
  void keepsKeysTooShortForATimeSoThatTheyAreReported() {
    assertThat(contains("000001 5f5e00")).isTrue();
    assertThat(contains("")).isTrue();
  }

  @Test
  void seeksForwardWithinTheMetricOrToTheNext() {
    assertThat(next(window, "000001 5f5dffff 000001000001")).isEqualTo("0000015f5e0000");
    assertThat(next(window, "000001 5f5f0000 000001000001")).isEqualTo("0000025f5e0000");
    assertThat(next(window, "0000ff 5f5f0000 000001000001")).isEqualTo("0001005f5e0000");
    assertThat(next(window, "ffffff 5f5f0000 000001000001")).isNull();
  }

  @Test
  void goesOnInTheNextSaltBucketAfterTheLastMetric() {
    RowWindow salted = window("tsd.storage.salt.width=1");
    assertThat(next(salted, "03 ffffff 5f5f0000 000001000001")).isEqualTo("040000005f5e0000");
    assertThat(next(salted, "ff ffffff 5f5f0000 000001000001")).isNull();
  }

  @Test
  void readsBaseTimesBeyond2038AsUnsigned() {
    RowWindow late = new RowWindow(StorageSchema.defaults(), 0x90000000L, 0x90000e10L);
    byte[] key = key("000001 90000000 000001000001");
    assertThat(late.contains(key, 0, key.length)).isTrue();
  }

  /** Skipping must find exactly the rows that filtering finds. */
  @Test
  void skippingFindsWhatFilteringFinds() {
    long seed = Seed.VALUE;
    Random random = new Random(seed);
    for (int round = 0; round < 200; round++) {
      RowWindow salted = window("tsd.storage.salt.width=1\ntsd.storage.uid.width.metric=2");
      TreeSet<byte[]> table = new TreeSet<>(Arrays::compareUnsigned);
      for (int i = 0; i < 300; i++) {
        byte[] row = new byte[1 + 2 + 4 + 6];
        random.nextBytes(row);
        row[0] = (byte) random.nextInt(3);
        row[1] = (byte) (random.nextInt(4) == 0 ? 0xff : random.nextInt(2));
        row[2] = (byte) (random.nextInt(4) == 0 ? 0xff : random.nextInt(3));
        row[3] = 0x5f;
        row[4] = (byte) (0x5d + random.nextInt(3));
        table.add(row);
      }
      List<byte[]> skipped = new ArrayList<>();
      byte[] row = table.first();
      while (row != null) {
        if (salted.contains(row, 0, row.length)) {
          skipped.add(row);
          row = table.higher(row);
        } else {
          byte[] seek = salted.nextAfter(row, 0, row.length);
          row = seek == null ? null : table.ceiling(seek);
        }
      }
      List<byte[]> filtered = table.stream().filter(r -> salted.contains(r, 0, r.length)).toList();
      assertThat(skipped).as("seed %d", seed).containsExactlyElementsOf(filtered);
    }
  }

  private static String hex(byte[] row) {
    return row == null ? null : HEX.formatHex(row);
  }

  /** 0x5f5d6100 is a midnight, 0x5f5eb280 the next one. */
  @Test
  void knowsWhereTheDayOfARowBegins() {
    assertThat(hex(window.startOfDay(key("000001 5f5e0000 000001000001"))))
        .isEqualTo("0000015f5d6100");
    assertThat(hex(window.startOfDay(key("000001 5f5d6100")))).isEqualTo("0000015f5d6100");
    assertThat(hex(window.startOfDay(key("000001 5f5e")))).isEqualTo("0000015f5d6100");
    assertThat(hex(window.startOfDay(key("0000")))).isEqualTo("00000000000000");
    assertThat(hex(window.endOfDay(key("000001 5f5e0000 000001000001"))))
        .isEqualTo("0000015f5eb280");
    assertThat(hex(window.endOfDay(key("000001 ffffffff")))).isEqualTo("000002");
    assertThat(hex(window.endOfDay(key("ffffff ffffffff")))).isNull();
  }

  @Test
  void knowsWhichBordersCutADay() {
    assertThat(window.cutsDay(key("000001 5f5e0000"))).isTrue();
    assertThat(window.cutsDay(key("000001 5f5e"))).isTrue();
    assertThat(window.cutsDay(key("000001 5f5d6100 000001000001"))).isTrue();
    assertThat(window.cutsDay(key("000001 5f5d6100"))).isFalse();
    assertThat(window.cutsDay(key("000001 5f5eb280"))).isFalse();
    assertThat(window.cutsDay(key("000001"))).isFalse();
    assertThat(window.cutsDay(key("0000"))).isFalse();
    // Nothing of these days is in the window.
    assertThat(window.cutsDay(key("000001 5f5c0000"))).isFalse();
    assertThat(window.cutsDay(key("000001 5f610000"))).isFalse();
  }

  @Test
  void knowsWhichRangesCanHoldRowsOfTheWindow() {
    assertThat(intersects("", "")).isTrue();
    assertThat(intersects("000001 5f5f0000", "000001 ffffffff")).isFalse();
    assertThat(intersects("000001 5f5f0000", "000002 5f5e0000")).isFalse();
    assertThat(intersects("000001 5f5f0000", "000002 5f5e000000")).isTrue();
    assertThat(intersects("000001 00000000", "000001 5f5e0000")).isFalse();
    assertThat(intersects("000001", "000001 5f5e0001")).isTrue();
    assertThat(intersects("ffffff 5f5f0000", "")).isFalse();
    assertThat(intersects("000001 5f5e0100 000001", "000001 5f5e0100 000002")).isTrue();
  }

  private boolean intersects(String start, String stop) {
    return window.intersects(key(start), key(stop));
  }
}
