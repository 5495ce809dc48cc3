package io.tsdbsuite.bench.rollup;

import io.tsdbsuite.hbase.Codecs;
import java.nio.file.Path;
import java.util.List;
import org.apache.hadoop.hbase.io.compress.Compression;
import org.apache.hadoop.hbase.io.encoding.DataBlockEncoding;

/** Runs the whole job over a table of many regions with several small HFiles each. */
public final class SmallTableKernel {
  private SmallTableKernel() {}

  /** Arguments: directory, regions, HFiles per region, Spark's master, rounds. */
  public static void main(String[] args) throws Exception {
    Codecs.install();
    int regions = Integer.parseInt(args[1]);
    int files = Integer.parseInt(args[2]);
    int rounds = Integer.parseInt(args[4]);
    WholeJob job = WholeJob.start(Path.of(args[0]).toAbsolutePath(), args[3], regions);
    TestTable.write(
        TestTable.conf(job.root()),
        job.root(),
        "tsdb",
        TestTable.FAMILY,
        TestTable.SNAPSHOT,
        Compression.Algorithm.SNAPPY,
        DataBlockEncoding.FAST_DIFF,
        SmallFilesKernel.regions(regions, files));
    // The first round warms up the compiler.
    for (int round = 0; round <= rounds; round++) {
      for (String sink : List.of(WholeJob.KAFKA, WholeJob.KAFKA_24, WholeJob.HFILE)) {
        WholeJob.Result run = job.run(sink, SmallFilesKernel.seconds(files));
        if (round > 0) {
          run.print(sink);
        }
      }
    }
    job.stop();
    System.exit(0);
  }
}
