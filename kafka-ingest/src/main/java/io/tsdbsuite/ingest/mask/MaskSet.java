package io.tsdbsuite.ingest.mask;

import io.tsdbsuite.coverage.CoverageMask;
import io.tsdbsuite.coverage.CoverageMask.Kind;
import io.tsdbsuite.coverage.CoverageRows;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * Masks that are to be written together, each once. Bounded: too many series of a metric's hour
 * become a mask of the metric, too many metrics of an hour one of all metrics, and too many rows
 * become wider ones ({@link Width}). It may mask more than it was given, never less. Not
 * thread-safe.
 */
public final class MaskSet {
  /** What a row masks; each width has fewer rows than the one before. */
  enum Width {
    /** An hour of a metric. */
    HOUR(MaskRule.HOUR),
    /** A day of a metric. */
    DAY(24 * MaskRule.HOUR),
    /** A day of all metrics. */
    DAY_OF_ALL(24 * MaskRule.HOUR),
    /** All times of all metrics: one row, from 0 to a time behind all that a row key can have. */
    EVERYTHING(9_999_997_200L);

    private final long seconds;

    Width(long seconds) {
      this.seconds = seconds;
    }

    Width next() {
      return this == HOUR ? DAY : this == DAY ? DAY_OF_ALL : EVERYTHING;
    }

    long start(long time) {
      return time - time % seconds;
    }
  }

  private final MaskLimits limits;
  private Width width;

  /** How many more series may be named. */
  private int names;

  /** By start and by metric. */
  private final TreeMap<Long, Map<String, Row>> rows = new TreeMap<>();

  private int size;
  private boolean coarse;

  /** A row: of each kind its series, or all. */
  private static final class Row {
    private final Map<Kind, Set<String>> series = new EnumMap<>(Kind.class);
    private final Set<Kind> all = new HashSet<>();
  }

  /** An empty set. */
  public MaskSet(MaskLimits limits) {
    this(limits, Width.HOUR, limits.names);
  }

  /**
   * An empty set.
   *
   * @param width the least width of its rows
   * @param names how many series may be named
   */
  MaskSet(MaskLimits limits, Width width, int names) {
    this.limits = limits;
    this.width = width;
    this.names = names;
    this.coarse = width != Width.HOUR || names == 0;
  }

  /**
   * Adds a mask.
   *
   * @param hour seconds since the epoch
   * @param tsuid in hex, upper case; empty if it is not known
   */
  public void add(Kind kind, long hour, String metric, String tsuid) {
    Map<String, Row> byMetric = rows.computeIfAbsent(width.start(hour), start -> new HashMap<>());
    Row ofAll = byMetric.get(CoverageMask.ALL_METRICS);
    if (ofAll != null && ofAll.all.contains(kind)) {
      return;
    }
    boolean ownRow = width.compareTo(Width.DAY_OF_ALL) < 0 && CoverageRows.canMask(metric);
    Row row = byMetric.get(ownRow ? metric : CoverageMask.ALL_METRICS);
    if (row == null && ownRow && width == Width.HOUR && byMetric.size() >= limits.metrics) {
      // Those of the hour that have a row keep it.
      coarse = true;
      ownRow = false;
      row = ofAll;
    }
    if (row == null) {
      if (size >= limits.rows && width != Width.EVERYTHING) {
        widen();
        add(kind, hour, metric, tsuid);
        return;
      }
      row = new Row();
      size++;
      byMetric.put(ownRow ? metric : CoverageMask.ALL_METRICS, row);
    }
    if (!row.all.contains(kind)) {
      name(row, kind, ownRow && width == Width.HOUR ? tsuid : "");
    }
  }

  /** Names a series in a row, or all. */
  private void name(Row row, Kind kind, String tsuid) {
    Set<String> series = row.series.computeIfAbsent(kind, key -> new HashSet<>());
    if (series.contains(tsuid)) {
      return;
    }
    if (CoverageRows.canName(tsuid) && names > 0 && series.size() < limits.series) {
      series.add(tsuid);
      names--;
      return;
    }
    coarse |= !tsuid.isEmpty();
    names += series.size();
    row.series.remove(kind);
    row.all.add(kind);
  }

  /** Makes wider rows of all. */
  private void widen() {
    coarse = true;
    MaskSet narrow = new MaskSet(limits, width, 0);
    narrow.rows.putAll(rows);
    rows.clear();
    size = 0;
    width = width.next();
    addAll(narrow);
  }

  /** Adds all masks of another set. */
  public void addAll(MaskSet other) {
    while (width.compareTo(other.width) < 0) {
      widen();
    }
    other.rows.forEach(
        (start, byMetric) ->
            byMetric.forEach(
                (metric, row) -> {
                  row.all.forEach(kind -> add(kind, start, metric, ""));
                  row.series.forEach(
                      (kind, series) -> series.forEach(tsuid -> add(kind, start, metric, tsuid)));
                }));
    coarse |= other.coarse;
  }

  /** The columns of each row of the coverage table. */
  Map<String, List<String>> rows() {
    Map<String, List<String>> all = new LinkedHashMap<>();
    rows.forEach(
        (start, byMetric) ->
            byMetric.forEach(
                (metric, row) ->
                    all.put(CoverageRows.maskRow(start, metric), columns(start, row))));
    return all;
  }

  private List<String> columns(long start, Row row) {
    List<String> columns = new ArrayList<>();
    row.series.forEach(
        (kind, series) ->
            series.forEach(tsuid -> columns.add(CoverageRows.maskColumn(kind, tsuid))));
    for (Kind kind : row.all) {
      columns.add(
          width == Width.HOUR
              ? CoverageRows.maskColumn(kind)
              : CoverageRows.maskColumn(kind, start + width.seconds));
    }
    return columns;
  }

  /** Whether a series has a mask of its own, and no wider one. */
  public boolean names(Kind kind, long hour, String metric, String tsuid) {
    Map<String, Row> byMetric = rows.get(width.start(hour));
    Row ofAll = byMetric == null ? null : byMetric.get(CoverageMask.ALL_METRICS);
    Row row = byMetric == null ? null : byMetric.get(metric);
    return row != null
        && (ofAll == null || !ofAll.all.contains(kind))
        && row.series.containsKey(kind)
        && row.series.get(kind).contains(tsuid);
  }

  /** Whether there is nothing to write. */
  public boolean isEmpty() {
    return size == 0;
  }

  /** Whether more is masked than was given, because of a bound. */
  boolean isCoarse() {
    return coarse;
  }
}
