package io.tsdbsuite.rollup.message;

/** What the messages of a rollup look like; docs/rollup-message.md specifies both. */
public enum MessageFormat {
  /**
   * JSON of /api/rollup with {@code "type":"Aggregate"}, one message for each of SUM, MIN, MAX and
   * COUNT: what opentsdb-rpc-kafka and every consumer of its kind understand.
   */
  AGGREGATE,
  /** JSON with all values of a series and interval in one message: a quarter of the messages. */
  ROLLUP;

  /**
   * A new encoder, for one thread.
   *
   * @param asOf when the raw data were read, milliseconds since the epoch; aggregates do not tell
   */
  public MessageEncoder encoder(long asOf) {
    return switch (this) {
      case AGGREGATE -> new AggregateEncoder();
      case ROLLUP -> new RollupEncoder(true, asOf);
    };
  }
}
