package io.tsdbsuite.rollup.pack;

import io.tsdbsuite.coverage.CoverageFloor;
import io.tsdbsuite.coverage.CoverageMask;
import io.tsdbsuite.coverage.CoverageRows;
import io.tsdbsuite.coverage.TimeRanges;
import io.tsdbsuite.format.rollup.RollupInterval;
import io.tsdbsuite.rollup.plan.RawFloors;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * The floors of an interval. A row below that of its metric is left out: what is left of it may be
 * deleted while it is compared, and no query reads it.
 *
 * @param floors in no particular order
 * @param changed when one was raised or lowered last, milliseconds since the epoch; 0 if none was
 */
record PackFloors(List<CoverageFloor> floors, long changed) {
  /** Times of windows, seconds since the epoch, and their metrics. */
  record Part(long from, long to, String metrics) {}

  /**
   * Those of an interval among all of a coverage, where rows begin: a row that begins below one is
   * left out as a whole, also if rows had another span when the floor was raised.
   */
  static PackFloors of(RollupInterval interval, List<CoverageFloor> all, long changed) {
    return new PackFloors(
        all.stream()
            .filter(floor -> floor.level().equals(interval.interval()))
            .map(floor -> atRow(floor, interval))
            .toList(),
        changed);
  }

  private static CoverageFloor atRow(CoverageFloor floor, RollupInterval interval) {
    long base = interval.baseTime(floor.before());
    return new CoverageFloor(
        floor.level(),
        floor.writer(),
        base < floor.before() ? interval.rowEnd(base) : base,
        floor.metrics(),
        floor.evidence(),
        floor.asOf());
  }

  /** The floors by metrics. */
  RawFloors ofMetrics(String interval) {
    return RawFloors.of(interval, floors);
  }

  /**
   * The time before which no window is written, seconds since the epoch: the highest floor of
   * metrics that a window cannot leave out.
   */
  long ofAll() {
    boolean isLong = !CoverageRows.isSelection(selection(0));
    return floors.stream()
        .filter(floor -> isLong || isOfAll(floor))
        .mapToLong(CoverageFloor::before)
        .max()
        .orElse(0);
  }

  private static boolean isOfAll(CoverageFloor floor) {
    return patterns(floor).stream().anyMatch(each -> each.startsWith("!") || each.equals("*"));
  }

  private static List<String> patterns(CoverageFloor floor) {
    return Arrays.asList(floor.metrics().split(",", -1));
  }

  /** What a window that begins at a time leaves out, as patterns. */
  private List<String> excluded(long time) {
    return floors.stream()
        .filter(floor -> floor.before() > time)
        .flatMap(floor -> patterns(floor).stream())
        .map(each -> "!" + each)
        .distinct()
        .sorted()
        .toList();
  }

  /**
   * Divides times above {@link #ofAll} where floors are.
   *
   * @param times seconds since the epoch
   */
  List<Part> parts(TimeRanges times) {
    TreeMap<Long, String> metrics = new TreeMap<>();
    List<Part> parts = new ArrayList<>();
    for (int i = 0; i < times.size(); i++) {
      metrics.clear();
      metrics.put(times.from(i), selection(times.from(i)));
      for (CoverageFloor floor : floors) {
        if (floor.before() > times.from(i) && floor.before() < times.to(i)) {
          metrics.put(floor.before(), selection(floor.before()));
        }
      }
      for (Map.Entry<Long, String> each : metrics.entrySet()) {
        Long next = metrics.higherKey(each.getKey());
        parts.add(new Part(each.getKey(), next == null ? times.to(i) : next, each.getValue()));
      }
    }
    return parts;
  }

  private String selection(long time) {
    List<String> all = new ArrayList<>(List.of(CoverageMask.ALL_METRICS));
    all.addAll(excluded(time));
    return String.join(",", all);
  }
}
