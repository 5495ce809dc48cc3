package io.tsdbsuite.bench.quick;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.tsdbsuite.bench.measure.PairedRuns;
import io.tsdbsuite.message.write.MessageEncoder;
import io.tsdbsuite.message.write.MessageFormat;
import io.tsdbsuite.message.write.RollupPoint;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Random;

/** Rollup messages: the suite's encoder, and Jackson's object mapper over a map of the fields. */
final class EncodeKernel {
  private static final int POINTS = 4096;
  private static final int TIMES = 20;
  private static final long AS_OF = 1_763_596_800_000L;
  private static final long TIME = 1_700_000_400L;
  private static final String HOUR = "1h";

  private final ObjectMapper mapper = new ObjectMapper();
  private final MessageEncoder encoder = MessageFormat.ROLLUP.encoder(AS_OF);
  private final RollupPoint[] points = new RollupPoint[POINTS];
  private final String[] hosts = new String[POINTS];

  private EncodeKernel() {
    Random random = new Random(1);
    for (int i = 0; i < POINTS; i++) {
      RollupPoint point = new RollupPoint();
      point.metric().set(bytes("sys.cpu.user"));
      hosts[i] = "web" + i + ".example.com";
      tag(point, "cpu", "all");
      tag(point, "host", hosts[i]);
      double min = random.nextDouble() * 100;
      point.set(TIME, HOUR, 60 * min + random.nextDouble(), min, min + 10, 60);
      points[i] = point;
    }
  }

  /** Takes no arguments. */
  public static void main(String[] args) throws Exception {
    EncodeKernel kernel = new EncodeKernel();
    PairedRuns.ofThread().print(kernel::first, kernel::suite);
    System.exit(0);
  }

  private static void tag(RollupPoint point, String key, String value) {
    int tag = point.addTag();
    point.tagKey(tag).set(bytes(key));
    point.tagValue(tag).set(bytes(value));
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.ISO_8859_1);
  }

  private double first() throws IOException {
    double sum = 0;
    for (int time = 0; time < TIMES; time++) {
      for (int i = 0; i < POINTS; i++) {
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
    fields.put("interval", HOUR);
    fields.put("asOf", AS_OF);
    Map<String, Object> values = new LinkedHashMap<>();
    values.put("sum", point.sum());
    values.put("min", point.min());
    values.put("max", point.max());
    values.put("count", point.count());
    fields.put("values", values);
    return fields;
  }

  private double suite() {
    double sum = 0;
    for (int time = 0; time < TIMES; time++) {
      for (RollupPoint point : points) {
        sum += encoder.encode(point, 0).size();
      }
    }
    return sum;
  }
}
