package io.tsdbsuite.rollup.load;

import io.tsdbsuite.coverage.Coverage;
import io.tsdbsuite.coverage.CoverageRows;
import io.tsdbsuite.coverage.CoverageWindow;
import io.tsdbsuite.coverage.MetricPatterns;
import io.tsdbsuite.rollup.hfile.Manifest;
import io.tsdbsuite.rollup.report.RunProof;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.function.ToLongFunction;

/** The windows of a run whose rollups are all stored. */
final class ProvenWindows {
  /** For a table whose cells do not expire. */
  static final long FOREVER = Long.MAX_VALUE;

  /** Masks that nobody needs are deleted when they are older. */
  private static final Duration MAX_AGE = Duration.ofMillis(Coverage.MAX_PROOF_AGE);

  private final Manifest manifest;
  private final String writer;
  private final String evidence;
  private final ToLongFunction<String> ttlSeconds;

  /**
   * @param writer as of the rows of the coverage
   * @param evidence which report proves it
   * @param ttlSeconds how long a rollup table keeps cells; {@link #FOREVER}: always
   */
  ProvenWindows(
      Manifest manifest, String writer, String evidence, ToLongFunction<String> ttlSeconds) {
    this.writer = writer;
    this.manifest = manifest;
    this.evidence = evidence;
    this.ttlSeconds = ttlSeconds;
  }

  /**
   * Why the run proves nothing; empty if it proves {@link #windows}.
   *
   * @param now time of the load
   */
  static String obstacle(Manifest manifest, Instant now) {
    RunProof proof = manifest.proof();
    if (proof == null) {
      return "the run was made by a version of rollup-job whose manifest does not tell whether rows"
          + " failed";
    }
    if (!proof.gaps().isEmpty()) {
      return "the run does not prove its window: " + String.join("; ", proof.gaps());
    }
    return proof.readAsOf().plus(MAX_AGE).isBefore(now)
        ? "the data snapshot must be at most "
            + MAX_AGE.toDays()
            + " days old, because older masks of late points may be gone, found "
            + proof.readAsOf()
        : "";
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

  /** The metrics of a run. */
  static MetricPatterns patterns(Manifest manifest) {
    String metrics = manifest.options().getOrDefault("--metrics", "");
    return metrics.isEmpty()
        ? MetricPatterns.all()
        : MetricPatterns.of(List.of(metrics.split(",", -1)));
  }

  /** Whether a run without gaps lets the rollups of all later snapshots win. */
  static boolean isComplete(Manifest manifest) {
    RunProof proof = manifest.proof();
    return proof != null
        && proof.gaps().isEmpty()
        && proof.readAsOf().toEpochMilli() == manifest.stamp();
  }

  /**
   * Whether a window of an earlier run may claim too much once the files of a run are loaded: the
   * run has gaps in it, its cells are newer than what it has read, or it has read older raw data,
   * so that its rollups may lack points, or be of points that were deleted later.
   */
  static boolean spoils(Manifest manifest, CoverageWindow window) {
    boolean known =
        manifest.tables().stream()
            .anyMatch(table -> CoverageRows.tableName(table.name()).equals(window.table()));
    Instant from = Instant.parse(manifest.options().get("--from"));
    boolean inside = window.to() > from.getEpochSecond();
    boolean before = manifest.options().containsKey("--changed-since");
    if (!known
        || !window.mayShare(patterns(manifest))
        || window.from() >= Instant.parse(manifest.options().get("--to")).getEpochSecond()
        || (!inside && !before)) {
      return false;
    }
    RunProof proof = manifest.proof();
    if (proof == null) {
      return true;
    }
    // With --as-of now the cells hide repairs that came after the snapshot.
    if (manifest.stamp() > proof.readAsOf().toEpochMilli() && manifest.stamp() > window.asOf()) {
      return true;
    }
    boolean older = proof.readAsOf().toEpochMilli() < window.asOf();
    return window.isRefresh()
        // Cells with older timestamps do not hide those of the refresh.
        ? older && manifest.stamp() > window.asOf()
        : older || (inside && !proof.gaps().isEmpty());
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
      addAroundHole(all, window, of);
    }
    for (CoverageWindow window : all) {
      try {
        Map<String, String> unused = CoverageRows.columns(window);
      } catch (IllegalArgumentException e) {
        Map<String, SeenRollups.Times> of = foreign.apply(window);
        throw new IllegalArgumentException(
            "table "
                + window.table()
                + " has rollups that may differ from raw data, of "
                + of.size()
                + " metrics, more than a window can name, for example "
                + of.keySet().iterator().next(),
            e);
      }
    }
    return all;
  }

  /** Windows of the metrics that have other rollups in a part of the window. */
  private static void addAroundHole(
      List<CoverageWindow> all, CoverageWindow window, Map<String, SeenRollups.Times> foreign) {
    Map<String, SeenRollups.Times> of = new TreeMap<>(foreign);
    of.values().removeIf(times -> times.first() <= window.from() && times.end() >= window.to());
    of.keySet().removeIf(metric -> metric.matches("!.*|.*[*?,].*"));
    if (of.isEmpty()) {
      return;
    }
    String metrics = String.join(",", of.keySet());
    SeenRollups.Times hole = of.values().stream().reduce(SeenRollups.Times::and).orElseThrow();
    if (window.from() < hole.first()) {
      all.add(window.part(window.writer() + ".a", window.from(), hole.first(), metrics));
    }
    if (hole.end() < window.to()) {
      all.add(window.part(window.writer() + ".b", hole.end(), window.to(), metrics));
    }
  }

  private CoverageWindow window(
      Manifest.Table table, RunProof proof, long from, long to, String suffix) {
    String metrics = manifest.options().getOrDefault("--metrics", "");
    CoverageWindow window =
        CoverageWindow.of(
            table.interval(),
            from,
            to,
            writer + suffix,
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
