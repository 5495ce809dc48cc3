package io.tsdbsuite.histogram.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tsdbsuite.format.histogram.Sketch;
import io.tsdbsuite.testkit.OpenTsdbTables;
import io.tsdbsuite.testkit.Stack;
import io.tsdbsuite.testkit.TsdException;
import io.tsdbsuite.testkit.TsdServer;
import io.tsdbsuite.testkit.seed.Seed;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The shipped jar in a real TSD: stores sketches, and answers percentiles over series and days. */
@Tag("slow")
class SketchTsdIT {
  private static final int START = 1_763_510_400;
  private static final int HOUR = 3600;
  private static final int HOURS = 48;
  private static final String METRIC = "app.latency.sketch";
  private static final int ID = 43;

  private static final ObjectMapper JSON = new ObjectMapper();
  private static Stack stack;
  private static TsdServer tsd;

  @BeforeAll
  static void start() throws IOException {
    Path parent = Files.createDirectories(Path.of("target", "it").toAbsolutePath());
    stack = Stack.in(Files.createTempDirectory(parent, "stack-")).hbase().start();
    Map<String, String> conf = new TreeMap<>();
    conf.put(
        "tsd.core.histograms.config",
        "{\"net.opentsdb.core.SimpleHistogramDecoder\": 42,"
            + " \"io.tsdbsuite.histogram.SketchCodec\": 43}");
    stack.create(OpenTsdbTables.of(conf));
    Path jar = Path.of(System.getProperty("codec.jar"));
    tsd = stack.startTsd("sketches", conf, List.of(jar));
  }

  @AfterAll
  static void stop() {
    stack.close();
  }

  @Test
  void storesSketchesAndAnswersPercentiles() throws IOException {
    Random random = new Random(Seed.VALUE);
    Sketch[] days = {new Sketch(), new Sketch()};
    Set<String> cells = new TreeSet<>();
    ArrayNode body = JSON.createArrayNode();
    for (String host : List.of("a", "b", "c")) {
      for (int hour = 0; hour < HOURS; hour++) {
        double[] values = new double[20 + random.nextInt(200)];
        Arrays.setAll(values, i -> Math.exp(3 + random.nextGaussian()) - 5);
        Sketch sketch = new Sketch();
        sketch.addAll(values, 0, values.length);
        days[hour / 24].add(sketch);
        cells.add("060000=2b" + HexFormat.of().formatHex(sketch.bytes()));
        body.add(point(START + hour * HOUR, sketch.bytes(), host));
      }
    }
    JsonNode stored = tsd.client().post("api/histogram?details&sync", body);
    assertThat(stored.path("success").asInt()).as(stored.toString()).isEqualTo(3 * HOURS);
    assertThat(cells()).isEqualTo(cells);

    JsonNode found = query("1d-sum", 0, 0.1, 50, 95, 99.9);
    assertThat(found).hasSize(5);
    for (JsonNode series : found) {
      String name = series.path("metric").asText();
      double p = Float.parseFloat(name.substring((METRIC + "_pct_").length()));
      Map<String, Double> expected = new TreeMap<>();
      for (int day = 0; day < days.length; day++) {
        expected.put(Long.toString(START + day * 24L * HOUR), days[day].percentile(p));
      }
      Map<String, Double> answered = new TreeMap<>();
      series
          .path("dps")
          .properties()
          .forEach(e -> answered.put(e.getKey(), e.getValue().asDouble()));
      assertThat(answered).as(name).isEqualTo(expected);
    }

    // What is not canonical is not stored.
    byte[] longer = Arrays.copyOf(days[0].bytes(), days[0].bytes().length + 1);
    ArrayNode refused = JSON.createArrayNode().add(point(START, longer, "d"));
    assertThatThrownBy(() -> tsd.client().post("api/histogram?details&sync", refused))
        .isInstanceOf(TsdException.class)
        .hasMessageContaining("no byte must follow");
  }

  private static ObjectNode point(int timestamp, byte[] sketch, String host) {
    ObjectNode node = JSON.createObjectNode();
    node.put("metric", METRIC).put("timestamp", timestamp).put("id", ID);
    node.put("value", Base64.getEncoder().encodeToString(sketch));
    node.putObject("tags").put("host", host);
    return node;
  }

  private static JsonNode query(String downsampler, double... percentiles) {
    ObjectNode body =
        JSON.createObjectNode().put("start", START).put("end", START + HOURS * HOUR - 2);
    ObjectNode sub = body.putArray("queries").addObject();
    sub.put("metric", METRIC).put("aggregator", "sum").put("downsample", downsampler);
    ArrayNode list = sub.putArray("percentiles");
    for (double percentile : percentiles) {
      list.add(percentile);
    }
    return tsd.client().post("api/query", body);
  }

  /** Qualifier and value of each cell of the data table. */
  private static Set<String> cells() throws IOException {
    Set<String> cells = new TreeSet<>();
    try (Table table = stack.hbase().connection().getTable(TableName.valueOf("tsdb"));
        ResultScanner rows = table.getScanner(new Scan())) {
      for (Result row : rows) {
        row.getFamilyMap(new byte[] {'t'})
            .forEach(
                (qualifier, value) ->
                    cells.add(
                        HexFormat.of().formatHex(qualifier)
                            + "="
                            + HexFormat.of().formatHex(value)));
      }
    }
    return cells;
  }
}
