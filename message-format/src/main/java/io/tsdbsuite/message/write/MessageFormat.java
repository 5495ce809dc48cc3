package io.tsdbsuite.message.write;

/** The two formats of a rollup's messages, specified in docs/rollup-message.md. */
public enum MessageFormat {
  /**
   * JSON of /api/rollup with {@code "type":"Aggregate"}, one message for each of SUM, MIN, MAX and
   * COUNT: the format that opentsdb-rpc-kafka reads.
   */
  AGGREGATE,
  /** JSON with all values of a series and interval in one message: a quarter of the messages. */
  ROLLUP;

  /**
   * Creates an encoder for one thread.
   *
   * @param asOf when the raw data were read, milliseconds since the epoch; not part of aggregates
   */
  public MessageEncoder encoder(long asOf) {
    return this == AGGREGATE ? new AggregateEncoder() : new RollupEncoder(true, asOf);
  }
}
