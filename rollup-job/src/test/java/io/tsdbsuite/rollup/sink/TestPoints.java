package io.tsdbsuite.rollup.sink;

import io.tsdbsuite.message.write.RollupPoint;
import java.nio.charset.StandardCharsets;

/** Points for tests of sinks. */
final class TestPoints {
  private TestPoints() {}

  /** One hour of {@code metric{host=host}}, with sum = count = 60. */
  static RollupPoint point(String metric, String host) {
    RollupPoint point = new RollupPoint();
    point.metric().set(metric.getBytes(StandardCharsets.ISO_8859_1));
    int tag = point.addTag();
    point.tagKey(tag).set("host".getBytes(StandardCharsets.ISO_8859_1));
    point.tagValue(tag).set(host.getBytes(StandardCharsets.ISO_8859_1));
    point.sortTags();
    byte[] row = (metric + "\0\0\0\0" + host).getBytes(StandardCharsets.ISO_8859_1);
    point.row(row, 0, row.length, metric.length());
    point.set(1763510400, "1h", 60, 1, 1, 60);
    return point;
  }
}
