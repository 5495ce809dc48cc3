package io.tsdbsuite.format.row;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tsdbsuite.format.Hex;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class QualifierTest {
  @Test
  void vectors() {
    assertThat(Hex.of(Qualifier.ofSeconds(0, false, 1))).isEqualTo("0000");
    assertThat(Hex.of(Qualifier.ofSeconds(3599, true, 8))).isEqualTo("e0ff");
    assertThat(Hex.of(Qualifier.ofMillis(500, false, 1))).isEqualTo("f0007d00");
    assertThat(Hex.of(Qualifier.ofMillis(3599999, true, 4))).isEqualTo("fdbb9fcb");
  }

  @Test
  void everyOffsetComesBack() {
    for (int s = 0; s <= 3599; s++) {
      byte[] q = Qualifier.ofSeconds(s, true, 4);
      assertThat(Qualifier.offsetMillis(q, 0)).isEqualTo(s * 1000);
      assertThat(Qualifier.isMillis(q[0])).isFalse();
      assertThat(Qualifier.isFloat(q, 0)).isTrue();
      assertThat(Qualifier.valueLength(q, 0)).isEqualTo(4);
    }
    for (int ms = 0; ms <= 3599999; ms += 37) {
      byte[] q = Qualifier.ofMillis(ms, false, 8);
      assertThat(Qualifier.offsetMillis(q, 0)).isEqualTo(ms);
      assertThat(Qualifier.isMillis(q[0])).isTrue();
      assertThat(Qualifier.isFloat(q, 0)).isFalse();
      assertThat(Qualifier.valueLength(q, 0)).isEqualTo(8);
    }
  }

  @Test
  void refuses() {
    assertThatThrownBy(() -> Qualifier.ofSeconds(3600, false, 1)).hasMessageContaining("3600");
    assertThatThrownBy(() -> Qualifier.ofSeconds(-1, false, 1)).hasMessageContaining("-1");
    assertThatThrownBy(() -> Qualifier.ofMillis(3600000, false, 1)).hasMessageContaining("3600000");
    assertThatThrownBy(() -> Qualifier.ofSeconds(0, true, 2)).hasMessageContaining("4 or 8");
    assertThatThrownBy(() -> Qualifier.ofMillis(0, false, 3)).hasMessageContaining("1, 2, 4 or 8");
  }

  @ParameterizedTest
  @CsvSource({
    "'', CORRUPT",
    "0000, SECONDS_POINT",
    "e0ff, SECONDS_POINT",
    "0560, SECONDS_POINT",
    "f000, CORRUPT",
    "f0007d00, MILLIS_POINT",
    "00000010, COMPACTED",
    "05000510, COMPACTED",
    "0000f0007d00, COMPACTED",
    "f0007d000010, COMPACTED",
    "010000, ANNOTATION",
    "0100000000, ANNOTATION",
    "01, UNKNOWN",
    "01000000000000, UNKNOWN",
    "050000, APPEND",
    "050001, APPEND",
    "05, CORRUPT",
    "0500000000, CORRUPT",
    "060708, HISTOGRAM",
    "06001b77bb, HISTOGRAM",
    "06, UNKNOWN",
    "000000, UNKNOWN",
    "070000, UNKNOWN"
  })
  void kinds(String qualifier, ColumnKind kind) {
    byte[] q = Hex.bytes("ff" + qualifier + "ff");
    assertThat(ColumnKind.of(q, 1, q.length - 2)).isEqualTo(kind);
  }

  @Test
  void offsetsOfAnnotationsAndHistograms() {
    assertThat(HistogramColumn.offsetMillis(Hex.bytes("060708"), 0, 3)).isEqualTo(1800_000);
    assertThat(HistogramColumn.offsetMillis(Hex.bytes("06001b77bb"), 0, 5)).isEqualTo(1800123);
    assertThat(AnnotationColumn.offsetMillis(Hex.bytes("010e0f"), 0, 3)).isEqualTo(3599_000);
  }

  @ParameterizedTest
  @CsvSource({
    "0, 00",
    "127, 7f",
    "-128, 80",
    "128, 0080",
    "-129, ff7f",
    "32767, 7fff",
    "32768, 00008000",
    "-32769, ffff7fff",
    "2147483647, 7fffffff",
    "2147483648, 0000000080000000",
    "-2147483649, ffffffff7fffffff",
    "9007199254740993, 0020000000000001"
  })
  void integers(long value, String hex) {
    byte[] bytes = Values.encodeInteger(value);
    long raw = Values.rawBits(bytes, 0, bytes.length);

    assertThat(Hex.of(bytes)).isEqualTo(hex);
    assertThat(raw).isEqualTo(Long.parseUnsignedLong(hex, 16));
    assertThat(Values.toLong(bytes.length, raw)).isEqualTo(value);
    assertThat(Values.toDouble(false, bytes.length, raw)).isEqualTo((double) value);
  }

  @Test
  void floatingPoint() {
    assertThat(Hex.of(Values.encodeFloat(1.5f))).isEqualTo("3fc00000");
    assertThat(Hex.of(Values.encodeDouble(-0.0))).isEqualTo("8000000000000000");
    assertThat(Values.toDouble(true, 4, 0xbfc00000L)).isEqualTo(-1.5);
    assertThat(Values.toDouble(true, 4, 0x3dcccccdL)).isEqualTo(0.1f);
    assertThat(Values.isLegal(true, 2)).isFalse();
    assertThat(Values.isLegal(false, 9)).isFalse();
  }
}
