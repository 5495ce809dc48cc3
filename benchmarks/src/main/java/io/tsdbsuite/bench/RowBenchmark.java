package io.tsdbsuite.bench;

import io.tsdbsuite.format.row.PointBuffer;
import io.tsdbsuite.format.row.PointSummary;
import io.tsdbsuite.format.row.RowException;
import io.tsdbsuite.format.row.RowMerger;
import io.tsdbsuite.format.schema.StorageSchema;
import java.util.Arrays;
import java.util.DoubleSummaryStatistics;
import java.util.Random;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;

/** Aggregates the cells of a row to sum, minimum, maximum and count. One operation is one row. */
@State(Scope.Thread)
public class RowBenchmark {
  /** Points of all rows. Rows alternate, so that the branch predictor cannot learn their values. */
  private static final int POINTS = 1 << 16;

  /** Layout of the rows. */
  @Param public RowShape shape;

  private final RowMerger merger = new RowMerger(StorageSchema.defaults());
  private final PointSummary summary = new PointSummary();
  private BenchRow[] rows;
  private int next;

  /** Creates the rows and checks that both implementations agree on them. */
  @Setup
  public void setUp() throws RowException {
    Random random = new Random(shape.points());
    rows = new BenchRow[Integer.highestOneBit(POINTS / shape.points())];
    Arrays.setAll(rows, i -> shape.row(random));
    for (int i = 0; i < rows.length; i++) {
      DoubleSummaryStatistics first = firstWay();
      next--;
      PointSummary ours = suite();
      if (ours.count() != shape.points()
          || ours.count() != first.getCount()
          || ours.min() != first.getMin()
          || ours.max() != first.getMax()
          || Math.abs(ours.sum() - first.getSum()) > 1e-9 * Math.abs(first.getSum())) {
        throw new IllegalStateException(shape + ": the two ways differ: " + first);
      }
    }
  }

  private BenchRow row() {
    return rows[next++ & (rows.length - 1)];
  }

  /** The suite's aggregation, as in rollup-job. */
  @Benchmark
  public PointSummary suite() throws RowException {
    PointBuffer points = row().merge(merger);
    summary.clear();
    summary.addAll(points, 0, points.size());
    return summary;
  }

  /** The baseline, {@link FirstWay}. */
  @Benchmark
  public DoubleSummaryStatistics firstWay() {
    return FirstWay.summarise(row());
  }
}
