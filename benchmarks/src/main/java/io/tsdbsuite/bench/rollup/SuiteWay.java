package io.tsdbsuite.bench.rollup;

import io.tsdbsuite.format.rollup.RollupConfig;
import io.tsdbsuite.format.rollup.RollupInterval;
import io.tsdbsuite.format.uid.UidKind;
import io.tsdbsuite.hbase.read.ReadSource;
import io.tsdbsuite.hbase.snapshot.Snapshot;
import io.tsdbsuite.hbase.snapshot.SnapshotLoader;
import io.tsdbsuite.message.write.ByteSlice;
import io.tsdbsuite.message.write.RollupPoint;
import io.tsdbsuite.rollup.compute.PartitionRun;
import io.tsdbsuite.rollup.plan.RollupPartition;
import io.tsdbsuite.rollup.plan.RollupPlan;
import io.tsdbsuite.rollup.plan.RollupPlanner;
import io.tsdbsuite.rollup.plan.RowWindow;
import io.tsdbsuite.rollup.report.Books;
import io.tsdbsuite.rollup.sink.RollupSink;
import io.tsdbsuite.rollup.sink.SinkResult;
import io.tsdbsuite.rollup.uid.UidNames;
import java.util.Objects;

/**
 * Reads and rolls up a snapshot with the planner, reader and roller of rollup-job, in one thread: a
 * whole task, books included, without names and sink. Every UID has the empty name; the rollups are
 * summed.
 */
final class SuiteWay {
  /** rollup_config.json with intervals of an hour and a day. */
  static final String ROLLUPS =
      """
      {"aggregationIds": {"sum": 0, "count": 2, "min": 3, "max": 4, "p50": 7, "p75": 8, "p90": 9,
         "p95": 10, "p99": 11, "p999": 12},
       "intervals": [
        {"table": "tsdb", "preAggregationTable": "tsdb-agg", "interval": "1m",
         "rowSpan": "1h", "defaultInterval": true},
        {"table": "tsdb-rollup-1h", "preAggregationTable": "tsdb-rollup-agg-1h",
         "interval": "1h", "rowSpan": "1d"},
        {"table": "tsdb-rollup-1d", "preAggregationTable": "tsdb-rollup-agg-1d",
         "interval": "1d", "rowSpan": "1y"}]}
      """;

  private static final RollupInterval HOUR =
      Objects.requireNonNull(RollupConfig.parse(ROLLUPS).interval("1h"));

  private final RowWindow window;
  private final Snapshot snapshot;
  private final RollupPlan plan;
  private Books books = new Books();

  /**
   * Loads the manifest and creates the plan, as the driver does before the tasks start.
   *
   * @param from first second, since the epoch, UTC
   * @param to last second, exclusive, since the epoch, UTC
   */
  SuiteWay(Tables tables, long from, long to) {
    window = new RowWindow(DataRows.SCHEMA, from, to);
    snapshot = new SnapshotLoader(tables.conf(), tables.uri()).load(Tables.DATA, Tables.FAMILY);
    plan = new RollupPlanner(snapshot, window, false, Long.MAX_VALUE).plan();
  }

  /** Reads all rows of the window once. */
  Totals run() throws Exception {
    SumSink sink = new SumSink();
    ReadSource source = ReadSource.of(snapshot);
    books = new Books();
    for (RollupPartition partition : plan.partitions()) {
      books.add(
          PartitionRun.roll(
              DataRows.SCHEMA, HOUR, window, source, partition, EmptyNames.INSTANCE, sink));
    }
    return sink.totals;
  }

  /** The counters of the last run. */
  Books books() {
    return books;
  }

  private enum EmptyNames implements UidNames {
    INSTANCE;

    private static final byte[] EMPTY = {};

    @Override
    public boolean lookup(UidKind kind, long uid, ByteSlice out) {
      out.set(EMPTY);
      return true;
    }
  }

  private static final class SumSink implements RollupSink {
    private final Totals totals = new Totals();

    @Override
    public void emit(RollupPoint point) {
      totals.add(
          point.rollup().sum(), point.rollup().min(), point.rollup().max(), point.rollup().count());
    }

    @Override
    public SinkResult finish() {
      throw new UnsupportedOperationException("nothing is stored");
    }

    @Override
    public void abort() {}

    @Override
    public void close() {}
  }
}
