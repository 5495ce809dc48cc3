package io.tsdbsuite.bulk.parse;

import static org.assertj.core.api.Assertions.assertThat;

import io.tsdbsuite.bulk.report.Keyed;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class FormatDetectorTest {
  private final FormatDetector detector = new FormatDetector(ParseOptions.DEFAULT);

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '^',
      value = {
        "m 1356998400 42 host=a|OPENTSDB",
        "put m 1356998400.123 4.2 host=a|OPENTSDB",
        "put m 1356998400 42|OPENTSDB",
        "put m 1356998400 1500000000 |OPENTSDB",
        "m,host=a value=1 1356998400000000000|INFLUX",
        "m value=1i 1356998400000000000|INFLUX",
        "m{host=\"a\"} 1 1356998400123|PROMETHEUS",
        "up 1 1356998400123|PROMETHEUS",
        "m{host=\"a\"} 1 1356998400.123|OPENMETRICS",
        "m{host=\"a\"} 1 1356998400|OPENMETRICS",
        "{__name__=\"up\",a=\"b\"} 1 1356998400123|PROMETHEUS",
        "{\"metric\":\"m\"}|JSON",
        "{\"metric\":{\"__name__\":\"m\"},\"values\":[1],\"timestamps\":[1356998400000]}|"
            + "VICTORIAMETRICS",
        "a.b.c 1 1356998400|GRAPHITE",
        "a;host=b 1 1356998400|GRAPHITE",
        "cpu,host=a up=true,note=\"x\" 1356998400000000001|INFLUX",
        "{__name__=\"up\"} NaN 1356998400123|PROMETHEUS",
        "[{|JSON",
      })
  void byContent(String line, Format format) {
    assertThat(detector.detect("data.txt", bytes(line))).isEqualTo(format);
    assertThat(detector.detect("-", bytes("\n" + line + "\n"))).isEqualTo(format);
    assertThat(detector.detect("data.gz", bytes("# x\n\n" + line + "\n"))).isEqualTo(format);
    if (format != Format.JSON && format != Format.VICTORIAMETRICS) {
      assertThat(detector.detect("data.gz", bytes("# x\nnothing of note\n\n" + line + "\n")))
          .isEqualTo(format);
    }
  }

  @ParameterizedTest
  @CsvSource({
    "a.json, JSON",
    "a.JSONL.gz, JSON",
    "s3a://b/c/a.ndjson.zst, JSON",
    "a.lp, INFLUX",
    "a.influx.bz2, INFLUX",
    "a.prom, PROMETHEUS",
    "a.om.zstd, OPENMETRICS",
    "a.tsdb, OPENTSDB",
    "rejected.vm, VICTORIAMETRICS",
    "a.graphite.gz, GRAPHITE",
  })
  void byNameWhereThereIsNoPoint(String name, Format format) {
    assertThat(detector.detect(name, bytes(""))).isEqualTo(format);
    assertThat(detector.detect(name, bytes("# only a comment\n"))).isEqualTo(format);
  }

  @Test
  void unclear() {
    assertThat(detector.detect("a.txt", bytes("hello world\n"))).isNull();
    assertThat(detector.detect("a", bytes(""))).isNull();
    byte[] json = bytes("{\"metric\":\"m\"}");
    assertThat(detector.detect("a.lp", json)).isNull();
    assertThat(detector.unclear("a.lp", json))
        .isEqualTo(
            "a.lp: the format must be clear from the first lines and the name, found lines of json"
                + " in a file named as influx; name one with --format: "
                + Keyed.keys(Format.class)
                + "; or leave the file out with --exclude");
    assertThat(detector.unclear("a", bytes("hello"))).contains("found lines of no format;");
  }

  @Test
  void aLineThatIsCutAtTheEndOfTheHeadDoesNotCount() {
    String lines = "m 1356998400 42 host=a\n".repeat(FormatDetector.HEAD / 20);
    byte[] head = bytes(lines.substring(0, FormatDetector.HEAD));
    assertThat(detector.detect("a", head)).isEqualTo(Format.OPENTSDB);
  }

  @Test
  void linesOfVictoriaMetricsMayBeCalledJson() {
    byte[] cut = bytes("{\"metric\":{\"__name__\":\"m\"},\"values\":[1,2,3");
    assertThat(detector.detect("export.jsonl", cut)).isEqualTo(Format.VICTORIAMETRICS);
    assertThat(detector.detect("export.lp", cut)).isNull();
  }

  @Test
  void theFormatThatReadsEachLineIsPreferred() {
    byte[] graphite = bytes("up 1 1356998400\na.b 1 1356998400\n");
    assertThat(detector.detect("a", graphite)).isEqualTo(Format.GRAPHITE);
    byte[] either = bytes("up 1 1356998400\n");
    assertThat(detector.detect("a", either)).isNull();
    assertThat(detector.unclear("a", either)).contains("lines of openmetrics and of graphite");
    assertThat(detector.detect("a.graphite", either)).isEqualTo(Format.GRAPHITE);
    // An import line that lacks its tags.
    assertThat(detector.detect("a", bytes("m 1356998400 42\n"))).isNull();
  }

  @Test
  void oneEarlyTimeIsEnoughToDoubtTheFormat() {
    String lines = "a.b 1356998400 1500000000\n".repeat(3);
    assertThat(detector.detect("a", bytes(lines))).isEqualTo(Format.GRAPHITE);
    assertThat(detector.detect("a", bytes(lines + "a.b 1356998400 42\n"))).isNull();
    assertThat(detector.detect("a", bytes("a{b=\"c\"} 1 1356998400\na{b=\"c\"} 1356998400 42\n")))
        .isNull();
  }

  @Test
  void names() {
    assertThat(Keyed.of(Format.class, "influx")).isEqualTo(Format.INFLUX);
    assertThat(Keyed.of(Format.class, "csv")).isNull();
  }
}
