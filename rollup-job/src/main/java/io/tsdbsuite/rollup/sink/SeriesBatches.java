package io.tsdbsuite.rollup.sink;

import io.tsdbsuite.message.write.RollupPoint;
import io.tsdbsuite.message.write.SeriesMessage;
import io.tsdbsuite.message.write.SeriesText;
import org.jspecify.annotations.Nullable;

/**
 * Makes messages of rollups, and encodes the names of each series once. With several rollups a
 * message, holds rollups back until their series has enough of them, the metric ends, or memory is
 * short: rows of a metric arrive hour by hour, so the hours of a series are not adjacent. For one
 * thread.
 */
final class SeriesBatches {
  /** Receives the messages. */
  interface Out {
    /**
     * Sends a message.
     *
     * @param rollups number of rollups in it
     */
    void send(SeriesText series, byte[] message, int rollups) throws SinkException;
  }

  /**
   * Memory limit of one task, bytes: about 20,000 series with 24 rollups each, or 80,000 with one.
   */
  static final long MAX_HEAP_BYTES = 32L << 20;

  /**
   * Size from which a message takes no more rollups, bytes before compression. Longer messages save
   * nothing, and brokers refuse messages above max.message.bytes (1 MiB).
   */
  static final int FULL_MESSAGE_BYTES = 64 << 10;

  private final int rollupsPerMessage;
  private final long maxHeapBytes;
  private final Out out;
  private final SeriesMessage message;
  private final SeriesTable table = new SeriesTable();
  private long heapBytes;

  /**
   * @param asOf timestamp of the rollups, milliseconds since the epoch
   * @param rollupsPerMessage maximum of rollups in one message, at least 1
   * @param maxHeapBytes memory limit, {@link #MAX_HEAP_BYTES}
   */
  SeriesBatches(long asOf, int rollupsPerMessage, long maxHeapBytes, Out out) {
    this.rollupsPerMessage = rollupsPerMessage;
    this.maxHeapBytes = maxHeapBytes;
    this.out = out;
    this.message = new SeriesMessage(asOf);
  }

  /**
   * Takes a rollup or a deletion.
   *
   * @param point a point with its row
   */
  void add(RollupPoint point) throws SinkException {
    if (!point.isFinite()) {
      throw new IllegalArgumentException("value is not a finite number: " + point);
    }
    if (point.rowLength() == 0) {
      throw new IllegalArgumentException("a point must have its row key, found none: " + point);
    }
    if (!table.isOf(point)) {
      restart(point);
    }
    SeriesRollups series = table.find(point);
    if (rollupsPerMessage == 1) {
      sendOne(series, point);
      return;
    }
    if (series == null) {
      series = table.add(point);
      heapBytes += series.heapBytes() + SeriesTable.SLOT_BYTES;
    }
    heapBytes += series.add(point);
    if (series.size() >= rollupsPerMessage) {
      send(series);
    }
    if (heapBytes > maxHeapBytes) {
      restart(point);
    }
  }

  private void restart(RollupPoint point) throws SinkException {
    flush();
    table.clear(point);
    heapBytes = 0;
  }

  /** Sends all rollups that are held back. */
  void flush() throws SinkException {
    if (rollupsPerMessage == 1) {
      return;
    }
    for (SeriesRollups series : table.series()) {
      send(series);
    }
  }

  private void sendOne(@Nullable SeriesRollups known, RollupPoint point) throws SinkException {
    SeriesText text;
    if (known != null) {
      text = known.text();
    } else if (heapBytes > maxHeapBytes) {
      text = SeriesText.of(point);
    } else {
      SeriesRollups series = table.add(point);
      heapBytes += series.heapBytes() + SeriesTable.SLOT_BYTES;
      text = series.text();
    }
    message.begin(text);
    message.add(
        point.timestamp(), point.interval(), point.sum(), point.min(), point.max(), point.count());
    out.send(text, message.toByteArray(), 1);
  }

  private void send(SeriesRollups series) throws SinkException {
    int size = series.size();
    if (size == 0) {
      return;
    }
    message.begin(series.text());
    for (int i = 0; i < size; i++) {
      series.addTo(message, i);
      if (i == size - 1 || message.length() >= FULL_MESSAGE_BYTES) {
        out.send(series.text(), message.toByteArray(), message.rollups());
        message.begin(series.text());
      }
    }
    series.clear();
  }
}
