package io.tsdbsuite.bench.quick;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.tsdbsuite.bench.measure.PairedRuns;
import io.tsdbsuite.message.read.BadMessageException;
import io.tsdbsuite.message.read.MessageReader;
import io.tsdbsuite.message.read.MetricElement;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import java.util.Random;

/** Metric messages: the suite's reader, and Jackson's tree with the checks left out. */
final class DecodeKernel {
  private static final int MESSAGES = 4096;
  private static final int TIMES = 20;
  private static final long TIME = 1_700_000_400L;

  private final ObjectMapper mapper = new ObjectMapper();
  private final MessageReader reader = new MessageReader();
  private final byte[][] messages = new byte[MESSAGES][];

  private DecodeKernel() {
    Random random = new Random(1);
    for (int i = 0; i < MESSAGES; i++) {
      String message =
          "{\"type\":\"Metric\",\"metric\":\"sys.cpu.user\",\"timestamp\":"
              + (TIME + i)
              + ",\"value\":"
              + random.nextInt(10_000) / 100.0
              + ",\"tags\":{\"cpu\":\"all\",\"host\":\"web"
              + i
              + ".example.com\"}}";
      messages[i] = message.getBytes(StandardCharsets.UTF_8);
    }
  }

  /** Takes no arguments. */
  public static void main(String[] args) throws Exception {
    DecodeKernel kernel = new DecodeKernel();
    PairedRuns.ofThread().print(kernel::first, kernel::suite);
    System.exit(0);
  }

  private double first() throws IOException {
    double sum = 0;
    for (int time = 0; time < TIMES; time++) {
      for (byte[] message : messages) {
        JsonNode tree = mapper.readTree(message);
        Map<String, String> tags = new HashMap<>();
        tree.get("tags").fields().forEachRemaining(tag -> tags.put(tag.getKey(), text(tag)));
        sum +=
            tree.get("metric").textValue().length()
                + tags.size()
                + tree.get("timestamp").longValue()
                + tree.get("value").doubleValue();
      }
    }
    return sum;
  }

  private static String text(Map.Entry<String, JsonNode> tag) {
    return tag.getValue().textValue();
  }

  private double suite() throws BadMessageException {
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
}
