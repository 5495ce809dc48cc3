package io.tsdbsuite.bulk.cli;

import java.io.PrintWriter;
import java.time.Clock;
import java.util.List;
import java.util.Map;

/**
 * Context of a command besides its options.
 *
 * @param given the options for the report, without secrets
 * @param tsdKeys keys of opentsdb.conf given as options; they override the file's
 */
record Invocation(
    PrintWriter out,
    PrintWriter err,
    Clock clock,
    List<String> given,
    Map<String, String> tsdKeys) {
  void warn(String warning) {
    err.println("bulk-loader: warning: " + warning);
    err.flush();
  }
}
