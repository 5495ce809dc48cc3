package io.tsdbsuite.rollup.tiers.apply;

import io.tsdbsuite.coverage.Coverage;
import io.tsdbsuite.coverage.CoverageMask;
import io.tsdbsuite.coverage.CoverageRows;
import io.tsdbsuite.format.rollup.RollupInterval;
import io.tsdbsuite.job.coverage.CoverageRefusedException;
import io.tsdbsuite.job.coverage.CoverageTable;
import io.tsdbsuite.rollup.coverage.CoverageListing;
import io.tsdbsuite.rollup.coverage.CoverageText;
import io.tsdbsuite.rollup.tiers.Policy;
import java.io.IOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/**
 * Checks what the coverage says of rows that go: it must prove the rollups that stay, and have no
 * mask of a point that came since the proof. It adds what it finds to lists, and changes nothing.
 */
record CoverageCheck(ApplyOptions options, TierTable table, CoverageTable coverageTable) {
  private static final int MAX_SHOWN = 5;

  /**
   * Reads the coverage at the begin.
   *
   * @throws IOException when HBase fails
   */
  Coverage read(Instant at, List<String> usage) throws IOException {
    Coverage coverage = read(at);
    if (!coverage.reason().isEmpty()) {
      usage.add(
          "table %s proves nothing: %s".formatted(options.coverageTable(), coverage.reason()));
      return coverage;
    }
    try {
      coverageTable.requireFloors();
    } catch (CoverageRefusedException e) {
      usage.add(String.valueOf(e.getMessage()));
    }
    unknownIntervals(coverage, usage);
    return coverage;
  }

  /**
   * Reads the coverage.
   *
   * @throws IOException when HBase fails
   */
  Coverage read(Instant at) throws IOException {
    return coverageTable.read(CoverageListing.tables(options.rollups()), at.toEpochMilli());
  }

  /** Without an interval that has rollups, the next narrower one would be the last tier. */
  private void unknownIntervals(Coverage coverage, List<String> usage) {
    Set<String> unknown = new TreeSet<>();
    coverage.windows().forEach(window -> unknown.add(CoverageRows.interval(window.interval())));
    unknown.removeIf(interval -> options.rollups().interval(interval) != null);
    if (!unknown.isEmpty()) {
      usage.add(
          ("rollup_config.json must have all intervals of which table %s has windows, found none of"
                  + " %s: give one with all, or remove these windows (rollup-job coverage remove)")
              .formatted(options.coverageTable(), String.join(", ", unknown)));
    }
  }

  /**
   * Whether the coverage proves the day's rollups now, with all that {@code suite} selects of each
   * metric, and no late point has come. No window is added below a floor, so what is not proven
   * before it never is.
   *
   * @param floor whether the floor must be there
   */
  void covered(ProvenRows day, Coverage coverage, boolean floor, List<String> problems) {
    if (!coverage.reason().isEmpty()) {
      problems.add(
          "table %s proves nothing: %s".formatted(options.coverageTable(), coverage.reason()));
      return;
    }
    Set<String> of = new TreeSet<>(day.names().values());
    for (String interval : day.proof().rollups().keySet()) {
      RollupInterval known = options.rollups().interval(interval);
      if (known == null) {
        continue;
      }
      Map<String, List<String>> open = new LinkedHashMap<>();
      for (String metric : of) {
        for (String level : options.rollups().suite().selection(metric).levels(interval)) {
          if (!coverage
              .proven(level, known.seconds() * 1000, metric)
              .contains(day.from() * 1000, day.to() * 1000)) {
            open.computeIfAbsent(level, any -> new ArrayList<>()).add(metric);
          }
        }
      }
      open.forEach(
          (level, some) ->
              problems.add(
                  "table %s must prove the %s rollups of the day, found that it does not for %s%s"
                      .formatted(
                          options.coverageTable(),
                          level,
                          some(some),
                          CoverageText.howProven(level, day.proof().from(), day.proof().to()))));
    }
    long created = day.proof().data().created().toEpochMilli();
    masked(day.entry(), day.from(), day.to(), created, coverage, problems);
    // What rollups are made of must be gone before them.
    int keep = day.entry().keep().getOrDefault(table.level(), 0);
    for (Map.Entry<String, Integer> finer : day.entry().keep().entrySet()) {
      List<String> present =
          finer.getValue() < keep ? above(coverage, finer.getKey(), of, day.to()) : List.of();
      if (!present.isEmpty()) {
        problems.add(
            "the floor of %s must be at or above the end of its rows, %s, found that it is not for"
                    .formatted(finer.getKey(), Instant.ofEpochSecond(day.to()))
                + " %s: apply %s of the days first".formatted(some(present), finer.getKey()));
      }
    }
    List<String> without = floor ? above(coverage, table.level(), of, day.to()) : List.of();
    if (!without.isEmpty()) {
      problems.add("the floor must be there, found none for " + some(without));
    }
  }

  /**
   * Whether a late point of an entry may have come since a snapshot, also of a metric without rows
   * in it: the floor would void its mask.
   *
   * @param created of the snapshot, milliseconds since the epoch
   */
  void masked(
      Policy.Entry entry,
      long from,
      long to,
      long created,
      Coverage coverage,
      List<String> problems) {
    long shown = created - Coverage.CLOCK_SKEW;
    for (CoverageMask mask : coverage.masks()) {
      boolean ofDay = mask.from() < to && mask.to() > from && mask.time() >= shown;
      boolean ofEntry =
          mask.metric().equals(CoverageMask.ALL_METRICS)
              || entry.equals(options.policy().of(mask.metric()));
      if (ofDay && ofEntry) {
        problems.add(
            "its snapshot must be newer than the masks of the day, found one of %s, of metric %s"
                    .formatted(Instant.ofEpochMilli(mask.time()), mask.metric())
                + ": a late point may have come; "
                + (table.rollups() == null ? "roll up" : "take new snapshots")
                + " and prove the day again");
      }
    }
  }

  /** The metrics that may have data of a level before a time: their floor is below it. */
  private static List<String> above(
      Coverage coverage, String level, Set<String> metrics, long time) {
    return metrics.stream().filter(metric -> coverage.floor(level, metric) < time).toList();
  }

  /** The first of some metrics. */
  static String some(List<String> metrics) {
    return String.join(", ", metrics.subList(0, Math.min(MAX_SHOWN, metrics.size())))
        + (metrics.size() > MAX_SHOWN ? " and " + (metrics.size() - MAX_SHOWN) + " more" : "");
  }
}
