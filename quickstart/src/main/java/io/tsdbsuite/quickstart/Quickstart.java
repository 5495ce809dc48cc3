package io.tsdbsuite.quickstart;

import io.tsdbsuite.job.ExitCode;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** The command line of the quickstart. */
@Command(
    name = "quickstart",
    sortOptions = false,
    usageHelpAutoWidth = true,
    header = "Runs the whole flow on this machine and compares rollups with raw data.",
    description = {
      "Starts HBase, a TSD, Kafka and an S3 server on loopback, loads a year of points, snapshots"
          + " and exports them, rolls them up, ingests the rollups through the plugin kafka-ingest,"
          + " and asks the same queries of raw data and of the plugin rollup-query. The points of"
          + " the last days go through Kafka, and stream-rollup rolls them up; a late point is"
          + " repaired, and rollup-job verify compares all rollups with the points.",
      "",
      "  make quickstart ARGS=--keep",
      "  make quickstart ARGS='--days 30 --series 60'",
      ""
    },
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {
      "0:done, all results are equal",
      "1:a result differs, or a step failed",
      "2:wrong usage"
    })
public final class Quickstart {
  private static final int MAX_SERIES = 200;
  private static final int MAX_DAYS = 366;

  /** What loads in seconds: 63 million points. */
  private static final int MAX_SERIES_DAYS = 7320;

  @Option(
      names = "--keep",
      description =
          "Keep the servers running at the end and print how to query them, until Enter or Ctrl-C.")
  boolean keep;

  @Option(
      names = "--series",
      paramLabel = "N",
      description = "Series of 8,640 points a day, 1 to 200. Default: ${DEFAULT-VALUE}.")
  int series = 20;

  @Option(
      names = "--days",
      paramLabel = "N",
      description = "Whole days to compare, 1 to 366. Default: ${DEFAULT-VALUE}.")
  int days = 365;

  @Option(
      names = {"-h", "--help"},
      usageHelp = true,
      description = "Show this help and exit.")
  boolean help;

  /** The problems of the values, one sentence each. */
  List<String> problems() {
    List<String> problems = new ArrayList<>();
    check("--series", series, MAX_SERIES, problems);
    check("--days", days, MAX_DAYS, problems);
    if (problems.isEmpty() && series * days > MAX_SERIES_DAYS) {
      problems.add(
          "--series times --days must be at most %s, found %s times %s"
              .formatted(MAX_SERIES_DAYS, series, days));
    }
    return problems;
  }

  private static void check(String option, int value, int max, List<String> problems) {
    if (value < 1 || value > max) {
      problems.add(option + " must be 1 to " + max + ", found " + value);
    }
  }

  /**
   * Runs the quickstart; exits with 0 if all results are equal, 1 if a result differs, 2 on wrong
   * usage.
   */
  public static void main(String[] args) throws Exception {
    PrintStream out = new PrintStream(System.out, true, StandardCharsets.UTF_8);
    Quickstart options = new Quickstart();
    CommandLine line = new CommandLine(options);
    line.setUnmatchedOptionsAllowedAsOptionParameters(false);
    List<String> problems = new ArrayList<>();
    try {
      line.parseArgs(args);
      problems.addAll(options.problems());
    } catch (CommandLine.ParameterException e) {
      problems.add(e.getMessage());
    }
    if (line.isUsageHelpRequested()) {
      line.usage(out);
      System.exit(ExitCode.DONE.code());
    }
    if (!problems.isEmpty()) {
      problems.forEach(problem -> System.err.println("quickstart: " + problem));
      System.err.println("quickstart: --help lists the options");
      System.exit(ExitCode.USAGE.code());
    }
    Path directory = Path.of("target", "quickstart").toAbsolutePath();
    Console console = new Console(out, System::nanoTime);
    QuickstartRun flow = new QuickstartRun(directory, console, options, Clock.systemUTC());
    System.exit(flow.run() ? ExitCode.DONE.code() : ExitCode.BAD_INPUT.code());
  }
}
