package io.tsdbsuite.bench.meta;

import com.google.common.base.Ticker;
import io.tsdbsuite.bench.measure.JvmFork;
import io.tsdbsuite.bench.measure.KernelRun;
import io.tsdbsuite.bench.measure.Report;
import io.tsdbsuite.bench.measure.Suite;
import io.tsdbsuite.bench.measure.Trial;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.DoubleStream;
import java.util.stream.Stream;

/** {@code make bench-meta}: heap, CPU and misses of a TSD's meta cache. */
public final class MetaBench implements Suite {
  private static final String CPU_FLAGS = "-Xms4g -Xmx4g -XX:+UseG1GC -XX:+AlwaysPreTouch";
  private static final String HEAP_FLAGS = "-Xmx3g -XX:-UseG1GC -XX:+UseSerialGC";
  private static final int MILLION = 1_000_000;
  private static final int[] SERIES = {MILLION / 10, MILLION, 5 * MILLION};

  /** Seconds between two points of a series. */
  private static final int INTERVAL = 15;

  private static final long SEED = 20_260_102;

  private final JvmFork fork = JvmFork.likeThis(Path.of("target", "bench-meta.log"));

  @Override
  public String question() {
    return "What do a series and a point cost in the meta cache of a TSD?";
  }

  @Override
  public String peer() {
    return "the published plugin's cache on Guava; plain Caffeine with an entry for each series";
  }

  @Override
  public List<String> parts() {
    return List.of("heap", "cpu", "new", "point", "misses");
  }

  @Override
  public void run(Trial trial, Report report) throws IOException, InterruptedException {
    for (String part : trial.parts()) {
      switch (part) {
        case "heap" -> heap(trial, report);
        case "cpu" -> cpu(trial, report);
        case "new" -> first(trial, report);
        case "point" -> point(report);
        default -> misses(trial, report);
      }
    }
  }

  private interface Kernel {
    KernelRun run(MetaWay.Kind kind) throws IOException, InterruptedException;
  }

  private static Map<MetaWay.Kind, KernelRun> ofAll(Kernel kernel)
      throws IOException, InterruptedException {
    Map<MetaWay.Kind, KernelRun> runs = new EnumMap<>(MetaWay.Kind.class);
    for (MetaWay.Kind kind : MetaWay.Kind.values()) {
      runs.put(kind, kernel.run(kind));
    }
    return runs;
  }

  private void heap(Trial trial, Report report) throws IOException, InterruptedException {
    report.fact("Heap: `%s`", HEAP_FLAGS);
    report.table(
        "Series | Metrics | Suite, counting: bytes per series (its own estimate) | Suite, tracking"
            + " | Plain Caffeine, counting | Published way");
    double counting = 0;
    double tracking = 0;
    for (int[] size : new int[][] {{MILLION, 1000}, {5 * MILLION, 1000}, {MILLION, 50_000}}) {
      long series = trial.scaled(size[0], 1);
      long metrics = trial.scaled(size[1], 1);
      Map<MetaWay.Kind, KernelRun> runs =
          ofAll(kind -> kernel(HEAP_FLAGS, "heap", kind, series, metrics));
      double[] bytes =
          runs.values().stream()
              .flatMap(run -> Stream.of(run.get("measured"), run.get("estimated")))
              .mapToDouble(value -> value)
              .toArray();
      report.row(
          "%,d | %,d | %.1f (%.1f) | %.1f (%.1f) | %.1f | %.1f",
          series, metrics, bytes[2], bytes[3], bytes[0], bytes[1], bytes[4], bytes[6]);
      if (size[1] > 1000) {
        report.atMost("heap per series, counting, 20 series a metric", " bytes", 60, bytes[2]);
      } else {
        counting = Math.max(counting, bytes[2]);
        tracking = Math.max(tracking, bytes[0]);
      }
    }
    report.atMost("heap per series, counting", " bytes", 36, counting);
    report.atMost("heap per series, tracking", " bytes", 26, tracking);
  }

  private KernelRun kernel(String flags, Object... arguments)
      throws IOException, InterruptedException {
    List<String> texts = new ArrayList<>();
    for (Object argument : arguments) {
      texts.add(argument.toString());
    }
    return fork.run(List.of(flags.split(" ", -1)), MetaKernel.class.getName(), texts);
  }

  private void cpu(Trial trial, Report report) throws IOException, InterruptedException {
    int warmUps = trial.whole() ? 2 : 1;
    int rounds = trial.whole() ? 5 : 2;
    int millis = trial.whole() ? 1000 : 300;
    report.fact(
        "CPU: a JVM for each figure, %d rounds to warm up and %d measured, %d ms a round, medians,"
            + " `%s`",
        warmUps, rounds, millis, CPU_FLAGS);
    report.table(
        "Series | Points | Threads | Callers, ns: tracking | counting | Caffeine | published | Less"
            + " | Process, ns: tracking | counting | Caffeine | published | Less"
            + " | Bytes allocated: tracking | counting | Caffeine | published");
    double callersLess = Double.MAX_VALUE;
    double processLess = Double.MAX_VALUE;
    double allocated = 0;
    for (int full : SERIES) {
      long series = trial.scaled(full, 1);
      for (boolean zipf : new boolean[] {false, true}) {
        for (int threads = 1; threads <= 2; threads++) {
          int count = threads;
          Map<MetaWay.Kind, KernelRun> runs =
              ofAll(
                  kind ->
                      kernel(CPU_FLAGS, "cpu", kind, series, zipf, count, warmUps, rounds, millis));
          double[] callers = figures(runs, "callers");
          double[] process = figures(runs, "process");
          double[] bytes = figures(runs, "allocated");
          report.row(
              "%,d | %s | %d | %s | %.1fx | %s | %.1fx | %s",
              series,
              zipf ? "zipf" : "uniform",
              threads,
              whole(callers),
              less(callers),
              whole(process),
              less(process),
              whole(bytes));
          callersLess = Math.min(callersLess, less(callers));
          processLess = Math.min(processLess, less(process));
          allocated = Math.max(allocated, Math.max(bytes[0], bytes[1]));
        }
      }
    }
    report.atLeast("CPU of the callers, times less", "x", 3.5, callersLess);
    report.atLeast("CPU of the whole process, times less", "x", 7, processLess);
    report.atMost("allocated per increment", " bytes", 64, allocated);
  }

  private void first(Trial trial, Report report) throws IOException, InterruptedException {
    report.table(
        "New series | Metrics | max_size | Callers, ns a series: tracking | counting | Caffeine"
            + " | published");
    double most = 0;
    long series = trial.scaled(MILLION, 1);
    for (int each : new int[] {1000, 50_000}) {
      long metrics = trial.scaled(each, 1);
      for (long max : new long[] {2 * series, series / 4}) {
        double[] callers =
            figures(
                ofAll(kind -> kernel(CPU_FLAGS, "new", kind, series, metrics, max, 2, 3)),
                "callers");
        report.row("%,d | %,d | %,d | %s", series, metrics, max, whole(callers));
        most = Math.max(most, Math.max(callers[0], callers[1]));
      }
    }
    report.atMost("CPU of a new series", " ns", 1000, most);
  }

  /** Figures in the order of {@link MetaWay.Kind}. */
  private static double[] figures(Map<MetaWay.Kind, KernelRun> runs, String name) {
    return runs.values().stream().mapToDouble(run -> run.get(name)).toArray();
  }

  private static String whole(double[] values) {
    return DoubleStream.of(values)
        .mapToObj(value -> String.format(Locale.ROOT, "%.0f", value))
        .collect(Collectors.joining(" | "));
  }

  /** The published way's cost over the more expensive of the suite's modes. */
  private static double less(double[] cost) {
    return cost[3] / Math.max(cost[0], cost[1]);
  }

  private static void point(Report report) throws IOException, InterruptedException {
    String classPath = "target/classes:" + Files.readString(Path.of("target", "tsd-classpath.txt"));
    KernelRun run =
        new JvmFork(classPath, Path.of("target", "bench-meta-point.log"))
            .run(List.of(), PointKernel.class.getName(), List.of());
    report.table(Report.number(PointKernel.SERIES) + " series, a write in 240 points | ns a point");
    report.row("TSD: TSUID of the row key, before it calls the plugin | %.1f", run.get("tsuid"));
    report.row("plugin, tracking, without the RPC | %.1f", run.get("track"));
    report.row("plugin, counting, without the RPC | %.1f", run.get("count"));
    report.row(
        "reading the JVM's clock, which the plugin does not do for each point | %.1f",
        run.get("clock"));
  }

  /** Share of the points that find no entry; each costs a write. */
  private static void misses(Trial trial, Report report) {
    report.table(
        "Series report | Series | Metrics | max_size | Suite, misses | Plain Caffeine, misses"
            + " | Published way, misses");
    double fits = 0;
    double over = 0;
    double zipf = Double.NEGATIVE_INFINITY;
    for (boolean small : new boolean[] {false, true}) {
      // Metrics of 20 series, or 1000 large ones.
      int max = (int) trial.scaled(small ? MILLION : MILLION / 5, 1);
      int metrics = small ? 0 : (int) trial.scaled(1000, 1);
      fits = Math.max(fits, missed(report, max, metrics, max, false)[0]);
      over = Math.max(over, missed(report, max / 5 * 6, metrics, max, false)[0]);
      // The full size of small metrics would take minutes without a new result.
      int few = small ? max / 10 : max;
      double[] missed = missed(report, 10 * few, metrics, few, true);
      zipf = Math.max(zipf, missed[0] - missed[2]);
    }
    report.atMost("misses, in turn, max_size = series", " %", 0, fits);
    report.atMost("misses, in turn, series 20 % over max_size", " %", 30, over);
    report.atMost(
        "misses, zipf, 10 times over max_size: above the published way's", " points of %", 0, zipf);
  }

  private static double[] missed(
      Report report, int series, int metrics, int maxSeries, boolean zipf) {
    Shape shape = new Shape(series, metrics > 0 ? metrics : Math.max(1, series / 20));
    double[] missed = new double[3];
    for (int i = 0; i < missed.length; i++) {
      missed[i] = 100 * missed(MetaWay.Kind.values()[i + 1], shape, maxSeries, zipf);
    }
    report.row(
        "%s | %,d | %,d | %,d | %.2f %% | %.2f %% | %.2f %%",
        zipf ? "zipf" : "in turn",
        series,
        shape.metrics(),
        maxSeries,
        missed[0],
        missed[1],
        missed[2]);
    return missed;
  }

  /** In turn, a round is a point of each series; with zipf it has max_size points. */
  private static double missed(MetaWay.Kind kind, Shape shape, int maxSeries, boolean zipf) {
    int rounds = zipf ? 40 : 8;
    long[] nanos = {0};
    MetaWay way =
        kind.create(
            maxSeries,
            new Ticker() {
              @Override
              public long read() {
                return nanos[0];
              }
            });
    byte[] tsuid = new byte[Shape.LENGTH];
    int count = zipf ? maxSeries : shape.series();
    int[] points = zipf ? shape.points(true, rounds * count, SEED) : new int[0];
    long warm = 0;
    for (int round = 0; round < rounds; round++) {
      if (round == rounds / 2) {
        warm = way.misses();
      }
      for (int i = 0; i < count; i++) {
        shape.write(zipf ? points[round * count + i] : shape.shuffled(i), tsuid);
        way.increment(tsuid);
      }
      nanos[0] += TimeUnit.SECONDS.toNanos(INTERVAL);
    }
    return (way.misses() - warm) / (rounds / 2.0 * count);
  }
}
