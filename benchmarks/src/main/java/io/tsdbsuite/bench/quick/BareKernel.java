package io.tsdbsuite.bench.quick;

import io.tsdbsuite.bench.BenchRow;
import io.tsdbsuite.bench.RowShape;
import io.tsdbsuite.bench.measure.PairedRuns;
import io.tsdbsuite.format.row.PointBuffer;
import io.tsdbsuite.format.row.PointSummary;
import io.tsdbsuite.format.row.RowException;
import io.tsdbsuite.format.row.RowMerger;
import io.tsdbsuite.format.schema.StorageSchema;
import io.tsdbsuite.message.read.MessageReader;
import io.tsdbsuite.message.write.MessageEncoder;
import io.tsdbsuite.message.write.MessageFormat;
import io.tsdbsuite.message.write.RollupPoint;
import java.util.Random;

/**
 * Work of hot paths over a bare loop in the same JVM: an addition for each point, or a
 * multiplication and an addition for each byte. Such a loop hardly changes between JVMs and
 * machines, as another program's way to do the work would.
 */
final class BareKernel {
  /** Points of all rows, as many as in {@code RowBenchmark}. */
  private static final int POINTS = 1 << 16;

  private static final int MESSAGES = 4096;
  private static final int TIMES = 20;
  private static final long AS_OF = 1_763_596_800_000L;

  private BareKernel() {}

  /** Arguments: a directory, which is not used, and a {@link RowShape}, decode or encode. */
  public static void main(String[] args) throws Exception {
    switch (args[1]) {
      case "decode" -> decode();
      case "encode" -> encode();
      default -> rows(RowShape.valueOf(args[1]));
    }
    System.exit(0);
  }

  /** Rows aggregated as in rollup-job; bare: their values added up from an array of doubles. */
  private static void rows(RowShape shape) throws Exception {
    Random random = new Random(shape.points());
    BenchRow[] rows = new BenchRow[POINTS / shape.points()];
    double[][] values = new double[rows.length][];
    RowMerger merger = new RowMerger(StorageSchema.defaults());
    for (int i = 0; i < rows.length; i++) {
      rows[i] = shape.row(random);
      PointBuffer points = rows[i].merge(merger);
      values[i] = new double[points.size()];
      for (int point = 0; point < values[i].length; point++) {
        values[i][point] = points.doubleValue(point);
      }
    }
    PointSummary summary = new PointSummary();
    PairedRuns.ofThread().print(() -> sum(values), () -> sum(merger, rows, summary));
  }

  private static double sum(double[][] rows) {
    double all = 0;
    for (int time = 0; time < TIMES; time++) {
      for (double[] row : rows) {
        double sum = 0;
        for (double value : row) {
          sum += value;
        }
        all += sum;
      }
    }
    return all;
  }

  private static double sum(RowMerger merger, BenchRow[] rows, PointSummary summary)
      throws RowException {
    double all = 0;
    for (int time = 0; time < TIMES; time++) {
      for (BenchRow row : rows) {
        PointBuffer points = row.merge(merger);
        summary.clear();
        summary.addAll(points, 0, points.size());
        all += summary.sum();
      }
    }
    return all;
  }

  /** Metric messages read; bare: a loop over their bytes. */
  private static void decode() throws Exception {
    Random random = new Random(1);
    byte[][] messages = new byte[MESSAGES][];
    for (int i = 0; i < MESSAGES; i++) {
      messages[i] = QuickKernel.message(i, random);
    }
    MessageReader reader = new MessageReader();
    PairedRuns.ofThread().print(() -> loop(messages), () -> read(reader, messages));
  }

  private static double read(MessageReader reader, byte[][] messages) throws Exception {
    double read = 0;
    for (int time = 0; time < TIMES; time++) {
      for (byte[] message : messages) {
        read += reader.read(message).size();
      }
    }
    return read;
  }

  /** Rollup messages written; bare: a loop over their bytes. */
  private static void encode() throws Exception {
    MessageEncoder encoder = MessageFormat.ROLLUP.encoder(AS_OF);
    Random random = new Random(1);
    RollupPoint[] points = new RollupPoint[MESSAGES];
    byte[][] messages = new byte[MESSAGES][];
    for (int i = 0; i < MESSAGES; i++) {
      points[i] = QuickKernel.rollup(i, random);
      messages[i] = encoder.encode(points[i], 0).toByteArray();
    }
    PairedRuns.ofThread().print(() -> loop(messages), () -> write(encoder, points));
  }

  private static double write(MessageEncoder encoder, RollupPoint[] points) {
    double written = 0;
    for (int time = 0; time < TIMES; time++) {
      for (RollupPoint point : points) {
        written += Math.min(1, encoder.encode(point, 0).size());
      }
    }
    return written;
  }

  private static double loop(byte[][] messages) {
    int hash = 0;
    double count = 0;
    for (int time = 0; time < TIMES; time++) {
      for (byte[] message : messages) {
        for (byte b : message) {
          hash = 31 * hash + b;
        }
        count++;
      }
    }
    // Far below the tolerance of the comparison: it keeps the compiler from leaving the loop out.
    return count + hash * 0x1p-60;
  }
}
