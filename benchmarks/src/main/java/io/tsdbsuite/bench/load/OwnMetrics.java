package io.tsdbsuite.bench.load;

/** What the generator says of itself each round: its parameters and its rate. */
final class OwnMetrics {
  /** Points per round. */
  static final int COUNT = 5;

  private static final int RATE = 4;
  private static final int THOUSAND = 1000;
  private static final byte[] KEY = Protocol.bytes("generator");
  private static final byte[] VALUE = Protocol.bytes("load-generator");

  private final byte[][] names = {
    Protocol.bytes("loadtest.metrics"),
    Protocol.bytes("loadtest.tagks"),
    Protocol.bytes("loadtest.tagvs"),
    Protocol.bytes("loadtest.sleep"),
    Protocol.bytes("loadtest.rate"),
  };
  private final long[] thousandths;
  private volatile long rate;

  /**
   * Own metrics of a load.
   *
   * @param sleepMillis told in seconds
   */
  OwnMetrics(LoadShape shape, long sleepMillis) {
    thousandths =
        new long[] {
          (long) shape.metrics() * THOUSAND,
          (long) shape.tagks() * THOUSAND,
          (long) shape.tagvs() * THOUSAND,
          sleepMillis,
        };
  }

  /**
   * Tells what the rounds bring.
   *
   * @param pointsPerSecond since the round before
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
