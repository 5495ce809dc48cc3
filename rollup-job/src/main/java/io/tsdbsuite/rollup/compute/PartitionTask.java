package io.tsdbsuite.rollup.compute;

import io.tsdbsuite.format.metric.MetricPatterns;
import io.tsdbsuite.format.row.RowKey;
import io.tsdbsuite.format.schema.StorageSchema;
import io.tsdbsuite.hbase.read.HBaseVersion;
import io.tsdbsuite.hbase.read.ReadSource;
import io.tsdbsuite.hbase.read.SnapshotFamily;
import io.tsdbsuite.hbase.snapshot.Snapshot;
import io.tsdbsuite.job.JobException;
import io.tsdbsuite.message.write.RollupPoint;
import io.tsdbsuite.rollup.input.RollupOptions;
import io.tsdbsuite.rollup.plan.RawFloors;
import io.tsdbsuite.rollup.plan.RollupIntervals;
import io.tsdbsuite.rollup.plan.RollupPartition;
import io.tsdbsuite.rollup.plan.RowWindow;
import io.tsdbsuite.rollup.report.Books;
import io.tsdbsuite.rollup.report.FailureLimits;
import io.tsdbsuite.rollup.sink.RollupSink;
import io.tsdbsuite.rollup.sink.SinkException;
import io.tsdbsuite.rollup.sink.SinkResult;
import io.tsdbsuite.rollup.spark.Broadcasts;
import io.tsdbsuite.rollup.spark.WorkFailures;
import io.tsdbsuite.rollup.uid.UidNames;
import java.io.IOException;
import java.io.Serializable;
import java.io.UncheckedIOException;
import org.apache.spark.api.java.JavaSparkContext;

/** Reads partitions of the data table and rolls them up; shipped to the executors. */
public final class PartitionTask implements Serializable {
  private static final long serialVersionUID = 1L;

  private final Broadcasts shared;

  /** Determines the file system. */
  private final String snapshotRoot;

  /** Of the data table. */
  private final SnapshotFamily family;

  private final StorageSchema schema;
  private final RollupIntervals intervals;
  private final long from;
  private final long to;
  private final MetricPatterns metrics;
  private final RawFloors floors;
  private final FailureLimits limits;

  /** Number of concurrent tasks in one JVM; 0 when unknown. */
  private final int tasksPerExecutor;

  private final boolean named;
  private final boolean takesBack;
  private final Progress progress;

  /**
   * The work of the tasks of a run over the window.
   *
   * @param shared of {@code data}
   * @param floors rows below them are left out
   * @param limits for one task, before it stops
   * @param named whether rows fail if their series has no name
   * @param takesBack whether stored rollups can be taken back
   */
  public PartitionTask(
      JavaSparkContext spark,
      RollupOptions options,
      Snapshot data,
      Broadcasts shared,
      RawFloors floors,
      FailureLimits limits,
      boolean named,
      boolean takesBack) {
    this.shared = shared;
    this.snapshotRoot = options.snapshotRoot();
    this.family = SnapshotFamily.of(data);
    this.schema = options.schema();
    this.intervals = options.intervals();
    this.from = options.from();
    this.to = options.to();
    this.metrics = options.metrics();
    this.floors = floors;
    this.limits = limits;
    this.tasksPerExecutor = DayMemory.tasksPerExecutor(spark.sc());
    this.named = named;
    this.takesBack = takesBack;
    this.progress = new Progress(spark.sc());
  }

  /**
   * Rolls up a partition.
   *
   * @return false when it stopped because failures exceeded a limit
   * @throws IOException when storage fails
   * @throws SinkException when the sink fails
   * @throws JobException bad input, when the end of an HFile, which contains its index, is corrupt;
   *     usage, when the days of a metric's series exceed the memory limit
   */
  public boolean roll(RollupPartition partition, RollupSink sink, Books books)
      throws IOException, SinkException {
    return roller(partition).roll(source(), partition, salted(partition, sink), books);
  }

  /**
   * Begins a partition that the caller rolls up step by step, into the caller's sink.
   *
   * @throws JobException outside, when storage fails
   */
  public PartitionRoller.Rolling begin(RollupPartition partition, RollupSink sink, Books books) {
    try {
      return roller(partition).begin(source(), partition, salted(partition, sink), books);
    } catch (IOException | UncheckedIOException e) {
      throw WorkFailures.of(e);
    }
  }

  /** Start of the window, seconds since the epoch. */
  public long from() {
    return from;
  }

  /** Rolls up keys without salt if the rows of all buckets are merged. */
  private PartitionRoller roller(RollupPartition partition) {
    StorageSchema ofRows = partition.merged() ? schema.withoutSalt() : schema;
    RowKey rowKey = new RowKey(ofRows);
    UidNames names = shared.names().value();
    SeriesNames series = named ? new SeriesNames(rowKey, names) : null;
    return new PartitionRoller(
        new RowWindow(ofRows, from, to),
        new MetricSelector(metrics, floors, names),
        rowKey,
        new RowKey(schema),
        new RowRoller(ofRows, intervals, names, named, DayMemory.bytes(tasksPerExecutor)),
        new RollupDeletions(rowKey, intervals, series, takesBack),
        limits,
        progress);
  }

  private RollupSink salted(RollupPartition partition, RollupSink sink) {
    return partition.merged() && schema.saltWidth() > 0
        ? new SaltingSink(new RowKey(schema), sink)
        : sink;
  }

  private ReadSource source() throws IOException {
    // An executor may have another class path than the driver.
    HBaseVersion.require();
    return ReadSource.of(shared.hadoop(), snapshotRoot, family);
  }

  /**
   * Puts the salt before the row keys of points whose rows were merged without it. For one thread.
   *
   * @param rowKey of keys with salt
   */
  private record SaltingSink(RowKey rowKey, RollupSink sink) implements RollupSink {
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
}
