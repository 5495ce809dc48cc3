package io.tsdbsuite.rollup.it;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tsdbsuite.testkit.Await;
import io.tsdbsuite.testkit.DataPoint;
import io.tsdbsuite.testkit.Stack;
import io.tsdbsuite.testkit.TsdClient;
import io.tsdbsuite.testkit.TsdServer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Raw data of four days around the rollup row that begins two days ago, rollups of it up to
 * different hours, and TSDs that split queries at a chosen instant of that row.
 *
 * <p>delaySla counts from the TSD's clock, so each TSD's is worked out from the instant. Instants
 * are half past an hour: a test has half an hour before its split point reaches the next bucket.
 *
 * <p>A raw bucket of an hour has the sum {@link #RAW}, a rollup {@link #ROLLUP}: an answer shows
 * where it comes from.
 */
final class SplitData {
  static final long HOUR = 3600;
  static final long DAY = 24 * HOUR;
  static final double RAW = 6;
  static final double ROLLUP = 1000;

  /** Start of the row that holds the split point, seconds since the epoch. */
  final long row;

  private final Stack stack;
  private final String tables;
  private final String interval;
  private final String rowSpan;
  private final ObjectMapper json = new ObjectMapper();

  /** One bucket of an answer; hours since {@link #row}. */
  record Bucket(long hour, double value) {}

  SplitData(Stack stack, String tables, String interval, String rowSpan, long row) {
    this.stack = stack;
    this.tables = tables;
    this.interval = interval;
    this.rowSpan = rowSpan;
    this.row = row;
  }

  /** A TSD whose split point is that many hours after {@link #row}, now. */
  TsdServer tsd(String name, double splitHour) throws Exception {
    long split = row + Math.round(splitHour * HOUR);
    long delaySla = System.currentTimeMillis() / 1000 - split;
    Map<String, String> conf = new HashMap<>(CorrectnessIT.conf(tables));
    conf.put("tsd.rollups.enable", "true");
    conf.put("tsd.rollups.split_query.enable", "true");
    conf.put("tsd.rollups.config", rollupConfig(delaySla));
    return stack.startTsd(name, conf);
  }

  private String rollupConfig(long delaySla) {
    ObjectNode config = json.createObjectNode();
    config.putObject("aggregationIds").put("sum", 0).put("count", 2).put("min", 3).put("max", 4);
    ArrayNode intervals = config.putArray("intervals");
    interval(intervals, "data", "1m", "1h").put("defaultInterval", true);
    interval(intervals, "rollup", interval, rowSpan).put("delaySla", delaySla + "s");
    return config.toString();
  }

  private ObjectNode interval(ArrayNode all, String table, String width, String span) {
    return all.addObject()
        .put("table", tables + "-" + table)
        .put("preAggregationTable", tables + "-" + table + "-agg")
        .put("interval", width)
        .put("rowSpan", span);
  }

  /** Six points in each hour of two hosts. */
  void putRaw(TsdClient tsd, String metric, long fromHour, long toHour) {
    List<DataPoint> points = new ArrayList<>();
    for (String host : List.of("a", "b")) {
      for (long time = row + fromHour * HOUR; time < row + toHour * HOUR; time += HOUR / 6) {
        points.add(new DataPoint(metric, time + 5, 1L, tags(host)));
      }
    }
    tsd.put(points, 3000);
  }

  /**
   * Sum and count of each interval of two hosts; {@link #awaitBuckets} waits until it can be read.
   */
  void putRollups(TsdClient tsd, String metric, long fromHour, long toHour, long step) {
    ArrayNode body = json.createArrayNode();
    for (long hour = fromHour; hour < toHour; hour += step) {
      for (String host : List.of("a", "b")) {
        rollup(body, metric, host, hour, "count", RAW);
        rollup(body, metric, host, hour, "sum", ROLLUP);
      }
    }
    JsonNode answer = tsd.post("api/rollup?details&sync", body);
    if (answer.path("failed").asInt(-1) != 0) {
      throw new AssertionError("the TSD did not store all rollups: " + answer);
    }
  }

  private void rollup(
      ArrayNode body, String metric, String host, long hour, String aggregator, double value) {
    ObjectNode node = body.addObject();
    node.put("metric", metric).put("timestamp", row + hour * HOUR).put("value", value);
    node.put("interval", interval).put("aggregator", aggregator);
    tags(host).forEach(node.putObject("tags")::put);
  }

  private static Map<String, String> tags(String host) {
    return Map.of("host", host, "dc", "x");
  }

  /** Waits until queries see what was put last. */
  void awaitBuckets(TsdClient tsd, ObjectNode query, long fromHour, long toHour, int buckets) {
    Await.until(
        "the rollups can be read",
        Duration.ofSeconds(20),
        () -> buckets(ask(tsd, query, fromHour, toHour).path(0)).size() == buckets);
  }

  /** A sub-query. */
  ObjectNode query(String metric, String aggregator, String downsample) {
    return json.createObjectNode()
        .put("metric", metric)
        .put("aggregator", aggregator)
        .put("downsample", downsample);
  }

  /** Each series of its own, with any aggregator but none: grouped by every tag key. */
  ObjectNode bySeries(String metric, String downsample) {
    ObjectNode query = query(metric, "sum", downsample);
    ArrayNode filters = query.putArray("filters");
    for (String key : List.of("host", "dc")) {
      filters
          .addObject()
          .put("type", "wildcard")
          .put("tagk", key)
          .put("filter", "*")
          .put("groupBy", true);
    }
    return query;
  }

  /** Answers the series, dps as arrays: an object could not show a time twice. */
  JsonNode ask(TsdClient tsd, ObjectNode query, long fromHour, long toHour) {
    ObjectNode body = json.createObjectNode();
    body.put("start", row + fromHour * HOUR);
    // The TSD adds a second to the end.
    body.put("end", row + toHour * HOUR - 2);
    body.put("showTSUIDs", true);
    body.putArray("queries").add(query);
    return tsd.post("api/query?arrays", body);
  }

  /** The buckets of one series in the order of the answer. */
  List<Bucket> buckets(JsonNode series) {
    List<Bucket> buckets = new ArrayList<>();
    for (JsonNode point : series.path("dps")) {
      buckets.add(
          new Bucket(
              (point.get(0).asLong() - row) / HOUR, Double.parseDouble(point.get(1).asText())));
    }
    return buckets;
  }
}
