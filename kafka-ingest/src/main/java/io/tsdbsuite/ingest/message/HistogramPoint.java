package io.tsdbsuite.ingest.message;

import java.util.Map;

/** {@code "type":"Histogram"}: an encoded histogram, or the buckets of a simple one. */
public final class HistogramPoint extends Element {
  private final int id;
  private final String value;
  private final Map<String, Long> buckets;
  private final long underflow;
  private final long overflow;

  HistogramPoint(Fields fields) {
    super(fields);
    this.id = fields.id;
    this.value = fields.value;
    this.buckets = fields.buckets;
    this.underflow = fields.underflow;
    this.overflow = fields.overflow;
  }

  /** The codec, 0..255, as the TSD's configuration numbers it; of use with {@link #value()}. */
  public int id() {
    return id;
  }

  /** The encoded histogram in base64; null if there are buckets. */
  public String value() {
    return value;
  }

  /** {@code lower,upper} to count; null if there is a value. */
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
