package io.tsdbsuite.dist.command;

import io.tsdbsuite.bulk.cli.BulkLoaderMain;
import io.tsdbsuite.report.cli.SeriesReport;
import io.tsdbsuite.rollup.cli.RollupMain;
import io.tsdbsuite.stream.cli.StreamMain;
import java.util.List;

/** The Java programs of the suite. */
public final class Programs {
  private Programs() {}

  /** All programs: a line here, and a dependency in the pom, add one to every package. */
  public static List<Program> all() {
    return List.of(
        Program.withScript("rollup-job", "spark", RollupMain::commandLine),
        Program.withScript("bulk-loader", "all", BulkLoaderMain::commandLine),
        Program.withScript("series-report", "all", SeriesReport::commandLine),
        Program.withScript("stream-rollup", "flink", StreamMain::commandLine));
  }
}
