package io.tsdbsuite.bulk.series;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** A series with legal names whose UIDs are not resolved yet. */
public final class NewSeries {
  private final String metric;
  private final List<String> tags;
  private byte @Nullable [] template;
  private @Nullable SeriesRefusal refusal;

  /**
   * @param tags keys and values in turn, at least one pair, no key twice
   */
  public NewSeries(String metric, List<String> tags) {
    this.metric = metric;
    this.tags = tags;
  }

  /** Name of the metric. */
  public String metric() {
    return metric;
  }

  /** Keys and values in turn. */
  public List<String> tags() {
    return tags;
  }

  /** Sets the row key, salt included, with a base time of 0. */
  public void resolved(byte[] rowKeyTemplate) {
    this.template = rowKeyTemplate;
  }

  /** Marks the series as refused. */
  public void refused(SeriesRefusal why) {
    this.refusal = why;
  }

  /** Row key with a base time of 0; null until it is resolved. */
  public byte @Nullable [] template() {
    return template;
  }

  /** Why it was refused; null if it was not. */
  public @Nullable SeriesRefusal refusal() {
    return refusal;
  }
}
