package io.tsdbsuite.bulk.series;

import io.tsdbsuite.bulk.report.RejectReason;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A series of the input: its names, and later its row key, or why it is refused. */
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

  /**
   * A series that is refused for its names.
   *
   * @param detail the rule and the name found
   */
  public static NewSeries refused(RejectReason reason, String detail) {
    NewSeries series = new NewSeries("", List.of());
    series.refused(new SeriesRefusal(reason, detail));
    return series;
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
