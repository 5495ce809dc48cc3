package io.tsdbsuite.message.write;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.core.io.NumberOutput;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.tsdbsuite.testkit.seed.Seed;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class MessageEncoderTest {
  private static final ObjectMapper MAPPER = new ObjectMapper();

  private static final long AS_OF = 1763596800123L;

  private final long seed = Seed.VALUE;
  private final Random random = new Random(seed);

  @Test
  void writesTheRollupMessage() {
    assertThat(encode(MessageFormat.ROLLUP.encoder(AS_OF), example(), 0))
        .isEqualTo(
            "{\"type\":\"Rollup\",\"v\":1,\"metric\":\"sys.cpu.user\",\"tags\":{\"dc\":\"köln\","
                + "\"host\":\"web01\"},\"timestamp\":1763510400,\"interval\":\"1h\",\"asOf\":1763596800123,"
                + "\"values\":{\"sum\":90.5,\"min\":-0.0,\"max\":3.0,\"count\":60}}");
  }

  @Test
  void writesTheJsonLine() {
    assertThat(encode(MessageEncoder.jsonLine(AS_OF), example(), 0))
        .isEqualTo(
            "{\"metric\":\"sys.cpu.user\",\"tags\":{\"dc\":\"köln\",\"host\":\"web01\"},"
                + "\"timestamp\":1763510400,\"interval\":\"1h\",\"asOf\":1763596800123,"
                + "\"values\":{\"sum\":90.5,\"min\":-0.0,\"max\":3.0,\"count\":60}}");
  }

  @Test
  void asOfMayChangeFromPointToPoint() {
    MessageEncoder encoder = MessageFormat.ROLLUP.encoder(AS_OF);
    MessageEncoder aggregates = MessageFormat.AGGREGATE.encoder(AS_OF);
    String before = encode(aggregates, example(), 0);
    for (long asOf : new long[] {AS_OF, AS_OF + 1, AS_OF + 1, 100_000_000_000L, AS_OF}) {
      encoder.asOf(asOf);
      assertThat(encode(encoder, example(), 0)).contains("\"asOf\":" + asOf + ",\"values\"");
      aggregates.asOf(asOf);
      assertThat(encode(aggregates, example(), 0)).isEqualTo(before);
    }
  }

  @Test
  void writesRequestAndWatermark() {
    RollupRequestEncoder requests = new RollupRequestEncoder();
    for (int round = 0; round < 2; round++) {
      byte[] request = requests.encode(example(), 1763510400, List.of("10m", "1h"), "late");
      assertThat(new String(request, StandardCharsets.UTF_8))
          .isEqualTo(
              "{\"type\":\"RollupRequest\",\"v\":1,\"metric\":\"sys.cpu.user\",\"tags\":{"
                  + "\"dc\":\"köln\",\"host\":\"web01\"},\"timestamp\":1763510400,"
                  + "\"intervals\":[\"10m\",\"1h\"],\"reason\":\"late\"}");
    }
    byte[] watermark = new RollupWatermarkEncoder().encode("1h", 1763514000);
    assertThat(new String(watermark, StandardCharsets.UTF_8))
        .isEqualTo(
            "{\"type\":\"RollupWatermark\",\"v\":1,\"interval\":\"1h\","
                + "\"completeTo\":1763514000}");
  }

  @Test
  void aRequestThatNoReaderTakesIsNeverWritten() {
    RollupRequestEncoder requests = new RollupRequestEncoder();
    RollupPoint point = example();
    for (Runnable bad :
        List.<Runnable>of(
            () -> requests.encode(point, 1763510401, List.of("1h"), "late"),
            () -> requests.encode(point, 0, List.of("1h"), "late"),
            () -> requests.encode(point, -3600, List.of("1h"), "late"),
            () -> requests.encode(point, 3600L << 21, List.of("1h"), "late"),
            () -> requests.encode(point, 3600, List.of(), "late"),
            () -> requests.encode(point, 3600, List.of("1h", ""), "late"),
            () -> requests.encode(point, 3600, List.of("1h", "10m", "1h"), "late"),
            () -> requests.encode(point, 3600, List.of("1h"), ""),
            () -> requests.encode(point("m", Map.of()), 3600, List.of("1h"), "late"),
            () -> new RollupWatermarkEncoder().encode("", 3600))) {
      assertThatThrownBy(bad::run).isInstanceOf(IllegalArgumentException.class);
    }
    assertThat(requests.encode(point, 3600, List.of("1h"), "late")).isNotEmpty();
  }

  @Test
  void aRollupThatIsTakenBackHasNoValues() {
    RollupPoint point = example();
    point.takeBack(1763510400, "10m");
    assertThat(encode(MessageFormat.ROLLUP.encoder(AS_OF), point, 0))
        .endsWith(
            "\"timestamp\":1763510400,\"interval\":\"10m\",\"asOf\":1763596800123,\"values\":{}}");
    assertThatThrownBy(() -> MessageFormat.AGGREGATE.encoder(AS_OF).encode(point, 0))
        .isInstanceOf(IllegalArgumentException.class);
  }

  /** It would be lost without a word. */
  @Test
  void anAggregateMessageHoldsNoHistogram() {
    RollupPoint point = example();
    point.rollup().histogram("com.example.Codec", new byte[] {1});
    assertThatThrownBy(() -> MessageFormat.AGGREGATE.encoder(AS_OF).encode(point, 0))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("cannot hold a histogram");
  }

  @Test
  void writesTheAggregateMessages() {
    MessageEncoder encoder = MessageFormat.AGGREGATE.encoder(AS_OF);
    List<String> messages = new ArrayList<>();
    for (int i = 0; i < encoder.messages(example()); i++) {
      messages.add(encode(encoder, example(), i));
    }
    String series =
        "{\"type\":\"Aggregate\",\"metric\":\"sys.cpu.user\",\"tags\":{\"dc\":\"köln\","
            + "\"host\":\"web01\"},\"timestamp\":1763510400,\"interval\":\"1h\",\"aggregator\":";
    assertThat(messages)
        .containsExactly(
            series + "\"SUM\",\"value\":90.5}",
            series + "\"MIN\",\"value\":-0.0}",
            series + "\"MAX\",\"value\":3.0}",
            series + "\"COUNT\",\"value\":60}");
  }

  @Test
  void furtherAggregatorsAreVersion2AndMoreAggregates() {
    RollupPoint point = example();
    point.rollup().further(List.of("p99", "first"));
    point.rollup().further(0, 2.875);
    point.rollup().further(1, -1e300);
    MessageEncoder rollups = MessageFormat.ROLLUP.encoder(AS_OF);
    assertThat(rollups.messages(point)).isEqualTo(1);
    assertThat(encode(rollups, point, 0))
        .startsWith("{\"type\":\"Rollup\",\"v\":2,\"metric\"")
        .endsWith(",\"count\":60,\"p99\":2.875,\"first\":-1.0E300}}");
    assertThat(encode(rollups, example(), 0)).contains("\"v\":1,").endsWith("\"count\":60}}");
    assertThat(encode(MessageEncoder.jsonLine(AS_OF), point, 0))
        .startsWith("{\"metric\"")
        .endsWith(",\"p99\":2.875,\"first\":-1.0E300}}");
    MessageEncoder aggregates = MessageFormat.AGGREGATE.encoder(AS_OF);
    assertThat(aggregates.messages(point)).isEqualTo(6);
    assertThat(encode(aggregates, point, 4)).endsWith("\"aggregator\":\"P99\",\"value\":2.875}");
    assertThat(encode(aggregates, point, 5))
        .endsWith("\"aggregator\":\"FIRST\",\"value\":-1.0E300}");
    point.rollup().further(1, Double.NaN);
    assertThatThrownBy(() -> encode(rollups, point, 0))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("first=NaN");
  }

  @Test
  void aHistogramIsVersion2() {
    RollupPoint point = example();
    point.rollup().histogram("io.tsdbsuite.histogram.SketchCodec", new byte[] {1, 10, -1, 0});
    MessageEncoder rollups = MessageFormat.ROLLUP.encoder(AS_OF);
    String histogram =
        "},\"histogram\":{\"codec\":\"io.tsdbsuite.histogram.SketchCodec\",\"value\":\"AQr/AA==\"}}";
    assertThat(rollups.messages(point)).isEqualTo(1);
    assertThat(encode(rollups, point, 0))
        .startsWith("{\"type\":\"Rollup\",\"v\":2,\"metric\"")
        .endsWith("\"values\":{\"sum\":90.5,\"min\":-0.0,\"max\":3.0,\"count\":60" + histogram);
    assertThat(encode(MessageEncoder.jsonLine(AS_OF), point, 0)).endsWith(histogram);
    point.rollup().further(List.of("p99"));
    point.rollup().further(0, 2.875);
    assertThat(encode(rollups, point, 0)).endsWith("\"count\":60,\"p99\":2.875" + histogram);

    RollupValues copy = new RollupValues();
    copy.set(point.rollup());
    point.rollup().clear();
    assertThat(point.rollup().isDeletion()).isTrue();
    assertThat(encode(rollups, point, 0)).contains("\"v\":1,").endsWith("\"values\":{}}");
    point.rollup().histogram("a\"b", new byte[0]);
    assertThat(point.rollup().isDeletion() || point.rollup().hasValues()).isFalse();
    assertThat(encode(rollups, point, 0))
        .contains("\"v\":2,")
        .endsWith("\"values\":{},\"histogram\":{\"codec\":\"a\\\"b\",\"value\":\"\"}}");

    point.rollup().set(copy);
    assertThat(encode(rollups, point, 0)).endsWith("\"p99\":2.875" + histogram);
    assertThat(copy)
        .hasToString(
            "sum=90.5 min=-0.0 max=3.0 count=60 p99=2.875"
                + " histogram=io.tsdbsuite.histogram.SketchCodec of 4 bytes");
    copy.set(1, 1, 1, 1);
    assertThat(copy.codec()).isNull();
  }

  @Test
  void everyNameReadsBack() throws IOException {
    MessageEncoder encoder = MessageFormat.ROLLUP.encoder(AS_OF);
    for (int i = 0; i < 3000; i++) {
      String metric = randomName(i % 50 == 0 ? 20_000 : 40);
      TreeMap<String, String> tags = new TreeMap<>();
      for (int t = random.nextInt(9); t > 0; t--) {
        tags.put(randomName(20), randomName(20));
      }
      JsonNode json = parse(encoder, point(metric, tags), 0);
      assertThat(json.get("metric").asText()).as("seed %d", seed).isEqualTo(metric);
      Map<?, ?> read = MAPPER.convertValue(json.get("tags"), Map.class);
      assertThat(read).as("seed %d", seed).isEqualTo(tags);
    }
  }

  @Test
  void everyByteReadsBackAtEveryPlaceOfTheBuffer() throws IOException {
    byte[] all = new byte[256];
    for (int i = 0; i < all.length; i++) {
      all[i] = (byte) i;
    }
    String every = new String(all, StandardCharsets.ISO_8859_1);
    MessageEncoder encoder = MessageFormat.ROLLUP.encoder(AS_OF);
    // Jackson's buffer is 8000 bytes long, others grow; names must be right across each end.
    for (int length = 5000; length < 9000; length += 13) {
      JsonNode json = parse(encoder, point("m".repeat(length), Map.of(every, every)), 0);
      assertThat(json.get("tags").get(every).asText()).isEqualTo(every);
    }
  }

  @Test
  void everyDoubleReadsBackTheSameAndShort() throws IOException {
    double[] special = {
      0.0,
      -0.0,
      1.0,
      0.1,
      1e300,
      -1e300,
      Double.MAX_VALUE,
      Double.MIN_VALUE,
      Double.MIN_NORMAL,
      Math.nextDown(Double.MIN_NORMAL),
      2e-3,
      0x1p53,
      1763510400.0
    };
    MessageEncoder encoder = MessageFormat.ROLLUP.encoder(AS_OF);
    for (int i = 0; i < 20_000; i++) {
      double value = i < special.length ? special[i] : Double.longBitsToDouble(random.nextLong());
      if (!Double.isFinite(value)) {
        continue;
      }
      RollupPoint point = example();
      point.set(-i, "1h", value, value, value, Long.MAX_VALUE - i);
      JsonNode values = parse(encoder, point, 0).get("values");
      for (String field : new String[] {"sum", "min", "max"}) {
        assertThat(Double.doubleToLongBits(values.get(field).asDouble()))
            .as("%s, seed %d", value, seed)
            .isEqualTo(Double.doubleToLongBits(value));
      }
      assertThat(values.get("count").isIntegralNumber()).isTrue();
      assertThat(values.get("count").asLong()).isEqualTo(Long.MAX_VALUE - i);
    }
    // Another way writes numbers of few decimals than others; both must write the same text.
    for (int i = 0; i < 50_000; i++) {
      double few = (random.nextInt(20_000_000) - 10_000_000) / Math.pow(10, random.nextInt(7));
      double value = i % 3 == 0 ? Math.nextUp(few) : few * (i % 5 == 0 ? 1000 : 1);
      RollupPoint point = example();
      point.set(1, "1h", value, Math.rint(value), -value, 1);
      assertThat(encode(encoder, point, 0))
          .as("seed %d", seed)
          .contains(
              String.format(
                  "{\"sum\":%s,\"min\":%s,\"max\":%s,\"count\":1}",
                  NumberOutput.toString(value, true),
                  NumberOutput.toString(Math.rint(value), true),
                  NumberOutput.toString(-value, true)));
    }
    // Double.toString of Java 17 makes 17 digits of this one.
    RollupPoint point = example();
    point.set(1, "1h", Double.parseDouble("8.41E21"), 1, 1, 1);
    assertThat(encode(encoder, point, 0)).contains("\"sum\":8.41E21,");
  }

  @Test
  void refusesWhatIsNotFiniteAndGoesOn() {
    for (MessageFormat format : MessageFormat.values()) {
      MessageEncoder encoder = format.encoder(AS_OF);
      for (double bad : new double[] {Double.NaN, Double.POSITIVE_INFINITY}) {
        RollupPoint point = example();
        point.set(1, "1h", bad, 1, 1, 1);
        assertThat(point.rollup().isFinite()).isFalse();
        assertThatThrownBy(() -> encoder.encode(point, 0))
            .isInstanceOf(IllegalArgumentException.class)
            .hasMessageContaining("sys.cpu.user{dc=köln,host=web01}");
      }
      assertThat(encode(encoder, example(), 0)).startsWith("{\"type\"").endsWith("}");
    }
  }

  @Test
  void everyIntegerReadsBack() throws IOException {
    MessageEncoder encoder = MessageFormat.ROLLUP.encoder(AS_OF);
    for (int i = 0; i < 5000; i++) {
      long count = Math.max(1, random.nextLong() >>> random.nextInt(64) & Long.MAX_VALUE);
      long timestamp = i == 0 ? Long.MIN_VALUE : random.nextLong() >> random.nextInt(64);
      RollupPoint point = example();
      point.set(timestamp, "1h", 1, 1, 1, count);
      JsonNode json = parse(encoder, point, 0);
      assertThat(json.get("timestamp").bigIntegerValue()).as("seed %d", seed).isEqualTo(timestamp);
      assertThat(json.at("/values/count").longValue()).as("seed %d", seed).isEqualTo(count);
    }
  }

  @Test
  void rollupsOfASeriesAreOneArray() {
    SeriesMessage message = new SeriesMessage(AS_OF);
    message.begin(SeriesText.of(example()));
    assertThatThrownBy(message::toByteArray).isInstanceOf(IllegalStateException.class);
    message.add(1763510400, "1h", RollupValues.of(90.5, -0.0, 3, 60));
    assertThatThrownBy(() -> message.add(1, "1h", RollupValues.of(Double.NaN, 1, 1, 1)))
        .isInstanceOf(IllegalArgumentException.class);
    String one = encode(MessageFormat.ROLLUP.encoder(AS_OF), example(), 0);
    assertThat(text(message)).isEqualTo(one);

    RollupPoint deleted = example();
    deleted.takeBack(1763510400, "10m");
    String two = encode(MessageFormat.ROLLUP.encoder(AS_OF), deleted, 0);
    message.begin(SeriesText.of(example()));
    message.add(1763510400, "1h", RollupValues.of(90.5, -0.0, 3, 60));
    message.add(1763510400, "10m", RollupValues.of(0, 0, 0, 0));
    assertThat(message.rollups()).isEqualTo(2);
    assertThat(text(message)).isEqualTo("[" + one + "," + two + "]");
    message.begin(SeriesText.of(example()));
    assertThat(message.rollups()).isZero();
  }

  @Test
  void rollupsOfAnIntervalAreOneObjectOfVersion3() {
    SeriesMessage message = new SeriesMessage(AS_OF, true);
    message.begin(SeriesText.of(example()));
    assertThatThrownBy(message::toByteArray).isInstanceOf(IllegalStateException.class);
    message.add(1763510400, "1h", RollupValues.of(90.5, -0.0, 3, 60));
    assertThat(text(message))
        .as("alone")
        .isEqualTo(encode(MessageFormat.ROLLUP.encoder(AS_OF), example(), 0));

    message.begin(SeriesText.of(example()));
    message.add(1763510400, "1h", RollupValues.of(90.5, -0.0, 3, 60));
    message.add(1763514000, "1h", RollupValues.of(88, 0, 1e-300, 1));
    String begin =
        "{\"type\":\"Rollup\",\"v\":3,\"metric\":\"sys.cpu.user\","
            + "\"tags\":{\"dc\":\"köln\",\"host\":\"web01\"},\"timestamp\":1763510400,"
            + "\"interval\":\"1h\",\"asOf\":"
            + AS_OF;
    assertThat(text(message))
        .isEqualTo(
            begin
                + ",\"values\":{\"sum\":[90.5,88.0],\"min\":[-0.0,0.0],"
                + "\"max\":[3.0,1.0E-300],\"count\":[60,1]}}");

    message.begin(SeriesText.of(example()));
    RollupValues deletion = RollupValues.of(0, 0, 0, 0);
    RollupValues further = RollupValues.of(1, 1, 1, 1);
    further.further(List.of("p99"));
    further.further(0, 2.5);
    message.add(1763510400, "1h", further);
    message.add(1763514000, "1h", deletion);
    message.add(1763521200, "1h", further);
    String first =
        begin
            + ",\"at\":[0,3],\"values\":{\"sum\":[1.0,1.0],\"min\":[1.0,1.0],"
            + "\"max\":[1.0,1.0],\"count\":[1,1],\"p99\":[2.5,2.5]},\"gone\":[1]}";
    assertThat(text(message)).isEqualTo(first);
    int length = message.toByteArray().length;
    assertThat(message.length()).isBetween(length, length + 2);

    message.begin(SeriesText.of(example()));
    message.add(1763510400, "1h", deletion);
    message.add(1763510400 + 3839 * 3600L, "1h", deletion);
    String gone = begin + ",\"gone\":[0,3839]}";
    assertThat(text(message)).isEqualTo(gone);
    // One interval farther, and what is no start of the same intervals, begins another object.
    message.begin(SeriesText.of(example()));
    message.add(1763510400, "1h", deletion);
    message.add(1763510400 + 3839 * 3600L, "1h", deletion);
    for (String interval : List.of("1h", "10m")) {
      message.add(1763510400 + 3840 * 3600L + 1, interval, deletion);
    }
    assertThat(text(message))
        .startsWith("[" + gone + ",{\"type\":\"Rollup\",\"v\":1,")
        .contains("\"interval\":\"10m\"");
  }

  private static String text(SeriesMessage message) {
    return new String(message.toByteArray(), StandardCharsets.UTF_8);
  }

  @Test
  void keyIsTheSeries() {
    SeriesKey key = new SeriesKey();
    assertThat(new String(key.of(example()).toByteArray(), StandardCharsets.UTF_8))
        .isEqualTo("sys.cpu.user{dc=köln,host=web01}");
    assertThat(key.metricLength()).isEqualTo("sys.cpu.user".length());
    for (int i = 0; i < 500; i++) {
      String metric = randomName(300);
      String tag = randomName(300);
      key.of(point(metric, Map.of(tag, metric)));
      assertThat(new String(key.array(), 0, key.length(), StandardCharsets.UTF_8))
          .as("seed %d", seed)
          .isEqualTo(metric + "{" + tag + "=" + metric + "}");
      assertThat(key.metricLength()).isEqualTo(metric.getBytes(StandardCharsets.UTF_8).length);
    }
  }

  @Test
  void tagsAreSortedByUnsignedBytesOfTheirKeys() {
    RollupPoint point = new RollupPoint();
    for (int round = 0; round < 200; round++) {
      TreeMap<String, String> tags = new TreeMap<>();
      for (int t = random.nextInt(20); t > 0; t--) {
        String key = randomName(3);
        tags.put(key, "v" + key);
      }
      List<String> keys = new ArrayList<>(tags.keySet());
      Collections.shuffle(keys, random);
      fill(point, "m", keys, tags);
      point.sortTags();
      StringBuilder expected = new StringBuilder();
      tags.forEach(
          (k, v) -> expected.append(expected.length() == 0 ? "" : ",").append(k + "=" + v));
      assertThat(point.toString()).as("seed %d", seed).startsWith("m{" + expected + "}");
      assertThat(point.tags()).isEqualTo(tags.size());
    }
  }

  private String randomName(int max) {
    byte[] name = new byte[1 + random.nextInt(max)];
    random.nextBytes(name);
    return new String(name, StandardCharsets.ISO_8859_1);
  }

  private static RollupPoint example() {
    return point("sys.cpu.user", new TreeMap<>(Map.of("host", "web01", "dc", "köln")));
  }

  private static RollupPoint point(String metric, Map<String, String> tags) {
    RollupPoint point = new RollupPoint();
    fill(point, metric, List.copyOf(tags.keySet()), tags);
    point.sortTags();
    point.set(1763510400, "1h", 90.5, -0.0, 3, 60);
    return point;
  }

  private static void fill(
      RollupPoint point, String metric, List<String> keys, Map<String, String> tags) {
    point.clear();
    point.metric().set(latin1(metric));
    for (String key : keys) {
      int tag = point.addTag();
      point.tagKey(tag).set(latin1(key));
      point.tagValue(tag).set(latin1(tags.get(key)));
    }
  }

  private static byte[] latin1(String text) {
    return text.getBytes(StandardCharsets.ISO_8859_1);
  }

  private static String encode(MessageEncoder encoder, RollupPoint point, int message) {
    return encoder.encode(point, message).toString(StandardCharsets.UTF_8);
  }

  private static JsonNode parse(MessageEncoder encoder, RollupPoint point, int message)
      throws IOException {
    ByteArrayOutputStream out = encoder.encode(point, message);
    return MAPPER.readTree(out.toByteArray());
  }
}
