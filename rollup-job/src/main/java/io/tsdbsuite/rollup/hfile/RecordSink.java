package io.tsdbsuite.rollup.hfile;

import io.tsdbsuite.format.rollup.RollupCell;
import io.tsdbsuite.format.row.RowKey;
import io.tsdbsuite.message.write.RollupPoint;
import io.tsdbsuite.message.write.RollupValues;
import io.tsdbsuite.rollup.sink.RollupSink;
import io.tsdbsuite.rollup.sink.SinkResult;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.List;
import scala.Tuple2;

/**
 * Turns rollups into records for Spark's shuffle, in the format of {@link RollupRecord}. The caller
 * must poll the records after each row of the data table, which bounds the memory of a task.
 */
public final class RecordSink implements RollupSink {
  private final RowKey rowKey;
  private final List<Target> targets;
  private final int partition;
  private final ArrayDeque<Tuple2<byte[], byte[]>> records = new ArrayDeque<>();

  /** The open record: its table (-1 if there is none), row, first offset and rollups. */
  private int table = -1;

  private byte[] row = new byte[64];
  private int rowLength;
  private int firstOffset;
  private byte[] rollups = new byte[512];
  private int length;

  private byte[] next = new byte[64];
  private long points;
  private long cells;

  /** Of the last rollup. */
  private List<String> furtherNames = List.of();

  private byte[] furtherIds = {};

  RecordSink(RowKey rowKey, List<Target> targets, int partition) {
    this.rowKey = rowKey;
    this.targets = targets;
    this.partition = partition;
  }

  @Override
  public void emit(RollupPoint point) {
    if (!point.rollup().isFinite()) {
      throw new IllegalArgumentException("a rollup must be finite, found " + point);
    }
    int target = target(point.interval());
    Target to = targets.get(target);
    long base = to.interval().baseTime(point.timestamp());
    int keyLength = point.rowLength();
    if (next.length < keyLength) {
      next = new byte[2 * keyLength];
    }
    System.arraycopy(point.rowArray(), point.rowOffset(), next, 0, keyLength);
    // The salt depends on the series only, so it does not change.
    rowKey.writeBaseTime(next, base);
    int offset = RollupCell.offset(to.interval(), base, point.timestamp());
    if (target != table || !Arrays.equals(row, 0, rowLength, next, 0, keyLength)) {
      endRecord();
      begin(target, keyLength, offset);
    }
    RollupValues values = point.rollup();
    byte[] ids = ids(to, values.names());
    int size = RollupRecord.size(ids.length);
    if (rollups.length < length + size) {
      rollups = Arrays.copyOf(rollups, Math.max(2 * rollups.length, length + size));
    }
    length = RollupRecord.put(rollups, length, offset, values, ids);
    points++;
    cells += values.isDeletion() ? to.ids().size() : HFileSinkFactory.LEAST_CELLS + ids.length;
  }

  /** The ids of further aggregators; those of the last rollup, mostly. */
  private byte[] ids(Target to, List<String> names) {
    if (!furtherNames.equals(names)) {
      byte[] ids = new byte[names.size()];
      for (int i = 0; i < ids.length; i++) {
        Integer id = to.ids().get(names.get(i));
        if (id == null) {
          throw new IllegalArgumentException(
              "interval %s must have an id of %s"
                  .formatted(to.interval().interval(), names.get(i)));
        }
        ids[i] = id.byteValue();
      }
      furtherNames = names;
      furtherIds = ids;
    }
    return furtherIds;
  }

  private int target(String interval) {
    for (int i = 0; i < targets.size(); i++) {
      if (targets.get(i).interval().interval().equals(interval)) {
        return i;
      }
    }
    throw new IllegalArgumentException("interval must have a table, found " + interval);
  }

  private void begin(int target, int keyLength, int offset) {
    table = target;
    byte[] spare = row;
    row = next;
    next = spare;
    rowLength = keyLength;
    firstOffset = offset;
    length = 0;
  }

  private void endRecord() {
    if (table >= 0) {
      byte[] key = RollupRecord.key(table, row, rowLength, firstOffset);
      byte[] value = Arrays.copyOf(rollups, length);
      records.add(new Tuple2<>(key, value));
      table = -1;
    }
  }

  /** Returns the next record; null if there is none. */
  public Tuple2<byte[], byte[]> poll() {
    if (records.isEmpty()) {
      endRecord();
    }
    return records.poll();
  }

  /** Creates the record with the books of the task; see {@link HFileSinkFactory#partitions}. */
  public Tuple2<byte[], byte[]> books(byte[] value) {
    return new Tuple2<>(RollupRecord.booksKey(partition), value);
  }

  /** {@inheritDoc} Acknowledges nothing: the tasks that write the records do so. */
  @Override
  public SinkResult finish() {
    return new SinkResult(partition, points, cells, 0, null);
  }

  @Override
  public void abort() {
    records.clear();
    table = -1;
  }

  /** No-op: there are no open resources. */
  @Override
  public void close() {}
}
