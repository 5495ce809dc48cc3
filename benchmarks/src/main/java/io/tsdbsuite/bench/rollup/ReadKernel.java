package io.tsdbsuite.bench.rollup;

import io.tsdbsuite.bench.RowShape;
import io.tsdbsuite.bench.measure.Samples;
import io.tsdbsuite.hbase.Codecs;
import io.tsdbsuite.rollup.report.Count;
import java.nio.file.Path;
import java.util.List;
import org.apache.hadoop.hbase.io.compress.Compression.Algorithm;
import org.apache.hadoop.hbase.io.encoding.DataBlockEncoding;
import org.apache.hadoop.mapreduce.Job;

/** Reads one HFile of one shape in both ways by turns, in one thread. */
public final class ReadKernel {
  private static final int SERIES = 100;
  private static final int WARM_ROUNDS = 2;

  /** Runs of the suite's reader per round, so that it takes about as long as the stock reader. */
  private static final int SUITE_A_ROUND = 5;

  private ReadKernel() {}

  /** Arguments: directory, shape, compression, encoding, points, rounds. */
  public static void main(String[] args) throws Exception {
    Codecs.install();
    RowShape shape = RowShape.valueOf(args[1]);
    int hours = Math.max(1, Integer.parseInt(args[4]) / shape.points() / SERIES);
    DataRows rows = new DataRows(DataRows.like(shape), 1, hours, SERIES);
    Tables tables = new Tables(Path.of(args[0]).resolve("root"));
    tables.data(
        Tables.DATA,
        Algorithm.valueOf(args[2]),
        DataBlockEncoding.valueOf(args[3]),
        Tables.Region.whole(rows));
    Job stock = tables.restore(Path.of(args[0]).resolve("restored"), null);
    SuiteWay suite = new SuiteWay(tables, DataRows.START, DataRows.end(hours));
    Totals expected = StockFormat.sum(stock);
    double points = (double) expected.points();
    if (points != (double) hours * SERIES * shape.points()) {
      throw new IllegalStateException("the stock way must read everything, found " + expected);
    }
    for (Samples<Cost> way :
        Samples.of(
            WARM_ROUNDS,
            Integer.parseInt(args[5]),
            List.of(
                Cost.way("stock", 1, () -> expected.requireEqual(StockFormat.sum(stock))),
                Cost.way("suite", SUITE_A_ROUND, () -> expected.requireEqual(suite.run()))))) {
      Cost.print(way.name() + ".ns", way.median(Cost::threadNanos) / points);
      Cost.print(way.name() + ".bytes", way.median(Cost::allocatedBytes) / points);
      Cost.print(way.name() + ".gc", 100 * way.sum(Cost::gcNanos) / way.sum(Cost::wallNanos));
    }
    Cost.print("bytes", suite.books().count(Count.BYTES_READ) / points);
    System.exit(0);
  }
}
