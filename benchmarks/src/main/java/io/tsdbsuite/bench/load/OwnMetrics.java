package io.tsdbsuite.bench.load;

import io.tsdbsuite.synthetic.round.PointFormat;
import io.tsdbsuite.synthetic.round.RoundShape;
import io.tsdbsuite.synthetic.round.TextBuffer;

/** Metrics of the generator itself in each round: its parameters and its rate. */
final class OwnMetrics {
  /** Points per round. */
  static final int COUNT = 5;

  private static final int RATE = 4;
  private static final int THOUSAND = 1000;
  private static final byte[] KEY = TextBuffer.bytes("generator");
  private static final byte[] VALUE = TextBuffer.bytes("load-generator");

  private final byte[][] names = {
    TextBuffer.bytes("loadtest.metrics"),
    TextBuffer.bytes("loadtest.tagks"),
    TextBuffer.bytes("loadtest.tagvs"),
    TextBuffer.bytes("loadtest.sleep"),
    TextBuffer.bytes("loadtest.rate"),
  };
  private final long[] thousandths;
  private volatile long rate;

  /**
   * Creates the metrics of a load.
   *
   * @param sleepMillis time between the starts of two rounds, ms; its metric is in seconds
   */
  OwnMetrics(RoundShape shape, long sleepMillis) {
    thousandths =
        new long[] {
          (long) shape.metrics() * THOUSAND,
          (long) shape.tagks() * THOUSAND,
          (long) shape.tagvs() * THOUSAND,
          sleepMillis,
        };
  }

  /**
   * Sets the rate for the next metrics.
   *
   * @param pointsPerSecond rate since the previous round
   */
  void rate(long pointsPerSecond) {
    rate = pointsPerSecond;
  }

  void append(PointFormat format, TextBuffer out, int index, int which, long timestamp) {
    format.point(out, index, names[which], timestamp);
    if (which == RATE) {
      out.decimal(rate);
    } else {
      out.thousandths(thousandths[which]);
    }
    format.tag(out, 0, KEY, VALUE);
    format.endPoint(out);
  }
}
