package io.tsdbsuite.rollup.verify.job;

import io.tsdbsuite.coverage.CoverageFloor;
import io.tsdbsuite.format.metric.MetricPatterns;
import io.tsdbsuite.format.uid.UidKind;
import io.tsdbsuite.hbase.read.ReadSource;
import io.tsdbsuite.hbase.read.SnapshotFamily;
import io.tsdbsuite.message.write.ByteSlice;
import io.tsdbsuite.rollup.compute.MetricSelector;
import io.tsdbsuite.rollup.plan.RegionPart;
import io.tsdbsuite.rollup.report.Books;
import io.tsdbsuite.rollup.report.MetricRows;
import io.tsdbsuite.rollup.spark.Broadcasts;
import io.tsdbsuite.rollup.spark.PulledRecords;
import io.tsdbsuite.rollup.spark.WorkFailures;
import io.tsdbsuite.rollup.verify.Aggregators;
import io.tsdbsuite.rollup.verify.StoredBooks;
import io.tsdbsuite.rollup.verify.StoredRows;
import io.tsdbsuite.rollup.verify.StoredTable;
import java.io.IOException;
import java.io.Serializable;
import java.util.Iterator;
import java.util.List;
import java.util.function.LongToIntFunction;
import org.apache.spark.TaskContext;
import org.apache.spark.api.java.function.PairFlatMapFunction;
import scala.Tuple2;

/**
 * Reads parts of rollup tables on the executors.
 *
 * @param root root of the snapshots, which determines the file system
 * @param floors of the coverage table
 */
record StoredTask(
    Broadcasts shared, String root, MetricPatterns metrics, List<CoverageFloor> floors)
    implements PairFlatMapFunction<StoredTask.Part, byte[], byte[]> {
  private static final long serialVersionUID = 1L;

  /**
   * The input of a task.
   *
   * @param number among all parts
   * @param family of the rollup table
   */
  record Part(int number, StoredTable table, SnapshotFamily family, RegionPart part)
      implements Serializable {}

  @Override
  public Iterator<Tuple2<byte[], byte[]>> call(Part part) {
    StoredBooks books = new StoredBooks();
    PulledRecords records = new PulledRecords();
    StoredTable table = part.table();
    MetricRows counted =
        table.made() == null
            ? null
            : new MetricRows(
                ComputedTask.stays(
                    shared.names().value(), floors, table.interval().interval(), table.from()));
    StoredRows rows;
    try {
      rows =
          new StoredRows(
              table,
              ReadSource.of(shared.hadoop(), root, part.family()),
              part.part(),
              new MetricSelector(metrics, shared.names().value())::excludes,
              wanted(table),
              books,
              counted);
    } catch (IOException e) {
      throw WorkFailures.of(e);
    }
    return records.from(
        () -> rows.step(records::add),
        rows,
        TaskContext.get(),
        () ->
            new BooksRecord(counted == null ? null : new Books(counted), books)
                .record(part.number()));
  }

  /** Remembers the last metric: its rows are adjacent. */
  private LongToIntFunction wanted(StoredTable table) {
    Aggregators all = table.aggregators();
    ByteSlice name = new ByteSlice();
    long[] last = {-1, Aggregators.FOUR};
    return uid -> {
      if (uid != last[0] && !all.suite().isEmpty()) {
        boolean isNamed = shared.names().value().lookup(UidKind.METRIC, uid, name);
        String metric = isNamed ? name.toString() : null;
        String interval = table.interval().interval();
        boolean isSelected =
            !table.isOfHistograms()
                || (metric != null && all.suite().selection(metric).histogram(interval));
        last[1] = isSelected ? all.ofMetric(metric, interval) : 0;
        last[0] = uid;
      }
      return (int) last[1];
    };
  }
}
