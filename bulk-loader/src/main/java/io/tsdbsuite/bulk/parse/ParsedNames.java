package io.tsdbsuite.bulk.parse;

import io.tsdbsuite.bulk.report.RejectReason;
import java.util.List;

/** The parsed names of a series, or the reason why they are refused. */
public sealed interface ParsedNames {
  /**
   * Names that a TSD accepts.
   *
   * @param tags keys and values in turn, in the order of the input, at least one pair, no key twice
   */
  record Accepted(String metric, List<String> tags) implements ParsedNames {
    /** Copies the tags. */
    public Accepted {
      tags = List.copyOf(tags);
    }
  }

  /**
   * Names that a TSD refuses.
   *
   * @param detail the rule and the value found
   */
  record Refused(RejectReason reason, String detail) implements ParsedNames {}
}
