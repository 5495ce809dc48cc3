package io.tsdbsuite.nightly.it;

import static io.tsdbsuite.nightly.it.TierNights.FIRST;
import static io.tsdbsuite.nightly.it.TierNights.METRIC;
import static io.tsdbsuite.nightly.it.TierNights.OTHER;
import static org.assertj.core.api.Assertions.assertThat;

import io.tsdbsuite.job.ExitCode;
import io.tsdbsuite.nightly.it.NightlyCluster.Run;
import java.time.LocalDate;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Raw data go by a policy: proven in one night, deleted in the next. After any failure exactly the
 * days of the policy are gone, and all rollups equal the points.
 */
@Tag("slow")
class TierNightsIT {
  /** Rows of a metric and day: two series. */
  private static final int ROWS = 2 * 24;

  @Test
  void provenInOneNightAndDeletedInTheNext() throws Exception {
    try (TierNights nights =
        new TierNights("tier-nights", "[{\"match\":\"nightly.metric\",\"raw\":\"1d\"}]")) {
      LocalDate second = FIRST.plusDays(1);
      LocalDate third = FIRST.plusDays(2);
      nights.put(FIRST);
      nights.put(second);
      nights.require(ExitCode.DONE, second, "raw data proven: 2036-03-07 of nightly.metric; took ");
      assertThat(nights.cluster.snapshots()).containsExactly("tsdb-20360309", "tsdb-uid-20360309");
      // The marker does not hide what came after the proof.
      nights.putLate(METRIC, FIRST, NightlyCluster.nightAfter(second).plusSeconds(3600), false);
      nights.put(third);
      nights.require(
          ExitCode.DONE,
          third,
          "raw data deleted: 2036-03-07 of nightly.metric; raw data proven: 2036-03-08 of");
      assertThat(nights.rawDays(METRIC))
          .containsOnlyKeys(FIRST, second, third)
          .containsEntry(FIRST, 1);
      assertThat(nights.rawDays(OTHER)).containsOnlyKeys(FIRST, second, third);
      nights.requireBooks(1, ROWS - 1, 1);
      nights.requireRollups(third);
    }
  }

  @Test
  void fourteenNights() throws Exception {
    try (TierNights nights =
        new TierNights(
            "fourteen-tier-nights",
            """
            [{"match":"nightly.metric","raw":"2d"},{"match":"nightly.other","raw":"3d"}]
            """)) {
      LocalDate day = FIRST;
      for (int night = 0; night <= 14; night++) {
        day = FIRST.plusDays(night);
        nights.put(day);
        night(nights, night, day);
      }
      assertThat(nights.rawDays(METRIC).keySet())
          .containsExactlyElementsOf(TierNights.days(FIRST.plusDays(12), day));
      assertThat(nights.rawDays(OTHER).keySet())
          .containsExactlyElementsOf(TierNights.days(FIRST.plusDays(11), day));
      nights.requireRollups(day);
      nights.requireBooks(12 + 11, (12 + 11) * ROWS, 0);
    }
  }

  private static void night(TierNights nights, int night, LocalDate day) throws Exception {
    switch (night) {
      case 3 -> {
        // Rolled up in this night: its rollups are proven in the next.
        nights.putLate(
            METRIC, day.minusDays(1), NightlyCluster.nightAfter(day).minusSeconds(3600), true);
        assertThat(nights.run(day, Map.of(), "--dry-run").out())
            .containsPattern(
                "first: env .* tiers apply .* --match nightly.metric --from 2036-03-07 --to"
                    + " 2036-03-08 ")
            .containsPattern("at the end: env .* tiers prove .* --data-snapshot tsdb-20360311 ");
        nights.require(ExitCode.DONE, day, "raw data deleted: " + FIRST + " of nightly.metric");
      }
      case 4 -> {}
      case 6 -> {
        Run killed = nights.killed(day, "prove", Map.of(), markers -> true);
        assertThat(killed.exitCode()).as(killed.toString()).isEqualTo(ExitCode.OUTSIDE);
        assertThat(killed.out()).contains("tiers prove ended with status 137", "raw data deleted");
      }
      case 7 -> {
        Run run = nights.require(ExitCode.DONE, day, "raw data proven: ");
        assertThat(run.out()).doesNotContain("raw data deleted");
      }
      case 8 -> {
        long floors = TierNights.files(nights.cluster.dir().resolve("markers"), "_floor");
        Run killed =
            nights.killed(
                day,
                "apply",
                Map.of("tiers.apply-options", "--coverage-pause 10m"),
                markers -> TierNights.files(markers, "_floor") > floors);
        assertThat(killed.exitCode()).as(killed.toString()).isEqualTo(ExitCode.OUTSIDE);
        assertThat(killed.out())
            .contains("tiers apply ended with status 137")
            .doesNotContain("raw data");
      }
      case 9 ->
          nights.require(
              ExitCode.DONE, day, "raw data deleted: ", day.minusDays(5) + " of nightly.metric");
      case 10 -> {
        nights.deleteRollups(OTHER, day.minusDays(3));
        nights.require(
            ExitCode.BAD_INPUT,
            day,
            "raw data proven: "
                + day.minusDays(2)
                + " of nightly.metric; raw data refused: "
                + day.minusDays(3)
                + " of nightly.other");
      }
      case 11 -> {
        nights.disable(true);
        nights.require(ExitCode.USAGE, day, "must be enabled, found disabled");
        nights.disable(false);
        Run again = nights.run(day, Map.of(), "--day", day.minusDays(4).toString());
        assertThat(again.exitCode()).as(again.toString()).isEqualTo(ExitCode.DONE);
      }
      case 13 -> {
        nights.deleteSnapshot(day.minusDays(1));
        nights.require(ExitCode.BAD_INPUT, day, "HBase must have its snapshot", "raw data proven");
      }
      default -> nights.require(ExitCode.DONE, day);
    }
    // Those of one day were deleted by hand until the night after.
    if (night != 10) {
      nights.requireRollups(night == 4 ? day.minusDays(1) : day);
    }
  }
}
