package io.tsdbsuite.rollup.coverage;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tsdbsuite.coverage.Coverage;
import io.tsdbsuite.coverage.CoverageFloor;
import io.tsdbsuite.coverage.CoverageMask;
import io.tsdbsuite.coverage.CoverageReader;
import io.tsdbsuite.coverage.CoverageRows;
import io.tsdbsuite.coverage.CoverageWindow;
import io.tsdbsuite.coverage.TimeRanges;
import io.tsdbsuite.format.rollup.Level;
import io.tsdbsuite.format.rollup.RollupConfig;
import io.tsdbsuite.job.JobException;
import io.tsdbsuite.job.report.Report;
import io.tsdbsuite.job.report.TextTable;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/**
 * What {@code rollup-job coverage list} shows.
 *
 * @param table name of the coverage table
 * @param version of its format; empty if it has none
 * @param coverage as a TSD with the same configuration reads it
 * @param now milliseconds since the epoch
 */
public record CoverageListing(
    String table,
    String version,
    Coverage coverage,
    RollupConfig rollups,
    CoverageBounds bounds,
    long now) {
  private static final int VERSION = 1;
  private static final long DAY = 86400;

  /**
   * @throws JobException bad input, when the table breaks the specification, so that TSDs read raw
   *     data
   */
  public CoverageListing {
    if (!coverage.reason().isEmpty() && !coverage.reason().equals(CoverageReader.EMPTY)) {
      throw JobException.badInput(
          "table " + table + ": nothing is proven, TSDs read raw data: " + coverage.reason());
    }
  }

  /** The rollup table of each level that TSDs read: its interval divides the day. */
  public static Map<String, String> tables(RollupConfig rollups) {
    Map<String, String> tables = new LinkedHashMap<>();
    for (Level level : rollups.levels()) {
      if (DAY % level.interval().seconds() == 0) {
        tables.put(level.text(), level.table());
      }
    }
    return tables;
  }

  /** Why a window does not count; empty if it does. */
  private String against(CoverageWindow window) {
    String named = tables(rollups).get(window.interval());
    if (named == null) {
      String interval = CoverageRows.interval(window.interval());
      if (tables(rollups).containsKey(interval)) {
        String name = window.interval().substring(interval.length() + 1);
        return switch (name) {
          case Level.HISTOGRAM ->
              "suite.histogramTables of rollup_config.json has no table of " + interval;
          case Level.PACKED -> "suite.packed of rollup_config.json has no table of " + interval;
          default ->
              "rollup_config.json has no id for " + name + ", or this release does not know it";
        };
      }
      return "rollup_config.json does not have the interval, or it does not divide the day";
    }
    if (!window.table().equals(CoverageRows.tableName(named))) {
      return "rollup_config.json names the table " + named;
    }
    String defect = coverage.voidTables().get(window.table());
    if (defect != null) {
      return defect;
    }
    if (Coverage.isExpired(window, now)) {
      return "HBase has removed its first rollups (TTL), or does so within 5 minutes";
    }
    return whole(window).isEmpty() ? "no whole interval lies in it" : "";
  }

  /** The whole rollups of a window, milliseconds. */
  private TimeRanges whole(CoverageWindow window) {
    Level level = rollups.level(window.interval());
    long width = level == null ? 1 : level.interval().seconds();
    return TimeRanges.of(
        -Math.floorDiv(-window.from(), width) * width * 1000,
        Math.floorDiv(window.to(), width) * width * 1000);
  }

  /** Intervals of the configuration, what its suite selects, and the levels of the windows. */
  private List<String> intervals() {
    Set<String> ofWindows =
        new TreeSet<>(coverage.windows().stream().map(CoverageWindow::interval).toList());
    List<String> all = new ArrayList<>();
    for (Level level : rollups.levels()) {
      boolean isSelected =
          level.name().isEmpty()
              || level.isPacked()
              || (level.isHistogram()
                  ? rollups.suite().histogram(level.interval().interval())
                  : rollups
                      .suite()
                      .aggregators(level.interval().interval())
                      .contains(level.name()));
      if (tables(rollups).containsKey(level.text())
          && (isSelected || ofWindows.contains(level.text()))) {
        all.add(level.text());
      }
    }
    ofWindows.stream().filter(each -> !all.contains(each)).forEach(all::add);
    all.removeIf(each -> !bounds.wants(each));
    return all;
  }

  private List<CoverageWindow> windows(String interval) {
    return coverage.windows().stream()
        .filter(window -> window.interval().equals(interval) && bounds.wants(window))
        .toList();
  }

  /** What is void for all metrics of the bounds is left out, as the proven times are theirs. */
  private List<CoverageMask> masks() {
    return coverage.masks().stream()
        .filter(mask -> bounds.wants(mask) && (bounds.metrics().isEmpty() || !isVoid(mask)))
        .toList();
  }

  private boolean isVoid(CoverageMask mask) {
    return coverage.isVoid(mask)
        || (mask.metric().equals(CoverageMask.ALL_METRICS)
            && !bounds.metrics().isEmpty()
            && bounds.metrics().stream().allMatch(each -> coverage.isBelowFloor(mask, each)));
  }

  private List<CoverageFloor> floors() {
    return coverage.floors().stream()
        .filter(
            floor -> bounds.metrics().isEmpty() || bounds.metrics().stream().anyMatch(floor::wants))
        .toList();
  }

  /**
   * The proven times by what selects metrics: of each metric of the bounds as a query of it finds
   * them, without what masks void; otherwise of each selection of the windows.
   */
  private Map<String, TimeRanges> proven(String interval) {
    Map<String, TimeRanges> proven = new LinkedHashMap<>();
    Level configured = rollups.level(interval);
    if (configured == null) {
      return proven;
    }
    long width = configured.interval().seconds() * 1000;
    for (String metric : bounds.metrics()) {
      proven.put(metric, coverage.proven(interval, width, metric));
    }
    if (!proven.isEmpty()) {
      return proven;
    }
    return coverage.provenBySelection(interval, width);
  }

  /** What is not proven, between the bounds or between the first and the last proven time. */
  private TimeRanges holes(TimeRanges proven) {
    boolean none = proven.isEmpty();
    long from = bounds.from();
    long to = bounds.to();
    if (none && (from == CoverageBounds.BEGINNING || to == CoverageBounds.END)) {
      return TimeRanges.none();
    }
    return TimeRanges.of(
            from == CoverageBounds.BEGINNING ? proven.from(0) : from * 1000,
            to == CoverageBounds.END ? proven.to(proven.size() - 1) : to * 1000)
        .minus(proven);
  }

  /** As JSON and as lines of text; docs/coverage.md has the fields. */
  public Report report() {
    Report report = new Report("rollup-job coverage list", VERSION);
    TextTable out =
        report
            .table()
            .text("coverage table", table)
            .text("version", version.isEmpty() ? "none" : version);
    if (!coverage.reason().isEmpty()) {
      out.text("nothing proven", coverage.reason());
    }
    report
        .json()
        .put("coverageTable", table)
        .put("version", version)
        .put("time", Instant.ofEpochMilli(now).toString())
        .put("reason", coverage.reason());
    ArrayNode floors = report.json().putArray("floors");
    for (CoverageFloor floor : floors()) {
      out.text("floor", CoverageText.of(floor));
      floors
          .addObject()
          .put("level", floor.level())
          .put("before", Instant.ofEpochSecond(floor.before()).toString())
          .put("metrics", floor.metrics())
          .put("asOf", Instant.ofEpochMilli(floor.asOf()).toString())
          .put("writer", floor.writer())
          .put("evidence", floor.evidence());
    }
    ArrayNode intervals = report.json().putArray("intervals");
    intervals().forEach(interval -> interval(interval, intervals.addObject(), out));
    ArrayNode masks = report.json().putArray("masks");
    for (CoverageMask mask : masks()) {
      boolean isVoid = isVoid(mask);
      out.text("mask", CoverageText.of(mask) + (isVoid ? ", void below the floor" : ""));
      masks
          .addObject()
          .put("kind", mask.kind().code())
          .put("from", Instant.ofEpochSecond(mask.from()).toString())
          .put("to", Instant.ofEpochSecond(mask.to()).toString())
          .put("metric", mask.metric())
          .put("void", isVoid)
          .put("written", Instant.ofEpochMilli(mask.time()).toString());
    }
    return report;
  }

  private void interval(String interval, ObjectNode json, TextTable out) {
    String named = tables(rollups).get(interval);
    out.text("interval", interval + (named == null ? ", not read by TSDs" : ", table " + named));
    json.put("interval", interval).put("table", named);
    ArrayNode windows = json.putArray("windows");
    windows(interval).forEach(window -> window(window, windows.addObject(), out));
    ArrayNode proven = json.putArray("proven");
    proven(interval)
        .forEach(
            (metrics, ranges) -> {
              ObjectNode each = proven.addObject().put("metrics", metrics);
              ranges(ranges, each.putArray("windows"), out, "  proven", metrics);
              ranges(holes(ranges), each.putArray("holes"), out, "  hole", metrics);
            });
  }

  private void window(CoverageWindow window, ObjectNode json, TextTable out) {
    String against = against(window);
    out.text("  window", CoverageText.of(window));
    if (!against.isEmpty()) {
      out.text("    not counted", against);
    }
    json.put("from", Instant.ofEpochSecond(window.from()).toString())
        .put("to", Instant.ofEpochSecond(window.to()).toString())
        .put("metrics", window.metrics())
        .put("asOf", Instant.ofEpochMilli(window.asOf()).toString())
        .put("full", Instant.ofEpochMilli(window.fullAsOf()).toString());
    if (window.expires() != CoverageWindow.NEVER) {
      json.put("expires", Instant.ofEpochMilli(window.expires()).toString());
    }
    json.put("table", window.table())
        .put("writer", window.writer())
        .put("evidence", window.evidence())
        .put("counts", against.isEmpty())
        .put("reason", against);
  }

  private static void ranges(
      TimeRanges ranges, ArrayNode json, TextTable out, String name, String metrics) {
    for (int i = 0; i < ranges.size(); i++) {
      json.addObject()
          .put("from", Instant.ofEpochMilli(ranges.from(i)).toString())
          .put("to", Instant.ofEpochMilli(ranges.to(i)).toString());
      out.text(name, CoverageText.range(ranges.from(i), ranges.to(i)) + ", metrics " + metrics);
    }
  }
}
