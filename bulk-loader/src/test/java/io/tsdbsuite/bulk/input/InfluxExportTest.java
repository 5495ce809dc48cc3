package io.tsdbsuite.bulk.input;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tsdbsuite.bulk.parse.InfluxChoice;
import io.tsdbsuite.bulk.parse.InfluxContexts;
import io.tsdbsuite.bulk.parse.ParseOptions;
import io.tsdbsuite.bulk.parse.Position;
import io.tsdbsuite.bulk.parse.Recorder;
import io.tsdbsuite.bulk.run.LoadInput;
import io.tsdbsuite.bulk.settings.InputSettings;
import io.tsdbsuite.job.ExitCode;
import io.tsdbsuite.job.JobException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Exports of InfluxDB name the database of their lines in comments. */
class InfluxExportTest {
  private static final String HEAD =
      """
      # INFLUXDB EXPORT: 1677-09-21T00:12:43Z - 2262-04-11T23:47:16Z
      # DDL
      CREATE DATABASE one WITH NAME autogen
      create database two WITH NAME autogen
      # DML
      """;
  private static final String ONE =
      "# CONTEXT-DATABASE:one\n# CONTEXT-RETENTION-POLICY:autogen\n# writing tsm data\n";
  private static final String TWO =
      "# CONTEXT-DATABASE: two\n# CONTEXT-RETENTION-POLICY: autogen\n# writing wal data\n";
  private static final String MONTH = "# CONTEXT-DATABASE:one\n# CONTEXT-RETENTION-POLICY:month\n";
  private static final InfluxChoice CHOICE = new InfluxChoice("two", "");

  @TempDir private Path dir;

  private static String line(int value) {
    return "cpu,host=a value=" + value + "i 1356998400000000000\n";
  }

  private static String point(int value) {
    return "cpu{host=a} 1356998400 " + value;
  }

  private InputFile file(String name, String text) {
    return TestData.file(TestData.write(dir, name, text.getBytes(StandardCharsets.UTF_8)));
  }

  private static List<String> read(InfluxChoice choice, InputFile... files) throws IOException {
    Recorder recorder = new Recorder();
    PartReader reader = new PartReader(TestData.auto(choice));
    for (InputFile file : files) {
      reader.read(InputPart.whole(file), Position.START, recorder);
    }
    return recorder.events().stream().filter(event -> !event.isEmpty()).toList();
  }

  private static void assertRefused(ThrowingCallable call, ExitCode code, String... words) {
    assertThatThrownBy(call)
        .isInstanceOfSatisfying(JobException.class, e -> assertThat(e.exitCode()).isEqualTo(code))
        .hasMessageContainingAll(words);
  }

  @Test
  void oneContextIsLoadedAndStatementsAreSkipped() throws IOException {
    InputFile export = file("a.gz", HEAD + ONE + line(1) + "# writing wal data\n" + line(2));
    assertThat(read(InfluxChoice.NONE, export)).containsExactly(point(1), point(2));
    assertThat(read(new InfluxChoice("one", "autogen"), export))
        .containsExactly(point(1), point(2));
    assertThat(read(InfluxChoice.NONE, export, file("b", line(3)), file("c", ONE + line(4))))
        .containsExactly(point(1), point(2), point(3), point(4));
  }

  @Test
  void statementsAreSkippedAboveTheDmlOnly() throws IOException {
    InputFile export = file("a", HEAD + ONE + line(1) + "CREATE DATABASE x WITH NAME y\n");
    assertThat(read(InfluxChoice.NONE, export))
        .containsExactly(point(1), "MALFORMED_LINE 10 CREATE DATABASE x WITH NAME y");
  }

  @Test
  void severalContextsAreRefusedWithoutAChoice() {
    InputFile both = file("both", HEAD + ONE + line(1) + TWO + line(2));
    assertRefused(
        () -> read(InfluxChoice.NONE, both),
        ExitCode.USAGE,
        "one/autogen, two/autogen",
        "--influx-database");
    InputFile one = file("one", ONE + line(1));
    assertRefused(
        () -> read(InfluxChoice.NONE, one, file("month", MONTH + line(1))),
        ExitCode.USAGE,
        "one/autogen, one/month",
        "--influx-retention-policy");
    assertRefused(
        () -> read(new InfluxChoice("one", ""), one, file("month", MONTH + line(1))),
        ExitCode.USAGE,
        "one/autogen, one/month");
  }

  @Test
  void aChoiceSkipsTheOthersAndCountsThem() throws IOException {
    InputFile all =
        file("all", HEAD + ONE + line(1) + TWO + line(2) + MONTH + line(3) + TWO + line(4));
    String otherDatabase = "linesOfOtherDatabase";
    assertThat(read(CHOICE, all)).containsExactly(otherDatabase, point(2), otherDatabase, point(4));
    assertThat(read(new InfluxChoice("one", "month"), all))
        .containsExactly("linesOfOtherRetentionPolicy", otherDatabase, point(3), otherDatabase);
    assertThat(read(new InfluxChoice("", "month"), all))
        .containsExactly(
            "linesOfOtherRetentionPolicy",
            "linesOfOtherRetentionPolicy",
            point(3),
            "linesOfOtherRetentionPolicy");
  }

  @Test
  void contextsWithUnknownLinesAreRefused() {
    InputFile late = file("late", line(1) + ONE + line(2));
    assertRefused(
        () -> read(InfluxChoice.NONE, late), ExitCode.BAD_INPUT, "/late: line 2: ", "before");
    assertRefused(
        () -> read(CHOICE, file("none", line(1))), ExitCode.USAGE, "/none: ", CHOICE.toString());
  }

  @ParameterizedTest
  @EnumSource(names = {"PLAIN", "GZIP"})
  void everyPositionKnowsItsContext(Compression how) throws IOException {
    StringBuilder text = new StringBuilder(HEAD);
    for (int i = 0; i < 60_000; i++) {
      if (i % 10_000 == 0) {
        text.append(i % 20_000 == 0 ? ONE : TWO);
      }
      text.append(line(i));
    }
    byte[] bytes = text.toString().getBytes(StandardCharsets.UTF_8);
    InputFile file = TestData.file(TestData.write(dir, "x", TestData.compress(how, bytes)));
    PartReader reader = new PartReader(TestData.auto(CHOICE));
    Recorder all = new Recorder();
    reader.read(InputPart.whole(file), Position.START, all);
    assertThat(all.events().stream().filter(event -> event.startsWith("cpu"))).hasSize(30_000);
    assertThat(all.positions()).hasSizeGreaterThan(3);
    for (int i = 0; i < all.positions().size(); i++) {
      Recorder rest = new Recorder();
      reader.read(InputPart.whole(file), all.positions().get(i), rest);
      assertThat(rest.events())
          .isEqualTo(all.events().subList(all.eventsAt(i), all.events().size()));
    }
  }

  @Test
  void anExportIsNotDividedAndOtherLinesAre() {
    Formats formats = TestData.auto(InfluxChoice.NONE);
    String lines = line(1).repeat(100);
    InputFile export = file("export", HEAD + ONE + lines);
    InputFile plain = file("plain", lines);
    assertThat(InputUnits.plan(List.of(export, plain), formats::anyLine, 1000L))
        .filteredOn(unit -> unit.parts().get(0).file().equals(export))
        .hasSize(1);
    assertThat(formats.anyLine(plain)).isTrue();
  }

  @Test
  void aContextInTheMiddleOfADividedFileIsRefused() throws IOException {
    InputFile file = file("x", line(1).repeat(10) + ONE + line(2));
    for (long from = 1; from < file.size(); from++) {
      InputPart slice = new InputPart(file, from, file.size());
      try (InputStream in = file.open(from - 1)) {
        boolean marked =
            new String(in.readAllBytes(), StandardCharsets.UTF_8).contains("\n# CONTEXT");
        // A file whose beginning has no context is divided.
        Formats formats =
            Formats.of("influx", ParseOptions.DEFAULT, new InfluxContexts(InfluxChoice.NONE));
        PartReader reader = new PartReader(formats);
        if (marked) {
          assertRefused(
              () -> reader.read(slice, Position.START, new Recorder()),
              ExitCode.BAD_INPUT,
              "/x from byte ");
        }
      }
    }
  }

  private static InputSettings settings(InfluxChoice choice, InputFile... files) {
    return InputSettings.of(Arrays.stream(files).map(InputFile::name).toList(), "auto")
        .with(choice);
  }

  private static void find(InfluxChoice choice, InputFile... files) {
    LoadInput unused =
        LoadInput.find(
            settings(choice, files), 2, new Configuration(), InputStream.nullInputStream());
  }

  @Test
  void theBeginningsOfAllFilesAreLookedAtFirst() {
    InputFile one = file("one", HEAD + ONE + line(1));
    InputFile two = file("two", HEAD + TWO + line(1));
    InputFile month = file("month", HEAD + MONTH + line(1));
    assertRefused(
        () -> find(InfluxChoice.NONE, one, two, month),
        ExitCode.USAGE,
        "one/autogen",
        "two/autogen",
        "one/month");
    find(CHOICE, one, two, month);
    find(InfluxChoice.NONE, one, file("again", ONE + line(2)));
    assertRefused(
        () -> find(CHOICE, file("lines", "m 1356998400 1 host=a\n")),
        ExitCode.USAGE,
        "--influx-database=two is for InfluxDB line protocol");
  }
}
