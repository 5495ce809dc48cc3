package io.tsdbsuite.bench.rollup;

import io.tsdbsuite.bench.measure.PairedRuns;
import io.tsdbsuite.hbase.Codecs;
import java.nio.file.Path;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.io.compress.Compression;
import org.apache.hadoop.hbase.io.encoding.DataBlockEncoding;

/** Reads many small HFiles with both implementations alternately: mostly, it opens them. */
final class OpenKernel {
  private OpenKernel() {}

  /** Arguments: directory, regions, HFiles per region. */
  public static void main(String[] args) throws Exception {
    Codecs.install();
    Path root = Path.of(args[0]).resolve("root");
    int files = Integer.parseInt(args[2]);
    Configuration conf = TestTable.conf(root);
    TestTable.write(
        conf,
        root,
        "tsdb",
        TestTable.FAMILY,
        TestTable.SNAPSHOT,
        Compression.Algorithm.SNAPPY,
        DataBlockEncoding.FAST_DIFF,
        SmallFilesKernel.regions(Integer.parseInt(args[1]), files));
    long to = TableRows.START + SmallFilesKernel.seconds(files);
    Way stock = new StockWay(conf, Path.of(args[0]).resolve("restored"), null);
    Way suite = new OurWay(conf, root, TableRows.START, to)::planAndRun;
    Totals.requireEqual(stock.run(), suite.run());
    PairedRuns.ofProcess().print(() -> stock.run().points(), () -> suite.run().points());
    System.exit(0);
  }
}
