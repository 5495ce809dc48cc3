package io.tsdbsuite.bulk.parse;

import static org.assertj.core.api.Assertions.assertThat;

import io.tsdbsuite.testkit.seed.Seed;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A line that is spoiled never takes its neighbours with it, and never ends a reader otherwise. */
class MutatedTextTest {
  private static final int LINES = 20;
  private static final String NASTY = "\"\\{}[],:= \t\r#.-+eE0\u0000\u007f\u00ff";

  @ParameterizedTest
  @EnumSource
  void spoiledLines(Format format) throws IOException {
    long seed = Seed.VALUE;
    System.out.println("MutatedTextTest " + format + " seed " + seed);
    Random random = new Random(seed);
    PointReader reader = format.reader(ParseOptions.DEFAULT);
    for (int round = 0; round < 1000; round++) {
      ByteArrayOutputStream text = new ByteArrayOutputStream();
      List<String> whole = new ArrayList<>();
      for (int i = 0; i < LINES; i++) {
        PointText point = PointText.random(random);
        byte[] line = point.line(format, random).getBytes(StandardCharsets.UTF_8);
        if (random.nextInt(3) == 0) {
          spoil(line, random);
        } else {
          whole.add(point.event(format));
        }
        text.writeBytes(line);
        text.write('\n');
      }
      Recorder recorder = new Recorder();
      byte[] bytes = text.toByteArray();
      try {
        reader.read(new ByteArrayInputStream(bytes), Position.START, Long.MAX_VALUE, recorder);
      } catch (BrokenTextException e) {
        assertThat(format).isEqualTo(Format.JSON);
        continue;
      }
      String input = text.toString(StandardCharsets.UTF_8);
      assertThat(recorder.events()).as(input).hasSizeGreaterThanOrEqualTo(LINES);
      assertThat(recorder.events()).as(input).containsSubsequence(whole);
      Position last = recorder.positions().get(recorder.positions().size() - 1);
      assertThat(last.bytes()).isEqualTo(bytes.length);
      assertThat(last.points())
          .isEqualTo(recorder.events().stream().filter(event -> !event.isEmpty()).count());
    }
  }

  private static void spoil(byte[] line, Random random) {
    for (int i = 1 + random.nextInt(3); i > 0; i--) {
      byte c =
          random.nextBoolean()
              ? (byte) NASTY.charAt(random.nextInt(NASTY.length()))
              : (byte) random.nextInt(256);
      line[random.nextInt(line.length)] = c == '\n' ? (byte) ' ' : c;
    }
  }
}
