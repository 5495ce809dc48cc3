package io.tsdbsuite.rollup.load;

import static org.assertj.core.api.Assertions.assertThat;

import io.tsdbsuite.coverage.CoverageWindow;
import io.tsdbsuite.job.ExitCode;
import io.tsdbsuite.rollup.hfile.Manifest;
import io.tsdbsuite.rollup.hfile.WrittenFile;
import io.tsdbsuite.rollup.report.TestReports;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Compares reports with files, byte by byte. */
class LoadReportTest {
  private static final Manifest.Table HOURS = table("tsdb-1h", "1h", 100, 20);
  private static final Manifest.Table DAYS = table("tsdb-1d", "1d", 7);

  private static Manifest.Table table(String name, String interval, long... cells) {
    List<WrittenFile> files =
        LongStream.of(cells)
            .mapToObj(
                n ->
                    new WrittenFile(
                        name, "f" + n, 0, n, n * 1000, new byte[] {1}, new byte[] {2}, 3))
            .toList();
    return new Manifest.Table(name, interval, "1d", Map.of("sum", 0), List.of(""), files);
  }

  private static Manifest manifest(@Nullable String cluster) {
    return new Manifest(
        1,
        "run-1",
        "1.0",
        cluster,
        1_763_600_000_000L,
        Map.of(),
        Map.of(),
        List.of(HOURS, DAYS),
        null);
  }

  private static CoverageWindow window(String metrics) {
    return CoverageWindow.of(
        "1h", 1_763_510_400, 1_763_596_800, "run-1", "tsdb-1h", 1_763_600_000_000L, metrics, "");
  }

  private static LoadReport report(
      ExitCode exit,
      String message,
      @Nullable Manifest manifest,
      boolean before,
      List<LoadReport.LoadedTable> tables,
      CoverageOutcome coverage) {
    return new LoadReport(
        exit,
        message,
        TestReports.STARTED,
        TestReports.STARTED.plusSeconds(3),
        "file:///run",
        manifest,
        before,
        tables,
        coverage);
  }

  private static void compare(LoadReport report, String name) throws IOException {
    Path files = Path.of("src/test/resources/reports");
    assertThat(report.report().jsonText())
        .isEqualTo(Files.readString(files.resolve(name + ".json")));
    assertThat(report.report().table().toString())
        .isEqualTo(Files.readString(files.resolve(name + ".txt")));
  }

  @Test
  void aLoadThatIsDone() throws IOException {
    StoreFiles before = new StoreFiles(4, 3, 2);
    StoreFiles after = new StoreFiles(6, 5, 2);
    compare(
        report(
            ExitCode.DONE,
            "",
            manifest("cluster-1"),
            false,
            List.of(
                new LoadReport.LoadedTable(HOURS, 1, 120, before, after),
                new LoadReport.LoadedTable(DAYS, 1, 7, after, before)),
            new CoverageOutcome(
                "tsdb-coverage",
                List.of(
                    window("*"),
                    window("sys.*").refreshing(1_763_599_000_000L).expiring(1_863_599_000_000L)),
                "")),
        "load-done");
  }

  @Test
  void aLoadWithoutItsCells() throws IOException {
    StoreFiles files = new StoreFiles(4, 3, 2);
    compare(
        report(
            ExitCode.BAD_INPUT,
            "cells are missing",
            manifest(null),
            false,
            List.of(new LoadReport.LoadedTable(HOURS, 2, 119, files, files)),
            new CoverageOutcome("tsdb-coverage", List.of(), "cells are missing", true, List.of())),
        "load-incomplete");
  }

  @Test
  void aLoadThatWasDoneBefore() throws IOException {
    compare(
        report(
            ExitCode.DONE,
            "",
            manifest("cluster-1"),
            true,
            List.of(),
            CoverageOutcome.none("tsdb-coverage", "no proof")),
        "load-before");
  }

  @Test
  void aLoadWithoutAManifest() throws IOException {
    compare(
        report(
            ExitCode.OUTSIDE,
            "storage is away",
            null,
            false,
            List.of(),
            CoverageOutcome.none("tsdb-coverage", "storage is away")),
        "load-early");
  }
}
