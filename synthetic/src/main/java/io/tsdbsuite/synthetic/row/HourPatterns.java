package io.tsdbsuite.synthetic.row;

import io.tsdbsuite.synthetic.SyntheticShape;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The patterns met so far: one for most intervals, more if the interval does not divide an hour.
 */
final class HourPatterns {
  private static final int MOST = 64;

  private final long interval;
  private final boolean millis;
  private final Map<Long, HourPattern> known = new HashMap<>();
  private @Nullable HourPattern last;

  HourPatterns(SyntheticShape shape) {
    interval = shape.intervalMillis();
    millis = shape.inMillis();
  }

  /**
   * @param first offset of the first point, ms
   */
  HourPattern of(int first, int points) {
    if (last == null || !last.is(first, points)) {
      if (known.size() == MOST) {
        known.clear();
      }
      last =
          known.computeIfAbsent(
              (long) first << 32 | points, key -> new HourPattern(first, interval, points, millis));
    }
    return last;
  }
}
