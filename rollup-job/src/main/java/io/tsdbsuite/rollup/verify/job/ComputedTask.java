package io.tsdbsuite.rollup.verify.job;

import io.tsdbsuite.coverage.CoverageFloor;
import io.tsdbsuite.coverage.CoverageRows;
import io.tsdbsuite.format.rollup.Level;
import io.tsdbsuite.format.row.RowKey;
import io.tsdbsuite.format.schema.StorageSchema;
import io.tsdbsuite.format.uid.UidKind;
import io.tsdbsuite.message.write.ByteSlice;
import io.tsdbsuite.message.write.RollupPoint;
import io.tsdbsuite.rollup.compute.PartitionRoller;
import io.tsdbsuite.rollup.compute.PartitionTask;
import io.tsdbsuite.rollup.plan.RollupPartition;
import io.tsdbsuite.rollup.report.Books;
import io.tsdbsuite.rollup.report.MetricRows;
import io.tsdbsuite.rollup.report.MetricRows.Kept;
import io.tsdbsuite.rollup.sink.RollupSink;
import io.tsdbsuite.rollup.sink.SinkResult;
import io.tsdbsuite.rollup.spark.PulledRecords;
import io.tsdbsuite.rollup.uid.UidNames;
import io.tsdbsuite.rollup.verify.Aggregators;
import io.tsdbsuite.rollup.verify.SeriesSample;
import io.tsdbsuite.rollup.verify.VerifyRecord;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.BiConsumer;
import java.util.function.LongFunction;
import org.apache.spark.TaskContext;
import org.apache.spark.api.java.function.PairFlatMapFunction;
import org.apache.spark.broadcast.Broadcast;
import org.jspecify.annotations.Nullable;
import scala.Tuple2;

/**
 * Rolls up partitions of the raw snapshot on the executors, for a comparison.
 *
 * @param work reads and rolls up the partitions
 * @param levels that are compared, by number
 * @param aggregators of the run
 * @param names if rows are counted by metric; otherwise null
 * @param floors of the coverage table
 */
record ComputedTask(
    PartitionTask work,
    StorageSchema schema,
    List<String> levels,
    Aggregators aggregators,
    SeriesSample sample,
    @Nullable Broadcast<UidNames> names,
    List<CoverageFloor> floors)
    implements PairFlatMapFunction<RollupPartition, byte[], byte[]> {
  private static final long serialVersionUID = 1L;

  @Override
  public Iterator<Tuple2<byte[], byte[]>> call(RollupPartition partition) {
    Books books =
        names == null
            ? new Books()
            : new Books(
                new MetricRows(stays(names.value(), floors, CoverageFloor.RAW, work.from())));
    PulledRecords records = new PulledRecords();
    VerifySink sink = new VerifySink(new RowKey(schema), levels, aggregators, sample, records::add);
    PartitionRoller.Rolling rolling = work.begin(partition, sink, books);
    return records.from(
        rolling::step,
        rolling,
        TaskContext.get(),
        () -> new BooksRecord(books, null).record(partition.index()));
  }

  /** Floors are of whole days, so a row of a window is below one if the window begins there. */
  static LongFunction<@Nullable Kept> stays(
      UidNames names, List<CoverageFloor> floors, String level, long from) {
    ByteSlice name = new ByteSlice();
    return uid -> {
      if (!names.lookup(UidKind.METRIC, uid, name)) {
        return Kept.NO_NAME;
      }
      return CoverageFloor.highest(floors, level, name.toString()) > from ? Kept.BELOW_FLOOR : null;
    };
  }

  /** Turns rollups into records for a comparison. For one thread. */
  private static final class VerifySink implements RollupSink {
    private static final int ROLLUP = 0;
    private static final int HISTOGRAM = 1;
    private static final int PACKED = 2;

    private final RowKey rowKey;
    private final Aggregators aggregators;
    private final SeriesSample sample;
    private final BiConsumer<byte[], byte[]> records;

    /** By interval, the numbers of its levels; -1 of those that are not compared. */
    private final Map<String, int[]> numbers = new HashMap<>();

    /**
     * @param records receives keys and values of {@link VerifyRecord}
     */
    VerifySink(
        RowKey rowKey,
        List<String> levels,
        Aggregators aggregators,
        SeriesSample sample,
        BiConsumer<byte[], byte[]> records) {
      this.rowKey = rowKey;
      this.aggregators = aggregators;
      this.sample = sample;
      this.records = records;
      for (int i = 0; i < levels.size(); i++) {
        String level = levels.get(i);
        int of = Level.isHistogram(level) ? HISTOGRAM : Level.isPacked(level) ? PACKED : ROLLUP;
        numbers.computeIfAbsent(CoverageRows.interval(level), any -> new int[] {-1, -1, -1})[of] =
            i;
      }
    }

    @Override
    public void emit(RollupPoint point) {
      byte[] tsuid = rowKey.tsuid(point.rowArray(), point.rowOffset(), point.rowLength());
      if (!sample.wants(tsuid)) {
        return;
      }
      int[] levels = Objects.requireNonNull(numbers.get(point.interval()));
      if (point.rollup().hasValues()) {
        byte[] record = aggregators.record(point.rollup());
        put(tsuid, levels[ROLLUP], point, record);
        put(tsuid, levels[PACKED], point, record);
      }
      byte[] histogram = aggregators.histogram(point.rollup());
      if (histogram != null) {
        put(tsuid, levels[HISTOGRAM], point, histogram);
      }
    }

    private void put(byte[] tsuid, int number, RollupPoint point, byte[] record) {
      if (number >= 0) {
        records.accept(VerifyRecord.key(tsuid, number, point.timestamp()), record);
      }
    }

    @Override
    public SinkResult finish() {
      throw new UnsupportedOperationException("records are taken one by one");
    }

    @Override
    public void abort() {
      // The receiver of the records owns them.
    }

    @Override
    public void close() {
      // There is nothing to release.
    }
  }
}
