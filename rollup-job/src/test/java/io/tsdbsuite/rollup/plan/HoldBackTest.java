package io.tsdbsuite.rollup.plan;

import static java.time.temporal.ChronoUnit.DAYS;
import static java.time.temporal.ChronoUnit.HOURS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class HoldBackTest {
  private static final long HOUR = 3600;

  private static HoldBack at(String now, long seconds) {
    return HoldBack.of(seconds, Clock.fixed(Instant.parse(now), ZoneOffset.UTC));
  }

  private static long time(String instant) {
    return Instant.parse(instant).getEpochSecond();
  }

  @ParameterizedTest
  @CsvSource({"2d,172800", "90m,5400", "1H,3600", "1n,2592000", "0s,0", "00D,0"})
  void readsDurationsAsOpenTsdbWritesThem(String text, long seconds) {
    assertThat(HoldBack.parse("--hold-back", text)).isEqualTo(seconds);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "0", "2", "d", "-1h", "1.5h", "1h30m", "1ms", "PT1H"})
  void refusesOtherText(String text) {
    assertThatThrownBy(() -> HoldBack.parse("--hold-back", text))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("--hold-back must be a number and one of the units")
        .hasMessageEndingWith("found: " + text);
  }

  @Test
  void aBucketThatEndsAtTheSplitPointIsAllowed() {
    HoldBack holdBack = at("2026-11-20T03:00:00Z", 3 * HOUR);
    assertThat(holdBack.allows(time("2026-11-20T00:00:00Z"))).isTrue();
    assertThat(holdBack.allows(time("2026-11-20T00:00:00Z") + 1)).isFalse();
    assertThat(at("2026-11-20T02:59:59Z", 3 * HOUR).allows(time("2026-11-20T00:00:00Z"))).isFalse();
  }

  @Test
  void thePresentCountsInWholeSecondsAsInTheTsd() {
    assertThat(at("2026-11-20T03:00:00.999Z", HOUR).splitPoint())
        .isEqualTo(Instant.parse("2026-11-20T02:00:00Z"));
  }

  @Test
  void zeroHoldsNothingBack() {
    HoldBack none = at("2026-11-20T03:00:00Z", 0);
    assertThat(none.allows(time("2100-01-01T00:00:00Z"))).isTrue();
    assertThat(none).hasToString("none");
  }

  @Test
  void namesTheNewestWindow() {
    HoldBack holdBack = at("2026-11-20T03:10:00Z", 3 * HOUR);
    assertThat(holdBack.newestEnd(HOURS)).isEqualTo(Instant.parse("2026-11-20T00:00:00Z"));
    assertThat(at("2026-11-20T03:10:00Z", HOUR).newestEnd(HOURS))
        .isEqualTo(Instant.parse("2026-11-20T02:00:00Z"));
    assertThat(at("2026-11-20T03:10:00Z", HOUR).newestEnd(DAYS))
        .isEqualTo(Instant.parse("2026-11-20T00:00:00Z"));
    assertThat(holdBack.newestDay()).isEqualTo(Instant.parse("2026-11-19T00:00:00Z"));
    assertThat(holdBack.allows(holdBack.newestEnd(HOURS).getEpochSecond())).isTrue();
    assertThat(at("2026-11-20T02:10:00Z", 3 * HOUR).newestDay())
        .isEqualTo(Instant.parse("2026-11-18T00:00:00Z"));
  }

  @ParameterizedTest
  @CsvSource({"172800,2d", "129600,36h", "5400,90m", "61,61s", "0,0s"})
  void isShownInItsLargestUnit(long seconds, String text) {
    assertThat(at("2026-11-20T03:00:00Z", seconds).text()).isEqualTo(text);
  }
}
