package io.tsdbsuite.rollup.sink;

import io.tsdbsuite.message.write.RollupPoint;
import io.tsdbsuite.message.write.RollupValues;
import io.tsdbsuite.message.write.SeriesMessage;
import io.tsdbsuite.message.write.SeriesText;

/**
 * Makes messages of rollups, and encodes the names of each series once. With several rollups a
 * message, holds rollups back until their series has enough of them, the metric ends, or memory is
 * short: rows of a metric arrive hour by hour, so the hours of a series are not adjacent. A series
 * without room sends each of its rollups at once, so that the others keep theirs. For one thread.
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
   * nothing, and brokers refuse messages above max.message.bytes (1 MiB), which a message below
   * this size stays below with one more rollup: its histogram has at most 700,000 (Base64).
   */
  static final int FULL_MESSAGE_BYTES = 64 << 10;

  /** Rollups for which a new series must find room: the hours of a day. */
  private static final int ROOM = 24;

  private final int rollupsPerMessage;
  private final boolean arrays;
  private final long maxHeapBytes;
  private final Out out;
  private final SeriesMessage message;
  private final RollupValues values = new RollupValues();
  private final SeriesTable table = new SeriesTable();
  private long heapBytes;

  /** {@link #heapBytes} if each series had {@link #ROOM} rollups. */
  private long reservedBytes;

  /**
   * @param asOf timestamp of the rollups, milliseconds since the epoch
   * @param rollupsPerMessage maximum of rollups in one message, at least 1
   * @param arrays whether rollups of one message become objects of version 3
   * @param maxHeapBytes memory limit, {@link #MAX_HEAP_BYTES}
   */
  SeriesBatches(long asOf, int rollupsPerMessage, boolean arrays, long maxHeapBytes, Out out) {
    this.rollupsPerMessage = rollupsPerMessage;
    this.maxHeapBytes = maxHeapBytes;
    this.out = out;
    this.arrays = arrays;
    this.message = new SeriesMessage(asOf, arrays);
  }

  /**
   * Takes a rollup or a deletion.
   *
   * @param point a point with its row
   */
  void add(RollupPoint point) throws SinkException {
    if (!point.rollup().isFinite()) {
      throw new IllegalArgumentException("value is not a finite number: " + point);
    }
    if (point.rowLength() == 0) {
      throw new IllegalArgumentException("a point must have its row key, found none: " + point);
    }
    if (!table.isOf(point)) {
      restart(point);
    }
    SeriesRollups series = table.find(point);
    if (series == null && reservedBytes <= maxHeapBytes) {
      series = enter(point);
    }
    if (series == null || rollupsPerMessage == 1) {
      sendOne(series == null ? SeriesText.of(point) : series.text(), point);
      return;
    }
    if (heapBytes + series.growth(point, rollupsPerMessage) > maxHeapBytes) {
      send(series);
      if (point.rollup().codec() != null
          && heapBytes + series.growth(point, rollupsPerMessage) > maxHeapBytes) {
        sendOne(series.text(), point);
        return;
      }
    }
    heapBytes += series.add(point, rollupsPerMessage);
    if (series.size() >= rollupsPerMessage) {
      send(series);
    }
  }

  /** Adds a series, with room for its rollups, for as long as the metric lasts. */
  private SeriesRollups enter(RollupPoint point) {
    SeriesRollups series = table.add(point);
    int bytes = series.heapBytes() + SeriesTable.SLOT_BYTES;
    heapBytes += bytes;
    reservedBytes += bytes;
    if (rollupsPerMessage > 1) {
      reservedBytes += SeriesRollups.heapBytes(Math.min(rollupsPerMessage, ROOM), point);
    }
    return series;
  }

  private void restart(RollupPoint point) throws SinkException {
    flush();
    table.clear(point);
    heapBytes = 0;
    reservedBytes = 0;
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

  private void sendOne(SeriesText text, RollupPoint point) throws SinkException {
    message.begin(text);
    message.add(point.timestamp(), point.interval(), point.rollup());
    out.send(text, message.toByteArray(), 1);
  }

  private void send(SeriesRollups series) throws SinkException {
    int size = series.size();
    if (size == 0) {
      return;
    }
    message.begin(series.text());
    int[] order = arrays ? series.byInterval() : null;
    for (int i = 0; i < size; i++) {
      series.addTo(message, order == null ? i : order[i], values);
      if (i == size - 1 || message.length() >= FULL_MESSAGE_BYTES) {
        out.send(series.text(), message.toByteArray(), message.rollups());
        message.begin(series.text());
      }
    }
    heapBytes -= series.clear();
  }
}
