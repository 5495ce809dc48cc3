package io.tsdbsuite.rollup.report;

import java.io.Serializable;
import java.util.Arrays;
import java.util.Collections;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.LongFunction;
import org.jspecify.annotations.Nullable;

/**
 * Rows of a table that may go once wider rollups are proven, by metric, and rows that stay, by
 * reason. Each row counts once. Not thread-safe.
 */
public final class MetricRows implements Serializable {
  private static final long serialVersionUID = 1L;

  /** Why a row stays as a whole; of several reasons the first. */
  public enum Kept implements Tally.Reason {
    /** It could not be rolled up. */
    FAILED("failed"),
    /** Has histograms that no rollup has as a whole: its metric has none, or they have no sum. */
    HISTOGRAMS("histograms"),
    /**
     * Has columns that OpenTSDB ignores, or rollups of aggregators of no metric of the interval.
     */
    UNKNOWN_COLUMNS("unknownColumns"),
    /** Has points that are NaN, which rollups leave out. */
    NOT_A_NUMBER("notANumber"),
    /** Has several values of one instant, and a TSD may answer another one than was rolled up. */
    AMBIGUOUS_DUPLICATES("ambiguousDuplicates"),
    /** Its metric has no name, so no policy names it. */
    NO_NAME("noName"),
    /** Begins below the floor of its metric: other rows of the day may be gone already. */
    BELOW_FLOOR("belowFloor"),
    /** Has annotations and no points. */
    ANNOTATIONS("annotations"),
    /** Has neither. */
    EMPTY("empty");

    private final String key;

    Kept(String key) {
      this.key = key;
    }

    @Override
    public String key() {
      return key;
    }
  }

  /** Rows with points of a metric, all of which may go. */
  public static final class Metric implements Serializable {
    private static final long serialVersionUID = 1L;

    private long rows;
    private long annotatedRows;
    private long points;
    private long histograms;

    /** Rows that have only points. */
    public long rows() {
      return rows;
    }

    /** Rows that have annotations, too, which stay. */
    public long annotatedRows() {
      return annotatedRows;
    }

    /** Points of both, before duplicates are dropped, and histograms; of a rollup table: cells. */
    public long points() {
      return points;
    }

    /** Of these, histograms. */
    public long histograms() {
      return histograms;
    }
  }

  /** The counts that tell what a row has. */
  private static final Count[] WATCHED = {
    Count.HISTOGRAMS,
    Count.UNKNOWN_COLUMNS,
    Count.POINTS_NOT_A_NUMBER,
    Count.AMBIGUOUS_DUPLICATES,
    Count.ANNOTATIONS,
    Count.ROWS_EMITTED,
    Count.POINTS_READ
  };

  private static final int HISTOGRAMS = 0;
  private static final int ANNOTATIONS = 4;
  private static final int EMITTED = 5;
  private static final int POINTS = 6;

  private final Tally<Kept> kept = new Tally<>(Kept.class);
  private final TreeMap<Long, Metric> metrics = new TreeMap<>();

  /** {@link #WATCHED} before a row, then what the row added. */
  private final long[] grown = new long[WATCHED.length];

  /** Of these histograms, those that are rolled up. */
  private long rolledUp;

  private long failed;

  /** Null in the sum of the driver, to which no row is added. */
  private final transient @Nullable LongFunction<@Nullable Kept> stays;

  /** The sum of those of tasks. */
  public MetricRows() {
    this(null);
  }

  /**
   * The rows of a task.
   *
   * @param stays tells by a metric's UID why its rows stay, or null if they may go
   */
  public MetricRows(@Nullable LongFunction<@Nullable Kept> stays) {
    this.stays = stays;
  }

  /** Begins a row. */
  public void begin(Books books) {
    for (int i = 0; i < grown.length; i++) {
      grown[i] = books.count(WATCHED[i]);
    }
    failed = books.rowsFailed();
  }

  /**
   * Ends a row, which is in the books.
   *
   * @param histograms whether the rollups of its metric have its histograms, which have a sum
   * @return whether it, or its points, may go, if its metric lets it: call {@link #go}; if not, it
   *     is counted
   */
  public boolean end(Books books, boolean histograms) {
    for (int i = 0; i < grown.length; i++) {
      grown[i] = books.count(WATCHED[i]) - grown[i];
    }
    rolledUp = histograms ? grown[HISTOGRAMS] : 0;
    Kept reason = reason(books.rowsFailed() > failed);
    if (reason != null) {
      kept.increment(reason);
    }
    return reason == null;
  }

  private @Nullable Kept reason(boolean hasFailed) {
    if (hasFailed) {
      return Kept.FAILED;
    } else if (grown[HISTOGRAMS] > rolledUp) {
      return Kept.HISTOGRAMS;
    } else if (grown[1] > 0) {
      return Kept.UNKNOWN_COLUMNS;
    } else if (grown[2] > 0) {
      return Kept.NOT_A_NUMBER;
    } else if (grown[3] > 0) {
      return Kept.AMBIGUOUS_DUPLICATES;
    } else if (grown[EMITTED] > 0) {
      return null;
    }
    return grown[ANNOTATIONS] > 0 ? Kept.ANNOTATIONS : Kept.EMPTY;
  }

  /**
   * Counts the current row as one that may go, unless its metric stays.
   *
   * @param metricUid its metric
   */
  public void go(long metricUid) {
    Metric metric = metrics.get(metricUid);
    if (metric == null) {
      Kept reason = stays == null ? null : stays.apply(metricUid);
      if (reason != null) {
        kept.increment(reason);
        return;
      }
      metric = new Metric();
      metrics.put(metricUid, metric);
    }
    if (grown[ANNOTATIONS] > 0) {
      metric.annotatedRows++;
    } else {
      metric.rows++;
    }
    metric.points += grown[POINTS] + rolledUp;
    metric.histograms += rolledUp;
  }

  /**
   * Counts a row of a rollup table.
   *
   * @param reason why it stays; null if it may go, unless its metric stays
   * @param metricUid its metric
   * @param cells its cells, which count as points
   */
  public void row(@Nullable Kept reason, long metricUid, long cells) {
    if (reason != null) {
      kept.increment(reason);
    } else {
      Arrays.fill(grown, 0);
      rolledUp = 0;
      grown[POINTS] = cells;
      go(metricUid);
    }
  }

  /** Adds those of another task. */
  public void add(MetricRows other) {
    kept.addAll(other.kept);
    other.metrics.forEach(
        (uid, more) -> {
          Metric metric = metrics.computeIfAbsent(uid, any -> new Metric());
          metric.rows += more.rows;
          metric.annotatedRows += more.annotatedRows;
          metric.points += more.points;
          metric.histograms += more.histograms;
        });
  }

  /** What may go, by UID. */
  public SortedMap<Long, Metric> metrics() {
    return Collections.unmodifiableSortedMap(metrics);
  }

  /** Rows that stay for a reason. */
  public long kept(Kept reason) {
    return kept.get(reason);
  }

  /** All rows. */
  public long rows() {
    return kept.total()
        + metrics.values().stream().mapToLong(each -> each.rows + each.annotatedRows).sum();
  }
}
