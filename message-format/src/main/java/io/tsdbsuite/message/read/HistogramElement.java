package io.tsdbsuite.message.read;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * An element with {@code "type":"Histogram"}: an encoded histogram, or the buckets of a simple
 * histogram.
 */
public final class HistogramElement extends SeriesElement {
  private final int id;
  private final @Nullable String value;
  private final Map<String, Long> buckets;
  private final long underflow;
  private final long overflow;

  HistogramElement(ElementFields fields) throws BadMessageException {
    super(fields);
    fields.checkHistogram();
    this.id = fields.id;
    this.value = fields.value;
    this.buckets = fields.buckets;
    this.underflow = fields.underflow;
    this.overflow = fields.overflow;
  }

  /** ID of the codec of {@link #value()} in the TSD's configuration, 0 to 255. */
  public int id() {
    return id;
  }

  /** The encoded histogram in base64; null if there are buckets. */
  public @Nullable String value() {
    return value;
  }

  /**
   * Number of points by bucket; a key is {@code lower,upper}, the bounds of the bucket. Empty if
   * the element has only an encoded value.
   */
  public Map<String, Long> buckets() {
    return buckets;
  }

  /** Number of points below the first bucket. */
  public long underflow() {
    return underflow;
  }

  /** Number of points above the last bucket. */
  public long overflow() {
    return overflow;
  }

  @Override
  public int points() {
    return 1;
  }
}
