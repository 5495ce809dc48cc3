package io.tsdbsuite.bulk.parse;

import io.tsdbsuite.bulk.report.RejectReason;
import java.util.List;

/**
 * The parsed names of a series, or the reason why they are refused.
 *
 * @param metric the metric, null if refused
 * @param tags keys and values in turn, in the order of the input, no key twice; empty if refused
 * @param reason null if the names are good
 * @param detail the rule and the value found, null if the names are good
 */
public record ParsedNames(String metric, List<String> tags, RejectReason reason, String detail) {
  static ParsedNames of(String metric, List<String> tags) {
    return new ParsedNames(metric, List.copyOf(tags), null, null);
  }

  static ParsedNames refused(RejectReason reason, String detail) {
    return new ParsedNames(null, List.of(), reason, detail);
  }

  /** Whether the series can be loaded, as far as its names are concerned. */
  public boolean isGood() {
    return reason == null;
  }
}
