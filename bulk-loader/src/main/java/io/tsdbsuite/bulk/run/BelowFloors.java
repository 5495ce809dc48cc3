package io.tsdbsuite.bulk.run;

import io.tsdbsuite.bulk.hbase.HBaseFailures;
import io.tsdbsuite.bulk.hbase.TsdHBase;
import io.tsdbsuite.bulk.row.PackedPoints;
import io.tsdbsuite.bulk.settings.WriteSettings;
import io.tsdbsuite.bulk.spill.HourSource;
import io.tsdbsuite.bulk.spill.SeriesTotal;
import io.tsdbsuite.bulk.spill.SeriesTotals;
import io.tsdbsuite.bulk.spill.SpilledRows;
import io.tsdbsuite.coverage.CoverageFloor;
import io.tsdbsuite.format.row.RowKey;
import io.tsdbsuite.format.row.Uids;
import io.tsdbsuite.job.JobException;
import io.tsdbsuite.job.coverage.CoverageRefusedException;
import io.tsdbsuite.job.coverage.CoverageTable;
import java.io.IOException;
import java.io.Serializable;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Finds points below the raw floor of their metric (docs/coverage.md). A load refuses them: where
 * raw data may be gone, queries read rollups, which such points are not in. Serialized is only what
 * was found. Not thread-safe.
 */
public final class BelowFloors implements Serializable {
  private static final long serialVersionUID = 1L;

  /** Metrics in one message. */
  private static final int SHOWN = 20;

  private final transient List<CoverageFloor> floors;
  private final transient long highest;

  /** Names of metrics by UID. */
  private final transient Map<Long, String> metrics = new HashMap<>();

  /** Floors of metrics, seconds since the epoch. */
  private final transient Map<String, Long> known = new HashMap<>();

  private final TreeMap<String, Found> found = new TreeMap<>();

  /**
   * Points of a metric below its floor.
   *
   * @param floor seconds since the epoch
   * @param first start of the first hour, seconds since the epoch
   * @param points their number
   */
  private record Found(long floor, long first, long points) implements Serializable {
    private static final long serialVersionUID = 1L;

    Found plus(Found other) {
      return new Found(
          Math.max(floor, other.floor), Math.min(first, other.first), points + other.points);
    }
  }

  /** Nothing is found yet. */
  public BelowFloors(List<CoverageFloor> floors) {
    this.floors = List.copyOf(floors);
    this.highest =
        floors.stream()
            .filter(floor -> floor.level().equals(CoverageFloor.RAW))
            .mapToLong(CoverageFloor::before)
            .max()
            .orElse(0);
  }

  /**
   * Reads the floors of the coverage table that a load masks.
   *
   * @return without floors if there is no table
   * @throws JobException usage, when a named table does not exist or its floors cannot be known;
   *     outside, when HBase fails
   */
  public static BelowFloors read(TsdHBase hbase, WriteSettings write, long nowMillis) {
    if (!CoverageMasks.hasTable(hbase, write)) {
      return new BelowFloors(List.of());
    }
    String name = CoverageMasks.table(write);
    try (CoverageTable table = new CoverageTable(hbase.connection(), name)) {
      return new BelowFloors(table.knownFloors(nowMillis));
    } catch (CoverageRefusedException e) {
      throw JobException.usage(String.valueOf(e.getMessage()), e);
    } catch (IOException e) {
      throw HBaseFailures.outside("the floors of table " + name + " must be readable", e);
    }
  }

  /** The highest floor of all metrics, seconds since the epoch; 0 without floors. */
  public long highest() {
    return highest;
  }

  /** As they were given. */
  public List<CoverageFloor> floors() {
    return floors;
  }

  /** Counts points of a metric in the hour that begins at a time, seconds since the epoch. */
  public void add(String metric, long hour, long points) {
    if (points > 0 && hour < highest && hour < floor(metric)) {
      found.merge(metric, new Found(floor(metric), hour, points), Found::plus);
    }
  }

  /** Adds what was found of other points. */
  public void add(BelowFloors other) {
    other.found.forEach((metric, more) -> found.merge(metric, more, Found::plus));
  }

  /** Learns the names of the metrics of {@link #add(HourSource, RowKey)}. */
  public void names(SpilledRows rows, RowKey rowKey) throws IOException {
    if (highest == 0) {
      return;
    }
    int width = rowKey.timeOffset() - rowKey.metricOffset();
    try (SeriesTotals totals = rows.series()) {
      for (SeriesTotal next = totals.next(); next != null; next = totals.next()) {
        String names = next.names();
        int blank = names.indexOf(' ');
        metrics.put(
            Uids.read(next.tsuid(), 0, width), blank < 0 ? names : names.substring(0, blank));
      }
    }
  }

  /** Counts the points of a chunk. */
  public void add(HourSource hour, RowKey rowKey) {
    long base = rowKey.baseTime(hour.key, 0);
    if (base >= highest) {
      return;
    }
    long points = 0;
    for (int at = hour.off;
        at < hour.off + hour.length;
        at += PackedPoints.length(hour.packed, at)) {
      points++;
    }
    add(metrics.getOrDefault(rowKey.metricUid(hour.key, 0), ""), base, points);
  }

  /** Counts all points of rows. */
  void add(SpilledRows rows, RowKey rowKey) throws IOException {
    names(rows, rowKey);
    try (HourSource hours = rows.hours()) {
      while (hours.nextHour()) {
        while (hours.nextChunk()) {
          add(hours, rowKey);
        }
      }
    }
  }

  /**
   * Requires that nothing was found.
   *
   * @throws JobException usage, naming the metrics, their floors, first times and points
   */
  public void require() {
    List<String> problems = new ArrayList<>();
    found.forEach(
        (metric, of) -> {
          if (problems.size() < SHOWN) {
            problems.add(
                ("points of metric %s must not be before %s, where raw data may be gone and"
                        + " queries read rollups (a floor of the coverage table), found %s from the"
                        + " hour %s on")
                    .formatted(
                        metric,
                        Instant.ofEpochSecond(of.floor()),
                        of.points(),
                        Instant.ofEpochSecond(of.first())));
          }
        });
    if (found.size() > SHOWN) {
      problems.add("and %s more metrics have such points".formatted(found.size() - SHOWN));
    }
    if (!problems.isEmpty()) {
      throw JobException.usage(problems);
    }
  }

  /**
   * Requires that no floor after a time was raised since others were read.
   *
   * @param earlier floors that were read before
   * @param first start of the first hour with points, or earlier, seconds since the epoch
   * @throws JobException usage, naming the floors
   */
  public void requireSame(List<CoverageFloor> earlier, long first) {
    List<String> problems = new ArrayList<>();
    for (CoverageFloor floor : floors) {
      boolean known =
          earlier.stream()
              .anyMatch(
                  each ->
                      each.toString().equals(floor.toString()) && each.before() >= floor.before());
      if (floor.level().equals(CoverageFloor.RAW) && floor.before() > first && !known) {
        problems.add(
            "row %s of the coverage table must be as it was when the load began, found that raw data of %s before %s may be gone now: start the load again"
                .formatted(floor, floor.metrics(), Instant.ofEpochSecond(floor.before())));
      }
    }
    if (!problems.isEmpty()) {
      throw JobException.usage(problems);
    }
  }

  private long floor(String metric) {
    return known.computeIfAbsent(
        metric, name -> CoverageFloor.highest(floors, CoverageFloor.RAW, name));
  }
}
