package io.tsdbsuite.rollup.tiers.idle;

import io.tsdbsuite.format.metric.MetricPatterns;
import io.tsdbsuite.format.row.RowKey;
import io.tsdbsuite.format.uid.UidKind;
import io.tsdbsuite.hbase.read.CellVisitor;
import io.tsdbsuite.hbase.read.ReadSource;
import io.tsdbsuite.hbase.read.ReadTracker;
import io.tsdbsuite.hbase.read.RegionFiles;
import io.tsdbsuite.hbase.read.RowReader;
import io.tsdbsuite.hbase.read.RowReaders;
import io.tsdbsuite.hbase.read.SnapshotFamily;
import io.tsdbsuite.hbase.read.UnreadableBlockException;
import io.tsdbsuite.job.JobException;
import io.tsdbsuite.message.write.ByteSlice;
import io.tsdbsuite.rollup.plan.RegionPart;
import io.tsdbsuite.rollup.plan.RowWindow;
import io.tsdbsuite.rollup.report.MetricRows.Kept;
import io.tsdbsuite.rollup.spark.Broadcasts;
import io.tsdbsuite.rollup.spark.PulledRecords;
import io.tsdbsuite.rollup.tiers.apply.MarkerRows;
import io.tsdbsuite.rollup.tiers.apply.TierTable;
import io.tsdbsuite.rollup.uid.UidNames;
import java.io.Closeable;
import java.io.IOException;
import java.io.Serializable;
import java.util.Arrays;
import java.util.Iterator;
import java.util.Map;
import org.apache.spark.TaskContext;
import org.apache.spark.api.java.function.PairFlatMapFunction;
import org.jspecify.annotations.Nullable;
import scala.Tuple2;

/**
 * Reads parts of tables on the executors: the records of {@link SeriesState} of their rows, by
 * TSUID. The last one, with an empty key, is that of the task.
 *
 * @param root of the snapshots
 * @param metrics those of an entry; a metric without a name is none of them
 * @param before seconds since the epoch; rows that end later are only counted
 * @param anyBucket whether rows may be in another salt bucket than that of their series
 */
record IdleTask(
    Broadcasts shared, String root, MetricPatterns metrics, long before, boolean anyBucket)
    implements PairFlatMapFunction<IdleTask.Part, byte[], byte[]> {
  private static final long serialVersionUID = 1L;

  private static final long END = 1L << 32;

  /**
   * The input of a task.
   *
   * @param number of the table
   */
  record Part(int number, TierTable table, SnapshotFamily family, RegionPart part)
      implements Serializable {}

  @Override
  public Iterator<Tuple2<byte[], byte[]>> call(Part part) {
    PulledRecords records = new PulledRecords();
    Rows rows = new Rows(part, records);
    return records.from(
        rows::step,
        rows,
        TaskContext.get(),
        () -> new Tuple2<>(new byte[0], SeriesState.task(rows.count)));
  }

  /** The rows of a part: first those that end before the time, then the later ones. */
  private final class Rows implements Closeable {
    private final Part part;
    private final PulledRecords records;
    private final RowKey keys;
    private final MetricNames names;
    private final long liveFrom;
    private @Nullable Opened opened;
    private @Nullable MarkerRows old;
    private boolean isOldRead;
    private long count;

    Rows(Part part, PulledRecords records) {
      this.part = part;
      this.records = records;
      this.keys = new RowKey(part.table().schema());
      this.names = new MetricNames(shared.names().value(), metrics);
      this.liveFrom =
          part.table().rollups() == null ? before : part.table().rollups().baseTime(before);
    }

    boolean step() throws IOException {
      if (!isOldRead) {
        if (old == null) {
          opened = new Opened(part, 0, liveFrom);
          old =
              new MarkerRows(
                  opened.rows,
                  part.table(),
                  0,
                  liveFrom,
                  names::isWanted,
                  uid -> false,
                  null,
                  anyBucket,
                  0,
                  Map.of());
        }
        if (old.nextRow()) {
          add(old.row(), old(old));
          return true;
        }
        isOldRead = true;
        close();
      }
      if (opened == null) {
        opened = new Opened(part, liveFrom, END);
      }
      try {
        return opened.rows.peek() && live(opened);
      } catch (UnreadableBlockException e) {
        throw JobException.badInput("the snapshot has a corrupt block: " + e.getMessage(), e);
      }
    }

    private byte[] old(MarkerRows row) {
      Kept reason = row.reason();
      if (reason != null) {
        return SeriesState.stays(part.number(), reason, row.newest());
      }
      MarkerRows.Count counted = row.count();
      return SeriesState.goes(
          part.number(), counted.annotatedRows() > 0, counted.points(), row.newest());
    }

    /** Passes a row, or rows that are not meant; returns false if none is left. */
    private boolean live(Opened from) throws IOException {
      RowReader rows = from.rows;
      byte[] key = rows.rowArray();
      int off = rows.rowOffset();
      int len = rows.rowLength();
      byte[] next = null;
      if (len >= keys.tagsOffset() && !from.window.contains(key, off, len)) {
        next = from.window.nextAfter(key, off, len);
      } else if (len >= keys.tagsOffset() && !names.isWanted(keys.metricUid(key, off))) {
        next = from.window.nextMetric(key, off, len);
      } else {
        byte[] row = Arrays.copyOfRange(key, off, off + len);
        if (rows.read(CellVisitor.PASS_OVER) > 0 && len >= keys.tagsOffset()) {
          add(row, SeriesState.live(part.number()));
        }
        return true;
      }
      if (next != null) {
        rows.seek(next);
      }
      return next != null;
    }

    private void add(byte[] row, byte[] record) {
      count++;
      records.add(keys.tsuid(row, 0, row.length), record);
    }

    @Override
    public void close() {
      if (opened != null) {
        opened.close();
        opened = null;
      }
    }
  }

  /** A part that is read in a window. */
  private final class Opened implements Closeable {
    private final RowWindow window;
    private final RegionFiles files;
    private final RowReader rows;

    Opened(Part part, long from, long to) throws IOException {
      ReadSource source = ReadSource.of(shared.hadoop(), root, part.family());
      RegionPart region = part.part();
      window = new RowWindow(part.table().schema(), from, to);
      files = region.open(source, new ReadTracker());
      rows =
          RowReaders.open(
              source,
              files,
              region.startRow(),
              region.stopRow(),
              region.sequential(),
              window::endOfStretch);
    }

    @Override
    public void close() {
      rows.close();
      files.close();
    }
  }

  /** Remembers the last metric: its rows are adjacent. */
  private static final class MetricNames {
    private final UidNames names;
    private final MetricPatterns metrics;
    private final ByteSlice name = new ByteSlice();
    private long last = -1;
    private boolean isWanted;

    MetricNames(UidNames names, MetricPatterns metrics) {
      this.names = names;
      this.metrics = metrics;
    }

    boolean isWanted(long uid) {
      if (uid != last) {
        last = uid;
        isWanted = names.lookup(UidKind.METRIC, uid, name) && metrics.wants(name.toString());
      }
      return isWanted;
    }
  }
}
