package io.tsdbsuite.rollup.load;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tsdbsuite.coverage.CoverageWindow;
import java.time.Instant;
import java.util.List;

/**
 * What a load, or {@code coverage add}, has written into the coverage table.
 *
 * @param table its name
 * @param windows written by this load or by an earlier one of the run
 * @param reason why there are none; otherwise empty
 * @param incomplete whether the reason is that rollups of the run are not in the tables
 * @param notes which windows of further aggregators are not written, and why; one sentence each
 */
public record CoverageOutcome(
    String table,
    List<CoverageWindow> windows,
    String reason,
    boolean incomplete,
    List<String> notes) {
  /** What was written, or why nothing was. */
  public CoverageOutcome(String table, List<CoverageWindow> windows, String reason) {
    this(table, windows, reason, false, List.of());
  }

  /** Nothing was written. */
  public static CoverageOutcome none(String table, String reason) {
    return new CoverageOutcome(table, List.of(), reason);
  }

  /** What was written, one line for each window, or why nothing was. */
  public List<String> lines() {
    return reason.isEmpty()
        ? windows.stream().map(CoverageOutcome::text).toList()
        : List.of("none: " + reason);
  }

  /** A window for people. */
  static String text(CoverageWindow window) {
    String times =
        "%s, %s to %s, as of %s%s"
            .formatted(
                window.interval(),
                Instant.ofEpochSecond(window.from()),
                Instant.ofEpochSecond(window.to()),
                Instant.ofEpochMilli(window.asOf()),
                window.metrics().equals("*") ? "" : ", metrics " + window.metrics());
    return window.isRefresh()
        ? times + ", changes since " + Instant.ofEpochMilli(window.since())
        : times;
  }

  /** As fields of an empty JSON object; docs/rollup-job.md describes them. */
  public void write(ObjectNode node) {
    node.put("table", table);
    node.put("reason", reason);
    if (!notes.isEmpty()) {
      notes.forEach(node.putArray("notes")::add);
    }
    if (incomplete) {
      node.put("incomplete", true);
    }
    ArrayNode array = node.putArray("windows");
    for (CoverageWindow window : windows) {
      ObjectNode each = array.addObject();
      each.put("interval", window.interval());
      each.put("from", Instant.ofEpochSecond(window.from()).toString());
      each.put("to", Instant.ofEpochSecond(window.to()).toString());
      each.put("metrics", window.metrics());
      each.put("asOf", Instant.ofEpochMilli(window.asOf()).toString());
      if (window.isRefresh()) {
        each.put("changesSince", Instant.ofEpochMilli(window.since()).toString());
      }
      if (window.expires() != CoverageWindow.NEVER) {
        each.put("expires", Instant.ofEpochMilli(window.expires()).toString());
      }
    }
  }
}
