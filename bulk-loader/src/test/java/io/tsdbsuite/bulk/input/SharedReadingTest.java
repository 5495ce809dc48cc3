package io.tsdbsuite.bulk.input;

import static org.assertj.core.api.Assertions.assertThat;

import io.tsdbsuite.bulk.parallel.IdleThreads;
import io.tsdbsuite.bulk.parse.Format;
import io.tsdbsuite.bulk.parse.InfluxChoice;
import io.tsdbsuite.bulk.parse.InfluxContexts;
import io.tsdbsuite.bulk.parse.ParseOptions;
import io.tsdbsuite.bulk.parse.PointText;
import io.tsdbsuite.bulk.parse.Position;
import io.tsdbsuite.bulk.parse.TimeRounding;
import io.tsdbsuite.job.JobException;
import io.tsdbsuite.testkit.seed.Seed;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.LongAdder;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** One, two and more threads make the same calls in the same order, whatever the text. */
class SharedReadingTest {
  private static final int[] HELPERS = {1, 3};
  private static final int LONGEST_LINE = 1 << 20;

  /** The first position of JSON, bytes. */
  private static final int POSITION = 1 << 18;

  @TempDir private Path dir;
  private final Random random = Seed.random();
  private ParseOptions options = ParseOptions.DEFAULT;
  private int files;

  /** Lines with some that are bad, blank, or comments, and either end of line. */
  private String text(Format format, int points) {
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < points; i++) {
      String line = PointText.random(random).line(format, random);
      switch (random.nextInt(30)) {
        case 0 -> text.append(line, 0, random.nextInt(line.length()));
        case 1 -> text.append("  ").append(line).append(" \t");
        case 2 -> text.append("# ").append(line);
        case 3 -> text.append("\t");
        case 4 -> text.append("x ").append(line);
        // Well-formed JSON, but no point.
        case 5, 6 -> text.append(line.replace("\"timestamp\":", "\"timestamp\":-")).append(" \t");
        default -> text.append(line);
      }
      text.append(random.nextInt(10) == 0 ? "\r\n" : "\n");
    }
    return text.toString();
  }

  private InputFile file(byte[] stored) {
    files++;
    return TestData.file(TestData.write(dir, "in" + files, stored));
  }

  private InputFile file(Compression how, String text) {
    return file(TestData.compress(how, text.getBytes(StandardCharsets.UTF_8)));
  }

  /** All calls, and the failure or, at the end of the text, the stored bytes that were read. */
  private List<String> read(InputFile file, Format format, int helpers, Position from, int stop)
      throws IOException, InterruptedException {
    LongAdder stored = new LongAdder();
    IdleThreads idle = new IdleThreads(helpers + 1);
    List<Thread> threads = new ArrayList<>();
    for (int i = 0; i < helpers; i++) {
      Thread thread =
          new Thread(
              () -> {
                idle.leave();
                idle.help();
              });
      thread.start();
      threads.add(thread);
    }
    CallList list = new CallList(stop);
    Formats formats = Formats.of(format.key(), options, new InfluxContexts(InfluxChoice.NONE));
    PartReader reader = new PartReader(formats, stored::add, helpers == 0 ? null : idle, 0);
    try {
      reader.read(InputPart.whole(file), from, list);
      if (stop == Integer.MAX_VALUE) {
        list.calls.add(stored + " bytes");
      }
    } catch (JobException e) {
      list.calls.add(e.exitCode() + " " + e.getMessage());
    } finally {
      idle.leave();
    }
    for (Thread thread : threads) {
      thread.join();
    }
    return list.calls;
  }

  private List<String> requireSame(InputFile file, Format format)
      throws IOException, InterruptedException {
    List<String> alone = read(file, format, 0, Position.START, Integer.MAX_VALUE);
    for (int helpers : HELPERS) {
      requireSame(read(file, format, helpers, Position.START, Integer.MAX_VALUE), alone);
    }
    return alone;
  }

  /** Shows the first difference alone. */
  private static void requireSame(List<String> found, List<String> expected) {
    for (int i = 0; i < Math.min(found.size(), expected.size()); i++) {
      assertThat(found.get(i)).as("call %s", i).isEqualTo(expected.get(i));
    }
    assertThat(found).hasSameSizeAs(expected);
  }

  @ParameterizedTest
  @EnumSource
  void anyFormat(Format format) throws IOException, InterruptedException {
    List<String> calls = requireSame(file(Compression.GZIP, text(format, 14_000)), format);
    assertThat(calls.size()).isGreaterThan(13_000);
    assertThat(calls.stream().filter(call -> call.startsWith("Position")).count()).isGreaterThan(4);
  }

  @ParameterizedTest
  @EnumSource
  void timesInWholeSeconds(Format format) throws IOException, InterruptedException {
    options = options.with(TimeRounding.S);
    requireSame(file(Compression.GZIP, text(format, 3000)), format);
  }

  @ParameterizedTest
  @EnumSource
  void anyCompression(Compression how) throws IOException, InterruptedException {
    requireSame(file(how, text(Format.OPENTSDB, 10_000)), Format.OPENTSDB);
  }

  @Test
  void severalMembers() throws IOException, InterruptedException {
    byte[] text = text(Format.OPENTSDB, 10_000).getBytes(StandardCharsets.UTF_8);
    int cut = random.nextInt(text.length);
    byte[] stored =
        TestData.join(
            TestData.compress(Compression.GZIP, Arrays.copyOf(text, cut)),
            TestData.compress(Compression.GZIP, new byte[0]),
            TestData.compress(Compression.GZIP, Arrays.copyOfRange(text, cut, text.length)));
    requireSame(file(stored), Format.OPENTSDB);
  }

  @Test
  void oddBeginningsAndEnds() throws IOException, InterruptedException {
    String line = "m 1356998400 1 a=b";
    for (String text :
        List.of(
            "",
            "\n",
            "\ufeff",
            "\ufeff" + line,
            "\ufeff" + line + "\n",
            line,
            line + "\r",
            line + "\r\n",
            line + "\n\n\n",
            "# " + line,
            text(Format.OPENTSDB, 6000) + line,
            "\ufeff" + text(Format.OPENTSDB, 6000) + "\n" + line + "\r")) {
      requireSame(file(Compression.GZIP, text), Format.OPENTSDB);
    }
  }

  @Test
  void linesLargerThanABlock() throws IOException, InterruptedException {
    StringBuilder text = new StringBuilder();
    for (int length :
        new int[] {
          1 << 18,
          300_000,
          LONGEST_LINE - 1,
          LONGEST_LINE,
          LONGEST_LINE + 1,
          LONGEST_LINE + 2,
          3 * LONGEST_LINE
        }) {
      text.append(text(Format.OPENTSDB, 10));
      String line = "m 1356998400 1 a=b";
      text.append(line).append("x".repeat(length - line.length()));
      text.append(random.nextBoolean() ? "\n" : "\r\n");
      text.append("#".repeat(length)).append('\n');
    }
    String all = text + text(Format.OPENTSDB, 10);
    requireSame(file(Compression.GZIP, all), Format.OPENTSDB);
    requireSame(file(Compression.GZIP, all + "y".repeat(3 * LONGEST_LINE)), Format.OPENTSDB);
  }

  @ParameterizedTest
  @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "PLAIN")
  void truncatedAndCorrupt(Compression how) throws IOException, InterruptedException {
    byte[] stored =
        TestData.compress(how, text(Format.OPENTSDB, 10_000).getBytes(StandardCharsets.UTF_8));
    for (int i = 0; i < Seed.times(2, 5); i++) {
      byte[] cut = Arrays.copyOf(stored, stored.length - 1 - random.nextInt(stored.length / 2));
      List<String> calls = requireSame(file(cut), Format.OPENTSDB);
      assertThat(calls.get(calls.size() - 1)).contains("at byte");
      byte[] bad = stored.clone();
      bad[stored.length / 2 + random.nextInt(100)] ^= 0x55;
      requireSame(file(bad), Format.OPENTSDB);
    }
  }

  @ParameterizedTest
  @EnumSource(names = {"OPENTSDB", "INFLUX"})
  void onFromEveryPosition(Format format) throws IOException, InterruptedException {
    InputFile file = file(Compression.ZSTD, text(format, 14_000));
    List<String> calls = read(file, format, 0, Position.START, Integer.MAX_VALUE);
    int positions = 0;
    for (int i = 0; i < calls.size(); i++) {
      if (calls.get(i).startsWith("Position")) {
        positions++;
        int helpers = 1 + random.nextInt(3);
        requireSame(
            read(file, format, helpers, Position.START, positions), calls.subList(0, i + 1));
        Position from = position(calls.get(i));
        requireSame(
            read(file, format, helpers, from, Integer.MAX_VALUE),
            read(file, format, 0, from, Integer.MAX_VALUE));
      }
    }
    assertThat(positions).isGreaterThan(4);
  }

  /** Of what {@link Position#toString} says. */
  private static Position position(String text) {
    Matcher numbers = Pattern.compile("bytes=(\\d+), lines=(\\d+), points=(\\d+)").matcher(text);
    assertThat(numbers.find()).isTrue();
    return new Position(
        Long.parseLong(numbers.group(1)),
        Long.parseLong(numbers.group(2)),
        Long.parseLong(numbers.group(3)));
  }

  @Test
  void sectionsOfAnInfluxExport() throws IOException, InterruptedException {
    StringBuilder text = new StringBuilder("# INFLUXDB EXPORT: 1 - 2\n# DDL\n");
    text.append("CREATE DATABASE d WITH NAME p\n# DML\n");
    text.append("# CONTEXT-DATABASE:d\n# CONTEXT-RETENTION-POLICY:p\n");
    text.append(text(Format.INFLUX, 10_000));
    requireSame(file(Compression.GZIP, text.toString()), Format.INFLUX);
    text.append("# CONTEXT-DATABASE:other\n").append(text(Format.INFLUX, 10));
    requireSame(file(Compression.GZIP, text.toString()), Format.INFLUX);
    String late = text(Format.INFLUX, 10_000) + "# CONTEXT-DATABASE:d\nm,a=b v=1 1\n";
    requireSame(file(Compression.GZIP, late), Format.INFLUX);
  }

  /** Arrays of any shape, with elements that are rejected. */
  private String arrays(int points, int each) {
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < points; i++) {
      String object = PointText.random(random).line(Format.JSON, random);
      text.append(i % each == 0 ? "[" : random.nextBoolean() ? "," : " ,\n\t");
      switch (random.nextInt(40)) {
        case 0 -> text.append("1e5");
        case 1 -> text.append("[{\"a\": 1}]");
        case 2 -> text.append("\"}]\\\",{\"");
        case 3 -> text.append("{}");
        case 4 -> text.append("{\"metric\":\"m\",\"x\":[1,{\"]\":\"}\"}],\"timestamp\":true}");
        case 5 -> text.append(object.replace(",", ",\r\n   "));
        default -> text.append(object);
      }
      if ((i + 1) % each == 0 || i + 1 == points) {
        text.append(random.nextBoolean() ? "]" : " ]\n");
      }
    }
    return text.toString();
  }

  @ParameterizedTest
  @EnumSource
  void arraysOfJson(Compression how) throws IOException, InterruptedException {
    List<String> calls = requireSame(file(how, arrays(10_000, 10_000)), Format.JSON);
    assertThat(calls.stream().filter(call -> call.startsWith("Position")).count()).isGreaterThan(4);
    requireSame(file(how, "\ufeff" + arrays(5000, 7)), Format.JSON);
    requireSame(file(how, arrays(100, 7) + "# a comment\n" + arrays(100, 7)), Format.JSON);
    requireSame(file(how, arrays(100, 7) + text(Format.JSON, 3000)), Format.JSON);
  }

  @Test
  void brokenArrays() throws IOException, InterruptedException {
    for (int i = 0; i < Seed.times(12, 40); i++) {
      StringBuilder text = new StringBuilder(arrays(2000, 1000));
      String nasty = "\"\\{}[],:= \n\r#1";
      for (int n = 1 + random.nextInt(2); n > 0; n--) {
        int at = 1 + random.nextInt(text.length() - 1);
        switch (random.nextInt(3)) {
          case 0 -> text.setLength(at);
          case 1 -> text.deleteCharAt(at);
          default -> text.insert(at, nasty.charAt(random.nextInt(nasty.length())));
        }
      }
      requireSame(file(Compression.PLAIN, text.toString()), Format.JSON);
    }
  }

  @Test
  void elementsLargerThanABlock() throws IOException, InterruptedException {
    StringBuilder text = new StringBuilder();
    for (int length : new int[] {1 << 18, 300_000, LONGEST_LINE - 100, 2 * LONGEST_LINE}) {
      String object = PointText.random(random).line(Format.JSON, random);
      String larger = object.substring(0, object.length() - 1) + ",\"x\":\"" + "y".repeat(length);
      text.append(arrays(10, 3)).append('[').append(larger).append("\"},").append(object);
      text.append("]\n").append(larger).append("\"}\n").append(object).append('\n');
    }
    requireSame(file(Compression.GZIP, text.toString()), Format.JSON);
  }

  @Test
  void objectsOfJsonInLines() throws IOException, InterruptedException {
    String object =
        "{\"metric\":\"m\",\"timestamp\":1356998400,\"value\":1,\"tags\":{\"a\":\"b\"}}";
    StringBuilder text = new StringBuilder(object + "\n");
    List<String> tails =
        List.of("\n", "\r\n", " \t\n", " \r \n", object + "\n", " [" + object + ",\n", "x\n");
    boolean open = false;
    for (int i = 0; i < 9000; i++) {
      String bad = object.replace("\"value\":1", "\"value\":1}{");
      String tail = tails.get(random.nextInt(40) < 35 ? 0 : random.nextInt(tails.size()));
      text.append(!open && random.nextInt(20) == 0 ? bad : object);
      if (open) {
        text.append(']');
        open = false;
      }
      text.append(tail);
      open = tail.contains("[");
    }
    List<String> calls = requireSame(file(Compression.PLAIN, text.toString()), Format.JSON);
    assertThat(positions(calls)).isGreaterThan(1);
    requireSame(file(Compression.ZSTD, text(Format.JSON, 10_000)), Format.JSON);
  }

  /** The end of a broken object with blanks behind it at, before and behind a position. */
  @Test
  void brokenObjectsOfJsonInLinesAtAPosition() throws IOException, InterruptedException {
    String object =
        "{\"metric\":\"m\",\"timestamp\":1356998400,\"value\":1,\"tags\":{\"a\":\"b\"}}";
    String first = object + "\n";
    for (String tail : List.of("\n", "\r\n", " \r\n", " \t \n", " x\n")) {
      for (int before = -4; before <= 2; before++) {
        String broken = "{,\"a\":1}";
        StringBuilder text = new StringBuilder(first);
        while (text.length() + 2 * first.length() < POSITION) {
          text.append(first);
        }
        int fill = POSITION + before - text.length() - 1 - broken.length();
        text.append(" ".repeat(fill)).append('\n').append(broken).append(tail).append(first);
        while (text.length() < 2 * POSITION + 2 * first.length()) {
          text.append(first);
        }
        List<String> calls = requireSame(file(Compression.PLAIN, text.toString()), Format.JSON);
        assertThat(positions(calls)).isGreaterThan(1);
      }
    }
  }

  private static long positions(List<String> calls) {
    return calls.stream().filter(call -> call.startsWith("Position")).count();
  }

  /** A stream that breaks behind an object, and within one. */
  @Test
  void truncatedObjectsOfJsonInLines() throws IOException, InterruptedException {
    String object =
        "{\"metric\":\"m\",\"timestamp\":1356998400,\"value\":1,\"tags\":{\"a\":\"b\"}}";
    int chunk = 1 << 16;
    for (String last : List.of(object, object + " ", object + "\n", object.substring(1))) {
      StringBuilder text = new StringBuilder(object + "\n");
      while (text.length() + last.length() + object.length() < 2 * chunk) {
        text.append(object).append('\n');
      }
      int fill = 2 * chunk - text.length() - last.length();
      text.append(" ".repeat(fill - 1)).append('\n').append(last);
      byte[] stored =
          TestData.compress(Compression.GZIP, text.toString().getBytes(StandardCharsets.UTF_8));
      // Without the checksum at its end.
      byte[] cut = Arrays.copyOf(stored, stored.length - 8);
      List<String> calls = requireSame(file(cut), Format.JSON);
      assertThat(calls.get(calls.size() - 1)).contains("at byte");
    }
  }
}
