package io.tsdbsuite.rollup.compute;

import io.tsdbsuite.format.row.RowKey;
import io.tsdbsuite.message.write.RollupPoint;
import io.tsdbsuite.rollup.sink.RollupSink;
import io.tsdbsuite.rollup.sink.SinkException;
import io.tsdbsuite.rollup.sink.SinkResult;

/**
 * Puts the salt before the row keys of points whose rows were merged without it. For one thread.
 */
final class SaltingSink implements RollupSink {
  private final RowKey rowKey;
  private final RollupSink sink;

  /**
   * @param rowKey of keys with salt
   */
  SaltingSink(RowKey rowKey, RollupSink sink) {
    this.rowKey = rowKey;
    this.sink = sink;
  }

  @Override
  public void emit(RollupPoint point) throws SinkException {
    byte[] row = new byte[rowKey.metricOffset() + point.rowLength()];
    System.arraycopy(
        point.rowArray(), point.rowOffset(), row, rowKey.metricOffset(), point.rowLength());
    rowKey.writeSalt(row);
    byte[] array = point.rowArray();
    int offset = point.rowOffset();
    int length = point.rowLength();
    int timeOffset = point.rowTimeOffset();
    point.row(row, 0, row.length, rowKey.timeOffset());
    sink.emit(point);
    // A row's points of several intervals share its key.
    point.row(array, offset, length, timeOffset);
  }

  @Override
  public SinkResult finish() throws SinkException {
    return sink.finish();
  }

  @Override
  public void abort() {
    sink.abort();
  }

  @Override
  public void close() {
    sink.close();
  }
}
