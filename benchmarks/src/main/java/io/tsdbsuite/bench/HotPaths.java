package io.tsdbsuite.bench;

import io.tsdbsuite.bench.UidBenchmark.Uids;
import io.tsdbsuite.bench.measure.Report;
import io.tsdbsuite.bench.measure.Suite;
import io.tsdbsuite.bench.measure.Trial;
import io.tsdbsuite.message.write.MessageFormat;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.profile.GCProfiler;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.TimeValue;

/** {@code make bench}: rows, messages, names, sketches and packed rollups in memory, by JMH. */
public final class HotPaths implements Suite {
  private static final int FORKS = 3;
  private static final int WARM_UPS = 5;
  private static final int MEASUREMENTS = 10;
  private static final TimeValue ROUND = TimeValue.milliseconds(200);

  private Collection<RunResult> runs = List.of();

  @Override
  public String question() {
    return "How much CPU does a point cost in memory?";
  }

  @Override
  public String peer() {
    return "the first way: an object for each point, a HashMap, the JDK's statistics";
  }

  @Override
  public String command(String name) {
    return "make bench";
  }

  @Override
  public List<String> parts() {
    return List.of("Row", "Message", "Stored", "Uid", "Sketch", "Packed");
  }

  @Override
  public void run(Trial trial, Report report) throws RunnerException {
    int forks = trial.whole() ? FORKS : 1;
    int warmUps = trial.whole() ? WARM_UPS : 1;
    int measured = (int) trial.scaled(MEASUREMENTS, 1);
    report.fact(
        "JMH: %d forks, each %d rounds to warm up and %d measured, %d ms a round, one thread,"
            + " serial collector",
        forks, warmUps, measured, ROUND.getTime());
    for (String part : trial.parts()) {
      runs = runs(part, forks, warmUps, measured);
      switch (part) {
        case "Row" -> rows(report);
        case "Message" -> messages(report);
        case "Stored" -> stored(report);
        case "Uid" -> uids(report);
        case "Sketch" -> sketches(report);
        default -> packed(report);
      }
    }
  }

  private static Collection<RunResult> runs(String part, int forks, int warmUps, int measured)
      throws RunnerException {
    return new Runner(
            new OptionsBuilder()
                .include("io\\.tsdbsuite\\.bench\\." + part + "Benchmark")
                .mode(Mode.AverageTime)
                .timeUnit(TimeUnit.NANOSECONDS)
                .forks(forks)
                .warmupIterations(warmUps)
                .warmupTime(ROUND)
                .measurementIterations(measured)
                .measurementTime(ROUND)
                .jvmArgs("-Xmx512m", "-XX:+UseSerialGC")
                .addProfiler(GCProfiler.class)
                .shouldFailOnError(true)
                .build())
        .run();
  }

  private void rows(Report report) {
    report.table(
        "Row | Points | Suite, ns per point | First way, ns per point | Faster"
            + " | Suite, bytes per row | First way, bytes per row");
    for (RowShape shape : RowShape.values()) {
      RunResult suite = run("suite", "shape", shape.name());
      RunResult first = run("firstWay", "shape", shape.name());
      report.row(
          "%s, %s | %d | %s | %s | %.1fx | %s | %s",
          shape.name().substring(0, 2),
          shape.description(),
          shape.points(),
          nanos(suite, shape.points()),
          nanos(first, shape.points()),
          fastest(first) / fastest(suite),
          bytes(suite, 1),
          bytes(first, 1));
    }
  }

  private void messages(Report report) {
    report.table("Message | ns per message | Bytes allocated per message");
    for (MessageFormat format : MessageFormat.values()) {
      RunResult run = run("encode", "format", format.name());
      int messages = MessageBenchmark.messages(format);
      report.row(
          "%s, %d per series and hour | %s | %s",
          format.name().toLowerCase(Locale.ROOT),
          messages,
          nanos(run, messages),
          bytes(run, messages));
    }
  }

  private void stored(Report report) {
    report.table("Rollups to a batch of Kafka, zstd | Values | ns per rollup | Bytes of a rollup");
    for (StoredBenchmark.Form form : StoredBenchmark.Form.values()) {
      for (PackedBenchmark.Shape shape : PackedBenchmark.Shape.values()) {
        if (shape != PackedBenchmark.Shape.DAYS) {
          RunResult run = run("store", Map.of("form", form.name(), "shape", shape.name()));
          report.row(
              "%s | %s | %s | %.1f",
              form.description,
              shape.description,
              nanos(run, StoredBenchmark.ROLLUPS),
              StoredBenchmark.bytes(form, shape));
        }
      }
    }
  }

  private void uids(Report report) {
    report.table(
        String.format(
            Locale.ROOT,
            "UidDictionary of %,d names | ns per lookup | Bytes allocated per lookup",
            UidBenchmark.NAMES));
    for (Uids uids : Uids.values()) {
      RunResult run = run("lookup", "uids", uids.name());
      report.row(
          "%s UIDs, random order | %s | %s",
          uids.name().toLowerCase(Locale.ROOT), nanos(run, 1), bytes(run, 1));
    }
  }

  private void sketches(Report report) {
    report.table(
        "Sketch of values | ns per point added | ns per hour merged | us to write a day"
            + " | us for a percentile of a day");
    for (SketchBenchmark.Shape shape : SketchBenchmark.Shape.values()) {
      report.row(
          "%s | %s | %s | %s | %s",
          shape.description,
          nanos(run("add", "shape", shape.name()), SketchBenchmark.POINTS),
          nanos(run("merge", "shape", shape.name()), SketchBenchmark.HOURS),
          nanos(run("write", "shape", shape.name()), 1000),
          nanos(run("percentile", "shape", shape.name()), 1000));
    }
    report.table(
        "Bytes of a cell of | 60 points | 360 points | 3,600 points | 8,640 points | 86,400"
            + " points");
    for (SketchBenchmark.Shape shape : SketchBenchmark.Shape.values()) {
      report.row(
          "%s | %d | %d | %d | %d | %d",
          shape.description,
          shape.size(60),
          shape.size(360),
          shape.size(3600),
          shape.size(8640),
          shape.size(86_400));
    }
  }

  private void packed(Report report) {
    report.table(
        "Packed row | Bytes of a rollup | Writing, ns per rollup | Reading, ns per rollup"
            + " | Its bytes copied, ns per rollup | Plain cells made, ns per rollup"
            + " | Bytes allocated, writing | Reading | Plain cells");
    for (PackedBenchmark.Shape shape : PackedBenchmark.Shape.values()) {
      RunResult encode = run("encode", "shape", shape.name());
      RunResult decode = run("decode", "shape", shape.name());
      RunResult plain = run("plain", "shape", shape.name());
      report.row(
          "%s | %.1f | %s | %s | %s | %s | %s | %s | %s",
          shape.description,
          (double) shape.size() / shape.slots,
          nanos(encode, shape.slots),
          nanos(decode, shape.slots),
          nanos(run("copy", "shape", shape.name()), shape.slots),
          nanos(plain, shape.slots),
          bytes(encode, shape.slots),
          bytes(decode, shape.slots),
          bytes(plain, shape.slots));
    }
  }

  private RunResult run(String method, String param, String value) {
    return run(method, Map.of(param, value));
  }

  private RunResult run(String method, Map<String, String> params) {
    return runs.stream()
        .filter(run -> run.getParams().getBenchmark().endsWith("." + method))
        .filter(
            run ->
                params.entrySet().stream()
                    .allMatch(
                        param -> run.getParams().getParam(param.getKey()).equals(param.getValue())))
        .findAny()
        .orElseThrow(() -> new IllegalStateException(method + " of " + params + " did not run"));
  }

  /** The fastest round: other load on the machine can only slow a round down. */
  private static double fastest(RunResult run) {
    return run.getPrimaryResult().getStatistics().getMin();
  }

  /** Nanoseconds of a part of the operation: the fastest round, and the median. */
  private static String nanos(RunResult run, int parts) {
    double median = run.getPrimaryResult().getStatistics().getPercentile(50);
    return String.format(Locale.ROOT, "%.1f (%.1f)", fastest(run) / parts, median / parts);
  }

  private static String bytes(RunResult run, int parts) {
    double bytes =
        Objects.requireNonNull(run.getSecondaryResults().get("gc.alloc.rate.norm")).getScore();
    return String.format(Locale.ROOT, "%,.0f", bytes / parts);
  }
}
