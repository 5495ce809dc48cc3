package io.tsdbsuite.bench;

import io.tsdbsuite.message.write.RollupPoint;
import java.nio.charset.StandardCharsets;

/** Makes hourly rollups of 60 points. */
public final class BenchRollup {
  private BenchRollup() {}

  /**
   * A rollup.
   *
   * @param timestamp start of the hour, seconds since the epoch
   * @param sum of the points' values
   * @param tags keys and values by turns
   */
  public static RollupPoint of(
      String metric, long timestamp, double sum, double min, double max, String... tags) {
    RollupPoint point = new RollupPoint();
    point.metric().set(bytes(metric));
    for (int i = 0; i < tags.length; i += 2) {
      int tag = point.addTag();
      point.tagKey(tag).set(bytes(tags[i]));
      point.tagValue(tag).set(bytes(tags[i + 1]));
    }
    point.sortTags();
    point.set(timestamp, "1h", sum, min, max, 60);
    return point;
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.ISO_8859_1);
  }
}
