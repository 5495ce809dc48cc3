package io.tsdbsuite.bench.quick;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.tsdbsuite.bench.BenchRollup;
import io.tsdbsuite.bench.measure.PairedRuns;
import io.tsdbsuite.bulk.parse.Format;
import io.tsdbsuite.bulk.parse.ParseOptions;
import io.tsdbsuite.bulk.parse.PointHandler;
import io.tsdbsuite.bulk.parse.Position;
import io.tsdbsuite.bulk.parse.SeriesText;
import io.tsdbsuite.bulk.report.Count;
import io.tsdbsuite.bulk.report.RejectReason;
import io.tsdbsuite.bulk.report.SkipKind;
import io.tsdbsuite.format.row.Uids;
import io.tsdbsuite.format.uid.UidKind;
import io.tsdbsuite.message.read.MessageReader;
import io.tsdbsuite.message.read.MetricElement;
import io.tsdbsuite.message.write.ByteSlice;
import io.tsdbsuite.message.write.MessageEncoder;
import io.tsdbsuite.message.write.MessageFormat;
import io.tsdbsuite.message.write.RollupPoint;
import io.tsdbsuite.rollup.uid.UidDictionary;
import java.io.BufferedReader;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Pattern;

/** Work of hot paths in two ways, by turns in one JVM. */
final class QuickKernel {
  /**
   * Names of UIDs: few, which fit into the processor's cache; with more, the ratio varies twofold.
   */
  private static final int NAMES = 30_000;

  private static final int WIDTH = 3;
  private static final int LOOKUPS = 1 << 19;
  private static final int MESSAGES = 4096;

  /** Passes over the messages in a round. */
  private static final int TIMES = 20;

  private static final long AS_OF = 1_763_596_800_000L;
  private static final long HOUR = 1_700_000_400L;
  private static final int LINES = 200_000;
  private static final int SERIES = 1000;
  private static final int TAGS = 2;
  private static final Pattern BLANK = Pattern.compile(" ");

  private QuickKernel() {}

  /** Arguments: a directory, which is not used, and the work. */
  public static void main(String[] args) throws Exception {
    switch (args[1]) {
      case "uids" -> uids();
      case "encode" -> encode();
      case "decode" -> decode();
      case "text" -> text();
      default -> throw new IllegalArgumentException(args[1]);
    }
    System.exit(0);
  }

  private static String host(int i) {
    return "web" + i + ".example.com";
  }

  /** Names of UIDs: the suite's dictionary, and a map of strings as in a TSD's cache of names. */
  private static void uids() throws Exception {
    Map<String, String> map = new ConcurrentHashMap<>();
    UidDictionary.Builder builder = new UidDictionary.Builder(WIDTH, WIDTH, WIDTH);
    byte[] uid = new byte[WIDTH];
    for (int i = 1; i <= NAMES; i++) {
      Uids.write(i, uid, 0, WIDTH);
      byte[] text = host(i).getBytes(StandardCharsets.ISO_8859_1);
      builder.add(UidKind.TAGV, uid, 0, WIDTH, text, 0, text.length);
      map.put(new String(uid, StandardCharsets.ISO_8859_1), host(i));
    }
    UidDictionary dictionary = builder.build();
    int[] order = new Random(1).ints(LOOKUPS, 1, NAMES + 1).toArray();
    ByteSlice found = new ByteSlice();
    PairedRuns.ofThread().print(() -> lookup(map, order), () -> lookup(dictionary, order, found));
  }

  private static double lookup(Map<String, String> names, int[] order) {
    byte[] uid = new byte[WIDTH];
    double sum = 0;
    for (int number : order) {
      Uids.write(number, uid, 0, WIDTH);
      String name = Objects.requireNonNull(names.get(new String(uid, StandardCharsets.ISO_8859_1)));
      sum += name.length() + name.charAt(3);
    }
    return sum;
  }

  private static double lookup(UidDictionary names, int[] order, ByteSlice name) {
    double sum = 0;
    for (int number : order) {
      if (!names.lookup(UidKind.TAGV, number, name)) {
        throw new IllegalStateException("UID " + number + " must have a name");
      }
      sum += name.length + name.array[name.offset + 3];
    }
    return sum;
  }

  /** Rollup messages: the suite's encoder, and Jackson's object mapper over a map of the fields. */
  private static void encode() throws Exception {
    Random random = new Random(1);
    RollupPoint[] points = new RollupPoint[MESSAGES];
    String[] hosts = new String[MESSAGES];
    for (int i = 0; i < MESSAGES; i++) {
      hosts[i] = host(i);
      points[i] = rollup(i, random);
    }
    ObjectMapper mapper = new ObjectMapper();
    MessageEncoder encoder = MessageFormat.ROLLUP.encoder(AS_OF);
    PairedRuns.ofThread().print(() -> encode(mapper, points, hosts), () -> encode(encoder, points));
  }

  /** An hourly rollup of series {@code i}. */
  static RollupPoint rollup(int i, Random random) {
    double min = random.nextDouble() * 100;
    double sum = 60 * min + random.nextDouble();
    return BenchRollup.of("sys.cpu.user", HOUR, sum, min, min + 10, "cpu", "all", "host", host(i));
  }

  private static double encode(ObjectMapper mapper, RollupPoint[] points, String[] hosts)
      throws IOException {
    double sum = 0;
    for (int time = 0; time < TIMES; time++) {
      for (int i = 0; i < MESSAGES; i++) {
        sum += mapper.writeValueAsBytes(fields(points[i], hosts[i])).length;
      }
    }
    return sum;
  }

  private static Map<String, Object> fields(RollupPoint point, String host) {
    Map<String, Object> fields = new LinkedHashMap<>();
    fields.put("type", "Rollup");
    fields.put("v", 1);
    fields.put("metric", "sys.cpu.user");
    fields.put("tags", Map.of("cpu", "all", "host", host));
    fields.put("timestamp", point.timestamp());
    fields.put("interval", "1h");
    fields.put("asOf", AS_OF);
    Map<String, Object> values = new LinkedHashMap<>();
    values.put("sum", point.rollup().sum());
    values.put("min", point.rollup().min());
    values.put("max", point.rollup().max());
    values.put("count", point.rollup().count());
    fields.put("values", values);
    return fields;
  }

  private static double encode(MessageEncoder encoder, RollupPoint[] points) {
    double sum = 0;
    for (int time = 0; time < TIMES; time++) {
      for (RollupPoint point : points) {
        sum += encoder.encode(point, 0).size();
      }
    }
    return sum;
  }

  /** Metric messages: the suite's reader, and Jackson's tree with the checks left out. */
  private static void decode() throws Exception {
    Random random = new Random(1);
    byte[][] messages = new byte[MESSAGES][];
    for (int i = 0; i < MESSAGES; i++) {
      messages[i] = message(i, random);
    }
    ObjectMapper mapper = new ObjectMapper();
    MessageReader reader = new MessageReader();
    PairedRuns.ofThread().print(() -> decode(mapper, messages), () -> decode(reader, messages));
  }

  /** A metric message of series {@code i}. */
  static byte[] message(int i, Random random) {
    return "{\"type\":\"Metric\",\"metric\":\"sys.cpu.user\",\"timestamp\":%s,\"value\":%s,\"tags\":{\"cpu\":\"all\",\"host\":\"%s\"}}"
        .formatted(HOUR + i, random.nextInt(10_000) / 100.0, host(i))
        .getBytes(StandardCharsets.UTF_8);
  }

  private static double decode(ObjectMapper mapper, byte[][] messages) throws IOException {
    double sum = 0;
    for (int time = 0; time < TIMES; time++) {
      for (byte[] message : messages) {
        JsonNode tree = mapper.readTree(message);
        Map<String, String> tags = new HashMap<>();
        tree.get("tags")
            .fields()
            .forEachRemaining(tag -> tags.put(tag.getKey(), tag.getValue().textValue()));
        sum +=
            tree.get("metric").textValue().length()
                + tags.size()
                + tree.get("timestamp").longValue()
                + tree.get("value").doubleValue();
      }
    }
    return sum;
  }

  private static double decode(MessageReader reader, byte[][] messages) throws Exception {
    double sum = 0;
    for (int time = 0; time < TIMES; time++) {
      for (byte[] message : messages) {
        MetricElement point = (MetricElement) reader.read(message).get(0);
        sum +=
            point.metric().length()
                + point.tags().size()
                + point.timestamp()
                + Double.parseDouble(point.value());
      }
    }
    return sum;
  }

  /** Lines of {@code tsdb import}: the suite's reader, and strings split into words as in a TSD. */
  private static void text() throws Exception {
    Random random = new Random(1);
    StringBuilder lines = new StringBuilder();
    for (int i = 0; i < LINES; i++) {
      lines
          .append("sys.cpu.user ")
          .append(1_700_000_000L + i / SERIES * 10L)
          .append(' ')
          .append(random.nextInt(10_000) / 100.0)
          .append(" cpu=all host=")
          .append(host(i % SERIES))
          .append('\n');
    }
    byte[] text = lines.toString().getBytes(StandardCharsets.UTF_8);
    PairedRuns.ofThread().print(() -> split(text), () -> parse(text));
  }

  private static double split(byte[] text) throws IOException {
    double sum = 0;
    try (BufferedReader in =
        new BufferedReader(
            new InputStreamReader(new ByteArrayInputStream(text), StandardCharsets.UTF_8))) {
      for (String line = in.readLine(); line != null; line = in.readLine()) {
        String[] words = BLANK.split(line, -1);
        Map<String, String> tags = new HashMap<>();
        for (int i = 3; i < words.length; i++) {
          int equals = words[i].indexOf('=');
          tags.put(words[i].substring(0, equals), words[i].substring(equals + 1));
        }
        sum +=
            words[0].length()
                + tags.size()
                + Long.parseLong(words[1])
                + Double.parseDouble(words[2]);
      }
    }
    return sum;
  }

  private static double parse(byte[] text) throws IOException {
    Sum sum = new Sum();
    Format.OPENTSDB
        .reader(ParseOptions.DEFAULT)
        .read(new ByteArrayInputStream(text), Position.START, Long.MAX_VALUE, sum);
    return sum.sum;
  }

  private static final class Sum implements PointHandler {
    private double sum;

    @Override
    public void integer(SeriesText series, long timestamp, long value) {
      floating(series, timestamp, (double) value);
    }

    @Override
    public void floating(SeriesText series, long timestamp, double value) {
      sum += series.metricLen + TAGS + timestamp + value;
    }

    @Override
    public void rejected(
        RejectReason reason, long line, String detail, byte[] bytes, int off, int len) {
      throw new IllegalStateException("line " + line + " was rejected: " + detail);
    }

    @Override
    public void skippedPoint(SkipKind kind) {
      throw new IllegalStateException("no point must be skipped, found " + kind);
    }

    @Override
    public void withoutPoint() {}

    @Override
    public void skipped(Count reason) {
      throw new IllegalStateException("no line must be skipped, found " + reason);
    }

    @Override
    public boolean at(Position position) {
      return true;
    }
  }
}
