package io.tsdbsuite.rollup.report;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tsdbsuite.rollup.plan.RawFloors;
import java.io.IOException;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A {@link RunProof} as JSON, in manifests and reports. */
public final class RunProofJson {
  private RunProofJson() {}

  /** Writes the proof into an empty object. */
  public static void write(ObjectNode node, RunProof proof) {
    node.put("readAsOf", proof.readAsOf().toString());
    proof.gaps().forEach(node.putArray("gaps")::add);
    ArrayNode odd = node.putArray("oddMetrics");
    proof.oddMetrics().forEach(each -> odd.add(write(each)));
    if (!proof.oddHistograms().isEmpty()) {
      ArrayNode histograms = node.putArray("oddHistograms");
      proof.oddHistograms().forEach(each -> histograms.add(write(each)));
    }
    ArrayNode refreshes = node.putArray("refreshes");
    for (RunProof.Refresh each : proof.refreshes()) {
      refreshes
          .addObject()
          .put("from", each.from().toString())
          .put("to", each.to().toString())
          .put("since", each.since().toString());
    }
    if (proof.first() != null) {
      node.put("first", proof.first().toString());
      ArrayNode floors = node.putArray("floors");
      for (RawFloors.Floor each : proof.floors()) {
        floors
            .addObject()
            .put("metrics", each.metrics())
            .put("before", Instant.ofEpochSecond(each.before()).toString());
      }
    }
  }

  static ObjectNode write(RunProof.OddMetric odd) {
    return JsonNodeFactory.instance
        .objectNode()
        .put("uid", odd.uid())
        .put("from", odd.from())
        .put("to", odd.to());
  }

  static RunProof.OddMetric readOddMetric(JsonNode odd) throws IOException {
    return new RunProof.OddMetric(
        need(odd, "uid").asLong(), need(odd, "from").asLong(), need(odd, "to").asLong());
  }

  /**
   * Reads a proof.
   *
   * @throws IOException when it is damaged; the message gives the reason
   */
  public static RunProof read(JsonNode node) throws IOException {
    List<String> gaps = new ArrayList<>();
    need(node, "gaps").forEach(gap -> gaps.add(gap.asText()));
    List<RunProof.Refresh> refreshes = new ArrayList<>();
    for (JsonNode refresh : need(node, "refreshes")) {
      refreshes.add(
          new RunProof.Refresh(time(refresh, "from"), time(refresh, "to"), time(refresh, "since")));
    }
    List<RawFloors.Floor> floors = new ArrayList<>();
    for (JsonNode floor : node.path("floors")) {
      floors.add(
          new RawFloors.Floor(
              need(floor, "metrics").asText(), time(floor, "before").getEpochSecond()));
    }
    return new RunProof(
        time(node, "readAsOf"),
        List.copyOf(gaps),
        readOddMetrics(need(node, "oddMetrics")),
        readOddMetrics(node.path("oddHistograms")),
        List.copyOf(refreshes),
        List.copyOf(floors),
        node.has("first") ? time(node, "first") : null);
  }

  private static List<RunProof.OddMetric> readOddMetrics(JsonNode array) throws IOException {
    List<RunProof.OddMetric> metrics = new ArrayList<>();
    for (JsonNode odd : array) {
      metrics.add(readOddMetric(odd));
    }
    return List.copyOf(metrics);
  }

  private static Instant time(JsonNode node, String key) throws IOException {
    String text = need(node, key).asText();
    try {
      return Instant.parse(text);
    } catch (DateTimeException e) {
      throw new IOException("'" + key + "' must be a time, found " + text, e);
    }
  }

  /**
   * A field.
   *
   * @throws IOException when it is absent or null; the message names it
   */
  public static JsonNode need(@Nullable JsonNode node, String key) throws IOException {
    JsonNode value = node == null ? null : node.get(key);
    if (value == null || value.isNull()) {
      throw new IOException("'" + key + "' must be there, found nothing");
    }
    return value;
  }
}
