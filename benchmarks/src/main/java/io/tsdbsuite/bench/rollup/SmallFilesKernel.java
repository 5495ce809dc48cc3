package io.tsdbsuite.bench.rollup;

import io.tsdbsuite.bench.BenchRow;
import io.tsdbsuite.bench.RowShape;
import io.tsdbsuite.bench.measure.KernelRun;
import io.tsdbsuite.format.row.RowKey;
import io.tsdbsuite.hbase.Codecs;
import io.tsdbsuite.rollup.report.Count;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.io.compress.Compression;
import org.apache.hadoop.hbase.io.encoding.DataBlockEncoding;

/** Plans and rolls up a table of many regions with several small HFiles each. */
public final class SmallFilesKernel {
  private static final RowShape SHAPE = RowShape.S3_COMPACTED_60;
  private static final int HOURS_A_FILE = 2;
  private static final int SERIES = 12;
  private static final int WARM_ROUNDS = 3;
  private static final int DIFFERENT_ROWS = 4096;

  private SmallFilesKernel() {}

  /** Arguments: directory, regions, HFiles per region, rounds. */
  public static void main(String[] args) throws Exception {
    Codecs.install();
    Path root = Path.of(args[0]).resolve("root");
    int regions = Integer.parseInt(args[1]);
    int files = Integer.parseInt(args[2]);
    int rounds = Integer.parseInt(args[3]);
    Configuration conf = TestTable.conf(root);
    TestTable.write(
        conf,
        root,
        "tsdb",
        TestTable.FAMILY,
        TestTable.SNAPSHOT,
        Compression.Algorithm.SNAPPY,
        DataBlockEncoding.FAST_DIFF,
        regions(regions, files));
    long to = TableRows.START + seconds(files);
    List<Reading> plans = new ArrayList<>();
    List<Reading> runs = new ArrayList<>();
    long expected = (long) regions * files * HOURS_A_FILE * SERIES * SHAPE.points();
    for (int round = -WARM_ROUNDS; round < rounds; round++) {
      OurWay[] made = new OurWay[1];
      Reading plan =
          Reading.of(
              () -> {
                made[0] = new OurWay(conf, root, TableRows.START, to);
                return new Totals();
              },
              1);
      Reading run = Reading.of(made[0], 1);
      long points = made[0].books().count(Count.POINTS_AGGREGATED);
      if (points != expected) {
        throw new IllegalStateException("points must be " + expected + ", found " + points);
      }
      if (round >= 0) {
        plans.add(plan);
        runs.add(run);
      }
    }
    double count = (double) regions * files;
    print("plan.cpu", Reading.median(plans, Reading::processNanos) / count / 1e6);
    print("plan.wall", Reading.median(plans, Reading::wallNanos) / count / 1e6);
    print("run.cpu", Reading.median(runs, Reading::processNanos) / count / 1e6);
    print("run.wall", Reading.median(runs, Reading::wallNanos) / count / 1e6);
    System.exit(0);
  }

  /** The seconds of the files' rows, from {@link TableRows#START} on. */
  static long seconds(int files) {
    return (long) files * HOURS_A_FILE * RowKey.ROW_SPAN_SECONDS;
  }

  /** Regions of one metric each, with small HFiles of some hours. */
  static List<TestTable.Region> regions(int regions, int files) {
    Random random = new Random(regions);
    List<BenchRow> like = new ArrayList<>();
    for (int i = 0; i < DIFFERENT_ROWS; i++) {
      like.add(SHAPE.row(random));
    }
    List<TestTable.Region> made = new ArrayList<>();
    for (int region = 0; region < regions; region++) {
      List<TestTable.Rows> rows = new ArrayList<>();
      for (int file = 0; file < files; file++) {
        rows.add(new TableRows(like, region + 1, 1, file * HOURS_A_FILE, HOURS_A_FILE, SERIES));
      }
      made.add(
          new TestTable.Region(
              region == 0 ? new byte[0] : TableRows.uid(region + 1),
              region + 1 == regions ? new byte[0] : TableRows.uid(region + 2),
              rows));
    }
    return made;
  }

  private static void print(String name, double value) {
    System.out.println(KernelRun.line(name, value));
  }
}
