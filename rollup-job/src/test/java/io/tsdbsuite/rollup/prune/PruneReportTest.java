package io.tsdbsuite.rollup.prune;

import static org.assertj.core.api.Assertions.assertThat;

import io.tsdbsuite.format.snapshot.SnapshotPattern;
import io.tsdbsuite.job.ExitCode;
import io.tsdbsuite.job.report.Report;
import io.tsdbsuite.rollup.prune.PruneBooks.Amount;
import io.tsdbsuite.rollup.report.TestReports;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.LocalDate;
import java.util.List;
import java.util.stream.IntStream;
import org.apache.hadoop.hbase.TableName;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Compares reports with files, byte by byte. */
class PruneReportTest {
  private static final List<PruneReport.NightResult> NIGHTS =
      List.of(
          night("2026-11-20", "kept", "not whole yet", true),
          night("2026-11-19", "kept", "day, week", false),
          night("2026-11-18", "deleted", "no rule keeps it", false));

  private static PruneReport.NightResult night(
      String date, String state, String reason, boolean notWhole) {
    return new PruneReport.NightResult(
        LocalDate.parse(date),
        List.of("tsdb-" + date, "tsdb-uid-" + date),
        state,
        reason,
        notWhole);
  }

  private static PruneReport report(
      ExitCode exit, boolean delete, @Nullable PruneBooks books, int unknown, int samples) {
    return new PruneReport(
        exit,
        exit == ExitCode.DONE ? "" : "4 files cannot be deleted",
        TestReports.STARTED,
        TestReports.STARTED.plusMillis(61_500),
        new PruneOptions(
            "s3://backups/hbase",
            List.of(TableName.valueOf("tsdb"), TableName.valueOf("ns:tsdb-uid")),
            SnapshotPattern.parse("{table}-{date}"),
            new KeepRule(14, 8, 12),
            Duration.ofDays(7),
            delete),
        books == null ? List.of() : NIGHTS,
        books,
        unknown,
        IntStream.range(0, samples).mapToObj(i -> "unknown-" + i).toList(),
        books == null ? List.of() : List.of("a warning"));
  }

  private static PruneBooks books(long failed) {
    return new PruneBooks(
        new Amount(10_000, 12_345_678),
        new Amount(9_000, 12_000_000),
        new Amount(990, 345_600),
        new Amount(6, 70),
        new Amount(failed, 8));
  }

  @Test
  void aPlan() throws IOException {
    compare(report(ExitCode.DONE, false, books(4), 3, 2), "prune-plan");
  }

  @Test
  void aRun() throws IOException {
    compare(report(ExitCode.DONE, true, books(4), 0, 0), "prune-done");
  }

  @Test
  void aRunThatFailed() throws IOException {
    compare(report(ExitCode.BAD_INPUT, true, books(5), 2, 2), "prune-failed");
  }

  @Test
  void aRunThatEndedBeforeItsPlan() throws IOException {
    compare(report(ExitCode.USAGE, true, null, 0, 0), "prune-early");
  }

  private static void compare(PruneReport report, String name) throws IOException {
    Path files = Path.of("src/test/resources/reports");
    Report found = report.report();
    assertThat(found.jsonText()).isEqualTo(Files.readString(files.resolve(name + ".json")));
    assertThat(found.table().toString()).isEqualTo(Files.readString(files.resolve(name + ".txt")));
  }
}
