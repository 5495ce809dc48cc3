package io.tsdbsuite.rollup.coverage;

import io.tsdbsuite.coverage.Coverage;
import io.tsdbsuite.coverage.CoverageMask;
import io.tsdbsuite.coverage.CoverageRows;
import io.tsdbsuite.coverage.CoverageWindow;
import io.tsdbsuite.coverage.TimeRanges;
import io.tsdbsuite.format.metric.MetricPatterns;
import io.tsdbsuite.format.rollup.Level;
import io.tsdbsuite.format.rollup.SuiteConfig;
import io.tsdbsuite.job.ExitCode;
import io.tsdbsuite.job.coverage.CoverageCleaner;
import io.tsdbsuite.job.coverage.CoverageCleaner.Found;
import io.tsdbsuite.rollup.report.Books;
import io.tsdbsuite.rollup.report.RunProof;
import io.tsdbsuite.rollup.verify.StoredBooks;
import io.tsdbsuite.rollup.verify.Verdict;
import io.tsdbsuite.rollup.verify.VerifyReport;
import java.io.IOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * Proves windows again by comparing snapshots, and removes those of which a rollup is missing,
 * extra or different; of a level also those of which its aggregator alone differs.
 */
public final class CoverageVerify {
  private final Map<String, String> tables;
  private final CoverageBounds bounds;
  private final String metrics;
  private final long unit;
  private final List<String> lines = new ArrayList<>();
  private final IdentityHashMap<CoverageWindow, String> keys = new IdentityHashMap<>();

  /** What was proven again of a row: others may become a part of it meanwhile. */
  private final Map<String, TimeRanges> clean = new HashMap<>();

  private final List<CoverageWindow> wrong = new ArrayList<>();

  /** Windows of histograms that were not compared. */
  private final Set<Found> odd = new HashSet<>();

  /** What was rolled up as of a later time was not compared; milliseconds since the epoch. */
  private long newest;

  private int removed;
  private int notCompared;
  private ExitCode exitCode = ExitCode.DONE;

  /**
   * @param tables the rollup table of each interval to compare
   * @param bounds the windows to compare; a window must lie in its times
   * @param metrics only windows with this selection; empty for all
   * @param unit what a comparison can begin and end with, seconds: an hour or a day
   */
  public CoverageVerify(
      Map<String, String> tables, CoverageBounds bounds, String metrics, long unit) {
    this.tables = new HashMap<>(tables);
    this.tables.replaceAll((interval, table) -> CoverageRows.tableName(table));
    this.unit = unit;
    this.bounds = bounds;
    this.metrics = metrics;
  }

  /**
   * What is compared at once.
   *
   * @param from seconds since the epoch, inclusive
   * @param to seconds since the epoch, exclusive
   * @param metrics as they stand in the windows
   */
  public record Part(long from, long to, String metrics) {
    static Part of(CoverageWindow window) {
      return new Part(window.from(), window.to(), window.metrics());
    }
  }

  /** Compares all intervals of a part. */
  @FunctionalInterface
  public interface Comparison {
    /** The report, also of a comparison that failed. */
    VerifyReport compare(Part part);
  }

  /** The windows to compare: what lies in the bounds of each. */
  public List<CoverageWindow> windows(List<Found> rows) {
    List<CoverageWindow> windows = new ArrayList<>();
    for (Found row : rows) {
      CoverageWindow window = row.row();
      if (isWanted(window)) {
        long from = Math.max(window.from(), bounds.from());
        long to = Math.min(window.to(), bounds.to());
        CoverageWindow part = window.part(window.writer(), from, to, window.metrics());
        keys.put(part, key(window));
        windows.add(part);
      }
    }
    return windows;
  }

  private static String key(CoverageWindow window) {
    return CoverageRows.windowRow(window.interval(), window.from(), window.writer());
  }

  private boolean isWanted(CoverageWindow window) {
    return bounds.wants(window)
        && window.table().equals(tables.get(window.interval()))
        && (metrics.isEmpty() || metrics.equals(window.metrics()));
  }

  /**
   * Compares all parts, and then removes what is wrong. Call once.
   *
   * @param coverage the rollups that its masks void may differ. Below raw floors windows keep the
   *     metrics of these
   * @throws IOException when HBase fails; then some windows may be gone
   */
  public void run(CoverageCleaner table, Coverage coverage, Comparison comparison)
      throws IOException {
    compare(table.windows(), coverage, comparison);
    if (wrong.isEmpty()) {
      return;
    }
    Set<String> changed = new TreeSet<>(tables.values());
    wrong.forEach(window -> changed.add(window.table()));
    for (CoverageWindow part : table.removeAboveFloors(changed, this::wrongTimes)) {
      removed++;
      lines.add("removed " + CoverageText.of(part));
    }
  }

  /** Compares all parts. */
  void compare(List<Found> rows, Coverage coverage, Comparison comparison) {
    List<CoverageMask> masks = new ArrayList<>(coverage.masks());
    masks.removeIf(coverage::isVoid);
    List<CoverageWindow> comparable = new ArrayList<>();
    for (CoverageWindow window : windows(rows)) {
      if (masks.stream().anyMatch(mask -> mayVoid(mask, window))) {
        notCompared(window, ExitCode.USAGE, "masks say which of its rollups are to be repaired");
      } else {
        comparable.add(window);
      }
    }
    Map<Part, List<CoverageWindow>> parts =
        comparable.stream()
            .collect(Collectors.groupingBy(Part::of, LinkedHashMap::new, Collectors.toList()));
    parts.forEach(
        (part, windows) -> {
          if (part.from() % unit != 0 || part.to() % unit != 0) {
            String rule = "it must begin and end at multiples of " + unit + " s";
            windows.forEach(window -> notCompared(window, ExitCode.USAGE, rule));
          } else {
            VerifyReport report = comparison.compare(part);
            windows.forEach(window -> judge(window, rows, report));
          }
        });
  }

  /** The times of a row that claim a wrong rollup, and were not proven again themselves. */
  TimeRanges wrongTimes(Found row) {
    CoverageWindow window = row.row();
    TimeRanges times = TimeRanges.none();
    for (CoverageWindow other : wrong) {
      if (claims(window, other)) {
        times =
            times.plus(
                TimeRanges.of(
                    Math.max(window.from(), other.from()) * 1000,
                    Math.min(window.to(), other.to()) * 1000));
      }
    }
    return times.minus(clean.getOrDefault(key(window), TimeRanges.none()));
  }

  /** Whether a mask may void a rollup of the window. */
  static boolean mayVoid(CoverageMask mask, CoverageWindow window) {
    return window.from() < mask.to()
        && window.to() > mask.from()
        && window.asOf(mask.kind()) <= mask.shownAfter()
        && (mask.metric().equals(CoverageMask.ALL_METRICS)
            || CoverageBounds.selection(window).wants(mask.metric()));
  }

  /**
   * Whether a window, also of a level of the interval, may claim a rollup of a wrong one: not one
   * that was rolled up again since.
   */
  private boolean claims(CoverageWindow window, CoverageWindow wrong) {
    return claims(window, wrong.interval(), wrong);
  }

  /**
   * Whether it may claim what is wrong of an interval, or of a level alone. Histograms and packed
   * rows have tables of their own, and are wrong beside wrong rollups.
   */
  private boolean claims(CoverageWindow window, String level, CoverageWindow wrong) {
    return window.fullAsOf() <= newest
        && (window.interval().equals(level)
            || CoverageRows.interval(window.interval()).equals(level))
        && (window.table().equals(wrong.table()) || hasOwnTable(window.interval()))
        && window.from() < wrong.to()
        && window.to() > wrong.from();
  }

  private static boolean hasOwnTable(String level) {
    return Level.isHistogram(level) || Level.isPacked(level);
  }

  private void judge(CoverageWindow window, List<Found> rows, VerifyReport report) {
    String interval = window.interval();
    String older = tooOld(interval, window, rows, report);
    long missing = report.compared().count(interval, Verdict.MISSING);
    long extra = report.compared().count(interval, Verdict.EXTRA);
    long different = report.compared().count(interval, Verdict.DIFFERENT);
    long rawFailed = report.raw().rowsFailed() + report.raw().daysFailed();
    long below = report.compared().countBelowFloor(interval);
    long further = report.compared().countFurther(interval);
    long histograms = report.compared().countFurther(Level.text(interval, Level.HISTOGRAM));
    long packed = report.compared().countFurther(Level.text(interval, Level.PACKED));
    long parts = report.stored() == null ? 0 : report.stored().malformedParts();
    String beside =
        (below == 0 ? "" : "; below the floor: " + below + " rollups not compared")
            + (further == 0 ? "" : "; further aggregators alone differ: " + further + " rollups")
            + (histograms == 0 ? "" : "; histograms are wrong: " + histograms)
            + (packed == 0 ? "" : "; packed rollups are wrong: " + packed)
            + (parts == 0 ? "" : "; packed cells cannot be read: " + parts);
    boolean ended = report.exitCode() == ExitCode.DONE || report.exitCode() == ExitCode.BAD_INPUT;
    boolean isCounted =
        ended && rawFailed == 0 && missing + extra + different + histograms + packed > 0;
    boolean isFurther =
        further + histograms + packed + parts > 0
            && report.compared().isCleanOfFurther()
            && report.message().equals(besideRollups(report));
    if (isCounted && older.isEmpty()) {
      String data = report.input().get("dataSnapshotTime");
      newest = Math.max(newest, data == null ? Long.MAX_VALUE : Instant.parse(data).toEpochMilli());
      judgeLevels(window, rows, report);
    }
    if (ended && older.isEmpty()) {
      oddHistograms(window, rows, report);
      malformedParts(window, rows, packed == 0 ? parts : 0);
    }
    if (!older.isEmpty()) {
      notCompared(window, ExitCode.USAGE, older);
    } else if (isCounted && missing + extra + different > further) {
      wrong.add(window);
      worse(ExitCode.BAD_INPUT);
      lines.add(
          "wrong %s: %s missing, %s extra, %s different%s"
              .formatted(CoverageText.of(window), missing, extra, different, beside));
      report.compared().samples().values().forEach(lines::addAll);
    } else if (report.exitCode() != ExitCode.DONE && !isFurther) {
      notCompared(window, report.exitCode(), report.message());
    } else if (!report.gaps().isEmpty()) {
      notCompared(window, ExitCode.BAD_INPUT, String.join("; ", report.gaps()));
    } else {
      clean.put(
          keys.getOrDefault(window, ""), TimeRanges.of(window.from() * 1000, window.to() * 1000));
      boolean nothing =
          below > 0 && report.compared().count(interval, Verdict.EQUAL) + further == 0;
      lines.add((nothing ? "not compared " : "proven ") + CoverageText.of(window) + beside);
    }
  }

  /**
   * Judges the windows of the levels of which further aggregators, histograms or packed rows are
   * wrong: what {@code suite} selects today says nothing of windows of the interval.
   */
  private void judgeLevels(CoverageWindow window, List<Found> rows, VerifyReport report) {
    List<String> names = new ArrayList<>(SuiteConfig.NAMES);
    names.addAll(List.of(Level.HISTOGRAM, Level.PACKED));
    for (String name : names) {
      String level = Level.text(window.interval(), name);
      long different = report.compared().countFurther(level);
      for (Found row : different == 0 ? List.<Found>of() : rows) {
        CoverageWindow claiming = row.row();
        if (claims(claiming, level, window)) {
          CoverageWindow part =
              claiming.part(
                  claiming.writer(),
                  Math.max(claiming.from(), window.from()),
                  Math.min(claiming.to(), window.to()),
                  claiming.metrics());
          String older = tooOld(level, window, rows, report);
          if (!older.isEmpty()) {
            notCompared(part, ExitCode.USAGE, older);
          } else if (wrong.stream()
              .noneMatch(other -> key(other).equals(key(part)) && other.to() == part.to())) {
            wrong.add(part);
            worse(ExitCode.BAD_INPUT);
            lines.add(
                "wrong %s: %s %s"
                    .formatted(
                        CoverageText.of(part),
                        different,
                        hasOwnTable(level) ? "missing, extra or different" : "different"));
            report.compared().samples().values().forEach(lines::addAll);
          }
        }
      }
    }
  }

  private void notCompared(CoverageWindow window, ExitCode code, String why) {
    worse(code);
    notCompared++;
    lines.add("not compared " + CoverageText.of(window) + ": " + why);
  }

  /** Windows of histograms that claim one which lacks something on both sides. */
  private void oddHistograms(CoverageWindow window, List<Found> rows, VerifyReport report) {
    Map<String, RunProof.OddMetric> all = report.oddHistograms();
    for (Found row : all.isEmpty() ? List.<Found>of() : rows) {
      CoverageWindow of = row.row();
      MetricPatterns selection = CoverageBounds.selection(of);
      boolean claims =
          of.interval().equals(Level.text(window.interval(), Level.HISTOGRAM))
              && of.from() < window.to()
              && of.to() > window.from()
              && all.entrySet().stream()
                  .anyMatch(
                      odd ->
                          all.size() > Books.ODD_METRICS
                              || (selection.wants(odd.getKey())
                                  && odd.getValue().from() < of.to()
                                  && odd.getValue().to() > of.from()));
      if (claims && odd.add(row)) {
        notCompared(of, ExitCode.BAD_INPUT, report.oddHistogramsText());
      }
    }
  }

  /** Windows of packed rows, some of whose cells cannot be read. */
  private void malformedParts(CoverageWindow window, List<Found> rows, long parts) {
    String level = Level.text(window.interval(), Level.PACKED);
    for (Found row : parts == 0 ? List.<Found>of() : rows) {
      CoverageWindow of = row.row();
      if (of.interval().equals(level)
          && of.from() < window.to()
          && of.to() > window.from()
          && odd.add(row)) {
        notCompared(of, ExitCode.BAD_INPUT, parts + " packed cells cannot be read");
      }
    }
  }

  /** The message of a report in which only what is beside rollups is wrong. */
  private static String besideRollups(VerifyReport report) {
    List<String> all = new ArrayList<>();
    if (!report.compared().isClean()) {
      all.add(report.compared().differences());
    }
    StoredBooks stored = report.stored();
    if (stored != null && stored.malformed() == stored.malformedParts() && stored.malformed() > 0) {
      all.add(stored.malformedText());
    }
    return String.join("; ", all);
  }

  private void worse(ExitCode code) {
    if (code.code() > exitCode.code()) {
      exitCode = code;
    }
  }

  /** Why the snapshots cannot show what the window claims; empty if they can. */
  private static String tooOld(
      String level, CoverageWindow window, List<Found> rows, VerifyReport report) {
    String data = report.input().get("dataSnapshotTime");
    String source = hasOwnTable(level) ? level : window.interval();
    String rollups = report.input().get("rollupSnapshotTime " + source);
    if (data == null || rollups == null) {
      return "";
    }
    for (Found row : rows) {
      CoverageWindow other = row.row();
      boolean concerns =
          other.interval().equals(level)
              && other.from() < window.to()
              && other.to() > window.from();
      if (concerns && other.asOf() > Instant.parse(data).toEpochMilli()) {
        return "its rollups show points of after the data snapshot, which was taken " + data;
      }
      if (concerns && row.written() > Instant.parse(rollups).toEpochMilli()) {
        return "it was written after the snapshot of its rollup table, which was taken " + rollups;
      }
    }
    return "";
  }

  /** What was found and done, one line for each window and sample. */
  public List<String> lines() {
    return List.copyOf(lines);
  }

  /** What was done, in one sentence. */
  public String message() {
    return ("%s windows were wrong and %s were removed, %s were proven again, %s were not"
            + " compared")
        .formatted(wrong.size(), removed, clean.size(), notCompared);
  }

  /** Bad input when a window was removed; otherwise done, or why windows were not compared. */
  public ExitCode exitCode() {
    return wrong.isEmpty() ? exitCode : ExitCode.BAD_INPUT;
  }
}
