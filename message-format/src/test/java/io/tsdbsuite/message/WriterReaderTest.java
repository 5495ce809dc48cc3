package io.tsdbsuite.message;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tsdbsuite.message.read.AggregateElement;
import io.tsdbsuite.message.read.BadMessageException;
import io.tsdbsuite.message.read.Element;
import io.tsdbsuite.message.read.MessageReader;
import io.tsdbsuite.message.read.RollupElement;
import io.tsdbsuite.message.read.RollupRequestElement;
import io.tsdbsuite.message.read.SeriesElement;
import io.tsdbsuite.message.write.MessageEncoder;
import io.tsdbsuite.message.write.MessageFormat;
import io.tsdbsuite.message.write.RollupPoint;
import io.tsdbsuite.message.write.RollupRequestEncoder;
import io.tsdbsuite.message.write.RollupValues;
import io.tsdbsuite.message.write.SeriesKey;
import io.tsdbsuite.message.write.SeriesMessage;
import io.tsdbsuite.message.write.SeriesText;
import io.tsdbsuite.testkit.seed.Seed;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.RepetitionInfo;
import org.junit.jupiter.api.Test;

/** Every value that the writer writes is the value that the reader reads. */
class WriterReaderTest {
  private static final int POINTS = 2_000;

  private static final String[] INTERVALS = {"1m", "10m", "1h", "1d"};

  private static final double[] SPECIAL = {
    0.0, -0.0, 1.0, 60.0, 0.1, 1e300, Double.MAX_VALUE, -Double.MAX_VALUE, Double.MIN_VALUE, 0x1p53
  };

  private final MessageReader reader = new MessageReader();
  private final RollupPoint point = new RollupPoint();

  @RepeatedTest(4)
  void aRollupReadsBackEqual(RepetitionInfo repetition) throws BadMessageException {
    Random random = random(repetition);
    long asOf = 100_000_000_000L + (long) (random.nextDouble() * 9e12);
    MessageEncoder encoder = MessageFormat.ROLLUP.encoder(asOf);
    for (int i = 0; i < POINTS; i++) {
      Series series = draw(random);
      byte[] histogram = new byte[1 + random.nextInt(100)];
      random.nextBytes(histogram);
      boolean hasHistogram = random.nextInt(4) == 0;
      if (hasHistogram) {
        point.rollup().histogram("a.Codec", histogram);
      }
      byte[] message = encoder.encode(point, 0).toByteArray();
      RollupElement read = (RollupElement) only(message);
      assertThat(read.codec()).isEqualTo(point.rollup().codec());
      assertThat(read.histogram()).isEqualTo(hasHistogram ? histogram : new byte[0]);
      series.assertEqualTo(read);
      assertThat(read.interval()).isEqualTo(point.interval());
      assertThat(read.hasAsOf()).isTrue();
      assertThat(read.asOf()).isEqualTo(asOf);
      assertThat(read.isDeletion()).isEqualTo(point.rollup().isDeletion());
      assertThat(read.size())
          .isEqualTo(point.rollup().hasValues() ? 4 + point.rollup().names().size() : 0);
      for (int v = 0; v < read.size(); v++) {
        assertValue(read.aggregator(v), read.value(v));
      }
    }
  }

  @RepeatedTest(4)
  void rollupsInOneMessageReadBackEqual(RepetitionInfo repetition) throws BadMessageException {
    Random random = random(repetition);
    SeriesMessage writer = new SeriesMessage(100_000_000_000L);
    for (int i = 0; i < POINTS / 20; i++) {
      Series series = draw(random);
      writer.begin(SeriesText.of(point));
      int rollups = 1 + random.nextInt(30);
      for (int r = 0; r < rollups; r++) {
        writer.add(
            series.timestamp() + r,
            "1h",
            RollupValues.of(r, point.rollup().min(), point.rollup().max(), r));
      }
      List<Element> read = reader.read(writer.toByteArray());
      assertThat(read).hasSize(rollups);
      for (int r = 0; r < rollups; r++) {
        RollupElement rollup = (RollupElement) read.get(r);
        new Series(series.metric(), series.tags(), series.timestamp() + r).assertEqualTo(rollup);
        assertThat(rollup.isDeletion()).isEqualTo(r == 0);
        assertThat(rollup.asOf()).isEqualTo(100_000_000_000L);
        for (int v = 0; v < rollup.size(); v++) {
          point.set(0, "1h", r, point.rollup().min(), point.rollup().max(), r);
          assertValue(rollup.aggregator(v), rollup.value(v));
        }
      }
    }
  }

  /** In whatever order they come, and with times that are no multiple of the interval. */
  @RepeatedTest(4)
  void version3ReadsAsVersions1And2(RepetitionInfo repetition) throws BadMessageException {
    Random random = random(repetition);
    SeriesMessage separate = new SeriesMessage(100_000_000_000L);
    SeriesMessage arrays = new SeriesMessage(100_000_000_000L, true);
    int rollups = 0;
    int objects = 0;
    for (int i = 0; i < POINTS / 4; i++) {
      draw(random);
      separate.begin(SeriesText.of(point));
      arrays.begin(SeriesText.of(point));
      long time = 3600L * (1 + random.nextInt(1_000_000));
      boolean wild = random.nextInt(3) == 0;
      for (int r = 1 + random.nextInt(30); r > 0; r--) {
        time += wild ? random.nextInt(20_000_000) - 1000 : 3600 * (1 + random.nextInt(2));
        draw(random);
        if (random.nextInt(10) == 0) {
          point.rollup().histogram("a.Codec", new byte[] {1, (byte) r});
        }
        if (!wild && random.nextInt(4) > 0 && point.rollup().hasValues()) {
          point.rollup().set(number(random), number(random), number(random), r);
        }
        String interval = wild ? point.interval() : "1h";
        separate.add(time, interval, point.rollup());
        arrays.add(time, interval, point.rollup());
        rollups++;
      }
      assertThat(arrays.rollups()).isEqualTo(separate.rollups());
      List<Element> expected = reader.read(separate.toByteArray());
      byte[] message = arrays.toByteArray();
      assertThat(arrays.toByteArray()).isEqualTo(message);
      List<Element> found = reader.read(message);
      objects += found.get(found.size() - 1).index() + 1;
      assertThat(texts(found)).containsExactlyInAnyOrderElementsOf(texts(expected));
    }
    assertThat(objects).isLessThan(rollups * 3 / 4);
  }

  private static List<String> texts(List<Element> elements) {
    List<String> texts = new ArrayList<>();
    for (Element each : elements) {
      RollupElement rollup = (RollupElement) each;
      StringBuilder text = new StringBuilder(rollup.metric());
      text.append(new TreeMap<>(rollup.tags())).append(rollup.timestamp());
      text.append(rollup.interval()).append(rollup.asOf()).append(rollup.isDeletion());
      text.append(rollup.codec()).append(Arrays.toString(rollup.histogram()));
      for (int i = 0; i < rollup.size(); i++) {
        text.append(rollup.aggregator(i)).append(rollup.value(i)).append(' ');
      }
      texts.add(text.append(rollup.points()).toString());
    }
    return texts;
  }

  @RepeatedTest(4)
  void aggregatesReadBackEqual(RepetitionInfo repetition) throws BadMessageException {
    Random random = random(repetition);
    MessageEncoder encoder = MessageFormat.AGGREGATE.encoder(1);
    for (int i = 0; i < POINTS; i++) {
      Series series = draw(random);
      if (point.rollup().isDeletion()) {
        assertThatThrownBy(() -> encoder.encode(point, 0))
            .isInstanceOf(IllegalArgumentException.class);
        continue;
      }
      List<String> aggregators = new ArrayList<>();
      for (int m = 0; m < encoder.messages(point); m++) {
        AggregateElement read = (AggregateElement) only(encoder.encode(point, m).toByteArray());
        series.assertEqualTo(read);
        assertThat(read.interval()).isEqualTo(point.interval());
        assertThat(read.groupByAggregator()).isNull();
        assertThat(read.origin()).isNull();
        assertValue(read.aggregator(), read.value());
        aggregators.add(read.aggregator());
      }
      List<String> expected = new ArrayList<>(List.of("SUM", "MIN", "MAX", "COUNT"));
      point.rollup().names().forEach(name -> expected.add(name.toUpperCase(Locale.ROOT)));
      assertThat(aggregators).isEqualTo(expected);
    }
  }

  @RepeatedTest(4)
  void aRequestReadsBackEqual(RepetitionInfo repetition) throws BadMessageException {
    Random random = random(repetition);
    RollupRequestEncoder encoder = new RollupRequestEncoder();
    for (int i = 0; i < POINTS; i++) {
      Series drawn = draw(random);
      long hour = 3600L * (1 + random.nextInt(1_193_046));
      List<String> intervals =
          new ArrayList<>(List.of(INTERVALS)).subList(0, 1 + random.nextInt(INTERVALS.length));
      Collections.shuffle(intervals, random);
      String reason = name(random, 10);
      RollupRequestElement read =
          (RollupRequestElement) only(encoder.encode(point, hour, intervals, reason));
      new Series(drawn.metric(), drawn.tags(), hour).assertEqualTo(read);
      assertThat(read.intervals()).isEqualTo(intervals);
      assertThat(read.reason()).isEqualTo(reason);
    }
  }

  @Test
  void aValueThatIsNotFiniteIsNeverWritten() {
    draw(new Random(Seed.VALUE));
    for (double bad : new double[] {Double.NaN, Double.POSITIVE_INFINITY, -1 / 0.0}) {
      for (int place = 0; place < 3; place++) {
        point.set(1, "1h", place == 0 ? bad : 1, place == 1 ? bad : 1, place == 2 ? bad : 1, 1);
        for (MessageFormat format : MessageFormat.values()) {
          assertThatThrownBy(() -> format.encoder(1).encode(point, 0))
              .isInstanceOf(IllegalArgumentException.class);
        }
      }
    }
  }

  @RepeatedTest(4)
  void bothKeysOfASeriesAreEqual(RepetitionInfo repetition) {
    Random random = random(repetition);
    SeriesKey key = new SeriesKey();
    for (int i = 0; i < POINTS; i++) {
      Series series = draw(random);
      assertThat(SeriesKey.of(series.metric(), series.tags()))
          .isEqualTo(key.of(point).toByteArray());
    }
  }

  private void assertValue(String aggregator, String text) {
    switch (aggregator.toLowerCase(Locale.ROOT)) {
      case "sum" -> assertDouble(text, point.rollup().sum());
      case "min" -> assertDouble(text, point.rollup().min());
      case "max" -> assertDouble(text, point.rollup().max());
      case "count" -> assertThat(Long.parseLong(text)).isEqualTo(point.rollup().count());
      default ->
          assertDouble(
              text,
              point
                  .rollup()
                  .further(point.rollup().names().indexOf(aggregator.toLowerCase(Locale.ROOT))));
    }
  }

  private static void assertDouble(String text, double expected) {
    assertThat(Double.doubleToRawLongBits(Double.parseDouble(text)))
        .as(text)
        .isEqualTo(Double.doubleToRawLongBits(expected));
  }

  private Element only(byte[] message) throws BadMessageException {
    List<Element> elements = reader.read(message);
    assertThat(elements).hasSize(1);
    assertThat(elements.get(0).from()).isZero();
    assertThat(elements.get(0).to()).isEqualTo(message.length);
    return elements.get(0);
  }

  /** The names and the timestamp of a drawn point. */
  private record Series(String metric, Map<String, String> tags, long timestamp) {
    void assertEqualTo(SeriesElement read) {
      assertThat(read.metric()).isEqualTo(metric);
      assertThat(read.tags()).isEqualTo(tags);
      assertThat(read.timestamp()).isEqualTo(timestamp);
    }
  }

  /** Fills the point; one in ten is a deletion, and half of the others have further aggregators. */
  private Series draw(Random random) {
    TreeMap<String, String> tags = new TreeMap<>();
    for (int t = 1 + random.nextInt(8); t > 0; t--) {
      tags.put(name(random, 20), name(random, 20));
    }
    Series series = new Series(name(random, 40), tags, 1 + random.nextInt(Integer.MAX_VALUE - 1));
    point.clear();
    point.metric().set(latin1(series.metric()));
    tags.descendingMap()
        .forEach(
            (key, value) -> {
              int tag = point.addTag();
              point.tagKey(tag).set(latin1(key));
              point.tagValue(tag).set(latin1(value));
            });
    point.sortTags();
    String interval = INTERVALS[random.nextInt(INTERVALS.length)];
    if (random.nextInt(10) == 0) {
      point.takeBack(series.timestamp(), interval);
    } else {
      long count = random.nextBoolean() ? 1 + random.nextInt(3600) : 1 + (random.nextLong() >>> 1);
      point.set(
          series.timestamp(),
          interval,
          number(random),
          number(random),
          number(random),
          Math.max(1, count));
      if (random.nextBoolean()) {
        List<String> names = new ArrayList<>(MessageTypes.FURTHER_AGGREGATORS);
        Collections.shuffle(names, random);
        point.rollup().further(names.subList(0, 1 + random.nextInt(names.size())));
        for (int i = 0; i < point.rollup().names().size(); i++) {
          point.rollup().further(i, number(random));
        }
      }
    }
    return series;
  }

  private static double number(Random random) {
    switch (random.nextInt(3)) {
      case 0:
        return SPECIAL[random.nextInt(SPECIAL.length)];
      case 1:
        return random.nextInt();
      default:
        double any = Double.longBitsToDouble(random.nextLong());
        return Double.isFinite(any) ? any : 0.5;
    }
  }

  /** Any bytes, quotes, backslashes and control characters among them. */
  private static String name(Random random, int maxLength) {
    byte[] name = new byte[1 + random.nextInt(maxLength)];
    random.nextBytes(name);
    return new String(name, StandardCharsets.ISO_8859_1);
  }

  private static byte[] latin1(String text) {
    return text.getBytes(StandardCharsets.ISO_8859_1);
  }

  private static Random random(RepetitionInfo repetition) {
    return new Random(Seed.VALUE + repetition.getCurrentRepetition());
  }
}
