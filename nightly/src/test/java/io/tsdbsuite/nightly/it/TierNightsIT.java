package io.tsdbsuite.nightly.it;

import static io.tsdbsuite.nightly.it.TierNights.FIRST;
import static io.tsdbsuite.nightly.it.TierNights.HOUR_TABLE;
import static io.tsdbsuite.nightly.it.TierNights.METRIC;
import static io.tsdbsuite.nightly.it.TierNights.OTHER;
import static io.tsdbsuite.nightly.it.TierNights.RAW_TABLE;
import static org.assertj.core.api.Assertions.assertThat;

import io.tsdbsuite.job.ExitCode;
import io.tsdbsuite.nightly.it.NightlyCluster.Run;
import java.time.LocalDate;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Raw data go by a policy: proven in one night, deleted in the next; then rollups of 1h. After any
 * failure exactly the days of the policy are gone, and all other rollups equal the points.
 */
@Tag("slow")
class TierNightsIT {
  /** Rows of a metric and day: two series. */
  private static final int ROWS = 2 * 24;

  /** The same of the table of 1h. */
  private static final int HOUR_ROWS = 2;

  @Test
  void provenInOneNightAndDeletedInTheNext() throws Exception {
    try (TierNights nights =
        new TierNights(
            "tier-nights",
            """
            [{"match":"nightly.metric","raw":"1d","1h":"2d","idle":"1y"}]
            """)) {
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
          "raw data deleted: 2036-03-07 of nightly.metric; raw data proven: 2036-03-08 of",
          "stored rollups proven: 2036-03-07 of 1h of nightly.metric; ",
          "idle series of nightly.metric stay: rollup-nightly does not run ");
      assertThat(nights.days(RAW_TABLE, METRIC))
          .containsOnlyKeys(FIRST, second, third)
          .containsEntry(FIRST, 1);
      assertThat(nights.days(RAW_TABLE, OTHER)).containsOnlyKeys(FIRST, second, third);
      nights.requireBooks(RAW_TABLE, 1, ROWS - 1, 1);
      assertThat(nights.cluster.snapshots())
          .as("that of the table whose rows may go")
          .filteredOn(name -> name.startsWith("rollup-nightly-"))
          .singleElement()
          .asString()
          .matches("rollup-nightly-tiers-.*-20360310T020000-\\d-tsdb-rollup-1h");
      nights.requireRollups(third);
      LocalDate fourth = FIRST.plusDays(3);
      nights.put(fourth);
      nights.require(
          ExitCode.DONE,
          fourth,
          "stored rollups deleted: 2036-03-07 of 1h of nightly.metric; stored rollups proven: "
              + "2036-03-08 of 1h of nightly.metric; ");
      assertThat(nights.days(HOUR_TABLE, METRIC)).containsOnlyKeys(second, third, fourth);
      assertThat(nights.days(HOUR_TABLE, OTHER)).containsOnlyKeys(FIRST, second, third, fourth);
      nights.requireBooks(HOUR_TABLE, 1, HOUR_ROWS, 0);
      nights.requireRollups(fourth);
    }
  }

  @Test
  void fourteenNights() throws Exception {
    try (TierNights nights =
        new TierNights(
            "fourteen-tier-nights",
            """
            [{"match":"nightly.metric","raw":"2d","1h":"3d"},{"match":"nightly.other","raw":"3d"}]
            """)) {
      LocalDate day = FIRST;
      for (int night = 0; night <= 14; night++) {
        day = FIRST.plusDays(night);
        nights.put(day);
        night(nights, night, day);
      }
      assertThat(nights.days(RAW_TABLE, METRIC).keySet())
          .containsExactlyElementsOf(TierNights.days(FIRST.plusDays(12), day));
      assertThat(nights.days(RAW_TABLE, OTHER).keySet())
          .containsExactlyElementsOf(TierNights.days(FIRST.plusDays(11), day));
      // Raw data of the first three of these were deleted in the last night.
      assertThat(nights.days(HOUR_TABLE, METRIC).keySet())
          .containsExactlyElementsOf(TierNights.days(FIRST.plusDays(9), day));
      assertThat(nights.days(HOUR_TABLE, OTHER).keySet())
          .containsExactlyElementsOf(TierNights.days(FIRST, day));
      nights.requireRollups(day);
      nights.requireBooks(RAW_TABLE, 12 + 11, (12 + 11) * ROWS, 0);
      nights.requireBooks(HOUR_TABLE, 9, 9 * HOUR_ROWS, 0);
      assertThat(nights.cluster.snapshots())
          .filteredOn(name -> name.startsWith("rollup-nightly-"))
          .hasSize(1);
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
      case 9 -> {
        Run killed = nights.killed(day, "apply --table 1h", Map.of(), markers -> true);
        assertThat(killed.exitCode()).as(killed.toString()).isEqualTo(ExitCode.OUTSIDE);
        assertThat(killed.out())
            .contains("raw data deleted: ", day.minusDays(5) + " of nightly.metric")
            .doesNotContain("stored rollups");
        // It deletes old snapshots, but not those that the next night needs.
        nights.require(ExitCode.DONE, day, "proven data wait", "deleted 2 old snapshots");
      }
      case 10 -> {
        nights.deleteRollups(OTHER, day.minusDays(3));
        nights.require(
            ExitCode.BAD_INPUT,
            day,
            " of nightly.metric; raw data refused: " + day.minusDays(3) + " of nightly.other",
            "stored rollups deleted: "
                + day.minusDays(8)
                + " of 1h of nightly.metric, "
                + day.minusDays(7)
                + " of 1h of nightly.metric");
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
