package io.tsdbsuite.bench.rollup;

import io.tsdbsuite.bench.BenchRow;
import io.tsdbsuite.bench.RowShape;
import io.tsdbsuite.hbase.Codecs;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.apache.hadoop.hbase.io.compress.Compression;
import org.apache.hadoop.hbase.io.encoding.DataBlockEncoding;

/** Runs the whole job on one core of this JVM, to Kafka and into HFiles alternately. */
public final class SinkKernel {
  private static final int DIFFERENT_ROWS = 4096;

  private SinkKernel() {}

  /** Arguments: directory, metrics, series, hours, rounds. */
  public static void main(String[] args) throws Exception {
    Codecs.install();
    int metrics = Integer.parseInt(args[1]);
    int series = Integer.parseInt(args[2]);
    int hours = Integer.parseInt(args[3]);
    int rounds = Integer.parseInt(args[4]);
    WholeJob job =
        WholeJob.start(Path.of(args[0]).toAbsolutePath(), "local[1]", Math.max(metrics, series));
    write(job.root(), new TableRows(like(hours), metrics, hours, series));
    // The first round warms up the compiler.
    for (int round = 0; round <= rounds; round++) {
      for (String sink : List.of(WholeJob.KAFKA, WholeJob.HFILE)) {
        WholeJob.Result run = job.run(sink, WholeJob.seconds(hours));
        // Keeps the figures of the last round.
        if (round > 0) {
          run.print(sink);
        }
      }
    }
    job.stop();
    System.exit(0);
  }

  private static List<BenchRow> like(int seed) {
    Random random = new Random(seed);
    List<BenchRow> like = new ArrayList<>();
    for (int i = 0; i < DIFFERENT_ROWS; i++) {
      like.add(RowShape.S3_COMPACTED_60.row(random));
    }
    return like;
  }

  private static void write(Path root, TableRows rows) throws IOException {
    TestTable.write(
        TestTable.conf(root), root, Compression.Algorithm.NONE, DataBlockEncoding.NONE, rows);
  }
}
