package io.tsdbsuite.message.read;

import io.tsdbsuite.message.Origin;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** {@code "type":"Metric"}: one raw point. */
public final class MetricElement extends SeriesElement {
  private final String value;
  private final @Nullable Origin origin;

  MetricElement(ElementFields fields) throws BadMessageException {
    super(fields);
    this.value = fields.value();
    this.origin = fields.origin;
  }

  MetricElement(
      int from,
      int to,
      int index,
      String metric,
      Map<String, String> tags,
      long timestamp,
      String value,
      @Nullable Origin origin) {
    super(from, to, index, metric, tags, timestamp);
    this.value = value;
    this.origin = origin;
  }

  /** The number's text in the message. */
  public String value() {
    return value;
  }

  /**
   * The way in which the TSD that requeued or published the point received it; null if it is not in
   * the message.
   */
  public @Nullable Origin origin() {
    return origin;
  }

  @Override
  public int points() {
    return 1;
  }
}
