package io.tsdbsuite.bench.rollup;

import io.tsdbsuite.bench.BenchRow;
import io.tsdbsuite.bench.RowShape;
import io.tsdbsuite.bench.measure.KernelRun;
import io.tsdbsuite.hbase.Codecs;
import io.tsdbsuite.rollup.report.Count;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.io.compress.Compression;
import org.apache.hadoop.hbase.io.encoding.DataBlockEncoding;

/** Reads one HFile of one shape with both implementations alternately, in one thread. */
public final class ReadKernel {
  /** All values of a row have one type. */
  static final String ALIKE = "alike";

  /** Integers and floats alternate. */
  static final String MIXED = "mixed";

  private static final int SERIES = 100;
  private static final int WARM_ROUNDS = 2;

  /** Points of the rotating rows: more than a branch predictor can learn. */
  private static final int DIFFERENT_POINTS = 1 << 17;

  /** Runs of the suite's reader per round, so that it takes about as long as the stock reader. */
  private static final int OURS_A_ROUND = 5;

  private static final int PROFILED_RUNS = 30;

  private ReadKernel() {}

  /** Arguments: directory, shape, alike or mixed, compression, encoding, points, rounds. */
  public static void main(String[] args) throws Exception {
    Codecs.install();
    Path root = Path.of(args[0]).resolve("root");
    RowShape shape = RowShape.valueOf(args[1]);
    int rounds = Integer.parseInt(args[6]);
    Configuration conf = TestTable.conf(root);
    TableRows rows = rows(shape, args[2].equals(ALIKE), Integer.parseInt(args[5]));
    TestTable.write(
        conf,
        root,
        Compression.Algorithm.valueOf(args[3]),
        DataBlockEncoding.valueOf(args[4]),
        rows);
    Way stock = new StockWay(conf, Path.of(args[0]).resolve("restored"), null);
    OurWay ours = new OurWay(conf, root, TableRows.START, TableRows.START + rows.hours() * 3600L);
    long points = stock.run().points();
    require(points == (long) rows.hours() * SERIES * shape.points(), "points " + points);
    List<Reading> stockReadings = new ArrayList<>();
    List<Reading> ourReadings = new ArrayList<>();
    for (int round = -WARM_ROUNDS; round < rounds; round++) {
      Totals.requireEqual(stock.run(), ours.run());
      Reading stockReading = Reading.of(stock, 1);
      Reading ourReading = Reading.of(ours, OURS_A_ROUND);
      if (round >= 0) {
        stockReadings.add(stockReading);
        ourReadings.add(ourReading);
      }
    }
    print("bytes", (double) ours.books().count(Count.BYTES_READ) / points);
    print("stock", stockReadings, points);
    print("suite", ourReadings, points);
    double beside =
        Allocations.shareBesideBlocks(ours, PROFILED_RUNS, Path.of(args[0]).resolve("jfr"));
    print(
        "suite.bytesNotBlocks",
        beside * Reading.median(ourReadings, Reading::allocatedBytes) / points);
    System.exit(0);
  }

  private static TableRows rows(RowShape shape, boolean alike, int points) {
    Random random = new Random(shape.points());
    List<BenchRow> like = new ArrayList<>();
    for (int i = 0; i < DIFFERENT_POINTS / shape.points(); i++) {
      like.add(shape.row(random, alike));
    }
    return new TableRows(like, 1, Math.max(1, points / shape.points() / SERIES), SERIES);
  }

  private static void print(String way, List<Reading> readings, long points) {
    print(way + ".ns", Reading.median(readings, Reading::threadNanos) / points);
    print(way + ".bytes", Reading.median(readings, Reading::allocatedBytes) / points);
    double gc = readings.stream().mapToDouble(Reading::gcNanos).sum();
    double wall = readings.stream().mapToDouble(Reading::wallNanos).sum();
    print(way + ".gc", 100 * gc / wall);
  }

  private static void print(String name, double value) {
    System.out.println(KernelRun.line(name, value));
  }

  private static void require(boolean holds, String found) {
    if (!holds) {
      throw new IllegalStateException("the stock way must read everything, found " + found);
    }
  }
}
