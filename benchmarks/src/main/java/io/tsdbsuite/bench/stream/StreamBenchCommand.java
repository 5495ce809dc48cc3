package io.tsdbsuite.bench.stream;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** The command line's options and their checks. */
@Command(
    name = "bench-stream",
    sortOptions = false,
    usageHelpAutoWidth = true,
    header = "Measures stream-rollup beside a topology of Kafka Streams' DSL.",
    description = {
      "Parts, all without arguments:",
      "  cpu      CPU per point, Kafka to state, on one core",
      "  steps    CPU of the steps of stream-rollup's work on a point",
      "  heap     heap and saved state per series",
      "  restart  from kill -9 until the job has caught up",
      "  burst    rollups per second at the turn of a day",
      "",
      "All parts with the default sizes replace the section of docs/benchmarks.md; everything else"
          + " is a trial, which only prints.",
      ""
    },
    footer = {
      "",
      "The environment variable BENCH_JVM_FLAGS has further flags of the jobs' JVMs, separated by"
          + " blanks."
    },
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {"0:measured", "1:a measurement failed", "2:wrong usage"})
final class StreamBenchCommand {
  /** All parts, in the order of execution. */
  static final List<String> PARTS = List.of("steps", "cpu", "heap", "restart", "burst");

  private static final Pattern HEAP = Pattern.compile("[1-9][0-9]*[mg]");
  private static final int MAX_SERIES = 8_000_000;

  @Parameters(paramLabel = "PART", description = "Parts to measure. Default: all.")
  List<String> parts = new ArrayList<>();

  @Option(
      names = "--way",
      paramLabel = "stream|dsl",
      description = "Measure only this way. Default: both.")
  @Nullable String way;

  @Option(
      names = "--series",
      paramLabel = "N",
      description = "Number of series. Default: ${DEFAULT-VALUE}.")
  int series = 1_000_000;

  @Option(
      names = "--period",
      paramLabel = "SECONDS",
      description = "Time between two points of a series. Default: ${DEFAULT-VALUE}.")
  int period = 10;

  @Option(
      names = "--rounds",
      paramLabel = "N",
      description =
          "Points of each series that stream-rollup is measured with. Default: ${DEFAULT-VALUE}.")
  int rounds = 25;

  @Option(
      names = "--dsl-rounds",
      paramLabel = "N",
      description = "The same for the DSL, which is slower. Default: ${DEFAULT-VALUE}.")
  int dslRounds = 1;

  @Option(
      names = "--burst-series",
      paramLabel = "N",
      description = "Number of series of the part burst. Default: ${DEFAULT-VALUE}.")
  int burstSeries = 100_000;

  @Option(
      names = "--rate",
      paramLabel = "N",
      description =
          "Points per second while stream-rollup is killed and catches up."
              + " Default: --series / --period.")
  @Nullable Integer rate;

  @Option(
      names = "--dsl-rate",
      paramLabel = "N",
      description = "The same for the DSL. Default: ${DEFAULT-VALUE}.")
  int dslRate = 5000;

  @Option(
      names = "--kill-after",
      paramLabel = "SECONDS",
      description =
          "Time from a checkpoint to the kill: what must be read again. Default:"
              + " ${DEFAULT-VALUE}, close to the worst with a checkpoint every minute.")
  int killAfter = 55;

  @Option(
      names = "--heap",
      paramLabel = "SIZE",
      description = "Heap of a job (-Xms and -Xmx). Default: ${DEFAULT-VALUE}.")
  String heap = "4g";

  @Option(
      names = {"-h", "--help"},
      usageHelp = true,
      description = "Show this help and exit.")
  boolean help;

  /** Problems of the options' values, one sentence each. */
  List<String> problems() {
    List<String> problems = new ArrayList<>();
    for (String part : parts) {
      if (!PARTS.contains(part)) {
        problems.add("a part must be one of " + String.join(", ", PARTS) + ", found " + part);
      }
    }
    if (way != null && !way.equals("stream") && !way.equals("dsl")) {
      problems.add("--way must be stream or dsl, found " + way);
    }
    between("--series", series, 2000, MAX_SERIES, problems);
    between("--period", period, 1, 600, problems);
    between("--rounds", rounds, 1, 1000, problems);
    between("--dsl-rounds", dslRounds, 1, 1000, problems);
    between("--burst-series", burstSeries, 1, MAX_SERIES, problems);
    between("--rate", rate(), 1, 10_000_000, problems);
    between("--dsl-rate", dslRate, 1, 10_000_000, problems);
    between("--kill-after", killAfter, 0, 600, problems);
    if (!HEAP.matcher(heap).matches()) {
      problems.add("--heap must be a size such as 4g or 512m, found " + heap);
    }
    return problems;
  }

  private static void between(String option, int value, int min, int max, List<String> problems) {
    if (value < min || value > max) {
      problems.add(option + " must be " + min + " to " + max + ", found " + value);
    }
  }

  private int rate() {
    Integer given = rate;
    return given == null ? Math.max(1, series / Math.max(1, period)) : given;
  }

  boolean wants(String part) {
    return parts.isEmpty() || parts.contains(part);
  }

  boolean wantsWay(String name) {
    return way == null || way.equals(name);
  }

  Sizes sizes() {
    return new Sizes(
        series, period, rounds, dslRounds, burstSeries, rate(), dslRate, killAfter, heap);
  }
}
