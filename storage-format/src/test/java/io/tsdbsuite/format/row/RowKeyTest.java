package io.tsdbsuite.format.row;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tsdbsuite.format.Hex;
import io.tsdbsuite.format.schema.StorageSchema;
import io.tsdbsuite.format.schema.TsdConfig;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RowKeyTest {
  private static final RowKey PLAIN = new RowKey(StorageSchema.defaults());
  private static final RowKey SALTED = salted(1, 20);

  private static RowKey salted(int width, int buckets) {
    return new RowKey(
        StorageSchema.from(
            TsdConfig.parse("")
                .with("tsd.storage.salt.width", String.valueOf(width))
                .with("tsd.storage.salt.buckets", String.valueOf(buckets))));
  }

  private static KeyProblem check(RowKey rowKey, String hex) {
    byte[] key = Hex.bytes("ffff" + hex + "ff");
    return rowKey.check(key, 2, key.length - 3);
  }

  @ParameterizedTest
  @CsvSource({
    "000001, 00000100004d, 04",
    "000002, 00000100009a, 06",
    "000003, 0000010000e7, 0c",
    "000004, 000001000034, 0e"
  })
  void saltVectors(String metric, String pair, String salt) {
    byte[] key = SALTED.encode(Hex.bytes(metric), 1599998400, Hex.bytes(pair));

    assertThat(Hex.of(key)).isEqualTo(salt + metric + "5f5e09c0" + pair);
    assertThat(SALTED.check(key, 0, key.length)).isNull();
    assertThat(SALTED.salt(key, 0, key.length)).isEqualTo(Integer.parseInt(salt, 16));
  }

  @Test
  void aSaltWiderThanAnIntRepeatsItsLowBytes() {
    byte[] key = salted(5, 20).encode(Hex.bytes("000001"), 3600, Hex.bytes("00000100004d"));

    assertThat(Hex.of(key)).startsWith("0400000004");
    assertThat(salted(5, 20).check(key, 0, key.length)).isNull();
  }

  /** The salt does not depend on the time. */
  @Test
  void theBaseTimeOfAKeyIsReplaced() {
    byte[] key = SALTED.encode(Hex.bytes("000003"), 3600, Hex.bytes("0000010000e7"));

    SALTED.writeBaseTime(key, 0xffffffffL);
    assertThat(Hex.of(key)).isEqualTo("0c" + "000003" + "ffffffff" + "0000010000e7");
    assertThat(SALTED.baseTime(key, 0)).isEqualTo(0xffffffffL);
    assertThatThrownBy(() -> SALTED.writeBaseTime(key, 1L << 32)).hasMessageContaining("4 bytes");
  }

  @Test
  void fieldsLieWhereTheSchemaSays() {
    byte[] key = Hex.bytes("ff | 0c | 000003 | ffffffff | 000001 0000e7 | 000002 fffffe");
    RowKey rowKey = SALTED;

    assertThat(rowKey.metricOffset()).isEqualTo(1);
    assertThat(rowKey.timeOffset()).isEqualTo(4);
    assertThat(rowKey.tagsOffset()).isEqualTo(8);
    assertThat(rowKey.tagPairs(key.length - 1)).isEqualTo(2);
    assertThat(rowKey.metricUid(key, 1)).isEqualTo(3);
    assertThat(rowKey.baseTime(key, 1)).isEqualTo(4294967295L);
    assertThat(rowKey.tagkUid(key, 1, 1)).isEqualTo(2);
    assertThat(rowKey.tagvUid(key, 1, 0)).isEqualTo(0xe7);
    assertThat(rowKey.tagvUid(key, 1, 1)).isEqualTo(0xfffffe);
    assertThat(Hex.of(rowKey.tsuid(key, 1, key.length - 1)))
        .isEqualTo("000003" + "0000010000e7" + "000002fffffe");
  }

  @Test
  void problems() {
    String good = "000001" + "5f5e09c0" + "000001000001" + "000002000001";

    assertThat(check(PLAIN, good)).isNull();
    assertThat(check(PLAIN, "000001" + "5f5e09")).isEqualTo(KeyProblem.TOO_SHORT);
    assertThat(check(PLAIN, "000001" + "5f5e09c0")).isEqualTo(KeyProblem.NO_TAGS);
    assertThat(check(PLAIN, good + "00")).isEqualTo(KeyProblem.PARTIAL_TAG_PAIR);
    assertThat(check(PLAIN, good.replace("5f5e09c0", "5f5e09c1")))
        .isEqualTo(KeyProblem.UNALIGNED_BASE_TIME);
    assertThat(check(PLAIN, "000001" + "5f5e09c0" + "000002000001" + "000001000001"))
        .isEqualTo(KeyProblem.UNSORTED_TAGS);
    assertThat(check(PLAIN, "000001" + "5f5e09c0" + "000001000001" + "000001000002"))
        .isEqualTo(KeyProblem.DUPLICATE_TAG_KEY);
    assertThat(check(SALTED, "05" + "000001" + "5f5e09c0" + "00000100004d"))
        .isEqualTo(KeyProblem.WRONG_SALT);
    assertThat(check(SALTED, "04" + "000001" + "5f5e09c0" + "00000100004d")).isNull();
    for (KeyProblem problem : KeyProblem.values()) {
      assertThat(problem.rule()).contains("must");
    }
  }

  @Test
  void globalAnnotationsAreNoSeries() {
    byte[] key = Hex.bytes("00 000000 5f5e09c0");

    assertThat(SALTED.isGlobalAnnotation(key, 0, key.length)).isTrue();
    assertThat(SALTED.check(key, 0, key.length)).isEqualTo(KeyProblem.NO_TAGS);
    assertThat(SALTED.salt(key, 0, key.length)).isZero();
    SALTED.writeSalt(key);
    assertThat(Hex.of(key)).isEqualTo("000000005f5e09c0");
    assertThat(SALTED.isGlobalAnnotation(Hex.bytes("00 000001 5f5e09c0"), 0, 8)).isFalse();
    assertThat(PLAIN.isGlobalAnnotation(key, 0, key.length)).isFalse();
  }

  @Test
  void pairsAreSortedByUid() {
    byte[] key =
        PLAIN.encode(
            Hex.bytes("000001"), 1599998400L, Hex.bytes("ff0000000001"), Hex.bytes("010000000002"));

    assertThat(Hex.of(key)).isEqualTo("000001" + "5f5e09c0" + "010000000002" + "ff0000000001");
  }

  @Test
  void encodeRefuses() {
    byte[] metric = Hex.bytes("000001");
    byte[] pair = Hex.bytes("000001000001");

    assertThatThrownBy(() -> PLAIN.encode(Hex.bytes("0001"), 0, pair))
        .hasMessage("metric UID must have 3 bytes, found 2");
    assertThatThrownBy(() -> PLAIN.encode(metric, 1L << 32, pair)).hasMessageContaining("4 bytes");
    assertThatThrownBy(() -> PLAIN.encode(metric, 0)).hasMessageContaining("at least one tag");
    assertThatThrownBy(() -> PLAIN.encode(metric, 0, metric)).hasMessageContaining("6 bytes");
    assertThatThrownBy(() -> PLAIN.encode(metric, 0, pair, Hex.bytes("000001000002")))
        .hasMessageContaining("once");
    assertThatThrownBy(() -> SALTED.writeSalt(new byte[3])).hasMessageContaining("found 3 bytes");
  }

  @Test
  void uidsAreUnsigned() {
    byte[] bytes = Hex.bytes("00ffffffffffffffff");

    assertThat(Uids.read(bytes, 1, 3)).isEqualTo(0xffffff);
    assertThat(Uids.read(bytes, 1, 8)).isEqualTo(-1);
    assertThat(Uids.highest(1)).isEqualTo(255);
    assertThat(Uids.highest(7)).isEqualTo(0xffffffffffffffL);
    assertThat(Uids.highest(8)).isEqualTo(Long.MAX_VALUE);
    assertThat(Hex.of(Uids.bytes(-1, 8))).isEqualTo("ffffffffffffffff");
    assertThat(Hex.of(Uids.bytes(0x010203, 4))).isEqualTo("00010203");
    assertThatThrownBy(() -> Uids.bytes(256, 1)).hasMessage("UID must fit in 1 bytes, found 256");
    assertThatThrownBy(() -> Uids.bytes(1, 9)).hasMessageContaining("1 to 8");
    assertThatThrownBy(() -> Uids.bytes(1, 0)).hasMessageContaining("1 to 8");
  }
}
