package io.tsdbsuite.bench.rollup;

import io.tsdbsuite.bench.measure.PairedRuns;
import io.tsdbsuite.hbase.Codecs;
import java.nio.file.Path;
import org.apache.hadoop.mapreduce.Job;

/** Reads many small HFiles in both ways by turns: mostly, it opens them. */
final class OpenKernel {
  private OpenKernel() {}

  /** Arguments: directory, regions, HFiles per region. */
  public static void main(String[] args) throws Exception {
    Codecs.install();
    int files = Integer.parseInt(args[2]);
    Tables tables = new Tables(Path.of(args[0]).resolve("root"));
    tables.smallFiles(Tables.DATA, Integer.parseInt(args[1]), files);
    long to = DataRows.end(DataRows.smallFileHours(files));
    Job stock = tables.restore(Path.of(args[0]).resolve("restored"), null);
    Totals expected = StockFormat.sum(stock);
    PairedRuns.ofProcess()
        .print(
            () -> StockFormat.sum(stock).points(),
            () -> expected.requireEqual(new SuiteWay(tables, DataRows.START, to).run()).points());
    System.exit(0);
  }
}
