package io.tsdbsuite.contract;

import static org.assertj.core.api.Assertions.assertThat;

import io.tsdbsuite.format.row.KeyProblem;
import io.tsdbsuite.format.row.RowKey;
import io.tsdbsuite.format.schema.StorageSchema;
import io.tsdbsuite.format.schema.TsdConfig;
import io.tsdbsuite.testkit.seed.Seed;
import java.util.EnumSet;
import java.util.Random;
import java.util.Set;
import net.opentsdb.core.Internal;
import net.opentsdb.core.RealKeys;
import net.opentsdb.uid.UniqueId;
import org.junit.jupiter.api.Test;

/** Compares salting and parsing of keys of random widths with OpenTSDB. */
class RowKeyContractTest {
  private static final int SCHEMAS = 3000;
  private static final Set<KeyProblem> LENGTH_PROBLEMS =
      EnumSet.of(KeyProblem.TOO_SHORT, KeyProblem.PARTIAL_TAG_PAIR, KeyProblem.NO_TAGS);

  private final Random random = new Random(Seed.VALUE);

  /** The widths of one installation. */
  private record Widths(int salt, int buckets, int metric, int tagk, int tagv) {
    static Widths random(Random random) {
      int salt = random.nextInt(9);
      int most = 1 << Math.min(8 * salt, 30);
      int buckets = random.nextBoolean() ? 20 : 1 + random.nextInt(most);
      return new Widths(
          salt, buckets, 1 + random.nextInt(8), 1 + random.nextInt(8), 1 + random.nextInt(8));
    }

    RowKey rowKey() {
      return new RowKey(
          StorageSchema.from(
              TsdConfig.parse("")
                  .with("tsd.storage.salt.width", String.valueOf(salt))
                  .with("tsd.storage.salt.buckets", String.valueOf(buckets))
                  .with("tsd.storage.uid.width.metric", String.valueOf(metric))
                  .with("tsd.storage.uid.width.tagk", String.valueOf(tagk))
                  .with("tsd.storage.uid.width.tagv", String.valueOf(tagv))));
    }

    RealKeys real() {
      return new RealKeys(salt, buckets, metric, tagk, tagv);
    }
  }

  private byte[] bytes(int n) {
    byte[] bytes = new byte[n];
    random.nextBytes(bytes);
    return bytes;
  }

  @Test
  void saltTsuidAndBaseTime() {
    for (int i = 0; i < SCHEMAS; i++) {
      Widths widths = Widths.random(random);
      RowKey rowKey = widths.rowKey();
      byte[] metric = bytes(widths.metric);
      if (random.nextInt(20) == 0) {
        metric = new byte[widths.metric];
      }
      long baseTime = 3600L * random.nextInt(1_193_046);
      byte[][] pairs = new byte[1 + random.nextInt(Math.min(8, 1 << widths.tagk))][];
      for (int p = 0; p < pairs.length; p++) {
        pairs[p] = bytes(widths.tagk + widths.tagv);
        pairs[p][0] = (byte) ((p * 31 + 7) & 0xff); // distinct keys in no order
      }
      String where = Seed.describe(i) + widths;

      byte[] key = rowKey.encode(metric, baseTime, pairs);

      try (RealKeys real = widths.real()) {
        byte[] salted = key.clone();
        net.opentsdb.core.RowKey.prefixKeyWithSalt(salted);
        assertThat(key).as(where).isEqualTo(salted);
        assertThat(rowKey.tsuid(key, 0, key.length))
            .as(where)
            .isEqualTo(UniqueId.getTSUIDFromKey(key, (short) widths.metric, (short) 4));
        assertThat(rowKey.baseTime(key, 0)).as(where).isEqualTo(Internal.baseTime(key));
        assertThat(real).isNotNull();
      }
      assertThat(rowKey.check(key, 0, key.length)).as(where).isNull();
    }
  }

  @Test
  void lengths() {
    int bad = 0;
    for (int i = 0; i < SCHEMAS; i++) {
      Widths widths = Widths.random(random);
      RowKey rowKey = widths.rowKey();
      byte[] key = bytes(random.nextInt(60));
      boolean refused = LENGTH_PROBLEMS.contains(rowKey.check(key, 0, key.length));
      try (RealKeys real = widths.real()) {
        assertThat(real).isNotNull();
        assertThat(refused)
            .as("%s%s, %d bytes", Seed.describe(i), widths, key.length)
            .isEqualTo(isRefusedByTsd(key, widths.metric));
      }
      bad += refused ? 1 : 0;
    }
    assertThat(bad).isBetween(SCHEMAS / 10, SCHEMAS - SCHEMAS / 20);
  }

  private static boolean isRefusedByTsd(byte[] key, int metricWidth) {
    try {
      UniqueId.getTSUIDFromKey(key, (short) metricWidth, (short) 4);
      return false;
    } catch (IllegalArgumentException e) {
      return true;
    }
  }
}
