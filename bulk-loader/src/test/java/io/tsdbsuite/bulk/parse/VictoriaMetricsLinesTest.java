package io.tsdbsuite.bulk.parse;

import static org.assertj.core.api.Assertions.assertThat;

import io.tsdbsuite.bulk.report.SkipKind;
import java.io.IOException;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class VictoriaMetricsLinesTest {
  private static List<String> read(String line) throws IOException {
    return Recorder.read(Format.VICTORIAMETRICS, line);
  }

  private static String line(String labels, String values, String times) {
    return "{\"metric\":{\"__name__\":\"m\""
        + labels
        + "},\"values\":["
        + values
        + "],\"timestamps\":["
        + times
        + "]}";
  }

  @Test
  void aLineHasManyPoints() throws IOException {
    assertThat(
            read(
                line(
                    ",\"job\":\"a\",\"empty\":\"\",\"b\":\"c\"",
                    "1,0.5,-3e5,18446744073709551616",
                    "1356998400000,1356998400001,1356998401000,1356998402000")))
        .containsExactly(
            "m{job=a b=c} 1356998400 1",
            "m{job=a b=c} 1356998400001 0.5f",
            "m{job=a b=c} 1356998401 -300000.0f",
            "m{job=a b=c} 1356998402 1.8446744073709552E19f");
    assertThat(read(line("", "", ""))).isEmpty();
  }

  @Test
  void membersMayComeInAnyOrderAndBetweenBlanks() throws IOException {
    assertThat(
            read(
                " { \"timestamps\" : [ 1356998400000 , 1356998401000 ] , \"values\" : [ 1 , 2 ],"
                    + " \"metric\" : { \"a\" : \"b\" , \"__name__\" : \"m\" } } "))
        .containsExactly("m{a=b} 1356998400 1", "m{a=b} 1356998401 2");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '~',
      quoteCharacter = '^',
      value = {
        "a\\u003cb\\u00e9\\u20AC~a<b\u00e9\u20ac",
        "\\ud83d\\ude00~\ud83d\ude00",
        "\\\"\\\\\\/~\"\\/",
        "}],{[~}],{[",
      })
  void escapes(String json, String value) throws IOException {
    assertThat(read(line(",\"k\":\"" + json + "\"", "1", "1356998400000")))
        .containsExactly("m{k=" + value + "} 1356998400 1");
  }

  @Test
  void valuesThatCannotBeStored() throws IOException {
    String text =
        line(
            ",\"a\":\"b\"",
            "1,null,NaN,\"Infinity\",-Inf,\"x\",2",
            "1356998400000,1356998401000,1356998402000,1356998403000,1356998404000,1356998405000,"
                + "1356998406000");
    String x = line(",\"a\":\"b\"", "\"x\"", "1356998405000");
    Set<SkipKind> skip = Set.of(SkipKind.NAN, SkipKind.STALE, SkipKind.INFINITIES);
    assertThat(Recorder.read(Format.VICTORIAMETRICS, ParseOptions.DEFAULT.withSkip(skip), text))
        .containsExactly(
            "m{a=b} 1356998400 1",
            "skipped stale",
            "skipped nan",
            "skipped infinities",
            "skipped infinities",
            "BAD_VALUE 1 " + x,
            "m{a=b} 1356998406 2");
    assertThat(read(text)).filteredOn(event -> event.startsWith("BAD_VALUE")).hasSize(5);
  }

  @Test
  void aRejectedPointIsALineOfItsOwn() throws IOException {
    String text = line(",\"a\":\"b\"", "1,2", "1,1356998400000");
    List<String> events = read(text);
    assertThat(events)
        .containsExactly(
            "BAD_TIMESTAMP 1 " + line(",\"a\":\"b\"", "1", "1"), "m{a=b} 1356998400 2");
    String blank = line(",\"a\":\"b c\"", "1,2", "1356998400000,1356998401000");
    assertThat(read(blank))
        .containsExactly(
            "ILLEGAL_NAME 1 " + line(",\"a\":\"b c\"", "1", "1356998400000"),
            "ILLEGAL_NAME 1 " + line(",\"a\":\"b c\"", "2", "1356998401000"));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{",
        "{}",
        "[1]",
        "x",
        "{\"metric\":{\"a\":\"b\"},\"values\":[1],\"timestamps\":[1356998400000]}",
        "{\"metric\":{\"__name__\":\"m\"},\"values\":[1]}",
        "{\"metric\":{\"__name__\":\"m\"},\"values\":1,\"timestamps\":[1356998400000]}",
        "{\"metric\":{\"__name__\":\"m\",},\"values\":[1],\"timestamps\":[1356998400000]}",
        "{\"metric\":{\"__name__\":\"m\\q\"},\"values\":[1],\"timestamps\":[1356998400000]}",
        "{\"metric\":{\"__name__\":\"\\ud83d\"},\"values\":[1],\"timestamps\":[1356998400000]}",
        "{\"metric\":{\"__name__\":\"\\u12\"},\"values\":[1],\"timestamps\":[1356998400000]}",
        "{\"metric\":{\"__name__\":\"m\"},\"values\":[1],\"values\":[2],\"timestamps\":[1356998400000]}",
        "{\"metric\":{\"__name__\":\"m\"},\"values\":[1],\"timestamps\":[1],\"timestamps\":[2]}",
        "{\"metric\":{\"__name__\":\"m\"},\"metric\":{\"__name__\":\"n\"},\"values\":[],\"timestamps\":[]}",
        "{\"metric\":{\"__name__\":\"m\"},\"values\":[1],\"timestamps\":[1356998400000]} x",
        "{\"metric\":{\"__name__\":\"m\"},\"values\":[1],\"timestamps\":[1356998400000],\"x\":[]}",
      })
  void malformed(String line) throws IOException {
    assertThat(read(line)).containsExactly("MALFORMED_LINE 1 " + line);
  }

  @Test
  void aLineThatIsTooLongSaysHowToExportShorterOnes() throws IOException {
    StringBuilder details = new StringBuilder();
    String values = "1,".repeat(LineReader.MAX_LINE / 2) + "1";
    TestText.read(
        Format.VICTORIAMETRICS,
        ParseOptions.DEFAULT,
        line("", values, "1"),
        new DetailHandler(details));
    assertThat(details).contains("max_rows_per_line=10000");
  }

  @Test
  void arraysOfUnequalLength() throws IOException {
    String text = line(",\"a\":\"b\"", "1,2", "1356998400000");
    assertThat(read(text)).containsExactly("MALFORMED_LINE 1 " + text);
    String comma = line(",\"a\":\"b\"", "1,", "1356998400000,");
    assertThat(read(comma)).containsExactly("MALFORMED_LINE 1 " + comma);
    String times = line("", "1", "1356998400000,1356998401000");
    assertThat(read(times)).containsExactly("MALFORMED_LINE 1 " + times);
    String none = line("", "", "1356998400000");
    assertThat(read(none)).containsExactly("MALFORMED_LINE 1 " + none);
    String hole = line("", "1,,2", "1356998400000,1356998401000");
    assertThat(read(hole)).containsExactly("MALFORMED_LINE 1 " + hole);
  }
}
