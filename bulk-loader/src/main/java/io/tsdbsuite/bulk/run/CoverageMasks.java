package io.tsdbsuite.bulk.run;

import io.tsdbsuite.bulk.hbase.HBaseFailures;
import io.tsdbsuite.bulk.hbase.TsdHBase;
import io.tsdbsuite.bulk.report.BulkLoaderReport;
import io.tsdbsuite.bulk.report.PointsByMetric;
import io.tsdbsuite.bulk.settings.WriteSettings;
import io.tsdbsuite.bulk.table.TableFacts;
import io.tsdbsuite.coverage.Coverage;
import io.tsdbsuite.coverage.CoverageMask;
import io.tsdbsuite.coverage.CoverageRows;
import io.tsdbsuite.job.JobException;
import io.tsdbsuite.job.coverage.CoverageRefusedException;
import io.tsdbsuite.job.coverage.CoverageTable;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;

/**
 * Masks what a load writes in the coverage table, if there is one: the days of its metrics, until a
 * run over a later snapshot has rolled them up (docs/coverage.md). Thread-safe.
 *
 * <p>A mask voids rollups of snapshots until a minute after it. So it is written before the first
 * row, every ten seconds while rows are written, and after the last one, or when the load fails: no
 * snapshot of the time between proves anything. The masks are of the kind {@code lost}, because a
 * search for late rows goes by the timestamps of cells, which are not those of their arrival here.
 * The table may be made while rows are written, so each write looks for it.
 */
public final class CoverageMasks implements AutoCloseable {
  /** Masks of a load; with more they become wider. */
  static final int MOST = 1000;

  /** With more rows of masks in the table, which readers refuse at 100,000, there is one mask. */
  private static final int MOST_IN_TABLE = 40_000;

  private static final long RENEWED_MILLIS = 10_000;

  /** So long after a mask snapshots are hidden, at most, to the whole second. */
  private static final Duration HIDDEN = Duration.ofMillis(Coverage.CLOCK_SKEW).plusSeconds(1);

  private static final long DAY_SECONDS = 86_400;
  private static final long NEVER = Long.MIN_VALUE;

  private final Map<String, String> masks;
  private final BooleanSupplier hasTable;
  private final Consumer<Map<String, String>> sink;
  private final InstantSource clock;
  private final Consumer<Instant> snapshotFrom;
  private volatile long due = NEVER;

  /**
   * @param masks columns by row key
   * @param hasTable whether there is a table to write now
   * @param sink writes masks, with the time of HBase
   * @param snapshotFrom receives, after each write, the time from which on the masks hide no
   *     snapshot
   */
  CoverageMasks(
      Map<String, String> masks,
      BooleanSupplier hasTable,
      Consumer<Map<String, String>> sink,
      InstantSource clock,
      Consumer<Instant> snapshotFrom) {
    this.masks = masks;
    this.hasTable = hasTable;
    this.sink = sink;
    this.clock = clock;
    this.snapshotFrom = snapshotFrom;
  }

  static String table(WriteSettings write) {
    return write.coverageTable().isEmpty() ? CoverageRows.DEFAULT_TABLE : write.coverageTable();
  }

  /**
   * Whether there is a table to write.
   *
   * @throws JobException usage, when a named one does not exist; outside, when HBase does not tell
   */
  static boolean hasTable(TsdHBase hbase, WriteSettings write) {
    String name = table(write);
    boolean exists;
    try (Admin admin = hbase.connection().getAdmin()) {
      exists = admin.tableExists(TableName.valueOf(name));
    } catch (IOException e) {
      throw HBaseFailures.outside("HBase must tell whether it has the table " + name, e);
    }
    if (!exists && !write.coverageTable().isEmpty()) {
      throw JobException.usage("--coverage-table: table " + name + " must exist, found none");
    }
    return exists;
  }

  /**
   * What a load would do, as text.
   *
   * @throws JobException as {@link #of}
   */
  static String preview(TsdHBase hbase, WriteSettings write) {
    return hasTable(hbase, write)
        ? "the days of the load are masked in table "
            + table(write)
            + ": queries read raw data there until rollup-job has rolled them up again"
        : "no table " + table(write);
  }

  /**
   * The masks of a load; none are written yet.
   *
   * @param data the data table
   * @param metrics accepted points of the load by metric
   * @param days days with accepted points since the epoch, UTC, ascending
   * @param report is told of them
   * @throws JobException usage, when a named table does not exist, or this version must not write
   *     it; outside, when HBase fails
   */
  public static CoverageMasks of(
      TsdHBase hbase,
      WriteSettings write,
      TableFacts data,
      PointsByMetric metrics,
      Collection<Integer> days,
      InstantSource clock,
      BulkLoaderReport report) {
    String name = table(write);
    boolean exists = hasTable(hbase, write);
    Set<String> names =
        exists && isFull(hbase, name) ? Set.of(CoverageMask.ALL_METRICS) : names(metrics);
    long ttl = data.minVersions() > 0 ? HConstants.FOREVER : data.ttlSeconds();
    List<Integer> masked = masked(days, ttl, clock.instant().getEpochSecond());
    if (exists) {
      warnings(name, names, days.size() - masked.size(), masked.size()).forEach(report::warn);
    }
    return new CoverageMasks(
        masks(names, masked),
        () -> hasTable(hbase, write),
        masks -> write(hbase, name, masks),
        clock,
        report::snapshotFrom);
  }

  /**
   * The days that are masked. Raw points of the others may be gone by the TTL of the data table:
   * their rollups are the better answer, and no job makes new ones.
   *
   * @param days since the epoch, UTC
   * @param ttlSeconds {@link HConstants#FOREVER} for none
   * @param nowSeconds since the epoch
   */
  static List<Integer> masked(Collection<Integer> days, long ttlSeconds, long nowSeconds) {
    long oldest = ttlSeconds == HConstants.FOREVER ? 0 : nowSeconds - ttlSeconds + DAY_SECONDS;
    return days.stream().filter(day -> day * DAY_SECONDS >= oldest).toList();
  }

  /**
   * What the report says of them.
   *
   * @param gone number of days that are not masked
   * @param masked number of days that are
   */
  static List<String> warnings(String name, Set<String> names, int gone, int masked) {
    List<String> warnings = new ArrayList<>();
    if (masked > 0) {
      warnings.add(masked(name, names));
    }
    if (gone > 0) {
      warnings.add(
          ("%s days of this load have no masks in table %s: they begin before now less the"
                  + " TTL of the data table plus one day, so raw points of them may be gone, and"
                  + " queries read the rollups, which lack what is loaded")
              .formatted(gone, name));
    }
    return warnings;
  }

  private static String masked(String name, Set<String> names) {
    return "queries read raw data of "
        + (names.contains(CoverageMask.ALL_METRICS) ? "all" : names.size())
        + " metrics for the days of this load until rollup-job has rolled them up again,"
        + " over a snapshot from after the load (masks in table "
        + name
        + ")";
  }

  private static boolean isFull(TsdHBase hbase, String name) {
    try (CoverageTable table = new CoverageTable(hbase.connection(), name)) {
      return table.maskRows() > MOST_IN_TABLE;
    } catch (IOException e) {
      throw HBaseFailures.outside("the masks of table " + name + " must be readable", e);
    }
  }

  private static void write(TsdHBase hbase, String name, Map<String, String> masks) {
    try (CoverageTable table = new CoverageTable(hbase.connection(), name)) {
      table.mask(masks);
    } catch (CoverageRefusedException e) {
      throw JobException.usage(String.valueOf(e.getMessage()), e);
    } catch (IOException e) {
      throw HBaseFailures.outside("table " + name + " must take the masks of the load", e);
    }
  }

  /** The metrics to mask; all of them if one cannot be named. */
  static Set<String> names(PointsByMetric metrics) {
    Set<String> names = new LinkedHashSet<>();
    long points = 0;
    for (PointsByMetric.Entry entry : metrics.largest(MOST)) {
      boolean can = CoverageRows.canMask(entry.metric());
      names.add(can ? entry.metric() : CoverageMask.ALL_METRICS);
      points += entry.points();
    }
    return points < metrics.total() || names.contains(CoverageMask.ALL_METRICS)
        ? Set.of(CoverageMask.ALL_METRICS)
        : names;
  }

  /**
   * A mask of each metric for each run of days, or from the first day to the last if these are too
   * many.
   *
   * @return columns by row key
   */
  static Map<String, String> masks(Set<String> metrics, Collection<Integer> days) {
    List<long[]> ranges = new ArrayList<>();
    for (int day : days) {
      if (!ranges.isEmpty() && ranges.get(ranges.size() - 1)[1] == day) {
        ranges.get(ranges.size() - 1)[1]++;
      } else {
        ranges.add(new long[] {day, day + 1L});
      }
    }
    if ((long) metrics.size() * ranges.size() > MOST) {
      ranges = List.of(new long[] {ranges.get(0)[0], ranges.get(ranges.size() - 1)[1]});
    }
    Map<String, String> masks = new LinkedHashMap<>();
    for (String metric : metrics) {
      for (long[] range : ranges) {
        masks.put(
            CoverageRows.maskRow(range[0] * DAY_SECONDS, metric),
            CoverageRows.maskColumn(CoverageMask.Kind.LOST, range[1] * DAY_SECONDS));
      }
    }
    return masks;
  }

  /**
   * Writes the masks, if there is a table now.
   *
   * @throws JobException as {@link #of}
   */
  public synchronized void write() {
    if (!masks.isEmpty()) {
      long now = clock.millis();
      if (hasTable.getAsBoolean()) {
        sink.accept(masks);
        snapshotFrom.accept(clock.instant().plus(HIDDEN).truncatedTo(ChronoUnit.SECONDS));
      }
      due = now + RENEWED_MILLIS;
    }
  }

  /**
   * Writes the masks again, also after a failure, if they were written: else no row was.
   *
   * @throws JobException as {@link #of}
   */
  @Override
  public void close() {
    if (due != NEVER) {
      write();
    }
  }

  /** Writes the masks if they are ten seconds old; to be called before rows are written. */
  void renew() {
    if (!masks.isEmpty() && isDue()) {
      synchronized (this) {
        if (isDue()) {
          write();
        }
      }
    }
  }

  /** Also if the clock was set back. */
  private boolean isDue() {
    long now = clock.millis();
    return now >= due || now < due - RENEWED_MILLIS;
  }
}
