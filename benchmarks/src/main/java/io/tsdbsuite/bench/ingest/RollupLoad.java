package io.tsdbsuite.bench.ingest;

import io.tsdbsuite.bench.BenchRollup;
import io.tsdbsuite.message.write.MessageEncoder;
import io.tsdbsuite.message.write.MessageFormat;
import io.tsdbsuite.message.write.RollupPoint;
import io.tsdbsuite.message.write.SeriesMessage;
import io.tsdbsuite.message.write.SeriesText;
import java.nio.charset.StandardCharsets;
import java.util.Iterator;
import java.util.Random;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.kafka.clients.producer.ProducerRecord;

/** Hourly rollups of a day, made by the suite's encoder, in the order of one of its jobs. */
final class RollupLoad {
  private static final int SERIES = 2000;
  private static final int HOURS = 24;
  private static final long START = 1_763_510_400L;
  private static final long HOUR = 3600;
  private static final long AS_OF = 1000 * (START + 24 * HOUR);

  private final int metrics;

  /** Creates a load of 48,000 series-intervals per metric. */
  RollupLoad(int metrics) {
    this.metrics = metrics;
  }

  /** Number of series-intervals. */
  int points() {
    return metrics * HOURS * SERIES;
  }

  /** The messages, one or four for each series-interval. */
  Iterable<ProducerRecord<byte[], byte[]>> messages(String topic, MessageFormat format) {
    return () -> records(topic, format);
  }

  /**
   * The same rollups with all hours of a series in one message, as rollup-job sends them with
   * {@code --rollups-per-message 24}.
   *
   * @param interval of the hour
   */
  Iterable<ProducerRecord<byte[], byte[]>> days(String topic, String interval) {
    return () -> {
      Random random = new Random(1);
      SeriesMessage message = new SeriesMessage(AS_OF);
      return IntStream.range(0, metrics * SERIES)
          .mapToObj(number -> day(topic, interval, number, message, random))
          .iterator();
    };
  }

  private static ProducerRecord<byte[], byte[]> day(
      String topic, String interval, int number, SeriesMessage message, Random random) {
    int first = number / SERIES * SERIES * HOURS + number % SERIES;
    message.begin(SeriesText.of(point(first, random)));
    for (int hour = 0; hour < HOURS; hour++) {
      RollupPoint point = point(first + hour * SERIES, random);
      message.add(point.timestamp(), interval, point.rollup());
    }
    return new ProducerRecord<>(topic, key(first), message.toByteArray());
  }

  private Iterator<ProducerRecord<byte[], byte[]>> records(String topic, MessageFormat format) {
    Random random = new Random(1);
    MessageEncoder encoder = format.encoder(AS_OF);
    return IntStream.range(0, points())
        .boxed()
        .flatMap(i -> ofPoint(topic, encoder, point(i, random), key(i)))
        .iterator();
  }

  private static Stream<ProducerRecord<byte[], byte[]>> ofPoint(
      String topic, MessageEncoder encoder, RollupPoint point, byte[] key) {
    return IntStream.range(0, encoder.messages(point))
        .mapToObj(
            message ->
                new ProducerRecord<>(topic, key, encoder.encode(point, message).toByteArray()));
  }

  private static RollupPoint point(int i, Random random) {
    double min = random.nextDouble() * 100;
    double max = min + random.nextDouble() * 10;
    return BenchRollup.of(
        metric(i), START + hour(i) * HOUR, 60 * min + max, min, max, "host", host(i), "dc", "fra");
  }

  private static int hour(int i) {
    return i / SERIES % HOURS;
  }

  private static String metric(int i) {
    return "sys.rollup." + i / (SERIES * HOURS);
  }

  private static String host(int i) {
    return "web" + i % SERIES + ".example.com";
  }

  private static byte[] key(int i) {
    return bytes(metric(i) + "{dc=fra,host=" + host(i) + "}");
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.ISO_8859_1);
  }
}
