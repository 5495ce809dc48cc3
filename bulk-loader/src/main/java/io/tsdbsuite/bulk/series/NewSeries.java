package io.tsdbsuite.bulk.series;

import io.tsdbsuite.bulk.report.RejectReason;
import java.util.List;

/** A series whose names are legal, on its way to its UIDs. */
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

  /** It has UIDs: its row key, salt included, with a base time of 0. */
  public void resolved(byte[] rowKeyTemplate) {
    this.template = rowKeyTemplate;
  }

  /** It cannot be loaded. */
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

  /** The rule and what was found. */
  public String detail() {
    return detail;
  }
}
