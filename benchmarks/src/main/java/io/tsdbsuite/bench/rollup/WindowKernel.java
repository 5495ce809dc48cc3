package io.tsdbsuite.bench.rollup;

import io.tsdbsuite.bench.BenchRow;
import io.tsdbsuite.bench.measure.Samples;
import io.tsdbsuite.bench.measure.Way;
import io.tsdbsuite.format.row.CompactedCell;
import io.tsdbsuite.format.row.PointBuffer;
import io.tsdbsuite.format.row.RowKey;
import io.tsdbsuite.hbase.Codecs;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.apache.hadoop.hbase.io.compress.Compression.Algorithm;
import org.apache.hadoop.hbase.io.encoding.DataBlockEncoding;

/** Reads one day out of many in both ways by turns, from the snapshot's name to the sums. */
public final class WindowKernel {
  private static final int HOURS_A_DAY = 24;

  /** Points per row; 30 give 185 bytes per row, for which the limits were measured. */
  private static final int POINTS_A_ROW = 30;

  private static final int DIFFERENT_ROWS = 4096;
  private static final int WARM_ROUNDS = 1;

  /** Runs of the suite's reader per round: one is shorter than a step of the process' CPU clock. */
  private static final int SUITE_A_ROUND = 20;

  private WindowKernel() {}

  /** Arguments: directory, metrics, series, days, rounds. */
  public static void main(String[] args) throws Exception {
    Codecs.install();
    int metrics = Integer.parseInt(args[1]);
    int series = Integer.parseInt(args[2]);
    int days = Integer.parseInt(args[3]);
    Tables tables = new Tables(Path.of(args[0]).resolve("root"));
    tables.data(
        Tables.DATA,
        Algorithm.NONE,
        DataBlockEncoding.NONE,
        Tables.Region.whole(new DataRows(like(), metrics, days * HOURS_A_DAY, series)));
    long from = DataRows.end(days / 2 * HOURS_A_DAY);
    long to = DataRows.end((days / 2 + 1) * HOURS_A_DAY);
    HourFilter filter = new HourFilter(new RowKey(DataRows.SCHEMA).timeOffset(), from, to);
    Path restored = Path.of(args[0]).resolve("restored");
    Totals expected = StockFormat.sum(tables.restore(restored, filter));
    if (expected.summaries() != (long) metrics * series * HOURS_A_DAY) {
      throw new IllegalStateException("the stock way must find the day, found " + expected);
    }
    Way.Work<Totals> stock =
        () -> expected.requireEqual(StockFormat.sum(tables.restore(restored, filter)));
    Way.Work<Totals> suite = () -> expected.requireEqual(new SuiteWay(tables, from, to).run());
    for (Samples<Cost> way :
        Samples.of(
            WARM_ROUNDS,
            Integer.parseInt(args[4]),
            List.of(Cost.way("stock", 1, stock), Cost.way("suite", SUITE_A_ROUND, suite)))) {
      Cost.print(way.name() + ".cpu", way.median(Cost::processNanos) / 1e9);
      Cost.print(way.name() + ".wall", way.median(Cost::wallNanos) / 1e9);
    }
    reads("stock", stock);
    reads("suite", suite);
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

  private static void reads(String name, Way.Work<Totals> way) throws Exception {
    long bytes = CountingFileSystem.bytes();
    long reads = CountingFileSystem.reads();
    way.run();
    Cost.print(name + ".bytes", (double) CountingFileSystem.bytes() - bytes);
    Cost.print(name + ".reads", (double) CountingFileSystem.reads() - reads);
  }
}
