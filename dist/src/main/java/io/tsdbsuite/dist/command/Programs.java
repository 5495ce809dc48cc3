package io.tsdbsuite.dist.command;

import io.tsdbsuite.nightly.cli.NightlyMain;
import io.tsdbsuite.report.cli.SeriesReport;
import java.util.List;

/** The Java programs of the suite. */
public final class Programs {
  private Programs() {}

  /** All programs: a line here, and a dependency in the pom, add one to every package. */
  public static List<Program> all() {
    return List.of(
        Program.withScript("rollup-job", "spark", io.tsdbsuite.rollup.cli.CommandLines::create),
        Program.withScript("bulk-loader", "all", io.tsdbsuite.bulk.cli.CommandLines::create),
        Program.withScript("series-report", "all", SeriesReport::commandLine),
        Program.withScript("stream-rollup", "flink", io.tsdbsuite.stream.cli.CommandLines::create),
        Program.ofJava(
            "rollup-nightly",
            "nightly",
            "cli",
            NightlyMain.class.getName(),
            NightlyMain::commandLine));
  }
}
