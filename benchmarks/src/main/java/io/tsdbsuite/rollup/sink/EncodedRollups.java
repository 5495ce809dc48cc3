package io.tsdbsuite.rollup.sink;

import io.tsdbsuite.message.write.RollupPoint;

/** Makes the messages of rollups as the Kafka sink does, and discards them. */
public final class EncodedRollups {
  private final SeriesBatches batches;
  private long bytes;

  /**
   * @param asOf timestamp of the rollups, milliseconds since the epoch
   * @param rollupsPerMessage maximum of rollups in one message, at least 1
   */
  public EncodedRollups(long asOf, int rollupsPerMessage) {
    batches =
        new SeriesBatches(
            asOf,
            rollupsPerMessage,
            SeriesBatches.MAX_HEAP_BYTES,
            (series, message, rollups) -> bytes += series.key().length + (long) message.length);
  }

  /** Takes a rollup. */
  public void add(RollupPoint point) throws SinkException {
    batches.add(point);
  }

  /** Makes the last messages; returns the bytes of all messages and their keys. */
  public long finish() throws SinkException {
    batches.flush();
    return bytes;
  }
}
