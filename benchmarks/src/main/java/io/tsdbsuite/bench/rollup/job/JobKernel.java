package io.tsdbsuite.bench.rollup.job;

import io.tsdbsuite.bench.measure.KernelRun;
import io.tsdbsuite.bench.measure.Median;
import io.tsdbsuite.rollup.report.Count;
import io.tsdbsuite.rollup.report.RollupReport;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;
import org.apache.spark.SparkConf;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.scheduler.SparkListener;
import org.apache.spark.scheduler.SparkListenerJobEnd;
import org.apache.spark.scheduler.SparkListenerJobStart;

/** Runs the job, parts of it and the stock job on Spark in this JVM, alternately. */
public final class JobKernel {
  private final Settings settings;
  private final long s3;
  private final long kafka;
  private final AtomicReference<Usage> started = new AtomicReference<>();
  private final AtomicReference<Usage> ended = new AtomicReference<>();

  private JobKernel(Settings settings) {
    this.settings = settings;
    this.s3 = Long.parseLong(settings.get("s3Pid"));
    this.kafka = Long.parseLong(settings.get("kafkaPid"));
  }

  /**
   * Arguments: a directory and settings: {@code master}, {@code warm} and {@code runs} (each a list
   * of {@code way@snapshot;property=value;...}, the properties of Kafka's producer), {@code
   * rounds}, the locations of the snapshots and the addresses of the servers.
   */
  public static void main(String[] args) throws Exception {
    Settings settings = Settings.parse(List.of(args).subList(1, args.length));
    SparkConf conf =
        settings
            .spark("bench-rollup")
            .set("spark.serializer", "org.apache.spark.serializer.JavaSerializer")
            // TableSnapshotInputFormat's splits report a length of 0 bytes.
            .set("spark.hadoopRDD.ignoreEmptySplits", "false");
    try (JavaSparkContext spark = new JavaSparkContext(conf)) {
      new JobKernel(settings).run(spark);
    }
    System.exit(0);
  }

  private void run(JavaSparkContext spark) throws Exception {
    spark.sc().addSparkListener(new Watch());
    Map<String, List<JobRun>> runs = new LinkedHashMap<>();
    for (String run : settings.list("warm")) {
      run(spark, run);
    }
    for (int round = 0; round < settings.number("rounds"); round++) {
      for (String run : settings.list("runs")) {
        runs.computeIfAbsent(run, r -> new ArrayList<>()).add(run(spark, run));
      }
    }
    runs.forEach(JobKernel::print);
  }

  private JobRun run(JavaSparkContext spark, String name) throws Exception {
    JobRun run = measure(spark, name);
    System.out.println(name + ": " + run);
    return run;
  }

  private JobRun measure(JavaSparkContext spark, String spec) throws Exception {
    List<String> parts = Arrays.asList(spec.split(";", -1));
    String run = parts.get(0);
    Map<String, String> kafkaProperties = new LinkedHashMap<>();
    for (String property : parts.subList(1, parts.size())) {
      int equals = property.indexOf('=');
      kafkaProperties.put(property.substring(0, equals), property.substring(equals + 1));
    }
    int at = run.indexOf('@');
    JobWay way = JobWay.valueOf(run.substring(0, at).toUpperCase(Locale.ROOT));
    String snapshot = run.substring(at + 1);
    Usage before = Usage.now(s3, kafka);
    if (way == JobWay.STOCK) {
      StockJob.Made made = new StockJob(spark, settings).run(snapshot);
      Usage usage = Usage.now(s3, kafka).since(before);
      return new JobRun(usage, lastSparkJob(spark), made.points(), made.messages(), Map.of());
    }
    RollupReport report = new SuiteJob(spark, settings).run(way, snapshot, kafkaProperties);
    Usage after = Usage.now(s3, kafka);
    long points = report.books().count(Count.POINTS_AGGREGATED);
    return new JobRun(
        after.since(before),
        lastSparkJob(spark),
        points,
        report.books().count(Count.MESSAGES_ACKNOWLEDGED),
        report.phases());
  }

  /** Usage of the roll-up. It excludes loading names, for which the stock job uses Spark too. */
  private Usage lastSparkJob(JavaSparkContext spark) throws TimeoutException {
    spark.sc().listenerBus().waitUntilEmpty();
    return Objects.requireNonNull(ended.get()).since(Objects.requireNonNull(started.get()));
  }

  private static void print(String name, List<JobRun> runs) {
    print(name + ".points", (double) runs.get(0).points());
    print(name + ".messages", (double) runs.get(0).messages());
    print(name, runs, JobRun::usage);
    print(name + ".rollUp", runs, JobRun::rollUp);
    for (String phase : runs.get(0).phases().keySet()) {
      print(name + ".phase." + phase.replace(' ', '-'), median(runs, r -> r.phases().get(phase)));
    }
  }

  private static void print(String name, List<JobRun> runs, Function<JobRun, Usage> part) {
    print(name + ".wall", median(runs, r -> part.apply(r).wall()));
    print(name + ".cpu", median(runs, r -> part.apply(r).cpu()));
    print(name + ".tasksCpu", median(runs, r -> part.apply(r).tasksCpu()));
    print(name + ".tasksBytes", median(runs, r -> part.apply(r).tasksBytes()));
    print(name + ".gc", median(runs, r -> part.apply(r).gc()));
    print(name + ".s3Cpu", median(runs, r -> part.apply(r).s3Cpu()));
    print(name + ".kafkaCpu", median(runs, r -> part.apply(r).kafkaCpu()));
  }

  private static double median(List<JobRun> runs, ToDoubleFunction<JobRun> figure) {
    return Median.of(runs.stream().map(figure::applyAsDouble).toList());
  }

  private static void print(String name, double value) {
    System.out.println(KernelRun.line(name, value));
  }

  /** Records usage at the start and the end of Spark's tasks. */
  private final class Watch extends SparkListener {
    @Override
    public void onJobStart(SparkListenerJobStart start) {
      started.set(Usage.now(s3, kafka));
    }

    @Override
    public void onJobEnd(SparkListenerJobEnd end) {
      ended.set(Usage.now(s3, kafka));
    }
  }
}
