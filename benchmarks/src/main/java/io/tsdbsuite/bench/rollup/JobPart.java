package io.tsdbsuite.bench.rollup;

import io.tsdbsuite.bench.RowShape;
import io.tsdbsuite.bench.measure.KernelRun;
import io.tsdbsuite.bench.measure.Report;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Measures the whole job on two cores, from HFiles on S3 to acknowledged Kafka messages. */
final class JobPart implements BenchPart {
  private static final int METRICS = 160;
  private static final int PART = 4;
  private static final String ROUNDS = "3";

  private static final double MILLION_POINTS = 3;
  private static final double KAFKA_AND_NAMES_PERCENT = 50;
  private static final double ENCODE_AND_KAFKA_PERCENT = 40;
  private static final double GC_PERCENT = 2;

  private static final String WHOLE = "kafka@all";

  /** The option of the runs that send the hours of a series in one message. */
  private static final String HOURS = ";rollups.per.message=24";

  private static final List<String> PARTS =
      List.of("read@all", "names@all", "encode@all", WHOLE, "encode@all" + HOURS, WHOLE + HOURS);

  /** Alternative properties of the producer, for comparison. */
  private static final Map<String, String> PRODUCERS =
      Map.of(
          "suite, 60 points a row, zstd level 3", WHOLE + ";compression.zstd.level=3",
          "suite, 60 points a row, lz4", WHOLE + ";compression.type=lz4");

  @Override
  public void run(Bench bench) throws IOException, InterruptedException {
    try (JobServers servers = new JobServers(bench.dir().resolve("job"))) {
      int metrics = bench.scaled(METRICS, PART);
      servers.table("all", RowShape.S3_COMPACTED_60, metrics);
      servers.table("part", RowShape.S3_COMPACTED_60, metrics / PART);
      servers.table("few", RowShape.S3_COMPACTED_60, 2);
      servers.table("long", RowShape.S2_COMPACTED_3600, Math.max(1, metrics / 80));
      JobTable table = new JobTable(bench.report());
      double bytes = servers.bytesPerMessage(bench, WHOLE);
      double bytesOfHours = servers.bytesPerMessage(bench, WHOLE + HOURS);
      KernelRun parts = servers.run(bench, "local[2]", ROUNDS, concat(PARTS, PARTS), PARTS);
      KernelRun others =
          servers.run(
              bench,
              "local[2]",
              ROUNDS,
              List.of(WHOLE, "kafka@long"),
              concat(
                  PRODUCERS.values(),
                  List.of("kafka@long", "kafka@few", "intervals@few", "kafka@part")));
      KernelRun stock =
          servers.run(bench, "local[2]", "2", List.of("stock@few"), List.of("stock@part"));
      table.row("suite, 60 points a row", parts, WHOLE);
      table.row("suite, 60 points a row, 24 rollups in a message", parts, WHOLE + HOURS);
      PRODUCERS.forEach((name, run) -> table.row(name, others, run));
      table.row("suite, 3600 points a row", others, "kafka@long");
      table.row("suite, a quarter of the rows", others, "kafka@part");
      table.row("stock way, a quarter of the rows", stock, "stock@part");
      table.row("suite, 1h, few rows", others, "kafka@few");
      table.row("suite, 1m,10m,1h,1d, few rows", others, "intervals@few");
      phases(bench.report(), parts);
      parts(bench.report(), parts, "", "Part of the roll up");
      parts(bench.report(), parts, HOURS, "Part of the roll up, 24 rollups in a message");
      aims(bench.report(), parts);
      topic(bench.report(), bytes, bytesOfHours);
    }
  }

  private static List<String> concat(Collection<String> a, Collection<String> b) {
    List<String> all = new ArrayList<>(a);
    all.addAll(b);
    return all;
  }

  private static void topic(Report report, double bytes, double bytesOfHours) {
    report
        .tables()
        .table("Messages in the topic, metric and 2 tags, zstd level 1", "Bytes each", "a rollup");
    topic(report, "60 points a row", bytes, 1);
    topic(report, "60 points a row, 24 rollups in a message", bytesOfHours, 24);
  }

  private static void topic(Report report, String messages, double bytes, int rollups) {
    report.tables().row(messages, Report.tenths(bytes), Report.tenths(bytes / rollups));
    report.figure(
        "topic",
        Map.of("of", messages, "bytesPerMessage", bytes, "bytesPerRollup", bytes / rollups));
  }

  private static void phases(Report report, KernelRun run) {
    Map<String, Object> figure = new LinkedHashMap<>();
    report.tables().table("Phase of the whole job, 60 points a row", "Wall s");
    for (String phase : List.of("manifests", "sink check", "UIDs", "plan", "roll up", "commit")) {
      double seconds = run.get(WHOLE + ".phase." + phase.replace(' ', '-'));
      figure.put(phase, seconds);
      report.tables().row(phase, Report.thousandths(seconds));
    }
    report.figure("jobSecondsByPhase", figure);
  }

  private static void parts(Report report, KernelRun run, String hours, String title) {
    report.tables().table(title, "CPU ns a point", "CPU us a rollup", "Share");
    String whole = WHOLE + hours;
    String encode = "encode@all" + hours;
    part(report, run, title, "read and aggregate", "read@all", null, whole);
    part(report, run, title, "UID lookup", "names@all", "read@all", whole);
    part(report, run, title, "encode key and message", encode, "names@all", whole);
    part(report, run, title, "Kafka", whole, encode, whole);
    part(report, run, title, "all", whole, null, whole);
  }

  private static void part(
      Report report,
      KernelRun run,
      String title,
      String name,
      String with,
      @Nullable String without,
      String whole) {
    double seconds = cpu(run, with) - (without == null ? 0 : cpu(run, without));
    double nanos = 1e9 * seconds / run.get(with + ".points");
    // A message each.
    double rollups = run.get(WHOLE + ".messages");
    double micros = 1e6 * seconds / rollups;
    double percent = 100 * seconds / cpu(run, whole);
    Map<String, Object> figure = new LinkedHashMap<>();
    figure.put("of", title);
    figure.put("part", name);
    figure.put("cpuNanosPerPoint", nanos);
    figure.put("cpuMicrosPerRollup", micros);
    figure.put("percent", percent);
    report.figure("jobParts", figure);
    report
        .tables()
        .row(
            name,
            Report.tenths(nanos),
            Report.thousandths(micros),
            String.format(Locale.ROOT, "%.0f %%", percent));
  }

  private static double cpu(KernelRun run, String name) {
    return run.get(name + ".rollUp.cpu");
  }

  private static void aims(Report report, KernelRun run) {
    report.atLeast(
        "million points a second and core, the job from its begin to its end, 60 points a row",
        "",
        MILLION_POINTS,
        run.get(WHOLE + ".points") / run.get(WHOLE + ".cpu") / 1e6);
    double rest = cpu(run, "encode@all") - (cpu(run, "names@all") - cpu(run, "read@all"));
    report.atMost(
        "Kafka and UID lookup, share of the roll up's CPU",
        " %",
        KAFKA_AND_NAMES_PERCENT,
        100 * (1 - rest / cpu(run, WHOLE)));
    report.atMost(
        "encoding and Kafka, share of the roll up's CPU, 24 rollups in a message",
        " %",
        ENCODE_AND_KAFKA_PERCENT,
        100 * (1 - cpu(run, "names@all") / cpu(run, WHOLE + HOURS)));
    report.atMost(
        "garbage collection, share of the job's time",
        " %",
        GC_PERCENT,
        100 * run.get(WHOLE + ".gc") / run.get(WHOLE + ".wall"));
  }
}
