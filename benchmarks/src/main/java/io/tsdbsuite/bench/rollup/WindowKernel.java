package io.tsdbsuite.bench.rollup;

import io.tsdbsuite.bench.BenchRow;
import io.tsdbsuite.bench.measure.KernelRun;
import io.tsdbsuite.bench.rollup.CountingFileSystem.Counts;
import io.tsdbsuite.bench.rollup.job.HourFilter;
import io.tsdbsuite.format.row.CompactedCell;
import io.tsdbsuite.format.row.PointBuffer;
import io.tsdbsuite.format.row.RowKey;
import io.tsdbsuite.hbase.Codecs;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.io.compress.Compression;
import org.apache.hadoop.hbase.io.encoding.DataBlockEncoding;

/** Reads one day out of many with both implementations alternately, from snapshot name to sums. */
public final class WindowKernel {
  private static final int HOURS_A_DAY = 24;

  /** Points per row; 30 give 185 bytes per row, for which the limits were measured. */
  private static final int POINTS_A_ROW = 30;

  private static final int DIFFERENT_ROWS = 4096;
  private static final int WARM_RUNS = 20;

  /** Runs of the suite's reader per round: one is shorter than a step of the process' CPU clock. */
  private static final int OURS_A_ROUND = 20;

  private WindowKernel() {}

  /** Arguments: directory, metrics, series, days, rounds. */
  public static void main(String[] args) throws Exception {
    Codecs.install();
    Path root = Path.of(args[0]).resolve("root");
    int metrics = Integer.parseInt(args[1]);
    int series = Integer.parseInt(args[2]);
    int days = Integer.parseInt(args[3]);
    int rounds = Integer.parseInt(args[4]);
    Configuration conf = TestTable.conf(root);
    TestTable.write(
        conf,
        root,
        Compression.Algorithm.NONE,
        DataBlockEncoding.NONE,
        new TableRows(like(), metrics, days * HOURS_A_DAY, series));
    long from = TableRows.START + days / 2L * HOURS_A_DAY * RowKey.ROW_SPAN_SECONDS;
    long to = from + HOURS_A_DAY * RowKey.ROW_SPAN_SECONDS;
    HourFilter filter = new HourFilter(new RowKey(TableRows.SCHEMA).timeOffset(), from, to);
    Path restored = Path.of(args[0]).resolve("restored");
    Way stock = () -> new StockWay(conf, restored, filter).run();
    Way ours = new OurWay(conf, root, from, to)::planAndRun;
    Totals expected = stock.run();
    if (expected.summaries() != (long) metrics * series * HOURS_A_DAY) {
      throw new IllegalStateException("the stock way must find the day, found " + expected);
    }
    Reading.of(ours, WARM_RUNS);
    List<Reading> stockReadings = new ArrayList<>();
    List<Reading> ourReadings = new ArrayList<>();
    for (int round = 0; round < rounds; round++) {
      Totals.requireEqual(expected, ours.run());
      stockReadings.add(Reading.of(stock, 1));
      ourReadings.add(Reading.of(ours, OURS_A_ROUND));
    }
    print("stock", stockReadings);
    print("suite", ourReadings);
    print("stock", stock);
    print("suite", ours);
    System.exit(0);
  }

  private static List<BenchRow> like() {
    Random random = new Random(POINTS_A_ROW);
    List<BenchRow> like = new ArrayList<>();
    PointBuffer points = new PointBuffer(POINTS_A_ROW);
    for (int i = 0; i < DIFFERENT_ROWS; i++) {
      points.clear();
      for (int p = 0; p < POINTS_A_ROW; p++) {
        int offset = p * (RowKey.ROW_SPAN_SECONDS / POINTS_A_ROW) * 1000;
        switch (random.nextInt(4)) {
          case 0 -> points.addInteger(offset, false, random.nextInt(1 << 7));
          case 1 -> points.addInteger(offset, false, (1 << 7) + random.nextInt(1 << 14));
          default -> points.addFloat(offset, false, random.nextFloat() * 1000);
        }
      }
      BenchRow row = new BenchRow();
      row.add(CompactedCell.encode(points));
      like.add(row);
    }
    return like;
  }

  private static void print(String way, List<Reading> readings) {
    print(way + ".cpu", Reading.median(readings, Reading::processNanos) / 1e9);
    print(way + ".wall", Reading.median(readings, Reading::wallNanos) / 1e9);
  }

  private static void print(String name, Way way) throws Exception {
    Counts before = CountingFileSystem.counts();
    way.run();
    Counts counts = CountingFileSystem.counts().since(before);
    print(name + ".bytes", (double) counts.bytes());
    print(name + ".reads", (double) counts.reads());
    print(name + ".opens", (double) counts.opens());
  }

  private static void print(String name, double value) {
    System.out.println(KernelRun.line(name, value));
  }
}
