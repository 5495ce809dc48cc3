package io.tsdbsuite.bulk.input;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tsdbsuite.bulk.parse.Format;
import io.tsdbsuite.bulk.parse.InfluxChoice;
import io.tsdbsuite.bulk.parse.InfluxContexts;
import io.tsdbsuite.bulk.parse.ParseOptions;
import io.tsdbsuite.bulk.parse.Position;
import io.tsdbsuite.bulk.parse.Recorder;
import io.tsdbsuite.job.ExitCode;
import io.tsdbsuite.job.JobException;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class InputUnitsTest {
  private static final String POINT = "cpu,host=a value=1i 1356998400000000000\n";

  @TempDir private Path dir;

  private static final Formats AUTO = TestData.auto(InfluxChoice.NONE);

  private static InputFile sized(String name, long size, Compression how) {
    byte[] magic = TestData.compress(how, TestData.lines("m", 1));
    return new InputFile(name, size, 0, offset -> new ByteArrayInputStream(magic));
  }

  private static String text(List<InputUnit> units) {
    StringBuilder text = new StringBuilder();
    for (InputUnit unit : units) {
      text.append(unit.ordinal()).append(':');
      for (InputPart part : unit.parts()) {
        text.append(' ').append(part.file().name());
        if (part.isSlice()) {
          text.append('[').append(part.from()).append(',').append(part.to()).append(')');
        }
      }
      text.append('\n');
    }
    return text.toString();
  }

  @Test
  void smallFilesTogetherLargeOnesInSlices() {
    List<InputFile> files =
        List.of(
            sized("a", 40, Compression.PLAIN),
            sized("b", 60, Compression.GZIP),
            sized("c", 1, Compression.PLAIN),
            sized("d", 250, Compression.PLAIN),
            sized("e", 250, Compression.ZSTD),
            sized("f", 0, Compression.PLAIN),
            sized("-", -1, Compression.PLAIN),
            sized("g", 250, Compression.PLAIN),
            sized("h", 100, Compression.PLAIN));
    List<InputUnit> units = InputUnits.plan(files, file -> !file.name().equals("g"), 100L);
    assertThat(text(units))
        .isEqualTo(
            """
            0: a b
            1: c
            2: d[0,83)
            3: d[83,166)
            4: d[166,250)
            5: e
            6: f
            7: -
            8: g
            9: h
            """);
    assertThat(units.stream().mapToLong(InputUnit::bytes).sum())
        .isEqualTo(40 + 60 + 1 + 250 + 250 + 250 + 100);
  }

  @Test
  void theTargetFollowsTheTotal() {
    long gb = 1L << 30;
    List<InputFile> small = List.of(sized("a", 20 << 20, Compression.PLAIN));
    assertThat(InputUnits.plan(small, file -> true, 8)).hasSize(2);
    List<InputFile> files = List.of(sized("a", 4 * gb, Compression.PLAIN));
    assertThat(InputUnits.plan(files, file -> true, 2)).hasSize(8);
    files = List.of(sized("a", 100 * gb, Compression.PLAIN));
    assertThat(InputUnits.plan(files, file -> true, 2)).hasSize(50);
    assertThat(InputUnits.plan(List.of(), file -> true, 2)).isEmpty();
  }

  private static List<String> read(List<InputUnit> units) throws IOException {
    Recorder recorder = new Recorder();
    PartReader reader = new PartReader(AUTO);
    for (InputUnit unit : units) {
      for (InputPart part : unit.parts()) {
        reader.read(part, Position.START, recorder);
      }
    }
    return recorder.events();
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "\n", "\r\n\n"})
  void everyCutGivesEachLineOnce(String end) throws IOException {
    String text = "a 1 1 h=a\nlong.name 2 2 h=a\n\n# c\r\nb 3 3.5 h=a" + end;
    Path path = TestData.write(dir, "x", text.getBytes(StandardCharsets.UTF_8));
    InputFile file = TestData.file(path);
    List<String> all = read(List.of(new InputUnit(0, List.of(InputPart.whole(file)))));
    assertThat(all).contains("a{h=a} 1 1", "long.name{h=a} 2 2", "b{h=a} 3 3.5f");
    for (long one = 1; one < file.size(); one++) {
      for (long two = one; two < file.size(); two++) {
        List<InputPart> parts = new ArrayList<>();
        parts.add(new InputPart(file, 0, one));
        parts.add(new InputPart(file, one, two));
        parts.add(new InputPart(file, two, file.size()));
        assertThat(read(List.of(new InputUnit(0, parts)))).as("%s %s", one, two).isEqualTo(all);
      }
    }
  }

  @ParameterizedTest
  @EnumSource
  void bytesAsStoredAreCounted(Compression how) throws IOException {
    byte[] stored = TestData.compress(how, TestData.lines("m", 60_000));
    InputFile file = TestData.file(TestData.write(dir, how.name(), stored));
    AtomicLong count = new AtomicLong();
    new PartReader(AUTO, count::addAndGet, null)
        .read(InputPart.whole(file), Position.START, new Recorder());
    assertThat(count).as("%s", how).hasValue(stored.length);
  }

  /** The rest of a line belongs to the slice in which the line begins. */
  @Test
  void slicesHaveTheBytesOfTheFile() throws IOException {
    byte[] bytes = TestData.lines("m", 100);
    InputFile file = TestData.file(TestData.write(dir, "x", bytes));
    long read = 0;
    for (int from = 0; from < bytes.length; from += 7) {
      Recorder recorder = new Recorder();
      InputPart part = new InputPart(file, from, Math.min(bytes.length, from + 7));
      new PartReader(AUTO).read(part, Position.START, recorder);
      Position end = recorder.positions().get(recorder.positions().size() - 1);
      read += end.bytes() - recorder.begun().bytes();
    }
    assertThat(read).isEqualTo(bytes.length);
  }

  @Test
  void slicesCanBeResumed() throws IOException {
    byte[] bytes = TestData.lines("m", 60_000);
    InputFile file = TestData.file(TestData.write(dir, "x", bytes));
    InputPart part = new InputPart(file, 5, bytes.length - 40);
    PartReader reader = new PartReader(AUTO);
    Recorder all = new Recorder();
    reader.read(part, Position.START, all);
    assertThat(all.events()).hasSize(60_000 - 2);
    assertThat(all.positions()).hasSizeGreaterThan(3);
    for (int i = 0; i < all.positions().size(); i++) {
      Recorder rest = new Recorder();
      reader.read(part, all.positions().get(i), rest);
      assertThat(rest.events())
          .isEqualTo(all.events().subList(all.eventsAt(i), all.events().size()));
    }
  }

  @Test
  void compressedJsonIsResumedByPoints() throws IOException {
    StringBuilder json = new StringBuilder("[");
    for (int i = 0; i < 10_000; i++) {
      json.append(i == 0 ? "" : ",")
          .append("{\"metric\":\"m\",\"timestamp\":1,\"value\":")
          .append(i)
          .append(",\"tags\":{\"a\":\"b\"}}");
    }
    byte[] bytes = json.append(']').toString().getBytes(StandardCharsets.UTF_8);
    Path path = TestData.write(dir, "x.json.gz", TestData.compress(Compression.GZIP, bytes));
    InputPart part = InputPart.whole(TestData.file(path));
    PartReader reader = new PartReader(AUTO);
    Recorder all = new Recorder();
    reader.read(part, Position.START, all);
    assertThat(all.events()).hasSize(10_000);
    for (int i = 0; i < all.positions().size(); i++) {
      Recorder rest = new Recorder();
      reader.read(part, all.positions().get(i), rest);
      assertThat(rest.events())
          .isEqualTo(all.events().subList(all.eventsAt(i), all.events().size()));
    }
  }

  @Test
  void brokenJsonNamesFileLineAndColumn() {
    byte[] json = "[{\"metric\":\"m\"}\n,{]".getBytes(StandardCharsets.UTF_8);
    InputPart part = InputPart.whole(TestData.file(TestData.write(dir, "x.json", json)));
    assertThatThrownBy(() -> new PartReader(AUTO).read(part, Position.START, new Recorder()))
        .isInstanceOfSatisfying(
            JobException.class, e -> assertThat(e.exitCode()).isEqualTo(ExitCode.BAD_INPUT))
        .hasMessageMatching(
            ".*/x.json: line 2, column [34]: Unexpected close marker '\\]': expected '}'");
  }

  static List<String> aFileWithoutALineOfTextIsOfAnyFormat() {
    return List.of("", "\n \r\n", "# only\n\n# comments", "# a comment\n".repeat(20_000));
  }

  @ParameterizedTest
  @MethodSource
  void aFileWithoutALineOfTextIsOfAnyFormat(String text) throws IOException {
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    Path path = TestData.write(dir, "empty", bytes);
    Recorder recorder = new Recorder();
    new PartReader(AUTO).read(InputPart.whole(TestData.file(path)), Position.START, recorder);
    assertThat(recorder.events()).allMatch(String::isEmpty);
  }

  @Test
  void aFormatIsDetectedBehindManyComments() throws IOException {
    String comments = "# a comment\n".repeat(20_000);
    Path path = TestData.write(dir, "x", (comments + POINT).getBytes(StandardCharsets.UTF_8));
    assertThat(AUTO.of(TestData.file(path))).isEqualTo(Format.INFLUX);
  }

  @Test
  void anUnclearFormatIsRefusedWithTheChoices() {
    Path path = TestData.write(dir, "x", "hello\n".getBytes(StandardCharsets.UTF_8));
    InputPart part = InputPart.whole(TestData.file(path));
    assertThatThrownBy(() -> new PartReader(AUTO).read(part, Position.START, new Recorder()))
        .isInstanceOfSatisfying(
            JobException.class, e -> assertThat(e.exitCode()).isEqualTo(ExitCode.USAGE))
        .hasMessageContaining("/x: the format must be clear")
        .hasMessageContaining("opentsdb, json, influx");
    assertThatThrownBy(
            () -> Formats.of("csv", ParseOptions.DEFAULT, new InfluxContexts(InfluxChoice.NONE)))
        .hasMessage(
            "format must be one of auto, opentsdb, json, influx, prometheus, openmetrics,"
                + " victoriametrics, graphite, found 'csv'");
  }
}
