package io.tsdbsuite.rollup.load;

import io.tsdbsuite.coverage.CoverageRows;
import io.tsdbsuite.coverage.CoverageWindow;
import io.tsdbsuite.rollup.hfile.Manifest;
import io.tsdbsuite.rollup.report.RunProof;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.function.ToLongFunction;

/** The windows of a run whose rollups are all stored. */
final class ProvenWindows {
  /** For a table whose cells do not expire. */
  static final long FOREVER = Long.MAX_VALUE;

  private final Manifest manifest;
  private final String evidence;
  private final ToLongFunction<String> ttlSeconds;

  /**
   * @param evidence which report proves it
   * @param ttlSeconds how long a rollup table keeps cells; {@link #FOREVER}: always
   */
  ProvenWindows(Manifest manifest, String evidence, ToLongFunction<String> ttlSeconds) {
    this.manifest = manifest;
    this.evidence = evidence;
    this.ttlSeconds = ttlSeconds;
  }

  /** Why the run proves nothing; empty if it proves {@link #windows}. */
  static String obstacle(Manifest manifest) {
    RunProof proof = manifest.proof();
    if (proof == null) {
      return "the run was made by a version of rollup-job whose manifest does not tell whether rows"
          + " failed";
    }
    return proof.gaps().isEmpty()
        ? ""
        : "the run does not prove its window: " + String.join("; ", proof.gaps());
  }

  /**
   * The windows.
   *
   * @throws IllegalArgumentException when no reader of the coverage would take them
   */
  List<CoverageWindow> windows() {
    RunProof proof = manifest.proof();
    if (proof == null || !proof.gaps().isEmpty()) {
      return List.of();
    }
    long from = seconds("--from");
    long to = seconds("--to");
    List<CoverageWindow> windows = new ArrayList<>();
    for (Manifest.Table table : manifest.tables()) {
      if (from < to) {
        windows.add(window(table, proof, from, to, ""));
      }
      RunProof.Refresh refresh = proof.refresh();
      if (refresh != null) {
        windows.add(
            window(table, proof, refresh.from().getEpochSecond(), from, ".late")
                .refreshing(refresh.since().toEpochMilli()));
      }
    }
    windows.forEach(CoverageRows::columns);
    return windows;
  }

  /**
   * The windows without the metrics whose rollups are not those of the run. These have windows of
   * their own, before and after these rollups.
   *
   * @param foreign times of such rollups in a window, by metric
   * @throws IllegalArgumentException when there are more such metrics than a window can name
   */
  static List<CoverageWindow> without(
      List<CoverageWindow> windows,
      Function<CoverageWindow, Map<String, SeenRollups.Times>> foreign) {
    List<CoverageWindow> all = new ArrayList<>();
    for (CoverageWindow window : windows) {
      Map<String, SeenRollups.Times> of = foreign.apply(window);
      if (of.isEmpty()) {
        all.add(window);
        continue;
      }
      StringBuilder others = new StringBuilder(window.metrics());
      // A comma separates patterns; a metric too many is no harm.
      of.keySet().forEach(metric -> others.append(",!").append(metric.replace(',', '?')));
      all.add(window.part(window.writer(), window.from(), window.to(), others.toString()));
      if (of.keySet().stream().noneMatch(metric -> metric.matches("!.*|.*[*?,].*"))) {
        String these = String.join(",", of.keySet());
        SeenRollups.Times hole = of.values().stream().reduce(SeenRollups.Times::and).orElseThrow();
        if (window.from() < hole.first()) {
          all.add(window.part(window.writer() + ".a", window.from(), hole.first(), these));
        }
        if (hole.end() < window.to()) {
          all.add(window.part(window.writer() + ".b", hole.end(), window.to(), these));
        }
      }
    }
    for (CoverageWindow window : all) {
      try {
        Map<String, String> unused = CoverageRows.columns(window);
      } catch (IllegalArgumentException e) {
        Map<String, SeenRollups.Times> of = foreign.apply(window);
        throw new IllegalArgumentException(
            "table "
                + window.table()
                + " has other rollups than those of the run, of "
                + of.size()
                + " metrics, more than a window can name, for example "
                + of.keySet().iterator().next(),
            e);
      }
    }
    return all;
  }

  private CoverageWindow window(
      Manifest.Table table, RunProof proof, long from, long to, String suffix) {
    String metrics = manifest.options().getOrDefault("--metrics", "");
    CoverageWindow window =
        CoverageWindow.of(
            table.interval(),
            from,
            to,
            "load-" + manifest.run() + suffix,
            table.name(),
            proof.readAsOf().toEpochMilli(),
            metrics.isEmpty() ? "*" : metrics,
            evidence);
    long ttl = ttlSeconds.applyAsLong(table.name());
    return ttl == FOREVER ? window : window.expiring(manifest.stamp() + ttl * 1000);
  }

  private long seconds(String option) {
    return Instant.parse(manifest.options().get(option)).getEpochSecond();
  }
}
