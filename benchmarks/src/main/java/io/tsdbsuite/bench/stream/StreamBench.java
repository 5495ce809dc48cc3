package io.tsdbsuite.bench.stream;

import io.tsdbsuite.bench.MarkedSection;
import io.tsdbsuite.bench.measure.Child;
import io.tsdbsuite.bench.measure.KernelRun;
import io.tsdbsuite.job.cli.CommandTree;
import io.tsdbsuite.job.cli.Problems;
import io.tsdbsuite.testkit.WorkDirs;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Measures the parts, prints the tables and writes them between the marks of a document. */
public final class StreamBench {
  private static final int DONE = 0;
  private static final int USAGE = 2;
  private static final String COMMAND = "make bench-stream";

  /** One core would choose the serial collector. */
  private static final String DEFAULT_FLAGS = "-XX:+UseParallelGC -XX:+UseTransparentHugePages";

  private static final String WORK = "bench-stream";
  private static final int LONG_PERIOD = 60;
  private static final int LONG_PERIOD_ROUNDS = 5;

  private final StreamBenchCommand command;
  private final String streamClassPath;
  private final String ownClassPath;
  private final List<String> jvmFlags;
  private final Report report;

  private StreamBench(StreamBenchCommand command, String streamClassPath, String ownClassPath) {
    this.command = command;
    this.streamClassPath = streamClassPath;
    this.ownClassPath = ownClassPath;
    String flags = System.getenv().getOrDefault("BENCH_JVM_FLAGS", DEFAULT_FLAGS).strip();
    this.jvmFlags = flags.isEmpty() ? List.of() : List.of(flags.split(" +", -1));
    this.report = new Report(command.sizes(), flags);
  }

  /**
   * Runs the benchmark. Arguments: the document, a file with the class path of stream-rollup, its
   * classes, and then those of {@link StreamBenchCommand}.
   */
  public static void main(String[] args) throws IOException, InterruptedException {
    PrintWriter out = new PrintWriter(System.out, true, StandardCharsets.UTF_8);
    PrintWriter err = new PrintWriter(System.err, true, StandardCharsets.UTF_8);
    System.exit(run(out, err, System.getProperty("java.class.path"), args));
  }

  /**
   * Runs the command and returns the exit code.
   *
   * @param ownClassPath class path of the benchmarks, for the DSL
   */
  static int run(PrintWriter out, PrintWriter err, String ownClassPath, String... args)
      throws IOException, InterruptedException {
    StreamBenchCommand command = new StreamBenchCommand();
    Problems problems = new Problems();
    String[] options = Arrays.copyOfRange(args, 3, args.length);
    if (CommandTree.parse(CommandTree.of(command), out, problems, options).isEmpty()) {
      return DONE;
    }
    problems.addAll(command.problems());
    if (!problems.isEmpty()) {
      problems.all().forEach(problem -> err.println("bench-stream: " + problem));
      err.println("Nothing was measured. --help lists the options.");
      return USAGE;
    }
    Optional<MarkedSection> section =
        options.length > 0
            ? Optional.empty()
            : Optional.of(new MarkedSection(Path.of(args[0]), COMMAND));
    String classPath = args[2] + ":" + Files.readString(Path.of(args[1])).strip();
    String markdown = new StreamBench(command, classPath, ownClassPath).measure();
    out.println("\n" + markdown);
    if (section.isPresent()) {
      section.get().write(markdown);
    }
    return DONE;
  }

  private String measure() throws IOException, InterruptedException {
    Path dir = WorkDirs.fresh(WORK);
    try {
      if (command.wants("steps") && command.wantsWay("stream")) {
        steps(dir);
      }
      boolean loads = command.wants("cpu") || command.wants("heap") || command.wants("restart");
      if (loads || command.wants("burst")) {
        try (Broker broker = new Broker(dir.resolve("kafka"))) {
          Setting setting = new Setting(broker, dir, command.sizes(), Clock.systemUTC().instant());
          if (command.wantsWay("stream")) {
            stream(setting, loads);
          }
          if (command.wantsWay("dsl")) {
            dsl(setting, loads);
          }
        }
      }
      return report.markdown();
    } finally {
      WorkDirs.fresh(WORK);
    }
  }

  private void steps(Path dir) throws IOException, InterruptedException {
    System.out.println("part steps");
    List<String> line = new ArrayList<>(Cores.first());
    line.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    line.addAll(jvmFlags);
    Sizes sizes = command.sizes();
    line.addAll(
        List.of(
            "-Xmx" + sizes.heap(),
            "-cp",
            Path.of("target", "classes").toAbsolutePath() + ":" + streamClassPath,
            StepsKernel.class.getName(),
            Integer.toString(sizes.series()),
            Integer.toString(sizes.period()),
            Integer.toString(Math.min(3, sizes.rounds()))));
    KernelRun run = KernelRun.parse(Child.run(line, Map.of(), dir.resolve("steps.log")));
    for (String step : StepsKernel.STEPS) {
      report.step(step, run.get(step));
    }
  }

  private void stream(Setting setting, boolean loads) throws IOException, InterruptedException {
    Way way = new StreamWay(streamClassPath, jvmFlags);
    Sizes sizes = setting.sizes();
    if (loads) {
      HeapPart heap = new HeapPart(setting, way);
      if (command.wants("heap")) {
        heap.empty("stream-empty");
        heapOfLongPeriod(setting, way, heap);
      }
      int warm = new RoundTimes(0, sizes.period()).steadyFrom();
      int measured = command.wants("cpu") ? sizes.rounds() : 0;
      try (LoadedJob job =
          LoadedJob.start(
              setting, way, "stream", sizes.series(), sizes.period(), warm + measured)) {
        if (command.wants("cpu")) {
          System.out.println("part cpu, stream-rollup");
          LoadedJob.CpuFigure found = job.cpu(warm);
          report.cpu(way, found);
          report.aims().atMost("CPU per point", " us", 2.5, found.secondsPerPoint() * 1e6);
        }
        if (command.wants("heap")) {
          heap(heap.of(job, sizes.series(), sizes.period(), waiting(sizes.period())), way);
        }
        if (command.wants("restart")) {
          System.out.println("part restart, stream-rollup");
          LoadedJob.RestartFigure found = job.restart(sizes.rate(), sizes.killAfter());
          report.restart(way, sizes.series(), sizes.rate(), found);
          report.aims().atMost("killed to caught up", " s", 30, found.caughtUp());
        }
      }
    }
    if (command.wants("burst")) {
      System.out.println("part burst, stream-rollup");
      new BurstPart(setting, report).run(way, true);
    }
  }

  /** Points that wait: those of the slack. */
  private static String waiting(int period) {
    return Sizes.SLACK / period + " to " + (Sizes.SLACK / period + 1);
  }

  private void heapOfLongPeriod(Setting setting, Way way, HeapPart heap)
      throws IOException, InterruptedException {
    int series = setting.sizes().series();
    try (LoadedJob job =
        LoadedJob.start(setting, way, "stream-60s", series, LONG_PERIOD, LONG_PERIOD_ROUNDS)) {
      heap(heap.of(job, series, LONG_PERIOD, waiting(LONG_PERIOD)), way);
    }
  }

  private void heap(HeapPart.HeapFigure found, Way way) {
    report.heap(way, found);
    String with = ", a point every " + found.period() + " s";
    report.aims().atMost("heap per series" + with, " bytes", 600, found.heap());
    report.aims().atMost("checkpoint per series" + with, " bytes", 400, found.disk());
  }

  private void dsl(Setting setting, boolean loads) throws IOException, InterruptedException {
    Way way = new DslWay(ownClassPath, jvmFlags);
    Sizes sizes = setting.sizes();
    if (loads) {
      HeapPart heap = new HeapPart(setting, way);
      if (command.wants("heap")) {
        heap.empty("dsl-empty");
      }
      int measured = command.wants("cpu") ? sizes.dslRounds() : 0;
      try (LoadedJob job =
          LoadedJob.start(setting, way, "dsl", sizes.series(), sizes.period(), 1 + measured)) {
        if (command.wants("cpu")) {
          System.out.println("part cpu, DSL");
          report.cpu(way, job.cpu(1));
        }
        if (command.wants("heap")) {
          report.heap(way, heap.of(job, sizes.series(), sizes.period(), "0"));
        }
        if (command.wants("restart")) {
          System.out.println("part restart, DSL");
          report.restart(
              way,
              sizes.series(),
              sizes.dslRate(),
              job.restart(sizes.dslRate(), sizes.killAfter()));
        }
      }
    }
    if (command.wants("burst")) {
      System.out.println("part burst, DSL");
      new BurstPart(setting, report).run(way, false);
    }
  }
}
