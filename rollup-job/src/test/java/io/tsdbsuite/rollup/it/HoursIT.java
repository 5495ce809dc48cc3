package io.tsdbsuite.rollup.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.tsdbsuite.coverage.Coverage;
import io.tsdbsuite.coverage.TimeRanges;
import io.tsdbsuite.job.ExitCode;
import io.tsdbsuite.job.coverage.CoverageTable;
import io.tsdbsuite.testkit.HBaseServer;
import io.tsdbsuite.testkit.OpenTsdbTables;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Runs over the hours of a day, one after the other: docs/coverage.md, Hours of today. */
class HoursIT {
  private static final String COVERAGE = "hours-coverage";
  private static final long FROM = SmallData.FROM;
  private static final long NOON = FROM + 12 * SmallData.HOUR;
  private static final long NEXT = NOON + SmallData.HOUR;
  private static final Map<String, Long> WIDTHS = Map.of("10m", 600_000L, "1h", 3_600_000L);

  private final HBaseServer hbase = SharedStack.get().hbase();

  /** When the data were read, milliseconds since the epoch. */
  private static long load(RollupStore store, JobRun job) throws Exception {
    JobRun run = job.run();
    assertThat(run.exitCode()).as(run::everything).isEqualTo(ExitCode.DONE);
    LoadRun load =
        LoadRun.of(
            LoadRun.runDirectory(run.hfiles().getParent()),
            store.configFile(),
            "--coverage-table=" + COVERAGE);
    assertThat(load.exitCode()).as(load::everything).isEqualTo(ExitCode.DONE);
    assertThat(load.reportJson().at("/coverage/reason").textValue()).isEmpty();
    return Instant.parse(run.reportJson().at("/input/dataSnapshotTime").textValue()).toEpochMilli();
  }

  @Test
  void anHourJoinsThoseBeforeAndRefreshesThem() throws Exception {
    try (RollupStore store = RollupStore.start("hours", "10m", "1h")) {
      SharedStack.get().create(OpenTsdbTables.of(CorrectnessIT.conf("small")).coverage(COVERAGE));
      Path morning = TestFiles.directory("hours");
      JobRun first = store.job(morning, FROM, NOON);
      long before = load(store, first);
      requireProven(store, NOON, before);

      hbase.snapshot(SmallData.TABLE, "hour-small-data");
      JobRun second =
          store
              .job("hour-small-data", TestFiles.directory("hours"), NOON, NEXT)
              .with("--since-report=" + first.report());
      long after = load(store, second);
      assertThat(after).isGreaterThan(before);
      requireProven(store, NEXT, after);
    }
  }

  private void requireProven(RollupStore store, long to, long asOf) throws Exception {
    try (CoverageTable table = new CoverageTable(hbase.connection(), COVERAGE)) {
      Coverage coverage =
          table.read(
              Map.of("10m", store.table("10m"), "1h", store.table("1h")),
              System.currentTimeMillis());
      for (Map.Entry<String, Long> each : WIDTHS.entrySet()) {
        String interval = each.getKey();
        long width = each.getValue();
        assertThat(coverage.proven(interval, width, "a.a"))
            .isEqualTo(TimeRanges.of(FROM * 1000, to * 1000));
        assertThat(coverage.asOf(interval, width, "a.a", FROM * 1000, to * 1000)).isEqualTo(asOf);
      }
    }
  }
}
