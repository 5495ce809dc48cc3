package io.tsdbsuite.rollup.sink;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tsdbsuite.format.histogram.BucketHistogram;
import io.tsdbsuite.message.write.MessageFormat;
import io.tsdbsuite.message.write.RollupPoint;
import io.tsdbsuite.message.write.SeriesKey;
import io.tsdbsuite.testkit.rollup.RollupKey;
import io.tsdbsuite.testkit.rollup.RollupMessages;
import io.tsdbsuite.testkit.rollup.RollupValues;
import io.tsdbsuite.testkit.seed.Seed;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.SortedMap;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SeriesBatchesTest {
  private static final long AS_OF = 1763596800123L;
  private static final long START = 1763510400;
  private static final int HOUR = 3600;

  private record Message(String key, String value, int rollups) {}

  private final List<Message> messages = new ArrayList<>();
  private final RollupMessages consumer = new RollupMessages();

  private SeriesBatches batches(int rollupsPerMessage, long maxHeapBytes) {
    return batches(rollupsPerMessage, false, maxHeapBytes);
  }

  private SeriesBatches batches(int rollupsPerMessage, boolean arrays, long maxHeapBytes) {
    return new SeriesBatches(
        AS_OF,
        rollupsPerMessage,
        arrays,
        maxHeapBytes,
        (series, message, rollups) -> {
          String key = new String(series.key(), StandardCharsets.UTF_8);
          messages.add(new Message(key, new String(message, StandardCharsets.UTF_8), rollups));
          consumer.add(message);
        });
  }

  private SeriesBatches batches(int rollupsPerMessage) {
    return batches(rollupsPerMessage, SeriesBatches.MAX_HEAP_BYTES);
  }

  private static RollupPoint point(String metric, String host, int hour) {
    RollupPoint point = TestPoints.point(metric, host);
    point.set(START + (long) hour * HOUR, "1h", hour, -hour, hour / 2.0, 1 + hour);
    return point;
  }

  /** Rows as a table has them: metric, hour, series. */
  private static void day(SeriesBatches batches, String metric, int hours, int hosts)
      throws SinkException {
    for (int hour = 0; hour < hours; hour++) {
      for (int host = 0; host < hosts; host++) {
        batches.add(point(metric, "web" + host, hour));
      }
    }
  }

  private static SortedMap<RollupKey, RollupValues> expected(String metric, int hours, int hosts) {
    SortedMap<RollupKey, RollupValues> expected = new TreeMap<>();
    for (int hour = 0; hour < hours; hour++) {
      for (int host = 0; host < hosts; host++) {
        TreeMap<String, String> tags = new TreeMap<>(Map.of("host", "web" + host));
        expected.put(
            new RollupKey(metric, tags, START + (long) hour * HOUR),
            new RollupValues(hour, -hour, hour / 2.0, 1 + hour));
      }
    }
    return expected;
  }

  @Test
  void theHoursOfASeriesAreOneMessage() throws SinkException {
    SeriesBatches batches = batches(24);
    day(batches, "a", 24, 700);
    assertThat(messages).hasSize(700);
    day(batches, "b", 5, 3);
    assertThat(messages).hasSize(700);
    day(batches, "c", 1, 1);
    assertThat(messages).hasSize(703);
    batches.flush();
    assertThat(messages).hasSize(704);
    assertThat(messages.get(0).key()).isEqualTo("a{host=web0}");
    assertThat(messages).extracting(Message::rollups).startsWith(24, 24).endsWith(5, 5, 5, 1);
    assertThat(messages.get(0).value()).startsWith("[{\"type\":\"Rollup\"").endsWith("}}]");
    assertThat(messages.get(703).value()).startsWith("{").endsWith("}}");
    SortedMap<RollupKey, RollupValues> all = expected("a", 24, 700);
    all.putAll(expected("b", 5, 3));
    all.putAll(expected("c", 1, 1));
    assertThat(consumer.rollups()).isEqualTo(all);
    assertThat(consumer.repeated()).isEmpty();
    batches.flush();
    assertThat(messages).hasSize(704);
  }

  @Test
  void theHoursOfASeriesAreOneObjectOfVersion3() throws SinkException {
    SeriesBatches batches = batches(24, true, SeriesBatches.MAX_HEAP_BYTES);
    day(batches, "a", 24, 3);
    RollupPoint deleted = point("b", "web1", 1);
    deleted.takeBack(START + HOUR, "1h");
    batches.add(point("b", "web1", 0));
    batches.add(deleted);
    batches.flush();
    assertThat(messages).extracting(Message::rollups).containsExactly(24, 24, 24, 2);
    assertThat(messages)
        .extracting(Message::value)
        .allMatch(value -> value.startsWith("{\"type\":\"Rollup\",\"v\":3,"));
    assertThat(messages.get(0).value()).contains("\"count\":[1,2,3,4,5,").doesNotContain("at\":");
    assertThat(messages.get(3).value()).endsWith(",\"gone\":[1]}");
    SortedMap<RollupKey, RollupValues> all = expected("a", 24, 3);
    all.putAll(expected("b", 1, 2));
    all.remove(new RollupKey("b", new TreeMap<>(Map.of("host", "web0")), START));
    assertThat(consumer.rollups()).isEqualTo(all);
    assertThat(consumer.repeated()).isEmpty();
    assertThat(consumer.takenBack()).hasSize(1);
  }

  /** Rows are in the order of hours, so intervals alternate. */
  @Test
  void eachIntervalIsOneObject() throws SinkException {
    SeriesBatches batches = batches(1000, true, SeriesBatches.MAX_HEAP_BYTES);
    for (int hour = 0; hour < 24; hour++) {
      for (int part = 0; part < 6; part++) {
        RollupPoint point = point("a", "web1", hour);
        point.set(START + (long) hour * HOUR + part * 600L, "10m", hour, hour, hour, 1);
        batches.add(point);
      }
      batches.add(point("a", "web1", hour));
    }
    batches.flush();
    assertThat(messages).extracting(Message::rollups).containsExactly(168);
    String value = messages.get(0).value();
    assertThat(value.split("\"type\"", -1)).hasSize(3);
    assertThat(value).startsWith("[{").contains("\"interval\":\"10m\"").doesNotContain("at\":");
  }

  @Test
  void arraysAreNotLongerThanOtherMessages() throws SinkException {
    SeriesBatches batches = batches(1000, true, SeriesBatches.MAX_HEAP_BYTES);
    Random random = Seed.random();
    for (int hour = 0; hour < 1000; hour++) {
      RollupPoint point = point("a", "web1", hour);
      double value = random.nextDouble();
      point.set(START + (long) hour * HOUR, "1h", value, -value / 3, value / 7, 1L << 60);
      batches.add(point);
    }
    batches.flush();
    assertThat(messages).extracting(Message::rollups).hasSize(2);
    assertThat(messages.stream().mapToInt(Message::rollups).sum()).isEqualTo(1000);
    assertThat(messages)
        .allMatch(each -> each.value().length() < SeriesBatches.FULL_MESSAGE_BYTES + 1000);
  }

  @Test
  void oneRollupAMessageIsAnObjectAtOnce() throws SinkException {
    SeriesBatches batches = batches(1);
    for (int hour = 0; hour < 3; hour++) {
      batches.add(point("a", "web1", hour));
      assertThat(messages).hasSize(hour + 1);
    }
    assertThat(messages).extracting(Message::value).allMatch(value -> value.startsWith("{"));
    assertThat(consumer.rollups()).hasSize(3);
    batches.flush();
    assertThat(messages).hasSize(3);
  }

  @Test
  void withLittleMemoryMessagesHaveFewerRollupsAndAllAreSent() throws SinkException {
    for (int rollupsPerMessage : new int[] {1, 24}) {
      SeriesBatches batches = batches(rollupsPerMessage, 20_000);
      day(batches, "a" + rollupsPerMessage, 24, 200);
      batches.flush();
    }
    SortedMap<RollupKey, RollupValues> all = expected("a1", 24, 200);
    all.putAll(expected("a24", 24, 200));
    assertThat(consumer.rollups()).isEqualTo(all);
    assertThat(consumer.repeated()).isEmpty();
  }

  @Test
  void memoryBoundsWhatIsHeldBack() throws SinkException {
    SeriesBatches batches = batches(1000, 100_000);
    int added = 0;
    while (messages.isEmpty()) {
      batches.add(point("a", "web" + added % 50, added / 50));
      added++;
    }
    assertThat(added).isBetween(1000, 3000);
    assertThat(messages).singleElement().satisfies(m -> assertThat(m.rollups()).isGreaterThan(24));
  }

  @Test
  void manyMoreSeriesThanFitLeaveTheOthersTheirFullMessages() throws SinkException {
    SeriesBatches batches = batches(24, 100_000);
    day(batches, "a", 24, 600);
    batches.flush();
    long full = messages.stream().filter(message -> message.rollups() == 24).count();
    assertThat(full).isBetween(40L, 100L);
    // The last series with room may have a little less than its messages need.
    int alone = (int) (600 - full) * 24;
    assertThat(messages).hasSizeBetween((int) full + alone - 23, (int) full + alone);
    assertThat(consumer.rollups()).isEqualTo(expected("a", 24, 600));
    assertThat(consumer.repeated()).isEmpty();
    messages.clear();
    day(batches, "b", 24, 40);
    assertThat(messages).hasSize(40);
  }

  /** The key of a series has no time. */
  @Test
  void theHourOfARowIsNotPartOfItsSeries() throws SinkException {
    SeriesBatches batches = batches(24);
    for (int hour = 0; hour < 24; hour++) {
      RollupPoint point = point("a", "web1", hour);
      byte[] row =
          Arrays.copyOfRange(
              point.rowArray(), point.rowOffset(), point.rowOffset() + point.rowLength());
      row[point.rowTimeOffset() + 2] = (byte) hour;
      point.row(row, 0, row.length, point.rowTimeOffset());
      batches.add(point);
    }
    assertThat(messages).extracting(Message::rollups).containsExactly(24);
  }

  @Test
  void aMessageIsFullBeforeBrokersRefuseIt() throws SinkException {
    SeriesBatches batches = batches(1000);
    RollupPoint point = TestPoints.point("a", "h".repeat(5000));
    for (int i = 0; i < 100; i++) {
      point.set(START + i, "1h", i, i, i, 1);
      batches.add(point);
    }
    batches.flush();
    assertThat(messages).hasSizeBetween(7, 9);
    assertThat(messages)
        .allMatch(message -> message.value().length() < SeriesBatches.FULL_MESSAGE_BYTES + 6000);
    assertThat(messages.stream().mapToInt(Message::rollups).sum()).isEqualTo(100);
    assertThat(consumer.rollups()).hasSize(100);
  }

  @Test
  void deletionsKeepTheirPlace() throws SinkException {
    SeriesBatches batches = batches(24);
    RollupPoint point = point("a", "web1", 0);
    batches.add(point);
    point.takeBack(START + HOUR, "1h");
    batches.add(point);
    batches.flush();
    assertThat(messages).extracting(Message::rollups).containsExactly(2);
    assertThat(messages.get(0).value()).endsWith("\"values\":{}}]");
    assertThat(consumer.takenBack()).hasSize(1);
  }

  @Test
  void anyOrderOfSeriesAndHours() throws SinkException {
    Random random = new Random(Seed.VALUE);
    SortedMap<RollupKey, RollupValues> all = new TreeMap<>();
    for (int round = 0; round < 10; round++) {
      int perMessage = 2 + random.nextInt(30);
      SeriesBatches batches = batches(perMessage, random.nextBoolean() ? 30_000 : 1L << 20);
      String metric = "m" + round;
      int hours = 1 + random.nextInt(40);
      int hosts = 1 + random.nextInt(300);
      for (int hour = 0; hour < hours; hour++) {
        for (int host = random.nextInt(3); host < hosts; host += 1 + random.nextInt(3)) {
          batches.add(point(metric, "web" + host, hour));
          all.put(
              new RollupKey(
                  metric, new TreeMap<>(Map.of("host", "web" + host)), START + (long) hour * HOUR),
              new RollupValues(hour, -hour, hour / 2.0, 1 + hour));
        }
      }
      batches.flush();
      assertThat(messages).allMatch(message -> message.rollups() <= perMessage);
      messages.clear();
    }
    assertThat(consumer.rollups()).as("seed %d", Seed.VALUE).isEqualTo(all);
    assertThat(consumer.repeated()).isEmpty();
  }

  @Test
  void furtherAggregatorsOfSomeRollups() throws SinkException {
    List<String> hourly = List.of("p50", "p99");
    List<String> six = List.of("p50", "p75", "p90", "p95", "p99", "p999");
    List<String> expected = new ArrayList<>();
    SeriesBatches batches = batches(100);
    for (int hour = 0; hour < 40; hour++) {
      for (List<String> names : List.of(List.<String>of(), hourly, six)) {
        RollupPoint point = point("m", "web1", hour);
        point.set(START + hour, names.size() + "m");
        point.rollup().further(names);
        for (int i = 0; i < names.size(); i++) {
          point.rollup().further(i, hour + i / 8.0);
        }
        if (hour % 7 == 0) {
          point.takeBack(START + hour, names.size() + "m");
        }
        batches.add(point);
        expected.add(
            new String(
                MessageFormat.ROLLUP.encoder(AS_OF).encode(point, 0).toByteArray(),
                StandardCharsets.UTF_8));
      }
    }
    batches.flush();
    assertThat(messages).extracting(Message::rollups).containsExactly(100, 20);
    assertThat(messages)
        .extracting(Message::value)
        .containsExactly(array(expected.subList(0, 100)), array(expected.subList(100, 120)));
  }

  private static RollupPoint withHistogram(String host, int hour, int bytes) {
    RollupPoint point = point("m", host, hour);
    if (hour % 5 == 0) {
      point.takeBack(START + (long) hour * HOUR, "1h");
    }
    byte[] payload = new byte[bytes];
    Arrays.fill(payload, (byte) hour);
    point.rollup().histogram("com.example.Codec" + hour % 2, payload);
    return point;
  }

  private static String encoded(RollupPoint point) {
    return new String(
        MessageFormat.ROLLUP.encoder(AS_OF).encode(point, 0).toByteArray(), StandardCharsets.UTF_8);
  }

  /** With values and without, and beside rollups that have none. */
  @Test
  void histogramsOfSomeRollups() throws SinkException {
    List<String> expected = new ArrayList<>();
    SeriesBatches batches = batches(100);
    for (int hour = 0; hour < 30; hour++) {
      RollupPoint point =
          hour % 3 == 0 ? point("m", "web1", hour) : withHistogram("web1", hour, 10 + hour);
      batches.add(point);
      expected.add(encoded(point));
    }
    batches.flush();
    assertThat(messages).extracting(Message::value).containsExactly(array(expected));
  }

  /** One more than a message that is almost full is as large as a message gets. */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void aMessageWithHistogramsFitsIntoOneOfKafka(boolean arrays) throws SinkException {
    SeriesBatches batches = batches(1000, arrays, SeriesBatches.MAX_HEAP_BYTES);
    for (int hour = 0; hour < 100; hour++) {
      batches.add(withHistogram("web1", hour, hour % 3 == 2 ? BucketHistogram.MAX_BYTES : 20_000));
    }
    batches.flush();
    assertThat(messages.stream().mapToInt(Message::rollups).sum()).isEqualTo(100);
    assertThat(messages)
        .hasSizeLessThan(50)
        .allMatch(message -> message.value().length() < 800_000)
        .anyMatch(message -> message.value().length() > 700_000);
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void twoOfTheLargestHistogramsAreTwoMessages(boolean arrays) throws SinkException {
    SeriesBatches batches = batches(24, arrays, SeriesBatches.MAX_HEAP_BYTES);
    for (int hour = 0; hour < 4; hour++) {
      batches.add(withHistogram("web1", hour, BucketHistogram.MAX_BYTES));
    }
    batches.flush();
    assertThat(messages).extracting(Message::rollups).containsExactly(1, 1, 1, 1);
  }

  /** Each series holds one back until there is no memory, and gives it back when it is sent. */
  @Test
  void memoryBoundsTheHistogramsThatAreHeldBack() throws SinkException {
    long heap = 1 << 20;
    SeriesBatches batches = batches(24, heap);
    long held = 0;
    long most = 0;
    long sent = 0;
    for (int hour = 0; hour < 48; hour++) {
      for (int host = 0; host < 10; host++) {
        // Small when the series are entered, so that all are; then large.
        int bytes = hour == 0 ? 10 : 100_000;
        batches.add(withHistogram("web" + host, hour, bytes));
        held += bytes;
        for (; sent < messages.size(); sent++) {
          String value = messages.get((int) sent).value();
          held -= value.length() * 3 / 4;
        }
        most = Math.max(most, held);
      }
    }
    batches.flush();
    assertThat(messages.stream().mapToInt(Message::rollups).sum()).isEqualTo(480);
    assertThat(messages).anyMatch(message -> message.rollups() > 1);
    assertThat(most).isLessThan(heap);
  }

  private static String array(List<String> rollups) {
    return "[" + String.join(",", rollups) + "]";
  }

  @Test
  void keysAreThoseOfTheSeries() throws SinkException {
    SeriesBatches batches = batches(2);
    day(batches, "métrique", 3, 5);
    batches.flush();
    assertThat(messages)
        .extracting(Message::key)
        .startsWith(
            new String(SeriesKey.of("métrique", Map.of("host", "web0")), StandardCharsets.UTF_8));
    assertThat(messages.stream().map(Message::key).distinct()).hasSize(5);
  }

  @Test
  void refusesWhatCannotBeSent() {
    SeriesBatches batches = batches(24);
    RollupPoint infinite = point("a", "web1", 1);
    infinite.set(START, "1h", Double.POSITIVE_INFINITY, 1, 1, 1);
    assertThatThrownBy(() -> batches.add(infinite))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("a{host=web1}");
    RollupPoint rowless = point("a", "web1", 1);
    rowless.row(new byte[0], 0, 0, 0);
    assertThatThrownBy(() -> batches.add(rowless))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("row key");
  }
}
