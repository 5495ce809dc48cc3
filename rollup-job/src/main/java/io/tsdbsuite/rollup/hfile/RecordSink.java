package io.tsdbsuite.rollup.hfile;

import io.tsdbsuite.format.rollup.Level;
import io.tsdbsuite.format.rollup.RollupCell;
import io.tsdbsuite.format.row.RowKey;
import io.tsdbsuite.message.write.RollupPoint;
import io.tsdbsuite.message.write.RollupValues;
import io.tsdbsuite.rollup.sink.RollupSink;
import io.tsdbsuite.rollup.sink.SinkResult;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import scala.Tuple2;

/**
 * Turns rollups into records for Spark's shuffle, in the format of {@link RollupRecord}. The caller
 * must poll the records after each row of the data table, which bounds the memory of a task.
 */
public final class RecordSink implements RollupSink {
  private final RowKey rowKey;
  private final List<Target> targets;
  private final int partition;

  /** Whether there may be values of deleted points beside a histogram alone. */
  private final boolean late;

  private final ArrayDeque<Tuple2<byte[], byte[]>> records = new ArrayDeque<>();
  private final Open[] open;
  private byte[] next = new byte[64];
  private long points;
  private long cells;

  /** Of the last rollup. */
  private List<String> furtherNames = List.of();

  private byte[] furtherIds = {};

  /** The open record of a table. */
  private static final class Open {
    boolean isOpen;
    byte[] row = new byte[64];
    int rowLength;
    int firstOffset;
    byte[] rollups = new byte[512];
    int length;

    /** Makes room for the next rollup; returns its position. */
    int add(int size) {
      int at = length;
      length += size;
      if (rollups.length < length) {
        rollups = Arrays.copyOf(rollups, Math.max(2 * rollups.length, length));
      }
      return at;
    }
  }

  RecordSink(RowKey rowKey, List<Target> targets, int partition, boolean late) {
    this.rowKey = rowKey;
    this.targets = targets;
    this.partition = partition;
    this.late = late;
    this.open = Stream.generate(Open::new).limit(targets.size()).toArray(Open[]::new);
  }

  @Override
  public void emit(RollupPoint point) {
    RollupValues values = point.rollup();
    if (!values.isFinite()) {
      throw new IllegalArgumentException("a rollup must be finite, found " + point);
    }
    int histograms = target(point.interval(), Level.HISTOGRAM);
    if (values.hasValues() || values.isDeletion() || late) {
      int target = target(point.interval(), "");
      if (target < 0) {
        throw new IllegalArgumentException("interval must have a table, found " + point.interval());
      }
      cells += values(target, point);
      int packed = target(point.interval(), Level.PACKED);
      if (packed >= 0) {
        // Its parts are told beside the cells.
        int unused = values(packed, point);
      }
    }
    if (values.codec() != null && histograms < 0) {
      throw new IllegalArgumentException(
          "interval must have a table of histograms, found " + point.interval());
    }
    if (histograms >= 0 && (values.codec() != null || values.isDeletion())) {
      histogram(histograms, point);
    }
    points++;
  }

  /** Adds the values to the record of a target; returns the number of cells in a plain table. */
  private int values(int target, RollupPoint point) {
    Target to = targets.get(target);
    long base = to.baseTime(point.timestamp());
    int offset = RollupCell.offset(to.interval(), base, point.timestamp());
    Open record = record(target, point, base, offset);
    RollupValues values = point.rollup();
    byte[] ids = ids(to, values.names());
    int at = record.add(RollupRecord.size(ids.length));
    int unused = RollupRecord.put(record.rollups, at, offset, values, ids);
    return values.hasValues() ? HFileSinkFactory.LEAST_CELLS + ids.length : to.ids().size();
  }

  private void histogram(int target, RollupPoint point) {
    Target to = targets.get(target);
    long base = to.baseTime(point.timestamp());
    int offset = (int) (point.timestamp() - base);
    Open record = record(target, point, base, offset);
    String codec = point.rollup().codec();
    if (codec == null) {
      RollupRecord.takeBack(record.rollups, record.add(RollupRecord.HISTOGRAM), offset);
    } else {
      byte[] payload = point.rollup().histogram();
      Integer id = to.ids().get(codec);
      if (id == null) {
        throw new IllegalArgumentException("histogram codec " + codec + " must have an id");
      }
      int at = record.add(RollupRecord.HISTOGRAM + 1 + payload.length);
      RollupRecord.put(record.rollups, at, offset, id, payload);
    }
    cells++;
  }

  /** The record of the point's row in a table. */
  private Open record(int target, RollupPoint point, long base, int offset) {
    int keyLength = point.rowLength();
    if (next.length < keyLength) {
      next = new byte[2 * keyLength];
    }
    System.arraycopy(point.rowArray(), point.rowOffset(), next, 0, keyLength);
    // The salt depends on the series only, so it does not change.
    rowKey.writeBaseTime(next, base);
    Open record = open[target];
    if (!record.isOpen || !Arrays.equals(record.row, 0, record.rowLength, next, 0, keyLength)) {
      end(target);
      byte[] spare = record.row;
      record.isOpen = true;
      record.row = next;
      next = spare;
      record.rowLength = keyLength;
      record.firstOffset = offset;
      record.length = 0;
    }
    return record;
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

  /** The number of the table of a level of an interval; -1 if it has none. */
  private int target(String interval, String name) {
    for (int i = 0; i < targets.size(); i++) {
      Level level = targets.get(i).level();
      if (level.name().equals(name) && level.interval().interval().equals(interval)) {
        return i;
      }
    }
    return -1;
  }

  private void end(int target) {
    Open record = open[target];
    if (record.isOpen) {
      byte[] key = RollupRecord.key(target, record.row, record.rowLength, record.firstOffset);
      records.add(new Tuple2<>(key, Arrays.copyOf(record.rollups, record.length)));
      record.isOpen = false;
    }
  }

  /** Returns the next record; null if there is none. */
  public Tuple2<byte[], byte[]> poll() {
    for (int i = 0; records.isEmpty() && i < open.length; i++) {
      end(i);
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
    for (Open record : open) {
      record.isOpen = false;
    }
  }

  /** No-op: there are no open resources. */
  @Override
  public void close() {}
}
