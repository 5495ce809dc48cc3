package io.tsdbsuite.query.shadow;

import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;

/** One check that has ended, for the log and the page. Immutable. */
public final class ShadowResult {
  private final long time;
  private final ShadowBucket bucket;
  private final String table;
  private final ShadowOutcome outcome;
  private final int series;
  private final int different;
  private final Map<String, Object> example;

  /**
   * @param time when it ended, milliseconds since the epoch
   * @param series how many were compared
   */
  ShadowResult(long time, ShadowBucket bucket, String table, ShadowOutcome outcome, int series) {
    this(time, bucket, table, outcome, series, 0, new LinkedHashMap<>());
  }

  private ShadowResult(
      long time,
      ShadowBucket bucket,
      String table,
      ShadowOutcome outcome,
      int series,
      int different,
      Map<String, Object> example) {
    this.time = time;
    this.bucket = bucket;
    this.table = table;
    this.outcome = outcome;
    this.series = series;
    this.different = different;
    this.example = example;
  }

  /**
   * The same with what differs.
   *
   * @param count how many series
   * @param name of one of them
   * @param values of this one
   * @param asOf as of when the coverage claims its rollup, milliseconds since the epoch
   */
  ShadowResult differing(int count, String name, SeriesValues values, long asOf) {
    Map<String, Object> one = new LinkedHashMap<>();
    one.put("name", name);
    one.put("rollup", values.rollup().toString());
    one.put("raw", values.raw().toString());
    one.put("asOf", asOf);
    one.put("rawWritten", values.written());
    return new ShadowResult(time, bucket, table, outcome, series, count, one);
  }

  ShadowOutcome outcome() {
    return outcome;
  }

  int series() {
    return series;
  }

  /** The fields by their names, for JSON. Times are milliseconds since the epoch. */
  public Map<String, Object> fields() {
    Map<String, Object> fields = new LinkedHashMap<>();
    fields.put("time", time);
    fields.put("outcome", outcome.tag());
    fields.put("metric", bucket.metric());
    fields.put("interval", bucket.interval());
    fields.put("table", table);
    fields.put("from", bucket.from());
    fields.put("to", bucket.to());
    fields.put("aggregators", bucket.function().aggregators());
    fields.put("series", series);
    fields.put("different", different);
    fields.put("example", example);
    return fields;
  }

  /** One sentence for the log. */
  @Override
  public String toString() {
    return "rollup of "
        + bucket.interval()
        + " at "
        + Instant.ofEpochMilli(bucket.from())
        + " of "
        + example.getOrDefault("name", bucket.metric())
        + " in table "
        + table
        + " is "
        + example.get("rollup")
        + ", raw data say "
        + example.get("raw")
        + " ("
        + bucket.function().aggregators()
        + "; "
        + different
        + " of "
        + series
        + " series differ)";
  }
}
