package io.tsdbsuite.bench.stream;

import io.tsdbsuite.bench.measure.Report;
import io.tsdbsuite.bench.measure.Suite;
import io.tsdbsuite.bench.measure.Trial;
import io.tsdbsuite.testkit.KafkaServer;
import io.tsdbsuite.testkit.WorkDirs;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/**
 * {@code make bench-stream}: what stream-rollup costs for a point and for a series.
 *
 * <p>Question: CPU of a point, from Kafka to the state, and heap and checkpoint of a series, with a
 * million series. Peer of the CPU: a topology of Kafka Streams' DSL as one would write it first
 * ({@link DslMain}), with the same broker and messages; of the state: the aims. Tables: CPU, a row
 * for each way; state, a row for each period of points. Each row is a JVM on one core.
 */
public final class StreamSuite implements Suite {
  private static final String CPU = "cpu";
  private static final String HEAP = "heap";
  private static final String WORK = "bench-stream";
  private static final Path JOB = Path.of("..", "stream-rollup", "target").toAbsolutePath();

  /** One core would choose the serial collector. */
  private static final String DEFAULT_FLAGS = "-XX:+UseParallelGC -XX:+UseTransparentHugePages";

  private static final String FLAGS_KEY = "testkit.jvm.flags";
  private static final String BROKER_FLAGS =
      "-XX:TieredStopAtLevel=4 -XX:-UseSerialGC -XX:+UseG1GC -Xms1g -Xmx1g";

  private static final int SERIES = 1_000_000;
  private static final int FEW = 1000;
  private static final int PERIOD = 10;
  private static final int LONG_PERIOD = 60;

  /** Points of each series that stream-rollup is measured with; the DSL is slower. */
  private static final int ROUNDS = 25;

  private final String classPath;

  /** Creates the suite. */
  public StreamSuite() {
    this(System.getProperty("java.class.path"));
  }

  /**
   * @param classPath of the benchmarks, for the DSL
   */
  StreamSuite(String classPath) {
    this.classPath = classPath;
  }

  @Override
  public String question() {
    return "What does stream-rollup cost: CPU of a point, heap and checkpoint of a series?";
  }

  @Override
  public String peer() {
    return "a topology of Kafka Streams' DSL, for the CPU; the aims, for the state";
  }

  @Override
  public List<String> parts() {
    return List.of(CPU, HEAP);
  }

  @Override
  public void run(Trial trial, Report report) throws IOException, InterruptedException {
    String flags = System.getenv().getOrDefault("BENCH_JVM_FLAGS", DEFAULT_FLAGS).strip();
    List<String> jvmFlags = flags.isEmpty() ? List.of() : List.of(flags.split(" +", -1));
    String jobPath =
        JOB.resolve("classes") + ":" + Files.readString(JOB.resolve("bench-classpath.txt")).strip();
    // The state of few series fits into less.
    String heapSize = trial.scale() < 0.1 ? "512m" : "4g";
    report.fact(
        "%s JVM of a job: -Xms and -Xmx %s, %s",
        JobJvm.canBind()
            ? "The job runs on one core, the broker on the other (taskset)."
            : "Processes could not be bound to cores.",
        heapSize,
        flags);
    Engine suite = Engine.suite(jvmFlags, jobPath);
    Path dir = WorkDirs.fresh(WORK);
    try (KafkaServer broker = broker(dir.resolve("kafka"))) {
      Jobs jobs = new Jobs(broker, dir, heapSize, (int) trial.scaled(SERIES, 2 * FEW));
      if (trial.parts().contains(CPU)) {
        report.table(
            "CPU on one core | Points measured | CPU us per point | Points per second |"
                + " Checkpoints meanwhile | Rollups meanwhile");
        int warm = new RoundTimes(0, PERIOD).steadyFrom();
        double micros = cpu(report, jobs, suite, "stream", warm, ROUNDS);
        // No window of the DSL ends while the second round is read.
        cpu(report, jobs, Engine.dsl(jvmFlags, classPath), "dsl", 1, 1);
        report.atMost("CPU per point", " us", 1.7, micros);
      }
      if (trial.parts().contains(HEAP)) {
        report.table(
            "State of stream-rollup | Points that wait, per series | Heap, bytes per series |"
                + " Checkpoint, bytes per series | CPU s of a checkpoint at rest");
        long empty;
        try (LoadedJob job = jobs.start(suite, "stream-empty", FEW, PERIOD, 3)) {
          empty = job.heap();
        }
        state(report, jobs, suite, LONG_PERIOD, 5, empty);
        state(report, jobs, suite, PERIOD, new RoundTimes(0, PERIOD).steadyFrom(), empty);
      }
    } finally {
      WorkDirs.fresh(WORK);
    }
  }

  /** A broker with the whole compiler and 1 GB of heap. */
  private static KafkaServer broker(Path dir) {
    System.setProperty(FLAGS_KEY, BROKER_FLAGS);
    try {
      // The messages have times of their own, which may be days ago.
      return KafkaServer.start(dir, Map.of("log.retention.ms", "-1"));
    } finally {
      System.clearProperty(FLAGS_KEY);
    }
  }

  /** What the jobs share. */
  private record Jobs(KafkaServer broker, Path dir, String heap, int series) {
    private LoadedJob start(Engine engine, String name, int series, int period, int rounds)
        throws IOException, InterruptedException {
      return new LoadedJob(broker, engine, dir.resolve(name), heap, series, period, rounds);
    }
  }

  /** Returns the CPU of a point, microseconds. */
  private static double cpu(
      Report report, Jobs jobs, Engine engine, String name, int warm, int rounds)
      throws IOException, InterruptedException {
    try (LoadedJob job = jobs.start(engine, name, jobs.series(), PERIOD, warm + rounds)) {
      LoadedJob.Sample found = job.cpu(warm);
      double micros = found.cpu() * 1e6 / found.points();
      report.row(
          "%s | %,d | %.2f | %,.0f | %d | %,d",
          engine.name(),
          found.points(),
          micros,
          found.points() / found.seconds(),
          found.checkpoints(),
          found.rollups());
      return micros;
    }
  }

  /**
   * Adds figures per series.
   *
   * @param period time between two points of a series, seconds
   * @param empty heap of a job with few series, bytes
   */
  private static void state(
      Report report, Jobs jobs, Engine engine, int period, int rounds, long empty)
      throws IOException, InterruptedException {
    int series = jobs.series();
    String name = "a point every " + period + " s";
    try (LoadedJob job = jobs.start(engine, "stream-" + period, series, period, rounds)) {
      LoadedJob.Saved saved = job.checkpoint();
      double heap = (double) (job.heap() - empty) / (series - FEW);
      double checkpoint = (double) saved.bytes() / series;
      int slack = RoundTimes.SLACK / period;
      report.row(
          "%s | %d to %d | %,.0f | %,.0f | %s",
          name, slack, slack + 1, heap, checkpoint, saved.saving());
      report.atMost("heap per series, " + name, " bytes", 600, heap);
      report.atMost("checkpoint per series, " + name, " bytes", 400, checkpoint);
    }
  }
}
