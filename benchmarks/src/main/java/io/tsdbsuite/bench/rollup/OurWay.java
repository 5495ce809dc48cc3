package io.tsdbsuite.bench.rollup;

import io.tsdbsuite.format.rollup.RollupConfig;
import io.tsdbsuite.format.rollup.RollupInterval;
import io.tsdbsuite.hbase.read.ReadSource;
import io.tsdbsuite.hbase.snapshot.Snapshot;
import io.tsdbsuite.hbase.snapshot.SnapshotLoader;
import io.tsdbsuite.rollup.compute.PartitionRun;
import io.tsdbsuite.rollup.plan.RollupPartition;
import io.tsdbsuite.rollup.plan.RollupPlan;
import io.tsdbsuite.rollup.plan.RollupPlanner;
import io.tsdbsuite.rollup.plan.RowWindow;
import io.tsdbsuite.rollup.report.Books;
import java.util.Objects;
import org.apache.hadoop.conf.Configuration;

/**
 * Reads and rolls up a snapshot with the planner, reader and roller of rollup-job. Every UID has
 * the empty name; the rollups are summed and not sent.
 */
final class OurWay implements Way {
  private static final RollupInterval HOUR =
      Objects.requireNonNull(
          RollupConfig.parse(
                  """
                  {"aggregationIds": {"sum": 0, "count": 2, "min": 3, "max": 4},
                   "intervals": [
                    {"table": "tsdb", "preAggregationTable": "tsdb", "interval": "1m",
                     "rowSpan": "1h", "defaultInterval": true},
                    {"table": "tsdb-rollup-1h", "preAggregationTable": "tsdb-rollup-1h",
                     "interval": "1h", "rowSpan": "1d"}]}
                  """)
              .interval("1h"));

  private final Configuration conf;
  private final java.nio.file.Path root;
  private final RowWindow window;
  private final Snapshot snapshot;
  private final RollupPlan plan;
  private Books books = new Books();

  /**
   * Loads the manifest and creates the plan, as the driver does before the tasks start.
   *
   * @param root root directory of the snapshot
   * @param from first second, since the epoch, UTC
   * @param to last second, exclusive, since the epoch, UTC
   */
  OurWay(Configuration conf, java.nio.file.Path root, long from, long to) {
    this.conf = conf;
    this.root = root;
    this.window = new RowWindow(TableRows.SCHEMA, from, to);
    this.snapshot = new SnapshotLoader(conf, TestTable.uri(root)).load(TestTable.SNAPSHOT, "t");
    this.plan = new RollupPlanner(snapshot, window, false, Long.MAX_VALUE).plan();
  }

  /** Loads the manifest, creates a new plan and runs it. */
  Totals planAndRun() throws Exception {
    return new OurWay(conf, root, window.from(), window.to()).run();
  }

  @Override
  public Totals run() throws Exception {
    SumSink sink = new SumSink();
    ReadSource source = ReadSource.of(snapshot);
    books = new Books();
    for (RollupPartition partition : plan.partitions()) {
      books.add(
          PartitionRun.roll(
              TableRows.SCHEMA, HOUR, window, source, partition, new NoNames(), sink));
    }
    return sink.totals();
  }

  /** The counters of the last run. */
  Books books() {
    return books;
  }
}
