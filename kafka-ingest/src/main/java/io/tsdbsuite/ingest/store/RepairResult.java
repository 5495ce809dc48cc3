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

  private RepairResult(Outcome outcome, int rows, int rollups, int values) {
    this.outcome = outcome;
    this.rows = rows;
    this.rollups = rollups;
    this.values = values;
  }

  /** The result of a request that a later one covers. */
  public static RepairResult deduplicated() {
    return nothing(Outcome.DEDUPLICATED);
  }

  /** The result of a request for which nothing was read. */
  static RepairResult nothing(Outcome outcome) {
    return new RepairResult(outcome, 0, 0, 0);
  }

  /** The result of reading rows and writing the rollups of these buckets, which may be none. */
  static RepairResult written(int rows, List<RepairSums.Bucket> buckets) {
    return new RepairResult(
        buckets.isEmpty() ? Outcome.NO_POINTS : Outcome.REPAIRED,
        rows,
        buckets.size(),
        buckets.stream().mapToInt(bucket -> 4 + bucket.rollup.names().size()).sum());
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

  /** The values of these rollups: four each, and the further ones. */
  public int values() {
    return values;
  }
}
