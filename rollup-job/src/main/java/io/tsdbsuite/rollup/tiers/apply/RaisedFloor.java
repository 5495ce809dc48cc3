package io.tsdbsuite.rollup.tiers.apply;

import io.tsdbsuite.coverage.CoverageFloor;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A floor that an apply raises, as it says before it does so: who finds that nothing was deleted
 * below it lowers it again.
 *
 * @param writer of the floor
 * @param metrics of the floor
 * @param before of the floor, seconds since the epoch
 * @param evidence of the floor, which no other apply has
 * @param formerBefore of the floor before; 0 if there was none
 * @param formerEvidence of the floor before
 * @param formerAsOf of the floor before
 * @param together SHA-256 of all proofs of which rows may be deleted below it
 */
record RaisedFloor(
    String writer,
    String metrics,
    long before,
    String evidence,
    long formerBefore,
    String formerEvidence,
    long formerAsOf,
    List<String> together) {

  /** Whether a floor is still the one that was raised. */
  boolean is(@Nullable CoverageFloor stored) {
    return stored != null
        && stored.writer().equals(writer)
        && stored.before() == before
        && stored.evidence().equals(evidence);
  }

  /**
   * What is left of it after an undo.
   *
   * @param floor that stood
   * @param lower that stands now
   */
  RaisedFloor after(CoverageFloor floor, CoverageFloor lower) {
    return new RaisedFloor(
        writer,
        metrics,
        Math.min(before, lower.before()),
        is(floor) ? lower.evidence() : evidence,
        formerBefore,
        formerEvidence,
        formerAsOf,
        together);
  }

  /** The floor before; null if there was none. */
  @Nullable CoverageFloor former(String level) {
    return formerBefore == 0
        ? null
        : new CoverageFloor(level, writer, formerBefore, metrics, formerEvidence, formerAsOf);
  }
}
