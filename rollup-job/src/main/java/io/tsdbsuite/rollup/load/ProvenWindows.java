package io.tsdbsuite.rollup.load;

import io.tsdbsuite.coverage.Coverage;
import io.tsdbsuite.coverage.CoverageRows;
import io.tsdbsuite.coverage.CoverageWindow;
import io.tsdbsuite.coverage.TimeRanges;
import io.tsdbsuite.format.metric.FirstMatch;
import io.tsdbsuite.format.metric.MetricPatterns;
import io.tsdbsuite.format.rollup.Level;
import io.tsdbsuite.format.rollup.SuiteConfig;
import io.tsdbsuite.rollup.hfile.Manifest;
import io.tsdbsuite.rollup.plan.RawFloors;
import io.tsdbsuite.rollup.report.RunProof;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.function.ToLongFunction;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * The windows of a run whose rollups are all stored: one of each level of each table for the window
 * of the run, and one for each refresh, the hours before it of which all changed rows were rolled
 * up again. A run with gaps, or that has read a snapshot that is too old, proves none.
 *
 * @param suite what its rollups have beside sum, min, max and count, as far as the coverage table
 *     can say it
 * @param writer as of the rows of the coverage
 * @param evidence which report proves it
 * @param ttlSeconds how long a rollup table keeps cells; {@link TableFacts#FOREVER}: always
 */
record ProvenWindows(
    Manifest manifest,
    SuiteConfig suite,
    String writer,
    String evidence,
    ToLongFunction<String> ttlSeconds) {
  /** Masks that no query needs are deleted when they are older. */
  private static final Duration MAX_AGE = Duration.ofMillis(Coverage.MAX_PROOF_AGE);

  /** A table has room for 10,000 windows. */
  private static final int MAX_PARTS = 10;

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
        ? ("the data snapshot must be at most %s days old, because older masks of late"
                + " points may be gone, found %s")
            .formatted(MAX_AGE.toDays(), proof.readAsOf())
        : "";
  }

  /**
   * The windows, above the floors that the run has known: what is left below them it has left out.
   *
   * @throws IllegalArgumentException when no reader of the coverage would take them
   */
  List<CoverageWindow> windows() {
    RunProof proof = manifest.proof();
    if (proof == null || !proof.gaps().isEmpty()) {
      return List.of();
    }
    long floor = new RawFloors(true, proof.floors()).after(0, patterns(manifest)).highest();
    List<CoverageWindow> windows = new ArrayList<>();
    for (Manifest.Table table : manifest.tables()) {
      String metrics = manifest.options().getOrDefault("--metrics", "");
      if (table.isPacked()) {
        addPacked(windows, table, metrics.isEmpty() ? "*" : metrics, proof, floor);
      } else if (!table.isHistogram()) {
        add(windows, table, table.interval(), metrics.isEmpty() ? "*" : metrics, proof, floor);
      } else if (hidesHistograms()) {
        continue;
      }
      for (String name : names(table)) {
        List<String> patterns = suite.patterns(table.interval(), name, patterns(manifest));
        if (patterns != null && !patterns.isEmpty()) {
          String level = Level.text(table.interval(), name);
          add(windows, table, level, String.join(",", patterns), proof, floor);
        }
      }
    }
    // A refresh has the columns of a window.
    windows.forEach(window -> CoverageRows.columns(window.refreshing(CoverageWindow.NO_REFRESH)));
    return windows;
  }

  /**
   * Adds the window of packed rows, which no refresh raises: late hours are read from plain ones.
   */
  private void addPacked(
      List<CoverageWindow> windows,
      Manifest.Table table,
      String metrics,
      RunProof proof,
      long floor) {
    long from = Math.max(floor, manifest.from());
    if (from < manifest.to()) {
      windows.add(window(table, table.level(), metrics, proof, from, manifest.to(), ""));
    }
  }

  /** Adds the windows of a level. */
  private void add(
      List<CoverageWindow> windows,
      Manifest.Table table,
      String level,
      String metrics,
      RunProof proof,
      long floor) {
    long from = Math.max(floor, manifest.from());
    if (from < manifest.to()) {
      windows.add(window(table, level, metrics, proof, from, manifest.to(), ""));
    }
    for (int i = 0; i < proof.refreshes().size(); i++) {
      RunProof.Refresh refresh = proof.refreshes().get(i);
      long first = Math.max(floor, refresh.from().getEpochSecond());
      long end = refresh.to().getEpochSecond();
      if (first < end) {
        windows.add(
            window(table, level, metrics, proof, first, end, ".late" + (i > 0 ? i : ""))
                .refreshing(refresh.since().toEpochMilli()));
      }
    }
  }

  /** The names of the levels of a table, beside the four values. */
  private List<String> names(Manifest.Table table) {
    if (table.isPacked()) {
      return List.of();
    }
    if (!table.isHistogram()) {
      return suite.aggregators(table.interval());
    }
    return suite.histogram(table.interval()) ? List.of(Level.HISTOGRAM) : List.of();
  }

  /** Whether there would be windows of histograms, but more metrics are odd than are named. */
  boolean hidesHistograms() {
    RunProof proof = manifest.proof();
    return proof != null
        && proof.hidesOddHistograms()
        && manifest.tables().stream()
            .anyMatch(table -> table.isHistogram() && !names(table).isEmpty());
  }

  /** The levels whose metrics no window can name. */
  List<String> unnamed() {
    return manifest.tables().stream()
        .flatMap(
            table ->
                names(table).stream()
                    .filter(
                        name -> suite.patterns(table.interval(), name, patterns(manifest)) == null)
                    .map(name -> Level.text(table.interval(), name)))
        .toList();
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
   * The times of a window of an earlier run that it may claim too much of once the files of a run
   * are loaded: the run has gaps in it, its cells are newer than what it has read, or it has read
   * older raw data, so that its rollups may lack points, or be of points that were deleted later.
   *
   * @param now of the load
   * @return milliseconds since the epoch
   */
  static TimeRanges spoiled(Manifest manifest, CoverageWindow window, Instant now) {
    TimeRanges written = written(manifest, window);
    RunProof proof = manifest.proof();
    if (proof == null) {
      return written;
    }
    long read = proof.readAsOf().toEpochMilli();
    // Also of a window that was raised later: only changed rows were rolled up again then.
    long full = window.fullAsOf();
    // With --as-of now the cells hide repairs that came after the snapshot.
    boolean hides = manifest.stamp() > read && manifest.stamp() > full;
    if (proof.readAsOf().plus(MAX_AGE).isBefore(now)) {
      // A part of a merged window may have been rolled up later.
      full = (full / Coverage.FULL_SPAN + 1) * Coverage.FULL_SPAN;
    }
    if (hides || read < full || proof.lacksLatePoints()) {
      return written;
    }
    return proof.gaps().isEmpty()
        ? TimeRanges.none()
        : written.intersect(TimeRanges.of(manifest.from() * 1000, manifest.to() * 1000));
  }

  /**
   * The times of a window of a further aggregator at which a run may have written rollups of its
   * metrics without this aggregator: what is stored of it is that of earlier rollups. Likewise of
   * packed rows, if the run has written none into their table.
   *
   * @param suite what the run's rollups have beside sum, min, max and count
   * @return milliseconds since the epoch
   */
  static TimeRanges outdated(Manifest manifest, SuiteConfig suite, CoverageWindow window) {
    TimeRanges written = written(manifest, window);
    int dot = window.interval().indexOf('.');
    // Cells of a window that is newer hide the run's.
    if (dot < 0 || written.isEmpty() || manifest.stamp() < window.fullAsOf()) {
      return TimeRanges.none();
    }
    MetricPatterns ofWindow = patterns(window);
    List<String> both =
        FirstMatch.patterns(List.of(patterns(manifest)), new boolean[] {true}, ofWindow);
    String interval = window.interval().substring(0, dot);
    String name = window.interval().substring(dot + 1);
    // Of the whole window first: what both select may need more patterns than a window has.
    boolean hasAll =
        hasPacked(manifest, window)
            || suite.hasAll(interval, name, ofWindow)
            || (both != null
                && (both.isEmpty() || suite.hasAll(interval, name, MetricPatterns.of(both))));
    RunProof proof = manifest.proof();
    long first = proof == null || proof.first() == null ? 0 : proof.first().toEpochMilli();
    return hasAll ? TimeRanges.none() : written.minus(TimeRanges.of(0, first));
  }

  /**
   * Metrics of an {@link #outdated} window that have its aggregator, not all of them; null if no
   * selection says it. A window of them is never outdated.
   *
   * @param suite what the run's rollups have beside sum, min, max and count
   */
  static @Nullable String kept(SuiteConfig suite, CoverageWindow window) {
    int dot = window.interval().indexOf('.');
    String interval = window.interval().substring(0, dot);
    String name = window.interval().substring(dot + 1);
    List<String> kept = suite.patterns(interval, name, patterns(window));
    if (kept == null || kept.isEmpty()) {
      return null;
    }
    String metrics = String.join(",", kept);
    boolean isLess = !metrics.equals(window.metrics());
    return isLess && suite.hasAll(interval, name, MetricPatterns.of(kept)) ? metrics : null;
  }

  /** Whether a run has written the packed rows of a window. */
  private static boolean hasPacked(Manifest manifest, CoverageWindow window) {
    return manifest.tables().stream()
        .anyMatch(
            table ->
                table.isPacked()
                    && table.level().equals(window.interval())
                    && CoverageRows.tableName(table.name()).equals(window.table()));
  }

  private static MetricPatterns patterns(CoverageWindow window) {
    return MetricPatterns.of(List.of(window.metrics().split(",", -1)));
  }

  /**
   * The times of a window of an earlier run at which a run may have written rollups.
   *
   * @return milliseconds since the epoch
   */
  private static TimeRanges written(Manifest manifest, CoverageWindow window) {
    String level = window.interval();
    // Beside new rollups old histograms and packed rows are wrong, which lie in other tables.
    boolean isBeside = Level.isHistogram(level) || Level.isPacked(level);
    boolean known =
        manifest.tables().stream()
            .anyMatch(
                table ->
                    isBeside
                        ? table.interval().equals(CoverageRows.interval(level))
                        : CoverageRows.tableName(table.name()).equals(window.table()));
    if (!known || !window.mayShare(patterns(manifest))) {
      return TimeRanges.none();
    }
    long from = manifest.hasChangedRows() ? 0 : manifest.from();
    return TimeRanges.of(window.from() * 1000, window.to() * 1000)
        .intersect(TimeRanges.of(from * 1000, manifest.to() * 1000));
  }

  /**
   * The windows without the rollups that are not those of the run. As many metrics with such
   * rollups as a window can name are left out by name, those with the most first, and have windows
   * of their own beside these rollups. At the times of the others nothing is proven, or raised by a
   * refresh.
   *
   * @param foreign times of such rollups in a window, milliseconds, by metric
   */
  static List<CoverageWindow> without(
      List<CoverageWindow> windows, Function<CoverageWindow, Map<String, TimeRanges>> foreign) {
    List<CoverageWindow> all = new ArrayList<>();
    for (CoverageWindow window : windows) {
      Map<String, TimeRanges> of = foreign.apply(window);
      List<String> metrics = new ArrayList<>(new TreeSet<>(of.keySet()));
      metrics.sort(Comparator.comparingLong(metric -> -times(of, metric).length()));
      String selection = window.metrics();
      List<String> own = new ArrayList<>();
      TimeRanges ofOwn = TimeRanges.none();
      TimeRanges ofOthers = TimeRanges.none();
      for (String metric : metrics) {
        // A comma separates patterns; a metric too many is no harm.
        String longer = selection + ",!" + metric.replace(',', '?');
        boolean isWhole = beside(window, times(of, metric)).isEmpty();
        // Selections that differ each night would be more than a table has room for.
        if (!CoverageRows.isSelection(longer) || (window.isRefresh() && !isWhole)) {
          ofOthers = ofOthers.plus(times(of, metric));
          continue;
        }
        selection = longer;
        if (!isWhole && !metric.matches("!.*|.*[*?,].*")) {
          own.add(metric);
          ofOwn = ofOwn.plus(times(of, metric));
        }
      }
      addBeside(all, window, window.writer(), ofOthers, selection);
      if (!own.isEmpty()) {
        addBeside(all, window, window.writer() + ".own", ofOwn, String.join(",", own));
      }
    }
    return all;
  }

  private static TimeRanges times(Map<String, TimeRanges> of, String metric) {
    return of.getOrDefault(metric, TimeRanges.none());
  }

  private static TimeRanges beside(CoverageWindow window, TimeRanges times) {
    return TimeRanges.of(window.from() * 1000, window.to() * 1000).minus(times);
  }

  /** Windows of what is beside some times: the longest ones. */
  private static void addBeside(
      List<CoverageWindow> all,
      CoverageWindow window,
      String writer,
      TimeRanges times,
      String metrics) {
    TimeRanges beside = beside(window, times);
    IntStream.range(0, beside.size())
        .boxed()
        .sorted(Comparator.comparingLong(i -> beside.from(i) - beside.to(i)))
        .limit(MAX_PARTS)
        .sorted()
        .forEach(
            i -> all.add(window.part(writer, beside.from(i) / 1000, beside.to(i) / 1000, metrics)));
  }

  private CoverageWindow window(
      Manifest.Table table,
      String level,
      String metrics,
      RunProof proof,
      long from,
      long to,
      String suffix) {
    CoverageWindow window =
        CoverageWindow.of(
            level,
            from,
            to,
            writer + suffix,
            table.name(),
            proof.readAsOf().toEpochMilli(),
            metrics,
            evidence);
    long ttl = ttlSeconds.applyAsLong(table.name());
    return ttl == TableFacts.FOREVER ? window : window.expiring(manifest.stamp() + ttl * 1000);
  }
}
