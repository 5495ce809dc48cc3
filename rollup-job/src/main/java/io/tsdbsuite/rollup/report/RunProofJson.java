package io.tsdbsuite.rollup.report;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/** A {@link RunProof} as JSON, in manifests and reports. */
public final class RunProofJson {
  private RunProofJson() {}

  /** Writes the proof into an empty object. */
  public static void write(ObjectNode node, RunProof proof) {
    node.put("readAsOf", proof.readAsOf().toString());
    proof.gaps().forEach(node.putArray("gaps")::add);
    proof.oddMetrics().forEach(node.putArray("oddMetrics")::add);
    RunProof.Refresh refresh = proof.refresh();
    if (refresh != null) {
      node.putObject("refresh")
          .put("from", refresh.from().toString())
          .put("since", refresh.since().toString());
    }
  }

  /**
   * Reads a proof.
   *
   * @throws IOException when it is damaged; the message gives the reason
   */
  public static RunProof read(JsonNode node) throws IOException {
    List<String> gaps = new ArrayList<>();
    need(node, "gaps").forEach(gap -> gaps.add(gap.asText()));
    List<Long> oddMetrics = new ArrayList<>();
    need(node, "oddMetrics").forEach(uid -> oddMetrics.add(uid.asLong()));
    JsonNode refresh = node.path("refresh");
    return new RunProof(
        time(node, "readAsOf"),
        List.copyOf(gaps),
        List.copyOf(oddMetrics),
        refresh.isObject()
            ? new RunProof.Refresh(time(refresh, "from"), time(refresh, "since"))
            : null);
  }

  private static Instant time(JsonNode node, String key) throws IOException {
    String text = need(node, key).asText();
    try {
      return Instant.parse(text);
    } catch (DateTimeException e) {
      throw new IOException("'" + key + "' must be a time, found " + text, e);
    }
  }

  private static JsonNode need(JsonNode node, String key) throws IOException {
    JsonNode value = node.get(key);
    if (value == null || value.isNull()) {
      throw new IOException("'" + key + "' must be there, found nothing");
    }
    return value;
  }
}
