package io.tsdbsuite.synthetic.text;

import io.tsdbsuite.synthetic.SyntheticNames;
import io.tsdbsuite.synthetic.SyntheticShape;
import io.tsdbsuite.synthetic.Times;
import io.tsdbsuite.synthetic.UsageException;
import io.tsdbsuite.synthetic.ValueGenerator;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;

/**
 * The points of a shape as text, one a line. Any lines can be written by themselves, by several
 * threads at the same time.
 */
public final class SyntheticText {
  private final SyntheticShape shape;
  private final LineFormat format;
  private final LineOrder order;
  private final long window;
  private final byte[][] heads;
  private final byte[][] tails;

  /**
   * @param window lines that are shuffled among themselves, at least 1; {@link Long#MAX_VALUE} to
   *     shuffle all; without meaning for other orders
   * @throws UsageException when the window is too small
   */
  public SyntheticText(SyntheticShape shape, LineFormat format, LineOrder order, long window) {
    if (window < 1) {
      throw new UsageException("the window must be at least 1 line, found " + window);
    }
    this.shape = shape;
    this.format = format;
    this.order = order;
    this.window = Math.min(window, shape.points());
    heads = new byte[shape.series()][];
    tails = new byte[shape.series()][];
    SyntheticNames names = new SyntheticNames(shape);
    for (int i = 0; i < heads.length; i++) {
      heads[i] = bytes(format.head(names.metric(i), names.tags(i)));
      tails[i] = bytes(format.tail(names.tags(i)));
    }
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  /** Format of the lines. */
  public LineFormat format() {
    return format;
  }

  /** Number of lines. */
  public long lines() {
    return shape.points();
  }

  /**
   * Writes lines; does not flush or close the stream.
   *
   * @param from first line, from 0
   * @param to the line after the last one
   * @return bytes written
   */
  public long write(OutputStream out, long from, long to) throws IOException {
    LineWriter writer = new LineWriter(format, shape.inMillis(), heads, tails, out);
    LinePlan plan = new LinePlan(shape, order, window);
    Times times = new Times(shape);
    ValueGenerator source = ValueGenerator.of(shape);
    long[] number = new long[1];
    byte[] kind = new byte[1];
    for (long line = from; line < to; line++) {
      plan.find(line);
      int series = plan.series();
      long point = plan.point();
      source.fill(series, point, 1, number, kind);
      writer.line(series, times.at(series, point), number[0], kind[0]);
    }
    writer.flush();
    return writer.written();
  }
}
