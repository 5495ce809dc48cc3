package io.tsdbsuite.bulk.run;

import java.util.List;

/**
 * Ranges whose rows may be lost or outdated.
 *
 * @param ranges their numbers
 * @param why the reason, for messages; empty if there are none
 */
record StaleRanges(List<Integer> ranges, String why) {
  /** No ranges. */
  static final StaleRanges NONE = new StaleRanges(List.of(), "");
}
