package io.tsdbsuite.ingest.publish;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.tsdbsuite.message.Origin;
import io.tsdbsuite.message.read.MessageLimits;
import io.tsdbsuite.message.read.MessageReader;
import io.tsdbsuite.message.read.MetricElement;
import io.tsdbsuite.message.read.MetricScanner;
import io.tsdbsuite.testkit.seed.Seed;
import java.util.Map;
import java.util.Random;
import net.opentsdb.core.Tags;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The reader reads the messages back; PublisherIT has the cells that a TSD makes of them. */
class MetricJsonTest {
  private static final long SECOND = 1763510400L;
  private static final Map<String, String> TAGS = Map.of("host", "web01", "dc", "köln");

  private final MetricJson json = new MetricJson();

  private static MetricElement read(byte[] message) throws Exception {
    return (MetricElement) new MessageReader().read(message).get(0);
  }

  private MetricElement readBack(double value, boolean isWide) throws Exception {
    return read(json.encode("sys.cpu", SECOND, TAGS, value, isWide));
  }

  @Test
  void aMessageHasNoMoreThanItNeeds() throws Exception {
    assertThat(new String(json.encode("m", SECOND, Map.of("a", "b"), -7L), UTF_8))
        .isEqualTo(
            "{\"type\":\"Metric\",\"metric\":\"m\",\"tags\":{\"a\":\"b\"},"
                + "\"timestamp\":1763510400,\"value\":-7}");
    assertThat(new String(json.encode("m", SECOND, Map.of("a", "b"), 1.5, true), UTF_8))
        .endsWith("\"value\":1.5,\"tsdOrigin\":\"http\"}");
    assertThat(new String(json.encode("m", SECOND, Map.of("a", "b"), 1.5, false), UTF_8))
        .endsWith("\"value\":1.5}");
  }

  @Test
  void readersTakeItAsTheCommonForm() throws Exception {
    MetricScanner scanner = new MetricScanner(MessageLimits.DEFAULT);
    Map<String, String> tags = Map.of("host", "web01", "dc", "a");
    for (boolean isWide : new boolean[] {true, false}) {
      assertThat(scanner.begin(json.encode("sys.cpu", SECOND, tags, 1e-7, isWide))).isTrue();
    }
    assertThat(scanner.begin(json.encode("sys.cpu", SECOND * 1000, tags, -7L))).isTrue();
  }

  @ParameterizedTest
  @ValueSource(longs = {0, -1, 127, 128, 2147483648L, Long.MIN_VALUE, Long.MAX_VALUE})
  void anIntegerReadsBackEqual(long value) throws Exception {
    MetricElement read = read(json.encode("sys.cpu", SECOND * 1000 + 7, TAGS, value));
    assertThat(read.metric()).isEqualTo("sys.cpu");
    assertThat(read.tags()).isEqualTo(TAGS);
    assertThat(read.timestamp()).isEqualTo(1763510400007L);
    assertThat(read.origin()).isNull();
    assertThat(Tags.looksLikeInteger(read.value())).isTrue();
    assertThat(Tags.parseLong(read.value())).isEqualTo(value);
  }

  private void assertReadsBack(double value) throws Exception {
    MetricElement read = readBack(value, false);
    assertThat(Tags.looksLikeInteger(read.value())).as(read.value()).isFalse();
    assertThat(Double.doubleToRawLongBits(Double.parseDouble(read.value())))
        .as(read.value())
        .isEqualTo(Double.doubleToRawLongBits(value));
    assertThat(read.origin()).isNull();
    assertThat(readBack(value, true).origin()).isEqualTo(Origin.HTTP);
  }

  @ParameterizedTest
  @ValueSource(doubles = {0.0, -0.0, 3.0, 1e7, 1e22, 0.1, Double.MIN_VALUE, Double.MAX_VALUE})
  void aFloatingPointNumberReadsBackEqual(double value) throws Exception {
    assertReadsBack(value);
  }

  @Test
  void randomNumbersReadBackEqual() throws Exception {
    Random random = Seed.random();
    for (int i = 0; i < 20_000; i++) {
      double value = Double.longBitsToDouble(random.nextLong());
      float narrow = Float.intBitsToFloat(random.nextInt());
      if (Double.isFinite(value)) {
        assertReadsBack(value);
      }
      if (Float.isFinite(narrow)) {
        assertReadsBack(narrow);
      }
    }
  }
}
