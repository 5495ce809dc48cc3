package io.tsdbsuite.testkit;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;

/** A client of a TSD's HTTP API for tests. Every error is an exception with the TSD's message. */
public final class TsdClient {
  private static final int BATCH = 500;
  private static final Duration TIMEOUT = Duration.ofMinutes(5);
  private static final Duration LATE = Duration.ofSeconds(45);

  private final ObjectMapper json =
      new ObjectMapper(
          JsonFactory.builder()
              .streamReadConstraints(
                  StreamReadConstraints.builder().maxStringLength(Integer.MAX_VALUE).build())
              .build());
  private final HttpClient http =
      HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).connectTimeout(TIMEOUT).build();
  private final URI base;
  private final Duration late;
  private final Consumer<String> onLate;

  /**
   * A client of one TSD.
   *
   * @param base for example {@code http://127.0.0.1:4242/}
   */
  public TsdClient(URI base) {
    this(base, path -> {});
  }

  /** A client that calls {@code onLate} with a request's path before it waits on. */
  TsdClient(URI base, Consumer<String> onLate) {
    this(base, LATE, onLate);
  }

  TsdClient(URI base, Duration late, Consumer<String> onLate) {
    this.base = base;
    this.late = late;
    this.onLate = onLate;
  }

  /**
   * Writes points and waits until they are stored.
   *
   * @param points the points, sent in batches of 500
   * @throws TsdException when the TSD refused or failed to store any
   */
  public void put(List<DataPoint> points) {
    put(points, BATCH);
  }

  /**
   * Writes points and waits until they are stored.
   *
   * @param points the points
   * @param batch points per request
   * @throws TsdException when the TSD refused or failed to store any
   */
  public void put(List<DataPoint> points, int batch) {
    for (int from = 0; from < points.size(); from += batch) {
      ArrayNode body = json.createArrayNode();
      for (DataPoint point : points.subList(from, Math.min(points.size(), from + batch))) {
        ObjectNode node = body.addObject();
        node.put("metric", point.metric());
        node.put("timestamp", point.timestamp());
        if (point.value() instanceof Long value) {
          node.put("value", value);
        } else if (point.value() instanceof Double value) {
          node.put("value", value);
        } else {
          node.put("value", point.value().toString());
        }
        point.tags().forEach(node.putObject("tags")::put);
      }
      JsonNode answer = post("api/put?details&sync", body);
      if (answer.path("failed").asInt() != 0 || !answer.path("errors").isEmpty()) {
        throw new TsdException(200, "the TSD did not store all points: " + answer);
      }
    }
  }

  /**
   * Writes one histogram.
   *
   * @param metric the metric
   * @param timestamp seconds or milliseconds since the epoch
   * @param buckets "lower,upper" to count
   * @param tags the tags
   * @throws TsdException when the TSD rejected it
   */
  public void putHistogram(
      String metric, long timestamp, Map<String, Long> buckets, Map<String, String> tags) {
    ObjectNode node = json.createObjectNode();
    node.put("metric", metric);
    node.put("timestamp", timestamp);
    node.put("overflow", 0);
    node.put("underflow", 0);
    new TreeMap<>(buckets).forEach(node.putObject("buckets")::put);
    tags.forEach(node.putObject("tags")::put);
    JsonNode answer = post("api/histogram?details&sync", json.createArrayNode().add(node));
    if (answer.path("failed").asInt() != 0 || !answer.path("errors").isEmpty()) {
      throw new TsdException(200, "the TSD did not store the histogram: " + answer);
    }
  }

  /**
   * Writes one annotation.
   *
   * @param tsuid the series, hex
   * @param startTime seconds or milliseconds since the epoch
   * @param description its text
   * @throws TsdException when the TSD refused it
   */
  public void putAnnotation(String tsuid, long startTime, String description) {
    ObjectNode node = json.createObjectNode();
    node.put("tsuid", tsuid);
    node.put("startTime", startTime);
    node.put("description", description);
    post("api/annotation", node);
  }

  /**
   * Writes one rollup point and returns when the TSD has accepted it; it is visible after the next
   * flush.
   *
   * @param point the point
   * @param interval for example {@code 1h}
   * @param aggregator for example {@code sum}
   * @throws TsdException when the TSD refused it
   */
  public void putRollup(DataPoint point, String interval, String aggregator) {
    ObjectNode node = json.createObjectNode();
    node.put("metric", point.metric());
    node.put("timestamp", point.timestamp());
    node.put("value", point.value().toString());
    node.put("interval", interval);
    node.put("aggregator", aggregator);
    point.tags().forEach(node.putObject("tags")::put);
    JsonNode answer = post("api/rollup?details&sync", json.createArrayNode().add(node));
    if (answer.path("failed").asInt() != 0) {
      throw new TsdException(200, "the TSD did not store the rollup: " + answer);
    }
  }

  /**
   * Queries points.
   *
   * @param query the query
   * @return the series; none if there are no points
   * @throws TsdException when the TSD refuses, for example because a metric is not known
   */
  public List<Series> query(QuerySpec query) {
    ObjectNode body = json.createObjectNode();
    body.put("start", query.start());
    body.put("end", query.end());
    body.put("msResolution", true);
    body.put("showTSUIDs", true);
    ObjectNode sub = body.putArray("queries").addObject();
    sub.put("metric", query.metric());
    sub.put("aggregator", query.aggregator());
    query.downsample().ifPresent(value -> sub.put("downsample", value));
    query.rollupUsage().ifPresent(value -> sub.put("rollupUsage", value));
    ArrayNode filters = sub.putArray("filters");
    query
        .tags()
        .forEach(
            (key, value) -> {
              ObjectNode filter = filters.addObject();
              filter.put("type", "literal_or");
              filter.put("tagk", key);
              filter.put("filter", value);
              filter.put("groupBy", false);
            });
    List<Series> found = new ArrayList<>();
    for (JsonNode node : post("api/query", body)) {
      found.add(series(node));
    }
    return found;
  }

  private static Series series(JsonNode node) {
    Map<String, String> tags = new TreeMap<>();
    node.path("tags").properties().forEach(e -> tags.put(e.getKey(), e.getValue().asText()));
    TreeMap<Long, Double> points = new TreeMap<>();
    // asText keeps "NaN" and "Infinity", which are strings in JSON.
    node.path("dps")
        .properties()
        .forEach(e -> points.put(Long.valueOf(e.getKey()), Double.valueOf(e.getValue().asText())));
    return new Series(
        node.path("metric").asText(),
        tags,
        texts(node.path("aggregateTags")),
        texts(node.path("tsuids")),
        points);
  }

  /**
   * Suggests names with a prefix.
   *
   * @param type metrics, tagk or tagv
   * @param start the prefix; empty for all names
   * @param max maximum number of names
   * @return the names, sorted
   */
  public List<String> suggest(String type, String start, int max) {
    return texts(get("api/suggest?type=" + type + "&max=" + max + "&q=" + encoded(start)));
  }

  /**
   * The TSD's own metrics.
   *
   * @return value by name and tags ("name key=value ..."), without the host tag
   */
  public Map<String, String> stats() {
    Map<String, String> stats = new TreeMap<>();
    for (JsonNode stat : get("api/stats")) {
      StringBuilder name = new StringBuilder(stat.path("metric").asText());
      Map<String, String> tags = new TreeMap<>();
      stat.path("tags").properties().forEach(e -> tags.put(e.getKey(), e.getValue().asText()));
      tags.remove("host");
      tags.forEach((key, value) -> name.append(' ').append(key).append('=').append(value));
      stats.put(name.toString(), stat.path("value").asText());
    }
    return stats;
  }

  /** Clears the TSD's UID caches. */
  public void dropCaches() {
    get("api/dropcaches");
  }

  /**
   * The version that the TSD reports.
   *
   * @return "BuildData" for the published 2.4.1, which was built without a version
   */
  public String version() {
    return get("api/version").path("version").asText();
  }

  /**
   * Any GET of the API.
   *
   * @param path path and query, without the first slash
   * @return the JSON answer; missing if it is empty
   * @throws TsdException when the status is not 2xx
   */
  public JsonNode get(String path) {
    return send(path, HttpRequest.newBuilder(base.resolve(path)).GET());
  }

  /**
   * Any POST of the API.
   *
   * @param path path and query, without the first slash
   * @param body the JSON body
   * @return the JSON answer; missing if it is empty
   * @throws TsdException when the status is not 2xx
   */
  public JsonNode post(String path, JsonNode body) {
    try {
      return send(
          path,
          HttpRequest.newBuilder(base.resolve(path))
              .header("Content-Type", "application/json; charset=UTF-8")
              // The header that kafka-ingest requires for requests with effects.
              .header("X-Requested-By", "testkit")
              .POST(HttpRequest.BodyPublishers.ofByteArray(json.writeValueAsBytes(body))));
    } catch (JsonProcessingException e) {
      throw new UncheckedIOException(e);
    }
  }

  private JsonNode send(String path, HttpRequest.Builder request) {
    try {
      CompletableFuture<HttpResponse<byte[]>> sent =
          http.sendAsync(request.timeout(TIMEOUT).build(), HttpResponse.BodyHandlers.ofByteArray());
      HttpResponse<byte[]> answer;
      try {
        answer = sent.get(late.toMillis(), TimeUnit.MILLISECONDS);
      } catch (TimeoutException e) {
        onLate.accept(path);
        answer = sent.get();
      }
      if (answer.statusCode() / 100 != 2) {
        throw new TsdException(
            answer.statusCode(),
            path + " answered " + answer.statusCode() + ": " + errorText(answer.body()));
      }
      return json.readTree(answer.body());
    } catch (ExecutionException e) {
      IOException cause = e.getCause() instanceof IOException io ? io : new IOException(e);
      throw new UncheckedIOException(base.resolve(path) + " did not answer", cause);
    } catch (IOException e) {
      throw new UncheckedIOException(base.resolve(path) + " cannot be read", e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new ServerException("interrupted while " + path + " was asked", e);
    }
  }

  private String errorText(byte[] body) throws IOException {
    String text = new String(body, StandardCharsets.UTF_8);
    try {
      JsonNode error = json.readTree(body).path("error");
      if (!error.has("message")) {
        return text;
      }
      String message = error.path("message").asText();
      String details = error.path("details").asText();
      // The TSD's own errors have no details; Java's errors repeat the message there.
      return details.equals(message) ? message : message + " " + details;
    } catch (JsonProcessingException e) {
      return text;
    }
  }

  private static List<String> texts(JsonNode array) {
    List<String> texts = new ArrayList<>();
    array.forEach(node -> texts.add(node.asText()));
    return texts;
  }

  private static String encoded(String text) {
    return URLEncoder.encode(text, StandardCharsets.UTF_8);
  }
}
