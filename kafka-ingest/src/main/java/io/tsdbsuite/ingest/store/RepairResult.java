package io.tsdbsuite.ingest.store;

import java.util.List;

/** What a request for rollups has led to. Immutable. */
public final class RepairResult {
  /** The outcomes of requests that are not refused. */
  public enum Outcome {
    /** At least one rollup was written. */
    REPAIRED("repaired"),
    /** Its buckets that had ended have no points. */
    NO_POINTS("noPoints"),
    /** None of its buckets had ended when it was written to Kafka. */
    NOT_ENDED("notEnded"),
    /** A name of its series has no UID, so the TSD has no point of it. */
    UNKNOWN_SERIES("unknownSeries"),
    /** A later request that waited with it asks for all of its buckets. */
    DEDUPLICATED("deduplicated");

    private final String code;

    Outcome(String code) {
      this.code = code;
    }

    /** The name in statistics and documents. */
    public String code() {
      return code;
    }
  }

  private final Outcome outcome;
  private final int rows;
  private final int rollups;
  private final int values;
  private final int histograms;
  private final int deletions;
  private final int oddHistograms;

  private RepairResult(
      Outcome outcome,
      int rows,
      int rollups,
      int values,
      int histograms,
      int deletions,
      int oddHistograms) {
    this.outcome = outcome;
    this.rows = rows;
    this.rollups = rollups;
    this.values = values;
    this.histograms = histograms;
    this.deletions = deletions;
    this.oddHistograms = oddHistograms;
  }

  /** The result of a request that a later one covers. */
  public static RepairResult deduplicated() {
    return nothing(Outcome.DEDUPLICATED);
  }

  /** The result of a request for which nothing was read. */
  static RepairResult nothing(Outcome outcome) {
    return new RepairResult(outcome, 0, 0, 0, 0, 0, 0);
  }

  /**
   * The result of reading rows and writing the rollups of these buckets, which may be none.
   *
   * @param oddHistograms buckets whose histogram lacks something or is not written
   */
  static RepairResult written(int rows, List<RepairSums.Bucket> buckets, int oddHistograms) {
    return new RepairResult(
        buckets.isEmpty() ? Outcome.NO_POINTS : Outcome.REPAIRED,
        rows,
        buckets.size(),
        buckets.stream().mapToInt(RepairResult::values).sum(),
        (int) buckets.stream().filter(bucket -> bucket.rollup.codec() != null).count(),
        (int) buckets.stream().filter(bucket -> !bucket.rollup.hasValues()).count(),
        oddHistograms);
  }

  private static int values(RepairSums.Bucket bucket) {
    return bucket.values() + (bucket.rollup.codec() == null ? 0 : 1);
  }

  /** The outcome. */
  public Outcome outcome() {
    return outcome;
  }

  /** Rows of raw points read, including those that do not exist. */
  public int rows() {
    return rows;
  }

  /** Rollups that HBase has acknowledged, each with all of its values. */
  public int rollups() {
    return rollups;
  }

  /** The values of these rollups: four each, the further ones, and histograms. */
  public int values() {
    return values;
  }

  /** The rollups with a histogram. */
  public int histograms() {
    return histograms;
  }

  /** The rollups of a histogram alone, whose stored values were deleted. */
  public int deletions() {
    return deletions;
  }

  /** Buckets whose histogram is too wide, or lacks points beside histogram cells. */
  public int oddHistograms() {
    return oddHistograms;
  }
}
