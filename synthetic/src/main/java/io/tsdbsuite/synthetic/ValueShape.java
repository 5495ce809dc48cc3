package io.tsdbsuite.synthetic;

import java.util.Arrays;
import java.util.stream.Collectors;

/** Shape of the values of a synthetic series. */
public enum ValueShape {
  /** Integers that grow with each point, by 8 on average. */
  COUNTER("counter"),
  /** Integers from 0 to 127 that wander. */
  GAUGE_INT("gauge-int"),
  /** Numbers from 0 to 100 that wander, two decimals. */
  GAUGE("gauge"),
  /** Random numbers from -8192 to 8192 that fit a float of 4 bytes without loss. */
  FLOAT("float"),
  /** All types and widths, the extremes of integers among them. */
  MIXED("mixed"),
  /** One integer from 0 to 127 per series, at all times. */
  CONSTANT("constant");

  private final String key;

  ValueShape(String key) {
    this.key = key;
  }

  /** Its name on the command line. */
  public String key() {
    return key;
  }

  /**
   * The shape of this name.
   *
   * @throws UsageException with all names, when there is none
   */
  public static ValueShape of(String key) {
    for (ValueShape shape : values()) {
      if (shape.key.equals(key)) {
        return shape;
      }
    }
    throw new UsageException(
        "values must be one of %s, found '%s'"
            .formatted(
                Arrays.stream(values()).map(ValueShape::key).collect(Collectors.joining(", ")),
                key));
  }
}
