package io.tsdbsuite.message.read;

import java.util.Map;

/** {@code "type":"Histogram"}: an encoded histogram, or the buckets of a simple one. */
public final class HistogramElement extends Element {
  private final int id;
  private final String value;
  private final Map<String, Long> buckets;
  private final long underflow;
  private final long overflow;

  HistogramElement(ElementFields fields) {
    super(fields);
    this.id = fields.id;
    this.value = fields.value;
    this.buckets = fields.buckets;
    this.underflow = fields.underflow;
    this.overflow = fields.overflow;
  }

  /** Codec of {@link #value()} as numbered in the TSD's configuration, 0 to 255. */
  public int id() {
    return id;
  }

  /** The encoded histogram in base64; null if there are buckets. */
  public String value() {
    return value;
  }

  /** Count by {@code lower,upper}; null if there is a value. */
  public Map<String, Long> buckets() {
    return buckets;
  }

  /** Points below the first bucket. */
  public long underflow() {
    return underflow;
  }

  /** Points above the last bucket. */
  public long overflow() {
    return overflow;
  }

  @Override
  public int points() {
    return 1;
  }
}
