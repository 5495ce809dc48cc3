package io.tsdbsuite.format.rollup;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tsdbsuite.format.Hex;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.time.temporal.ChronoUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RollupCellTest {
  private static RollupInterval interval(String interval, String rowSpan) {
    return RollupConfig.parse(
            """
            {"aggregationIds": {"count":2},
             "intervals":[{"table":"t","preAggregationTable":"p","interval":"%s","rowSpan":"%s",
               "defaultInterval":true}]}
            """
                .formatted(interval, rowSpan))
        .interval(interval);
  }

  @ParameterizedTest
  @CsvSource({
    "1m, 1h, 1599998400",
    "10m, 6h, 1599998400",
    "1h, 24h, 1599955200",
    "1h, 1d, 1599955200",
    "1h, 1n, 1598918400",
    "1d, 1y, 1577836800"
  })
  void baseTimeVectors(String interval, String rowSpan, long base) {
    assertThat(interval(interval, rowSpan).baseTime(1600000200)).isEqualTo(base);
  }

  @Test
  void monthsAndYearsOfTheWholeRange() {
    RollupInterval month = interval("1h", "1n");
    RollupInterval year = interval("1d", "1y");
    for (long t = 0; t <= 0xffffffffL; t += 86399 * 3) {
      ZonedDateTime day =
          Instant.ofEpochSecond(t).atZone(ZoneOffset.UTC).truncatedTo(ChronoUnit.DAYS);
      assertThat(month.baseTime(t)).isEqualTo(day.withDayOfMonth(1).toEpochSecond());
      assertThat(year.baseTime(t)).isEqualTo(day.withDayOfYear(1).toEpochSecond());
    }
  }

  @Test
  void timesAreSeconds() {
    RollupInterval hour = interval("1h", "1d");
    assertThatThrownBy(() -> hour.baseTime(1600000000000L)).hasMessageContaining("1600000000000");
    assertThatThrownBy(() -> hour.baseTime(-1)).hasMessageContaining("-1");
  }

  @Test
  void qualifiers() {
    assertThat(Hex.of(RollupCell.doubleQualifier(0, 1))).isEqualTo("00001f");
    assertThat(Hex.of(RollupCell.countQualifier(2, 23))).isEqualTo("020177");
    assertThat(Hex.of(RollupCell.of(127, 3839, true, 4))).isEqualTo("7feffb");
    assertThatThrownBy(() -> RollupCell.doubleQualifier(128, 0)).hasMessageContaining("0 to 127");
    assertThatThrownBy(() -> RollupCell.doubleQualifier(0, 3840)).hasMessageContaining("0 to 3839");
    assertThatThrownBy(() -> RollupCell.of(0, 0, false, 3)).hasMessageContaining("3");
  }

  @Test
  void offsets() {
    RollupInterval hour = interval("1h", "1d");
    assertThat(RollupCell.offset(hour, 1599955200, 1600000200)).isEqualTo(12);
    assertThatThrownBy(() -> RollupCell.offset(hour, 1599955200, 1599955199))
        .hasMessageContaining("row of 1599955200");
    assertThatThrownBy(() -> RollupCell.offset(hour, 1599955200, 1599955200 + 86400))
        .hasMessageContaining("24 intervals");
  }

  @Test
  void valuesHaveOneWidth() {
    assertThat(Hex.of(RollupCell.doubleValue(1.5))).isEqualTo("3ff8000000000000");
    assertThat(Hex.of(RollupCell.countValue(5))).isEqualTo("0000000000000005");
  }

  @ParameterizedTest
  @CsvSource({
    "00001f, 3ff8000000000000, 1.5",
    "020177, 0000000000000005, 5",
    "7feffb, 3fc00000, 1.5",
    "000000, ff, -1",
    "000001, 0100, 256"
  })
  void decode(String q, String v, double value) {
    byte[] qualifier = Hex.bytes("ff" + q);
    byte[] bytes = Hex.bytes("ff" + v);
    assertThat(RollupCell.is(qualifier, 1, 3)).isTrue();
    assertThat(RollupCell.decode(qualifier, 1, bytes, 1, bytes.length - 1)).isEqualTo(value);
  }

  @Test
  void decodeFields() {
    byte[] q = Hex.bytes("7feffb");
    assertThat(RollupCell.aggregatorId(q, 0)).isEqualTo(127);
    assertThat(RollupCell.offset(q, 0)).isEqualTo(3839);
    assertThat(RollupCell.isFloat(q, 0)).isTrue();
    assertThat(RollupCell.valueLength(q, 0)).isEqualTo(4);
    assertThatThrownBy(() -> RollupCell.decode(q, 0, new byte[8], 0, 8))
        .hasMessageContaining("4 bytes, found 8");
  }

  @ParameterizedTest
  @CsvSource({"80001f", "00f01f", "000002", "73756d3a001f", "001f"})
  void otherQualifiers(String q) {
    byte[] bytes = Hex.bytes(q);
    assertThat(RollupCell.is(bytes, 0, bytes.length)).isFalse();
  }
}
