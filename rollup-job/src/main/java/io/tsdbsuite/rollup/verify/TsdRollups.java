package io.tsdbsuite.rollup.verify;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tsdbsuite.job.JobException;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.regex.Pattern;

/**
 * Queries a TSD for the rollups of one series, from the rollup table only ({@code
 * ROLLUP_NOFALLBACK}). For one thread.
 */
public final class TsdRollups {
  private static final Duration CONNECT = Duration.ofSeconds(10);
  private static final Duration ANSWER = Duration.ofMinutes(5);
  private static final int TRIES = 3;
  private static final int TOO_MANY = 429;
  private static final int BAD_GATEWAY = 502;
  private static final int OK = 200;
  private static final int NO_CONTENT = 204;
  private static final int MESSAGE_LENGTH = 500;
  private static final Pattern NO_NAME = Pattern.compile("No such name for '");
  private static final ObjectMapper MAPPER = new ObjectMapper();

  private final URI tsd;
  private final URI query;
  private final HttpClient client;
  private final long from;
  private final long to;

  /**
   * @param tsd {@code http://host:4242}, optionally with a path
   * @param from first instant, seconds since the epoch
   * @param to last instant, exclusive
   */
  public TsdRollups(URI tsd, long from, long to) {
    this.tsd = tsd;
    this.query = URI.create(tsd.toString().replaceAll("/+$", "") + "/api/query");
    this.client =
        HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1)
            .connectTimeout(CONNECT)
            .build();
    this.from = from;
    this.to = to;
  }

  /**
   * Returns the values of one aggregator of a series by interval start, seconds since the epoch.
   *
   * @param tags all tags of the series; series with additional tags are excluded
   * @param interval as rollup_config.json writes it
   * @return an empty map when the TSD does not know the metric or a tag
   * @throws JobException bad input, when the TSD refuses the query; outside, when it does not
   *     answer
   */
  public SortedMap<Long, Double> ask(
      String metric, Map<String, String> tags, String interval, String aggregator) {
    ObjectNode body = MAPPER.createObjectNode();
    body.put("start", from);
    // The TSD adds one second to every end; with the first second of the next hour it would read
    // that hour's row.
    body.put("end", to - 2);
    ObjectNode sub = body.putArray("queries").addObject();
    sub.put("metric", metric);
    sub.put("aggregator", "none");
    sub.put("downsample", interval + "-" + aggregator);
    sub.put("rollupUsage", "ROLLUP_NOFALLBACK");
    ArrayNode filters = sub.putArray("filters");
    tags.forEach(
        (tagk, tagv) ->
            filters
                .addObject()
                .put("type", "literal_or")
                .put("tagk", tagk)
                .put("filter", tagv)
                .put("groupBy", false));
    return values(post(body), tags);
  }

  private SortedMap<Long, Double> values(JsonNode answer, Map<String, String> tags) {
    SortedMap<Long, Double> values = new TreeMap<>();
    for (JsonNode series : answer) {
      if (!tags(series.path("tags")).equals(tags)) {
        continue;
      }
      for (Map.Entry<String, JsonNode> point : series.path("dps").properties()) {
        long time = Long.parseLong(point.getKey());
        if (time >= from && time < to) {
          // Parsed from text, because NaN and infinite values are strings in JSON.
          values.put(time, Double.valueOf(point.getValue().asText()));
        }
      }
    }
    return values;
  }

  private static Map<String, String> tags(JsonNode node) {
    Map<String, String> tags = new TreeMap<>();
    node.properties().forEach(tag -> tags.put(tag.getKey(), tag.getValue().asText()));
    return tags;
  }

  private JsonNode post(ObjectNode body) {
    HttpRequest request =
        HttpRequest.newBuilder(query)
            .timeout(ANSWER)
            .header("Content-Type", "application/json")
            .POST(HttpRequest.BodyPublishers.ofString(body.toString()))
            .build();
    String why = "";
    for (int i = 0; i < TRIES; i++) {
      try {
        HttpResponse<String> response = client.send(request, HttpResponse.BodyHandlers.ofString());
        int status = response.statusCode();
        if (status == OK || status == NO_CONTENT) {
          return status == OK ? MAPPER.readTree(response.body()) : MAPPER.createArrayNode();
        }
        String message = message(response.body());
        if (NO_NAME.matcher(message).find()) {
          return MAPPER.createArrayNode();
        }
        why = "status " + status + ": " + message;
        if (status < BAD_GATEWAY && status != TOO_MANY) {
          throw JobException.badInput("the TSD " + tsd + " refuses the query " + body + ": " + why);
        }
      } catch (IOException e) {
        why = e.getMessage() == null ? e.toString() : e.getMessage();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw JobException.outside("interrupted while the TSD " + tsd + " was asked", e);
      }
    }
    throw JobException.outside(
        "the TSD " + tsd + " does not answer, asked " + TRIES + " times: " + why);
  }

  private static String message(String body) {
    String message = body;
    try {
      message = MAPPER.readTree(body).at("/error/message").asText(body);
    } catch (IOException e) {
      // Not JSON: the message shows the answer unchanged.
    }
    return message.length() > MESSAGE_LENGTH ? message.substring(0, MESSAGE_LENGTH) : message;
  }
}
