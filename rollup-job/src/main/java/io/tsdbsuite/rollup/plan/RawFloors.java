package io.tsdbsuite.rollup.plan;

import io.tsdbsuite.coverage.CoverageFloor;
import io.tsdbsuite.format.metric.MetricPatterns;
import java.io.Serializable;
import java.time.Instant;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Collectors;

/**
 * The floors of the data table (docs/coverage.md): rows of a metric that begin before its floor may
 * be gone, and their stored rollups are the only data. A run leaves out what is left of these rows,
 * and their rollups as they are. Immutable.
 *
 * @param known false if no coverage table was read
 * @param floors the highest first
 */
public record RawFloors(boolean known, List<Floor> floors) implements Serializable {
  private static final long serialVersionUID = 1L;

  /** No coverage table was read. */
  public static final RawFloors UNKNOWN = new RawFloors(false, List.of());

  /**
   * A floor.
   *
   * @param metrics patterns of the metrics, separated by commas
   * @param before rows that begin before it may be gone, seconds since the epoch, a midnight (UTC)
   */
  public record Floor(String metrics, long before) implements Serializable {
    private static final long serialVersionUID = 1L;

    /** The metrics. */
    public MetricPatterns patterns() {
      return MetricPatterns.of(Arrays.asList(metrics.split(",", -1)));
    }

    @Override
    public String toString() {
      return metrics + " before " + Instant.ofEpochSecond(before);
    }
  }

  /** The floors of the data table among those of a coverage. */
  public static RawFloors of(List<CoverageFloor> all) {
    return of(CoverageFloor.RAW, all);
  }

  /**
   * The same of another table.
   *
   * @param level as {@link CoverageFloor#level}
   */
  public static RawFloors of(String level, List<CoverageFloor> all) {
    return new RawFloors(
        true,
        all.stream()
            .filter(floor -> floor.level().equals(level))
            .map(floor -> new Floor(floor.metrics(), floor.before()))
            .sorted(Comparator.comparingLong(Floor::before).reversed())
            .toList());
  }

  /** Whether no row may be gone. */
  public boolean isEmpty() {
    return floors.isEmpty();
  }

  /**
   * The floor of a metric.
   *
   * @return seconds since the epoch; 0 if it has none
   */
  public long of(String metric) {
    for (Floor floor : floors) {
      if (floor.patterns().wants(metric)) {
        return floor.before();
      }
    }
    return 0;
  }

  /**
   * The highest floor of all metrics, seconds since the epoch; 0 if there is none. It counts for a
   * metric without a name, which may be any of them.
   */
  public long highest() {
    return isEmpty() ? 0 : floors.get(0).before();
  }

  /** The floors after a time that may be of selected metrics. */
  public RawFloors after(long time, MetricPatterns metrics) {
    return new RawFloors(
        known,
        floors.stream()
            .filter(floor -> floor.before() > time && floor.patterns().mayShare(metrics))
            .toList());
  }

  /** For people. */
  @Override
  public String toString() {
    return floors.stream().map(Floor::toString).collect(Collectors.joining("; "));
  }
}
