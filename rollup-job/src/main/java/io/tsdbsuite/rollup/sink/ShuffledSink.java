package io.tsdbsuite.rollup.sink;

import scala.Tuple2;

/**
 * Makes records for a shuffle. They wait to be taken, one row of the data table at a time, so that
 * a task never holds more.
 */
public interface ShuffledSink extends RollupSink {

  /** The next record; null when all that was emitted is taken. */
  Tuple2<byte[], byte[]> poll();

  /** The record that carries the books of the task; see {@link ShuffledSinks#partitions}. */
  Tuple2<byte[], byte[]> books(byte[] value);

  /** {@inheritDoc} Nothing is acknowledged: that is for those who write the records. */
  @Override
  SinkResult finish();
}
