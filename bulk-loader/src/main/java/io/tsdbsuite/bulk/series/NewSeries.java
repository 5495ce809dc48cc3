package io.tsdbsuite.bulk.series;

import io.tsdbsuite.bulk.report.RejectReason;
import java.util.List;

/** A series with legal names whose UIDs are not resolved yet. */
public final class NewSeries {
  private final String metric;
  private final List<String> tags;
  private byte[] template;
  private RejectReason reason;
  private String detail;

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
  public void refused(RejectReason why, String what) {
    this.reason = why;
    this.detail = what;
  }

  /** Row key with a base time of 0, null if it was refused. */
  public byte[] template() {
    return template;
  }

  /** Why it was refused, null if it was not. */
  public RejectReason reason() {
    return reason;
  }

  /** The rule and the value found. */
  public String detail() {
    return detail;
  }
}
