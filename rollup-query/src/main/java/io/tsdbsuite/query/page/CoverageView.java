package io.tsdbsuite.query.page;

import io.tsdbsuite.coverage.Coverage;
import io.tsdbsuite.coverage.CoverageFloor;
import io.tsdbsuite.coverage.CoverageMask;
import io.tsdbsuite.coverage.CoverageRows;
import io.tsdbsuite.coverage.CoverageWindow;
import io.tsdbsuite.coverage.TimeRanges;
import io.tsdbsuite.format.rollup.RollupInterval;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;

/** The coverage by interval over time, for JSON. Times are milliseconds since the epoch. */
final class CoverageView {
  private static final int MAX_RANGES = 1000;
  private static final int MAX_MASKS = 1000;
  private static final int MAX_SELECTIONS = 20;

  private final List<RollupInterval> intervals;

  CoverageView(List<RollupInterval> intervals) {
    this.intervals = intervals;
  }

  /**
   * What is claimed and what is masked.
   *
   * @param metric whose proven times are wanted; empty: the windows of all metrics
   * @param now milliseconds since the epoch
   */
  Map<String, Object> fields(Coverage coverage, String metric, long now) {
    List<Object> all = new ArrayList<>();
    for (RollupInterval interval : intervals) {
      all.add(fields(coverage, interval, metric, now));
    }
    Map<String, Object> fields = new LinkedHashMap<>();
    fields.put("reason", coverage.reason());
    fields.put("metric", metric);
    fields.put("windows", coverage.windows().size());
    fields.put("intervals", all);
    fields.put("floors", floors(coverage, metric));
    masks(coverage, metric, fields);
    return fields;
  }

  private static List<Object> floors(Coverage coverage, String metric) {
    List<Object> shown = new ArrayList<>();
    for (CoverageFloor floor : coverage.floors()) {
      if (metric.isEmpty() || floor.wants(metric)) {
        Map<String, Object> one = new LinkedHashMap<>();
        one.put("level", floor.level());
        one.put("before", floor.before() * 1000);
        one.put("metrics", floor.metrics());
        one.put("asOf", floor.asOf());
        one.put("evidence", floor.evidence());
        shown.add(one);
      }
    }
    return shown;
  }

  private static Map<String, Object> fields(
      Coverage coverage, RollupInterval interval, String metric, long now) {
    String table = CoverageRows.tableName(interval.table());
    String isVoid = problem(coverage, interval);
    TimeRanges windows = TimeRanges.none();
    TreeSet<String> selections = new TreeSet<>();
    long newest = 0;
    for (CoverageWindow window : coverage.windows()) {
      if (window.interval().equals(interval.interval()) && window.table().equals(table)) {
        newest = Math.max(newest, window.asOf());
        if (!Coverage.isExpired(window, now) && isVoid.isEmpty()) {
          windows = windows.plus(TimeRanges.of(window.from() * 1000, window.to() * 1000));
          if (selections.size() < MAX_SELECTIONS) {
            selections.add(window.metrics());
          }
        }
      }
    }
    TimeRanges shown =
        metric.isEmpty()
            ? windows
            : coverage.proven(interval.interval(), interval.seconds() * 1000, metric);
    Map<String, Object> fields = new LinkedHashMap<>();
    fields.put("interval", interval.interval());
    fields.put("width", interval.seconds() * 1000);
    fields.put("table", interval.table());
    fields.put("void", isVoid);
    fields.put("asOf", newest);
    fields.put("metrics", new ArrayList<>(selections));
    fields.put("ranges", newestRanges(shown));
    fields.put("rangesLeftOut", Math.max(0, shown.size() - MAX_RANGES));
    return fields;
  }

  /** Why no window of an interval counts; empty if some may. */
  private static String problem(Coverage coverage, RollupInterval interval) {
    String table = CoverageRows.tableName(interval.table());
    String problem = coverage.voidTables().get(table);
    if (problem == null) {
      return "";
    }
    TreeSet<String> others = new TreeSet<>();
    for (CoverageWindow window : coverage.windows()) {
      if (window.interval().equals(interval.interval()) && !window.table().equals(table)) {
        others.add(window.table());
      }
    }
    return others.isEmpty()
        ? problem
        : String.format(
            "%s; the windows of %s are of the table %s",
            problem, interval.interval(), String.join(", ", others));
  }

  /**
   * The floors, and a line for each interval: until when its rollups are proven, or why they are
   * not.
   */
  String text(Coverage coverage) {
    StringBuilder text = new StringBuilder();
    for (CoverageFloor floor : coverage.floors()) {
      text.append("Data of level ").append(floor.level());
      text.append(" before ").append(Instant.ofEpochSecond(floor.before()));
      text.append(" may be gone, of the metrics ").append(floor.metrics()).append('\n');
    }
    if (!coverage.reason().isEmpty()) {
      return text + "No rollups are read: " + coverage.reason() + "\n";
    }
    for (RollupInterval interval : intervals) {
      String problem = problem(coverage, interval);
      long end = coverage.end(interval.interval());
      text.append("Rollups of ")
          .append(interval.interval())
          .append(" in ")
          .append(interval.table());
      if (end > 0) {
        text.append(": the last window ends at ").append(Instant.ofEpochSecond(end));
      } else {
        text.append(" are not read: ").append(problem.isEmpty() ? "no window" : problem);
      }
      text.append('\n');
    }
    return text.toString();
  }

  private static List<Object> newestRanges(TimeRanges ranges) {
    List<Object> list = new ArrayList<>();
    for (int i = Math.max(0, ranges.size() - MAX_RANGES); i < ranges.size(); i++) {
      list.add(new long[] {ranges.from(i), ranges.to(i)});
    }
    return list;
  }

  private static void masks(Coverage coverage, String metric, Map<String, Object> fields) {
    List<CoverageMask> masks = new ArrayList<>();
    for (CoverageMask mask : coverage.masks()) {
      if (metric.isEmpty()
          || mask.metric().equals(metric)
          || mask.metric().equals(CoverageMask.ALL_METRICS)) {
        masks.add(mask);
      }
    }
    masks.sort(Comparator.comparingLong(CoverageMask::from).reversed());
    List<Object> shown = new ArrayList<>();
    for (CoverageMask mask : masks.subList(0, Math.min(MAX_MASKS, masks.size()))) {
      Map<String, Object> one = new LinkedHashMap<>();
      one.put("from", mask.from() * 1000);
      one.put("to", mask.to() * 1000);
      one.put("kind", mask.kind().code());
      one.put("metric", mask.metric());
      one.put("series", mask.series());
      one.put("since", mask.time());
      shown.add(one);
    }
    fields.put("masks", shown);
    fields.put("masksLeftOut", masks.size() - shown.size());
  }
}
