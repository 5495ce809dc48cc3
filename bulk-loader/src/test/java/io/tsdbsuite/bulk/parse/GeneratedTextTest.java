package io.tsdbsuite.bulk.parse;

import static org.assertj.core.api.Assertions.assertThat;

import io.tsdbsuite.testkit.seed.Seed;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Random points written as text and read back, in one go, in small reads, and from any place. */
class GeneratedTextTest {
  /** Characters, enough for three positions. */
  private static final int MOST = 900_000;

  private final StringBuilder text = new StringBuilder();
  private final List<String> expected = new ArrayList<>();
  private Random random;

  private void generate(Format format, int points) {
    long seed = Seed.VALUE;
    System.out.println("GeneratedTextTest " + format + " seed " + seed);
    random = new Random(seed);
    for (int i = 0; i < points && text.length() < MOST; i++) {
      PointText point = PointText.random(random);
      text.append(point.line(format, random)).append(random.nextInt(10) == 0 ? "\r\n" : "\n");
      expected.add(point.event(format));
      if (format.ofLines() && random.nextInt(20) == 0) {
        text.append(random.nextBoolean() ? "\n" : "# m 1 2 a=b\n");
        expected.add("");
      }
    }
  }

  private byte[] bytes() {
    return text.toString().getBytes(StandardCharsets.UTF_8);
  }

  @ParameterizedTest
  @EnumSource
  void allOfIt(Format format) throws IOException {
    generate(format, 14_000);
    PointReader reader = format.reader(ParseOptions.DEFAULT);
    for (int max : new int[] {1, 7, 5000, Integer.MAX_VALUE - 1}) {
      Recorder recorder = new Recorder();
      reader.read(new SmallReads(bytes(), random, max), Position.START, Long.MAX_VALUE, recorder);
      assertThat(recorder.events()).isEqualTo(expected);
      assertThat(recorder.positions()).hasSizeGreaterThan(2);
      assertThat(recorder.eventsAt(recorder.positions().size() - 1)).isEqualTo(expected.size());
    }
  }

  @ParameterizedTest
  @EnumSource
  void onFromEveryPositionThatWasTold(Format format) throws IOException {
    generate(format, 14_000);
    byte[] bytes = bytes();
    Recorder all = new Recorder();
    PointReader reader = format.reader(ParseOptions.DEFAULT);
    reader.read(new ByteArrayInputStream(bytes), Position.START, Long.MAX_VALUE, all);
    int step = 1 + all.positions().size() / Seed.times(4, 1000);
    for (int i = 0; i < all.positions().size(); i += step) {
      Recorder first = new Recorder().stopAfter(i + 1);
      reader.read(new ByteArrayInputStream(bytes), Position.START, Long.MAX_VALUE, first);
      assertThat(first.events()).isEqualTo(expected.subList(0, all.eventsAt(i)));
      Recorder rest = new Recorder();
      reader.read(
          from(format, bytes, all.positions().get(i)),
          all.positions().get(i),
          Long.MAX_VALUE,
          rest);
      assertThat(rest.events()).isEqualTo(expected.subList(all.eventsAt(i), expected.size()));
      int last = all.positions().size() - 1;
      assertThat(rest.positions().get(rest.positions().size() - 1))
          .isEqualTo(all.positions().get(last));
    }
  }

  @ParameterizedTest
  @EnumSource
  void onFromEveryPoint(Format format) throws IOException {
    generate(format, 60);
    byte[] bytes = bytes();
    PointReader reader = format.reader(ParseOptions.DEFAULT);
    int points = 0;
    int offset = 0;
    for (int i = 0; i < expected.size(); i++) {
      Position position = new Position(offset, i, points);
      Recorder rest = new Recorder();
      reader.read(from(format, bytes, position), position, Long.MAX_VALUE, rest);
      assertThat(rest.events()).isEqualTo(expected.subList(i, expected.size()));
      points += expected.get(i).isEmpty() ? 0 : 1;
      offset = 1 + newline(bytes, offset);
    }
  }

  @ParameterizedTest
  @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "JSON")
  void noLineBeginsAtTheEndOrBehindIt(Format format) throws IOException {
    generate(format, 20);
    byte[] bytes = bytes();
    PointReader reader = format.reader(ParseOptions.DEFAULT);
    int begun = 0;
    for (int end = 0; end <= bytes.length; end++) {
      Recorder recorder = new Recorder();
      reader.read(new ByteArrayInputStream(bytes), Position.START, end, recorder);
      assertThat(recorder.events()).as("end %s", end).isEqualTo(expected.subList(0, begun));
      begun += end < bytes.length && (end == 0 || bytes[end - 1] == '\n') ? 1 : 0;
    }
  }

  private static ByteArrayInputStream from(Format format, byte[] bytes, Position position) {
    int off = format.ofLines() ? (int) position.bytes() : 0;
    return new ByteArrayInputStream(bytes, off, bytes.length - off);
  }

  private static int newline(byte[] bytes, int from) {
    int p = from;
    while (bytes[p] != '\n') {
      p++;
    }
    return p;
  }
}
