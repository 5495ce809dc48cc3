package io.tsdbsuite.rollup.tiers.proof;

import io.tsdbsuite.coverage.Coverage;
import io.tsdbsuite.coverage.CoverageFloor;
import io.tsdbsuite.format.metric.MetricPatterns;
import io.tsdbsuite.format.rollup.RollupInterval;
import io.tsdbsuite.rollup.coverage.CoverageText;
import io.tsdbsuite.rollup.tiers.Policy;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * What the coverage must say before rows of a rollup table go: those of which they were made are
 * gone, and the wider rollups are proven.
 */
final class CoverageRule {
  private final ProveOptions options;
  private final @Nullable Coverage coverage;

  /**
   * @param coverage null if it is not known
   */
  CoverageRule(ProveOptions options, @Nullable Coverage coverage) {
    this.options = options;
    this.coverage = coverage;
  }

  boolean isKnown() {
    return coverage != null;
  }

  List<CoverageFloor> floors() {
    return coverage == null ? List.of() : coverage.floors();
  }

  /**
   * Whether a floor of a level, of some metric of an entry, may be at a time or above.
   *
   * @param time seconds since the epoch
   */
  boolean isBelow(Proof.Selection entry, String level, long time) {
    MetricPatterns metrics = MetricPatterns.of(entry.metrics());
    return floors().stream()
        .filter(floor -> floor.level().equals(level) && floor.before() >= time)
        .anyMatch(
            floor -> metrics.mayShare(MetricPatterns.of(List.of(floor.metrics().split(",", -1)))));
  }

  /**
   * Why rows must wait, whatever metrics they have: they could be made again. Empty if they need
   * not.
   */
  String above(ProofDay day) {
    return day.isRaw() || isBelow(day.entry(), finer(day), day.end() * ProofDay.DAY)
        ? ""
        : above(day, "all metrics");
  }

  /**
   * The same of rows of metrics.
   *
   * @param metrics the names of those that have such rows
   */
  String above(ProofDay day, Collection<String> metrics) {
    if (!day.isRaw()) {
      Coverage known = Objects.requireNonNull(coverage);
      for (String metric : metrics) {
        if (known.floor(finer(day), metric) < day.end() * ProofDay.DAY) {
          return above(day, metric);
        }
      }
    }
    return "";
  }

  /**
   * Why no coverage proves the wider rollups of such rows, with all that {@code suite} selects of
   * their metrics; empty if it does.
   */
  String uncovered(ProofDay day, Collection<String> metrics) {
    if (day.isRaw()) {
      return "";
    }
    Coverage known = Objects.requireNonNull(coverage);
    long from = day.from().toEpochMilli();
    long to = day.to().toEpochMilli();
    for (String metric : metrics) {
      for (RollupInterval wider : options.wider(day.table())) {
        for (String level :
            options.tiers().rollups().suite().selection(metric).levels(wider.interval())) {
          if (!known.proven(level, wider.seconds() * 1000, metric).contains(from, to)) {
            return "the coverage table must prove the rollups of %s, found that it does not for %s%s"
                .formatted(
                    level,
                    metric,
                    known.reason().isEmpty()
                        ? CoverageText.howProven(level, day.from(), day.to())
                        : ": " + known.reason());
          }
        }
      }
    }
    return "";
  }

  private String above(ProofDay day, String metrics) {
    return ("the floor of %s must be %s or later before rows of %s go, found an earlier one or none"
            + " of %s: apply the days of %s first")
        .formatted(finer(day), day.to(), day.table(), metrics, finer(day));
  }

  /** The widest table that an entry limits, of those of which a rollup table can be made again. */
  private String finer(ProofDay day) {
    String finer = Policy.RAW;
    for (RollupInterval interval : options.intervals().all()) {
      if (interval.interval().equals(day.table())) {
        break;
      }
      if (day.entry().keepDays().containsKey(interval.interval())) {
        finer = interval.interval();
      }
    }
    return finer;
  }
}
