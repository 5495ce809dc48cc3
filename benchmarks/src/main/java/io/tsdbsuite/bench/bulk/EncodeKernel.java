package io.tsdbsuite.bench.bulk;

import io.tsdbsuite.bench.measure.KernelRun;
import io.tsdbsuite.synthetic.SyntheticShape;
import io.tsdbsuite.synthetic.row.SyntheticRow;
import io.tsdbsuite.synthetic.row.SyntheticRows;
import java.util.ArrayList;
import java.util.List;

/** Measures encoding of the published test's rows; discards the rows. */
final class EncodeKernel {
  private static final byte[] EDGE = {};

  private EncodeKernel() {}

  static void run(long days, int threads) throws Exception {
    SyntheticShape shape = Shapes.seconds("encoded", days);
    SyntheticRows rows = new SyntheticRows(shape, Keys.ROW_KEY, Keys.templates(shape.series()));
    List<byte[]> edges = new ArrayList<>();
    edges.add(EDGE);
    edges.addAll(rows.cuts(threads));
    edges.add(EDGE);
    long begin = System.nanoTime();
    long points =
        Threads.run(edges.size() - 1, share -> drain(rows, edges.get(share), edges.get(share + 1)));
    double seconds = (System.nanoTime() - begin) / 1e9;
    if (points != shape.points()) {
      throw new IllegalStateException(
          "rows must have " + shape.points() + " points, found " + points);
    }
    System.out.println(KernelRun.line("points", (double) points));
    System.out.println(KernelRun.line("seconds", seconds));
  }

  private static long drain(SyntheticRows rows, byte[] from, byte[] to) {
    long points = 0;
    SyntheticRows.Source source = rows.open(from, to);
    for (SyntheticRow row = source.next(); row != null; row = source.next()) {
      points += row.points();
    }
    return points;
  }
}
