package io.tsdbsuite.bulk.parse;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class OpenTsdbLinesTest {
  private static List<String> read(String text) throws IOException {
    return Recorder.read(Format.OPENTSDB, text);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      ignoreLeadingAndTrailingWhitespace = false,
      value = {
        "m 1356998400 42 host=a|m{host=a} 1356998400 42",
        "put m 1356998400 42 host=a|m{host=a} 1356998400 42",
        "put\tm 1356998400 42 host=a|m{host=a} 1356998400 42",
        "putty 1356998400 42 host=a|putty{host=a} 1356998400 42",
        "pu 1356998400 42 host=a|pu{host=a} 1356998400 42",
        "  m \t 1356998400\t42  host=a  cpu=0 \t|m{host=a  cpu=0} 1356998400 42",
        "m 1356998400123 42 host=a|m{host=a} 1356998400123 42",
        "m 1356998400.123 42 host=a|m{host=a} 1356998400123 42",
        "m 1356998400.000 42 host=a|m{host=a} 1356998400000 42",
        "m 1 42 host=a|m{host=a} 1 42",
        "m 4294967295 42 host=a|m{host=a} 4294967295 42",
        "m 4294967296 42 host=a|m{host=a} 4294967296 42",
        "m 4294967295999 42 host=a|m{host=a} 4294967295999 42",
        "m 001356998400 42 host=a|m{host=a} 1356998400 42",
        "m 1356998400 -42 host=a|m{host=a} 1356998400 -42",
        "m 1356998400 +42 host=a|m{host=a} 1356998400 42",
        "m 1356998400 4.5 host=a|m{host=a} 1356998400 4.5f",
        "m 1356998400 4 host=a b=c|m{host=a b=c} 1356998400 4",
        "m 1356998400 4|m{} 1356998400 4",
        "m\u00e9 1356998400 4 h\u00e4=\u00fc|m\u00e9{h\u00e4=\u00fc} 1356998400 4",
      })
  void points(String line, String point) throws IOException {
    assertThat(read(line)).containsExactly(point);
    assertThat(read(line + "\n")).containsExactly(point);
    assertThat(read(line + "\r\n")).containsExactly(point);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "0",
        "-1",
        "4294967296000",
        "9999999999999",
        "99999999999999999999999999",
        "1356998400.5",
        "1356998400.1234",
        "1356998400.12x",
        ".123",
        "4000000.123",
        "1356998400123.456",
        "+1356998400",
        "1356998400x",
        "135699840a",
        "1e9",
        "13:00",
        "\u0661\u0662",
      })
  void badTimestamps(String timestamp) throws IOException {
    String line = "m " + timestamp + " 42 host=a";
    assertThat(read(line)).containsExactly("BAD_TIMESTAMP 1 " + line);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "NaN",
        "nan",
        "Infinity",
        "-inf",
        "0x10",
        "0x1.0p3",
        "1.5f",
        "1.5d",
        "1.5L",
        "1_000",
        "1,5",
        "1e",
        "1e+",
        ".",
        "-",
        "+",
        "--1",
        "1-",
        "1.2.3",
        "e5",
        "1e999",
        "-1.5e400",
        "true",
        "9223372036854775808",
        "-9223372036854775809",
        "99999999999999999999",
        "4\u00bd",
      })
  void badValues(String value) throws IOException {
    String line = "m 1356998400 " + value + " host=a";
    assertThat(read(line)).containsExactly("BAD_VALUE 1 " + line);
  }

  @ParameterizedTest
  @ValueSource(strings = {"m", "m 1356998400", "put m 1356998400", "put", "put ", "m\u0001 1 2"})
  void tooShort(String line) throws IOException {
    assertThat(read(line)).containsExactly("MALFORMED_LINE 1 " + line.trim());
  }

  @Test
  void blankLinesAndComments() throws IOException {
    assertThat(read("")).isEmpty();
    assertThat(read("\n\r\n  \t\n# m 1 2 a=b\n  # x\n#\nm 1 2 a=b"))
        .containsExactly("", "", "", "", "", "", "m{a=b} 1 2");
  }

  @Test
  void linesAreCounted() throws IOException {
    String text = "m 1 2 a=b\n\nbad\n#\nworse";
    Recorder recorder = new Recorder();
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    Format.OPENTSDB
        .reader(ParseOptions.DEFAULT)
        .read(new ByteArrayInputStream(bytes), Position.START, Long.MAX_VALUE, recorder);
    assertThat(recorder.events())
        .containsExactly("m{a=b} 1 2", "", "MALFORMED_LINE 3 bad", "", "MALFORMED_LINE 5 worse");
    assertThat(recorder.positions()).containsExactly(new Position(text.length(), 5, 3));
  }

  @Test
  void messagesNameTheRuleAndWhatWasFound() throws IOException {
    StringBuilder details = new StringBuilder();
    PointHandler handler = new DetailHandler(details);
    String text = "m 1x 2 a=b\nm 1 2y a=b\nm 1 99999999999999999999 a=b\nm\n";
    Format.OPENTSDB
        .reader(ParseOptions.DEFAULT)
        .read(
            new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8)),
            Position.START,
            Long.MAX_VALUE,
            handler);
    assertThat(details.toString().lines())
        .containsExactly(
            Timestamps.RULE + ", found '1x'",
            "a value must be a decimal number, found '2y'",
            "an integer must fit in 64 bits, found '99999999999999999999'",
            "a line must have metric, timestamp, value and tags, found 'm'");
  }

  @Test
  void aLineOverOneMegabyteIsRejectedAndItsTailSkipped() throws IOException {
    String good = "m 1 2 a=b";
    int max = LineReader.MAX_LINE;
    for (int length : new int[] {max, max + 1, max + 100_000, max + 300_000, 5 * max}) {
      for (String end : List.of("", "\n", "\n" + good, "\r\n" + good + "\n")) {
        String line = good + "x".repeat(length - good.length());
        List<String> events = read(good + "\n" + line + end);
        String longOne =
            length == max ? "m{a=b" + "x".repeat(max - good.length()) + "} 1 2" : "MALFORMED_LINE";
        assertThat(events.get(0)).isEqualTo("m{a=b} 1 2");
        assertThat(events.get(1)).startsWith(longOne);
        assertThat(events.subList(2, events.size()))
            .isEqualTo(end.contains(good) ? List.of("m{a=b} 1 2") : List.of());
      }
    }
  }
}
