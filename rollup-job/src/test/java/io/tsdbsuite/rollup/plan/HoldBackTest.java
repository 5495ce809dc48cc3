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
    assertThat(HoldBack.parse("--hold-back", "3h", text)).isEqualTo(seconds);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "0", "2", "d", "-1h", "1.5h", "1h30m", "1ms", "PT1H"})
  void refusesOtherText(String text) {
    assertThatThrownBy(() -> HoldBack.parse("--hold-back", "3h", text))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("--hold-back must be a number and one of the units")
        .hasMessageEndingWith("found: " + text);
  }

  @Test
  void aBucketThatEndsThereIsAllowed() {
    HoldBack holdBack = at("2026-11-20T03:00:00Z", 3 * HOUR);
    assertThat(holdBack.allows(time("2026-11-20T00:00:00Z"))).isTrue();
    assertThat(holdBack.allows(time("2026-11-20T00:00:00Z") + 1)).isFalse();
    assertThat(at("2026-11-20T02:59:59Z", 3 * HOUR).allows(time("2026-11-20T00:00:00Z"))).isFalse();
  }

  @Test
  void thePresentCountsInWholeSecondsAsInTheTsd() {
    assertThat(at("2026-11-20T03:00:00.999Z", HOUR).newestEnd())
        .isEqualTo(Instant.parse("2026-11-20T02:00:00Z"));
  }

  @Test
  void zeroReachesThePresent() {
    HoldBack zero = at("2026-11-20T03:00:00Z", 0);
    assertThat(zero.allows(time("2026-11-20T03:00:00Z"))).isTrue();
    assertThat(zero.allows(time("2026-11-20T04:00:00Z"))).isFalse();
    assertThat(zero).hasToString("0s, no bucket after 2026-11-20T03:00:00Z");
  }

  @Test
  void whoAllowsWhatIsNotWholeMayHaveEverything() {
    HoldBack none = HoldBack.none().behind(Instant.parse("2026-11-20T01:00:00Z"));
    assertThat(none.allows(time("2100-01-01T00:00:00Z"))).isTrue();
    assertThat(none).hasToString("none (--allow-incomplete)");
  }

  /** Exported for hours: what is younger than the snapshot is not in it. */
  @Test
  void theSnapshotCountsWhereItIsOlderThanThePresent() {
    HoldBack holdBack =
        at("2026-11-20T06:00:00Z", HOUR).behind(Instant.parse("2026-11-20T00:30:00.7Z"));
    assertThat(holdBack.newestEnd()).isEqualTo(Instant.parse("2026-11-19T23:30:00Z"));
    assertThat(holdBack.allows(time("2026-11-20T00:00:00Z"))).isFalse();
    assertThat(holdBack.allows(time("2026-11-19T23:00:00Z"))).isTrue();
    assertThat(holdBack)
        .hasToString("1h before the snapshot, no bucket after 2026-11-19T23:30:00Z");
    assertThat(holdBack.refusal(time("2026-11-19T00:00:00Z"), time("2026-11-20T00:00:00Z"), false))
        .startsWith(
            "the window 2026-11-19T00:00:00Z to 2026-11-20T00:00:00Z must end 1h (--hold-back)"
                + " before the data snapshot was taken, 2026-11-20T00:30:00Z:")
        .contains("with this snapshot is --to 2026-11-19T23:00:00Z or --day 2026-11-18; take");
  }

  /** The clock of the master of HBase may be ahead. */
  @Test
  void aSnapshotOfTheFutureDoesNotCount() {
    HoldBack holdBack = at("2026-11-20T06:00:00Z", HOUR);
    assertThat(holdBack.behind(Instant.parse("2026-11-20T06:00:01Z"))).isEqualTo(holdBack);
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
