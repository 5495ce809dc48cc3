package io.tsdbsuite.ingest.store;

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

  private RepairResult(Outcome outcome, int rows, int rollups) {
    this.outcome = outcome;
    this.rows = rows;
    this.rollups = rollups;
  }

  /** The result of a request that a later one covers. */
  public static RepairResult deduplicated() {
    return nothing(Outcome.DEDUPLICATED);
  }

  /** The result of a request for which nothing was read. */
  static RepairResult nothing(Outcome outcome) {
    return new RepairResult(outcome, 0, 0);
  }

  /** The result of reading rows and writing the rollups of these buckets, which may be none. */
  static RepairResult written(int rows, int rollups) {
    return new RepairResult(rollups == 0 ? Outcome.NO_POINTS : Outcome.REPAIRED, rows, rollups);
  }

  /** The outcome. */
  public Outcome outcome() {
    return outcome;
  }

  /** Rows of raw points read, including those that do not exist. */
  public int rows() {
    return rows;
  }

  /** Rollups that HBase has acknowledged, each with its sum, minimum, maximum and count. */
  public int rollups() {
    return rollups;
  }
}
