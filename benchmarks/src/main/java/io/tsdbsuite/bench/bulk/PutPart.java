package io.tsdbsuite.bench.bulk;

import io.tsdbsuite.bench.measure.Median;
import io.tsdbsuite.synthetic.SyntheticShape;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/** Measures puts of synthetic rows into new tables, including comparison with stored cells. */
final class PutPart {
  private static final int ROUNDS = 3;
  private static final long DENSE_DAYS = 9;
  private static final long SPARSE_HOURS = 500;
  private static final double DENSE_AIM = 10;
  private static final double SPARSE_AIM = 3;
  private static final double WARM_UP = 0.25;

  private final Bench bench;
  private int installations;

  PutPart(Bench bench) {
    this.bench = bench;
  }

  void run() throws IOException, InterruptedException {
    SyntheticShape dense = Shapes.seconds("bench.put", bench.scaled(DENSE_DAYS, 1));
    SyntheticShape sparse = Shapes.minutes("bench.put", bench.scaled(SPARSE_HOURS, 1));
    long warmUp = Math.max(1, Math.round(sparse.span().toHours() * WARM_UP));
    load(Shapes.minutes("bench.put", warmUp), "async");
    Map<String, List<LoaderRun>> runs = new LinkedHashMap<>();
    for (int round = 0; round < ROUNDS; round++) {
      for (String wal : List.of("async", "sync")) {
        add(runs, "3600 points a row, --wal " + wal, load(dense, wal));
        add(runs, "60 points a row, --wal " + wal, load(sparse, wal));
      }
    }
    bench
        .report()
        .tables()
        .table(
            "generate --mode put",
            "M points",
            "M points per second, JVM start to end",
            "Slowest..fastest round",
            "In the write phase",
            "Rows per second in it",
            "CPU s per 100 M points: loader",
            "HBase");
    runs.forEach(this::row);
    aim(runs, "3600 points a row, --wal async", DENSE_AIM);
    aim(runs, "60 points a row, --wal async", SPARSE_AIM);
  }

  private static void add(Map<String, List<LoaderRun>> runs, String what, LoaderRun run) {
    System.out.println(what + ": " + Report.millions(run.perSecond()) + " M points/s");
    runs.computeIfAbsent(what, key -> new ArrayList<>()).add(run);
  }

  private LoaderRun load(SyntheticShape shape, String wal)
      throws IOException, InterruptedException {
    try (Installation to = bench.install("put" + installations++, List.of())) {
      List<String> options = Shapes.options(shape);
      options.addAll(List.of("--mode=put", "--wal=" + wal));
      LoaderRun run = bench.loader().run(to, shape.points(), "generate", options);
      Answers.check(to.tsd(), shape);
      return run;
    }
  }

  private void row(String what, List<LoaderRun> runs) {
    List<Double> rates = runs.stream().map(LoaderRun::perSecond).sorted().toList();
    long points = runs.get(0).points();
    double phase = Median.of(runs.stream().map(run -> run.phase("write")).toList());
    double hundreds = points / 1e8;
    bench
        .report()
        .tables()
        .row(
            what,
            Report.millions((double) points),
            Report.millions(Median.of(rates)),
            Report.millions(rates.get(0)) + ".." + Report.millions(rates.get(rates.size() - 1)),
            Report.millions(points / phase),
            Report.number(Math.round(runs.get(0).count("rowsWritten") / phase)),
            cpu(runs.stream().map(run -> run.process().cpuSeconds() / hundreds).toList()),
            cpu(runs.stream().map(run -> run.hbaseCpuSeconds() / hundreds).toList()));
  }

  private static String cpu(List<Double> seconds) {
    return Report.seconds(Median.of(seconds));
  }

  private void aim(Map<String, List<LoaderRun>> runs, String what, double aim) {
    double rate =
        Median.of(
            Objects.requireNonNull(runs.get(what)).stream().map(LoaderRun::perSecond).toList());
    bench.report().aims().atLeast("puts, " + what, " M points/s", aim, rate / 1e6);
  }
}
