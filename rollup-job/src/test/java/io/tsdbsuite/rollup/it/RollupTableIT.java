package io.tsdbsuite.rollup.it;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tsdbsuite.testkit.Await;
import io.tsdbsuite.testkit.DataPoint;
import io.tsdbsuite.testkit.TsdClient;
import io.tsdbsuite.testkit.TsdException;
import io.tsdbsuite.testkit.TsdServer;
import java.time.Duration;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Which table a TSD 2.4.1 with rollups of 1h, 6h and 1d reads for a downsampler: the facts of
 * docs/queries.md. Each day of {@link #DAYS} has one raw point, one rollup of 1h, one of 6h and one
 * of 1d, with different sums, so each value of an answer shows the table that it comes from.
 */
class RollupTableIT {
  private static final int DAYS = 90;
  private static final int DAY = 86400;
  private static final String METRIC = "table.choice";
  private static final long RAW = 1;
  private static final double HOURLY = 1e3;
  private static final double OF_SIX_HOURS = 1e5;
  private static final double DAILY = 1e6;
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final long FROM = LocalDate.of(2026, 1, 1).toEpochDay() * DAY;

  private static TsdServer server;
  private static TsdClient tsd;

  @BeforeAll
  static void write() throws Exception {
    Map<String, String> conf = new HashMap<>(CorrectnessIT.conf("choice"));
    conf.put("tsd.rollups.enable", "true");
    conf.put("tsd.rollups.config", config());
    server = SharedStack.get().startTsd("choice", conf);
    tsd = server.client();
    List<DataPoint> points = new ArrayList<>();
    ArrayNode rollups = JSON.createArrayNode();
    for (int day = 0; day < DAYS; day++) {
      long time = FROM + (long) day * DAY;
      points.add(new DataPoint(METRIC, time, RAW, Map.of("host", "a")));
      rollup(rollups, time, "1h", HOURLY);
      rollup(rollups, time, "6h", OF_SIX_HOURS);
      rollup(rollups, time, "1d", DAILY);
    }
    tsd.put(points, DAYS);
    JsonNode answer = tsd.post("api/rollup?details&sync", rollups);
    assertThat(answer.path("failed").asInt(-1)).as("%s", answer).isZero();
    for (String downsample : List.of("1h-sum", "6h-sum", "1d-sum")) {
      Await.until(
          "the rollups can be read",
          Duration.ofSeconds(20),
          () -> values(downsample, "ROLLUP_NOFALLBACK").size() == DAYS);
    }
  }

  @AfterAll
  static void stop() {
    server.stop();
  }

  private static String config() {
    ObjectNode config = JSON.createObjectNode();
    config.putObject("aggregationIds").put("sum", 0).put("count", 2).put("min", 3).put("max", 4);
    ArrayNode intervals = config.putArray("intervals");
    interval(intervals, "data", "1m", "1h").put("defaultInterval", true);
    interval(intervals, "rollup-1h", "1h", "1d");
    interval(intervals, "rollup-6h", "6h", "1n");
    interval(intervals, "rollup-1d", "1d", "1n");
    return config.toString();
  }

  private static ObjectNode interval(ArrayNode all, String table, String width, String span) {
    return all.addObject()
        .put("table", "choice-" + table)
        .put("preAggregationTable", "choice-" + table + "-agg")
        .put("interval", width)
        .put("rowSpan", span);
  }

  private static void rollup(ArrayNode body, long time, String interval, double sum) {
    Map<String, Double> values = Map.of("sum", sum, "count", 1.0, "min", sum, "max", sum);
    values.forEach(
        (aggregator, value) -> {
          ObjectNode node = body.addObject();
          node.put("metric", METRIC).put("timestamp", time).put("value", value);
          node.put("interval", interval).put("aggregator", aggregator);
          node.putObject("tags").put("host", "a");
        });
  }

  private static List<Double> values(String downsample, String usage) {
    ObjectNode body = JSON.createObjectNode();
    body.put("start", FROM);
    // The TSD adds a second to the end.
    body.put("end", FROM + (long) DAYS * DAY - 2);
    ObjectNode query = body.putArray("queries").addObject();
    query.put("metric", METRIC).put("aggregator", "sum").put("downsample", downsample);
    query.put("rollupUsage", usage);
    List<Double> values = new ArrayList<>();
    for (JsonNode series : tsd.post("api/query?arrays", body)) {
      for (JsonNode point : series.path("dps")) {
        values.add(point.get(1).asDouble());
      }
    }
    return values;
  }

  private static String table(double value) {
    if (value >= DAILY) {
      return "1d";
    }
    if (value >= OF_SIX_HOURS) {
      return "6h";
    }
    return value >= HOURLY ? "1h" : "raw";
  }

  private static String tables(String downsample, String usage) {
    Set<String> tables = new HashSet<>();
    try {
      values(downsample, usage).forEach(value -> tables.add(table(value)));
    } catch (TsdException e) {
      return "HTTP " + e.status();
    }
    return String.join(" ", tables);
  }

  @ParameterizedTest
  @CsvSource({
    "1d-sum, 1d",
    "24h-sum, 1d",
    "1440m-sum, 1d",
    "2d-max, 1d",
    "7d-sum, 1d",
    "1w-sum, 1d",
    "30d-avg, 1d",
    "1n-sum, 1d",
    "1dc-sum, 1d",
    "1nc-sum, 1d",
    "1h-sum, 1h",
    "60m-sum, 1h",
    "2h-sum, 1h",
    "9h-sum, 1h",
    "6h-sum, 6h",
    "12h-sum, 6h",
    "36h-sum, 6h",
    "90m-sum, raw",
    "10m-sum, raw",
    "0all-sum, raw",
  })
  void theWidestIntervalThatDividesTheDownsamplerIsRead(String downsample, String table) {
    assertThat(tables(downsample, "ROLLUP_NOFALLBACK")).as(downsample).isEqualTo(table);
  }

  @ParameterizedTest
  @CsvSource({"1d-sum", "1h-sum", "7d-max"})
  void aQueryForRawDataReadsThem(String downsample) {
    assertThat(tables(downsample, "ROLLUP_RAW")).as(downsample).isEqualTo("raw");
  }
}
