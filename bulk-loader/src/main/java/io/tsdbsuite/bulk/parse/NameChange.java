package io.tsdbsuite.bulk.parse;

import java.util.List;

/** Makes names of OpenTSDB from the names of a source, once for each series. Thread-safe. */
@FunctionalInterface
public interface NameChange {
  /**
   * Changes the names of a series. They are checked by the TSD's rules afterwards.
   *
   * @param metric as the source has it
   * @param tags keys and values in turn
   * @return the names, not checked yet, or why they are refused
   */
  ParsedNames change(String metric, List<String> tags);
}
