package io.tsdbsuite.stream.series;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.tsdbsuite.message.read.BadElement;
import io.tsdbsuite.message.read.BadMessageException;
import io.tsdbsuite.message.read.Element;
import io.tsdbsuite.message.read.MessageLimits;
import io.tsdbsuite.message.read.MessageReader;
import io.tsdbsuite.message.read.MetricElement;
import io.tsdbsuite.message.read.MetricScanner;
import io.tsdbsuite.testkit.seed.Seed;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

class SeriesNamesTest {
  private static Element read(int metric, String tags) throws BadMessageException {
    String json =
        "{\"type\":\"Metric\",\"metric\":\""
            + "m".repeat(metric)
            + "\",\"timestamp\":1763510400,\"value\":1,\"tags\":{"
            + tags
            + "}}";
    return new MessageReader().read(json.getBytes(UTF_8)).get(0);
  }

  private static String tag(char key, int length) {
    return '"' + String.valueOf(key) + "\":\"" + "v".repeat(length) + '"';
  }

  /** Else kafka-ingest would store points that the job leaves out of its rollups. */
  @Test
  void namesThatTheReaderTakesAreEncoded() throws BadMessageException {
    int metric = Short.MAX_VALUE;
    int taken = 0;
    for (int value = Short.MAX_VALUE - 20; value <= Short.MAX_VALUE; value++) {
      for (String tags :
          List.of(tag('a', value), tag('a', value / 2) + ',' + tag('b', value - value / 2))) {
        Element element = read(metric, tags);
        if (element instanceof MetricElement point) {
          assertThat(new SeriesNames().encode(point.metric(), point.tags())).isNotNull();
          taken++;
        } else {
          assertThat(element).isInstanceOf(BadElement.class);
        }
      }
    }
    assertThat(taken).isPositive();
    assertThat(read(metric + 1, tag('a', 1))).isInstanceOf(BadElement.class);
  }

  /** Else points of one series would be in two states. */
  @Test
  void namesOfTheCommonFormAreEncodedEqually() throws BadMessageException {
    MetricScanner scanner = new MetricScanner(MessageLimits.DEFAULT);
    Random random = Seed.random();
    for (int i = 0; i < 10_000; i++) {
      Map<String, String> tags = new LinkedHashMap<>();
      for (int k = random.nextInt(16); k >= 0; k--) {
        tags.put(name(random), name(random));
      }
      String metric = "m" + name(random);
      String json =
          tags.entrySet().stream()
              .map(tag -> "\"" + tag.getKey() + "\":\"" + tag.getValue() + '"')
              .collect(Collectors.joining(","));
      byte[] message =
          ("{\"type\":\"Metric\",\"metric\":\"%s\",\"timestamp\":1763510400,\"value\":1,"
                  + "\"tags\":{%s}}")
              .formatted(metric, json)
              .getBytes(UTF_8);
      assertThat(scanner.begin(message)).isTrue();
      assertThat(SeriesNames.encode(scanner))
          .as(Seed.describe(i) + json)
          .isEqualTo(new SeriesNames().encode(metric, tags));
    }
  }

  private static String name(Random random) {
    return random
        .ints(random.nextInt(4) == 0 ? random.nextInt(300) : random.nextInt(3), '-', '[')
        .mapToObj(Character::toString)
        .collect(Collectors.joining());
  }
}
