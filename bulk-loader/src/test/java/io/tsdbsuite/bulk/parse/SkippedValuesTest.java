package io.tsdbsuite.bulk.parse;

import static org.assertj.core.api.Assertions.assertThat;

import io.tsdbsuite.bulk.report.SkipKind;
import java.io.IOException;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Values that OpenTSDB cannot store are left out by {@code --skip}, and rejected without it. */
class SkippedValuesTest {
  private static final String NS = " 1356998400000000000";

  private static List<String> read(Format format, Set<SkipKind> skip, String text)
      throws IOException {
    return Recorder.read(format, ParseOptions.DEFAULT.withSkip(skip), text);
  }

  @Test
  void theNumbersOfALineAreLoadedAndItsStringsAreSkipped() throws IOException {
    String line = "cpu,host=a load=0.5,state=\"on, a=1\",up=t" + NS;
    assertThat(read(Format.INFLUX, Set.of(SkipKind.STRINGS, SkipKind.BOOLEANS), line))
        .containsExactly("cpu.load{host=a} 1356998400 0.5f", "skipped strings", "skipped booleans");
    assertThat(read(Format.INFLUX, Set.of(SkipKind.STRINGS), line))
        .containsExactly(
            "cpu.load{host=a} 1356998400 0.5f", "skipped strings", "BAD_VALUE 1 " + line);
    StringBuilder details = new StringBuilder();
    TestText.read(Format.INFLUX, ParseOptions.DEFAULT, line, new DetailHandler(details));
    assertThat(details).contains("--skip strings").contains("--skip booleans");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '~',
      quoteCharacter = '^',
      value = {
        "OPENTSDB~m 1356998400 VALUE host=a",
        "JSON~{\"metric\":\"m\",\"timestamp\":1356998400,\"value\":VALUE,\"tags\":{\"a\":\"b\"}}",
        "JSON~{\"metric\":\"m\",\"timestamp\":1356998400,\"value\":\"VALUE\",\"tags\":{\"a\":\"b\"}}",
        "PROMETHEUS~m{host=\"a\"} VALUE 1356998400000",
        "OPENMETRICS~m{host=\"a\"} VALUE 1356998400",
      })
  void nanAndInfinities(Format format, String line) throws IOException {
    String nan = line.replace("VALUE", "NaN");
    String infinite = line.replace("VALUE", format == Format.JSON ? "-Infinity" : "+Inf");
    assertThat(read(format, Set.of(), nan)).containsExactly("BAD_VALUE 1 " + nan);
    assertThat(read(format, Set.of(SkipKind.NAN), nan)).containsExactly("skipped nan");
    assertThat(read(format, Set.of(SkipKind.NAN), infinite))
        .containsExactly("BAD_VALUE 1 " + infinite);
    assertThat(read(format, Set.of(SkipKind.INFINITIES), infinite))
        .containsExactly("skipped infinities");
  }

  @ParameterizedTest
  @CsvSource({"nano", "naan", "x", "1.2.3", "\"open", "truee", "infinite", "''"})
  void mistakesAreNotSkipped(String value) throws IOException {
    Set<SkipKind> all = EnumSet.allOf(SkipKind.class);
    String line = "cpu,host=a v=" + value + NS;
    assertThat(read(Format.INFLUX, all, line)).allMatch(event -> !event.startsWith("skipped"));
    String import1 = "m 1356998400 " + (value.isEmpty() ? "-" : value) + " host=a";
    assertThat(read(Format.OPENTSDB, all, import1)).containsExactly("BAD_VALUE 1 " + import1);
  }

  @Test
  void theLastValueOfAnObjectCounts() throws IOException {
    String twice =
        "{\"metric\":\"m\",\"timestamp\":1356998400,\"value\":NaN,\"value\":1,\"tags\":{\"a\":\"b\"}}";
    assertThat(read(Format.JSON, Set.of(SkipKind.NAN), twice))
        .containsExactly("m{a=b} 1356998400 1");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '~',
      quoteCharacter = '^',
      value = {
        "INFLUX~m,a=b value=1i 1356998400001999999~m{a=b}",
        "OPENMETRICS~m{a=\"b\"} 1 1356998400.0019~m{a=b}",
        "OPENTSDB~m 1356998400.0019 1 a=b~m{a=b}",
      })
  void timesAreCutOnlyWhereThatIsAllowed(Format format, String line, String series)
      throws IOException {
    assertThat(Recorder.read(format, line)).containsExactly("BAD_TIMESTAMP 1 " + line);
    assertThat(Recorder.read(format, ParseOptions.DEFAULT.with(TimeRounding.MS), line))
        .containsExactly(series + " 1356998400001 1");
    assertThat(Recorder.read(format, ParseOptions.DEFAULT.with(TimeRounding.S), line))
        .containsExactly(series + " 1356998400 1");
  }

  @Test
  void milliSecondsOfAnyFormatAreCutToSeconds() throws IOException {
    ParseOptions options = ParseOptions.DEFAULT.with(TimeRounding.S);
    assertThat(Recorder.read(Format.PROMETHEUS, options, "m{a=\"b\"} 0.5 1356998400999"))
        .containsExactly("m{a=b} 1356998400 0.5f");
    assertThat(Recorder.read(Format.OPENTSDB, options, "m 1356998400999 1 a=b\n# x\nbad"))
        .containsExactly("m{a=b} 1356998400 1", "", "MALFORMED_LINE 3 bad");
  }

  @Test
  void aByteOrderMarkIsSkipped() throws IOException {
    assertThat(Recorder.read(Format.OPENTSDB, "\ufeffm 1356998400 1 a=b\n"))
        .containsExactly("m{a=b} 1356998400 1");
    assertThat(Recorder.read(Format.OPENTSDB, "\ufeff# x\n")).containsExactly("");
    assertThat(
            Recorder.read(
                Format.JSON,
                "\ufeff[{\"metric\":\"m\",\"timestamp\":1356998400,\"value\":1,\"tags\":{\"a\":\"b\"}}]"))
        .containsExactly("m{a=b} 1356998400 1");
    String later = "m 1356998400 1 a=b\n\ufeffm 1356998400 2 a=b";
    assertThat(Recorder.read(Format.OPENTSDB, later).get(1)).startsWith("\ufeffm{a=b}");
  }
}
