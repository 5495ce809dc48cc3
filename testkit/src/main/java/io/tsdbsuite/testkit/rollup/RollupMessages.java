package io.tsdbsuite.testkit.rollup;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Collects rollup messages of both formats (docs/rollup-message.md) and JSON lines, like a consumer
 * in which the last message of a series and interval wins.
 */
public final class RollupMessages {
  private static final ObjectMapper MAPPER = new ObjectMapper();

  /** The version with several rollups in one object. */
  private static final int ARRAYS = 3;

  private static final Map<String, Integer> SECONDS =
      Map.of("1m", 60, "10m", 600, "1h", 3600, "1d", 86_400);

  /** The aggregators of the format {@code aggregate}. */
  private enum Aggregator {
    SUM,
    MIN,
    MAX,
    COUNT
  }

  private final SortedMap<RollupKey, Map<Aggregator, Double>> received = new TreeMap<>();
  private final List<RollupKey> repeated = new ArrayList<>();
  private final List<RollupKey> takenBack = new ArrayList<>();
  private long messages;

  /**
   * Adds a message or a line: an object, or an array of objects.
   *
   * @param json its text, UTF-8
   * @throws IllegalArgumentException when a field is missing or invalid
   */
  public void add(byte[] json) {
    JsonNode node;
    try {
      node = MAPPER.readTree(json);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    messages++;
    if (node.isArray()) {
      node.forEach(this::add);
    } else {
      add(node);
    }
  }

  private void add(JsonNode node) {
    if (node.path("v").asInt() == ARRAYS) {
      addArrays(node);
      return;
    }
    RollupKey key = key(node);
    String type = node.path("type").asText("line");
    Map<Aggregator, Double> values =
        received.computeIfAbsent(key, k -> new EnumMap<>(Aggregator.class));
    if (type.equals("Aggregate")) {
      Aggregator aggregator =
          Aggregator.valueOf(required(node, "aggregator").asText().toUpperCase(Locale.ROOT));
      put(key, values, aggregator, required(node, "value"));
      return;
    }
    JsonNode stated = required(node, "values");
    if (stated.isObject() && stated.isEmpty()) {
      received.remove(key);
      takenBack.add(key);
      return;
    }
    for (Aggregator aggregator : Aggregator.values()) {
      JsonNode value = required(stated, aggregator.name().toLowerCase(Locale.ROOT));
      put(key, values, aggregator, value);
    }
  }

  /** Adds each rollup of version 3 as one of version 1. */
  private void addArrays(JsonNode node) {
    JsonNode columns = node.path("values");
    for (int i = 0; i < columns.path("sum").size(); i++) {
      ObjectNode one = one(node, node.path("at").path(i).asInt(i));
      ObjectNode values = one.putObject("values");
      for (Map.Entry<String, JsonNode> column : columns.properties()) {
        values.set(column.getKey(), required(column.getValue(), i));
      }
      add(one);
    }
    for (JsonNode gone : node.path("gone")) {
      ObjectNode one = one(node, gone.intValue());
      one.putObject("values");
      add(one);
    }
  }

  private static ObjectNode one(JsonNode node, int intervals) {
    ObjectNode one = MAPPER.createObjectNode().put("type", "Rollup");
    one.set("metric", required(node, "metric"));
    one.set("tags", required(node, "tags"));
    Integer seconds = SECONDS.get(required(node, "interval").asText());
    if (seconds == null) {
      throw new IllegalArgumentException("interval must be one of " + SECONDS + ": " + node);
    }
    long start = required(node, "timestamp").longValue();
    return one.put("timestamp", start + (long) seconds * intervals);
  }

  private static JsonNode required(JsonNode column, int index) {
    JsonNode value = column.get(index);
    if (value == null) {
      throw new IllegalArgumentException("no value " + index + " in " + column);
    }
    return value;
  }

  private void put(
      RollupKey key, Map<Aggregator, Double> values, Aggregator aggregator, JsonNode value) {
    if (!value.isNumber()) {
      throw new IllegalArgumentException(aggregator + " of " + key + " is no number: " + value);
    }
    if (values.put(aggregator, value.doubleValue()) != null) {
      repeated.add(key);
    }
  }

  private static RollupKey key(JsonNode node) {
    SortedMap<String, String> tags = new TreeMap<>();
    required(node, "tags").properties().forEach(t -> tags.put(t.getKey(), t.getValue().asText()));
    return new RollupKey(
        required(node, "metric").asText(), tags, required(node, "timestamp").longValue());
  }

  private static JsonNode required(JsonNode node, String field) {
    JsonNode value = node.get(field);
    if (value == null) {
      throw new IllegalArgumentException("message has no " + field + ": " + node);
    }
    return value;
  }

  /**
   * The final rollups of a consumer.
   *
   * @return the values of each series and interval
   * @throws IllegalStateException when one lacks an aggregator
   */
  public SortedMap<RollupKey, RollupValues> rollups() {
    SortedMap<RollupKey, RollupValues> all = new TreeMap<>();
    received.forEach(
        (key, values) -> {
          Double sum = values.get(Aggregator.SUM);
          Double min = values.get(Aggregator.MIN);
          Double max = values.get(Aggregator.MAX);
          Double count = values.get(Aggregator.COUNT);
          if (sum == null || min == null || max == null || count == null) {
            throw new IllegalStateException(key + " has only " + values.keySet());
          }
          all.put(key, new RollupValues(sum, min, max, count.longValue()));
        });
    return all;
  }

  /**
   * Series and intervals with more than one message.
   *
   * @return a view
   */
  public List<RollupKey> repeated() {
    return Collections.unmodifiableList(repeated);
  }

  /**
   * Series and intervals whose rollups were retracted by messages without values.
   *
   * @return a view
   */
  public List<RollupKey> takenBack() {
    return Collections.unmodifiableList(takenBack);
  }

  /**
   * The number of messages.
   *
   * @return messages or lines
   */
  public long messages() {
    return messages;
  }
}
