package io.tsdbsuite.format.rollup;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.tsdbsuite.format.metric.MetricPatterns;
import io.tsdbsuite.format.schema.SchemaException;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SuiteConfigTest {
  private static final String VALUES =
      """
      "values": [
        {"metrics": "*.latency,!tmp.*", "intervals": "1d,1h", "aggregators": "p99,first,p50"},
        {"metrics": "app.*", "intervals": "1h", "aggregators": "p50,last,p999"}]\
      """;

  private static final String HISTOGRAMS =
      """
      "histograms": [{"metrics": "*.latency,app.hist.*", "intervals": "1d,1h"}],
      "histogramTables": {"1d": "tsdb-histogram-1d", "1h": "tsdb-agg-1s"}\
      """;

  private static String config(String suite) {
    return """
    {"suite": %s,
     "aggregationIds": {"sum":0,"count":2,"min":3,"max":4,"p50":10,"P75":11,"p90":12,"p99":13,
       "p999":14,"first":15,"last":16},
     "intervals":[
      {"table":"tsdb","preAggregationTable":"tsdb-agg-1s","interval":"1s","rowSpan":"1h",
       "defaultInterval":true},
      {"table":"tsdb-7m","preAggregationTable":"tsdb-agg-7m","interval":"7m","rowSpan":"1d"},
      {"table":"tsdb-1d","preAggregationTable":"tsdb-agg-1d","interval":"1d","rowSpan":"1n"},
      {"table":"tsdb-1h","preAggregationTable":"tsdb-agg-1h","interval":"1h","rowSpan":"1d"}]}
    """
        .formatted(suite);
  }

  private static RollupConfig parse(String suite) {
    return RollupConfig.parse(config(suite));
  }

  private static List<String> problems(String suite) {
    return catchThrowableOfType(SchemaException.class, () -> parse(suite)).problems();
  }

  private static SuiteConfig copy(SuiteConfig suite) throws Exception {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (ObjectOutputStream out = new ObjectOutputStream(bytes)) {
      out.writeObject(suite);
    }
    try (ObjectInputStream in =
        new ObjectInputStream(new ByteArrayInputStream(bytes.toByteArray()))) {
      return (SuiteConfig) in.readObject();
    }
  }

  @Test
  void withoutTheObject() {
    SuiteConfig suite = RollupConfig.parse(config("1").replace("\"suite\": 1,", "")).suite();

    assertThat(suite.isEmpty()).isTrue();
    assertThat(suite.text()).isEmpty();
    assertThat(suite.aggregators("1h")).isEmpty();
    assertThat(suite.selection("app.latency")).isSameAs(Selection.NONE);
    assertThat(Selection.NONE.isEmpty()).isTrue();
    assertThat(Selection.NONE.aggregators("1h")).isEmpty();
    assertThat(Selection.NONE.levels("1h")).containsExactly("1h");
    assertThat(suite.patterns("1h", "p99", MetricPatterns.all())).isEmpty();
  }

  private static boolean hasAll(String name, String... metrics) {
    return parse("{" + VALUES + "}")
        .suite()
        .hasAll("1h", name, MetricPatterns.of(List.of(metrics)));
  }

  @Test
  void whetherAllOfSomeMetricsHaveALevel() {
    assertThat(hasAll("p99", "*.latency", "!tmp.*")).isTrue();
    assertThat(hasAll("p99", "*.latency")).as("tmp.a.latency").isFalse();
    assertThat(hasAll("p99", "*.latency", "!tmp.*", "!a.*")).isTrue();
    assertThat(hasAll("p99", "a.latency", "app.latency")).isTrue();
    assertThat(hasAll("p99", "a.latency", "app.load")).isFalse();
    assertThat(hasAll("p50", "a.latency", "app.load")).as("of two entries").isTrue();
    assertThat(hasAll("p50", "*")).as("of no entry").isFalse();
    assertThat(hasAll("last", "app.*")).as("app.latency is of the first entry").isFalse();
    assertThat(hasAll("last", "app.*", "!*.latency")).isTrue();
    assertThat(hasAll("p90", "app.*")).isFalse();
    assertThat(SuiteConfig.NONE.hasAll("1h", "p99", MetricPatterns.all())).isFalse();
  }

  @Test
  void theFirstEntryThatMatchesCounts() throws Exception {
    for (SuiteConfig suite :
        List.of(parse("{" + VALUES + "}").suite(), copy(parse("{" + VALUES + "}").suite()))) {
      Selection latency = suite.selection("app.latency");
      assertThat(latency.isEmpty()).isFalse();
      assertThat(latency.aggregators("1h")).containsExactly("p50", "p99", "first");
      assertThat(latency.aggregators("1d")).isSameAs(latency.aggregators("1h"));
      assertThat(latency.aggregators("7m")).isEmpty();
      assertThat(latency.histogram("1h")).isFalse();
      assertThat(suite.selection("web.latency").aggregators("1h"))
          .isSameAs(latency.aggregators("1h"))
          .isUnmodifiable();
      assertThat(suite.selection("app.cpu").aggregators("1h"))
          .containsExactly("p50", "p999", "last");
      assertThat(suite.selection("app.cpu").aggregators("1d")).isEmpty();
      assertThat(suite.selection("tmp.latency")).isSameAs(Selection.NONE);
      assertThat(suite.aggregators("1h")).containsExactly("p50", "p99", "p999", "first", "last");
      assertThat(suite.aggregators("1d")).containsExactly("p50", "p99", "first");
      assertThat(suite.aggregators("7m")).isEmpty();
    }
  }

  @Test
  void oneTextForOneConfiguration() throws Exception {
    String text =
        "{\"values\":[{\"metrics\":\"*.latency,!tmp.*\",\"intervals\":\"1h,1d\","
            + "\"aggregators\":\"p50,p99,first\"},"
            + "{\"metrics\":\"app.*\",\"intervals\":\"1h\",\"aggregators\":\"p50,p999,last\"}]";
    SuiteConfig suite = parse("{" + VALUES + "}").suite();
    assertThat(suite.text()).isEqualTo(text + "}");
    assertThat(parse(suite.text()).suite().text()).isEqualTo(suite.text());
    assertThat(parse("{" + HISTOGRAMS + "," + VALUES + "}").suite().text())
        .isEqualTo(
            text
                + ",\"histograms\":[{\"metrics\":\"*.latency,app.hist.*\",\"intervals\":\"1h,1d\"}],"
                + "\"histogramTables\":{\"1h\":\"tsdb-agg-1s\",\"1d\":\"tsdb-histogram-1d\"}}");
  }

  /** Alone it selects nothing, so that runs and readers are as without the object. */
  @Test
  void theVersionOfMessages() throws Exception {
    SuiteConfig suite = copy(parse("{\"rollupMessage\": 3}").suite());
    assertThat(suite.writesArrays()).isTrue();
    assertThat(suite.isEmpty()).isTrue();
    assertThat(suite.selection("app.latency")).isSameAs(Selection.NONE);
    assertThat(suite.text()).isEmpty();
    assertThat(SuiteConfig.NONE.writesArrays()).isFalse();
    SuiteConfig both = parse("{\"rollupMessage\": 3, " + VALUES + "}").suite();
    assertThat(both.writesArrays()).isTrue();
    assertThat(both.isEmpty()).isFalse();
    assertThat(both.text())
        .as("says what rollups have")
        .isEqualTo(parse("{" + VALUES + "}").suite().text());
  }

  @Test
  void histograms() throws Exception {
    SuiteConfig suite = copy(parse("{" + VALUES + "," + HISTOGRAMS + "}").suite());
    assertThat(suite.histogram("1h")).isTrue();
    assertThat(suite.histogram("7m")).isFalse();
    assertThat(suite.histogramTable("1h")).isEqualTo("tsdb-agg-1s");
    assertThat(suite.histogramTable("7m")).isNull();
    assertThat(suite.selection("tmp.latency").histogram("1d")).isTrue();
    assertThat(suite.selection("tmp.latency").aggregators("1d")).isEmpty();
    assertThat(suite.selection("app.latency").aggregators("1d")).hasSize(3);
    assertThat(suite.selection("app.latency").levels("1d"))
        .containsExactly("1d", "1d.p50", "1d.p99", "1d.first", "1d.histogram");
    assertThat(suite.hasHistograms()).isTrue();
    assertThat(parse("{" + VALUES + "}").suite().hasHistograms()).isFalse();
    assertThat(suite.selection("app.cpu").histogram("1d")).isFalse();
    assertThat(suite.patterns("1h", "histogram", MetricPatterns.all()))
        .containsExactly("*.latency", "app.hist.*");
    assertThat(parse("{" + HISTOGRAMS + "}").suite().isEmpty()).isFalse();
  }

  @Test
  void levels() {
    RollupConfig config = parse("{" + VALUES + "}");
    assertThat(config.level("1h").name()).isEmpty();
    assertThat(config.level("1h").interval().seconds()).isEqualTo(3600);
    for (String name : List.of("p50", "p75", "p999", "first", "last")) {
      Level level = config.level("1d." + name);
      assertThat(level.name()).isEqualTo(name);
      assertThat(level.table()).isEqualTo("tsdb-1d");
      assertThat(level.text()).isEqualTo("1d." + name);
      assertThat(level.interval()).isSameAs(config.interval("1d"));
    }
    assertThat(Level.text("1h", "")).isEqualTo("1h");
    assertThat(config.levels())
        .as("those of the raw table are none")
        .allSatisfy(each -> assertThat(config.level(each.text()).table()).isEqualTo(each.table()))
        .extracting(Level::text)
        .containsExactly(
            "7m",
            "7m.p50",
            "7m.p75",
            "7m.p90",
            "7m.p99",
            "7m.p999",
            "7m.first",
            "7m.last",
            "1d",
            "1d.p50",
            "1d.p75",
            "1d.p90",
            "1d.p99",
            "1d.p999",
            "1d.first",
            "1d.last",
            "1h",
            "1h.p50",
            "1h.p75",
            "1h.p90",
            "1h.p99",
            "1h.p999",
            "1h.first",
            "1h.last");
    for (String unknown :
        List.of(
            "2h",
            "2h.p99",
            "1h.",
            "1h.p95",
            "1h.P99",
            "1h.sum",
            "1h.p99.x",
            "1h.histogram",
            "",
            ".p99")) {
      assertThat(config.level(unknown)).as(unknown).isNull();
    }
  }

  @Test
  void allProblemsComeAtOnce() {
    assertThat(
            problems(
                """
                {"values": [
                   {"metrics": "a,,!,a, b", "intervals": "2h,1h,1h", "aggregators": "p99,p98,P50"},
                   {"metrics": "a*", "intervals": "7m,1s", "aggregators": "", "interval": "1h"},
                   {"metrics": "a*", "intervals": ["1h"], "aggregators": "p95,sum"},
                   "a*", {}],
                 "value": 1}
                """))
        .containsExactly(
            "suite.value: must be one of values, histograms, histogramTables, packed,"
                + " rollupMessage, found 'value'",
            "suite.values[0].metrics: a pattern must not be empty, nor begin or end with a space,"
                + " found ''",
            "suite.values[0].metrics: a pattern must not be empty, nor begin or end with a space,"
                + " found '!'",
            "suite.values[0].metrics: must name each once, found 'a'",
            "suite.values[0].metrics: a pattern must not be empty, nor begin or end with a space,"
                + " found ' b'",
            "suite.values[0].intervals: must be an interval of intervals, found '2h'",
            "suite.values[0].intervals: must name each once, found '1h'",
            "suite.values[0].aggregators: must be one of p50 p75 p90 p95 p99 p999 first last,"
                + " found 'p98'",
            "suite.values[0].aggregators: must be one of p50 p75 p90 p95 p99 p999 first last,"
                + " found 'P50'",
            "suite.values[1].interval: must be one of metrics, intervals, aggregators,"
                + " found 'interval'",
            "suite.values[1].intervals: must divide the hour, or be hours that divide the day,"
                + " found '7m'",
            "suite.values[1].intervals: must not be the defaultInterval, whose table has the raw"
                + " points, found '1s'",
            "suite.values[1].aggregators: must be one of p50 p75 p90 p95 p99 p999 first last,"
                + " found ''",
            "suite.values[2].metrics: must differ from those of earlier entries, found 'a*'",
            "suite.values[2].intervals: must be a text of names, separated by commas,"
                + " found [\"1h\"]",
            "suite.values[2].aggregators: must have an id in aggregationIds, found 'p95'",
            "suite.values[2].aggregators: must be one of p50 p75 p90 p95 p99 p999 first last,"
                + " found 'sum'",
            "suite.values[3]: must be an object, found \"a*\"",
            "suite.values[4].metrics: must be a text of names, separated by commas, found nothing",
            "suite.values[4].intervals: must be a text of names, separated by commas, found"
                + " nothing",
            "suite.values[4].aggregators: must be a text of names, separated by commas,"
                + " found nothing");
  }

  @Test
  void problemsOfIntervalsAndIdsComeFirst() {
    assertThatThrownBy(
            () ->
                RollupConfig.parse(
                    config(
                            """
                            {"values": [{"metrics": "a", "intervals": "1h", "aggregators": "p99"}],
                             "other": 1}\
                            """)
                        .replace("\"1h\",\"row", "\"1x\",\"row")
                        .replace("13", "130")))
        .hasMessage(
            "rollup configuration: aggregationIds.p99: must be a number from 0 to 127, found 130;"
                + " intervals[3].interval: must be a number and one of the units s m h d w n y,"
                + " found \"1x\"; suite.other: must be one of values, histograms, histogramTables,"
                + " packed, rollupMessage, found 'other'");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "null | suite: must be an object with values, histograms, packed or rollupMessage, found"
            + " null",
        "[] | suite: must be an object with values, histograms, packed or rollupMessage, found []",
        "{} | suite: must be an object with values, histograms, packed or rollupMessage, found {}",
        "{\"rollupMessage\": 2} | suite.rollupMessage: must be 3, found 2",
        "{\"rollupMessage\": 3.0} | suite.rollupMessage: must be 3, found 3.0",
        "{\"rollupMessage\": \"3\"} | suite.rollupMessage: must be 3, found \"3\"",
        "{\"rollupMessage\": null} | suite.rollupMessage: must be 3, found null",
        "{\"values\": []} | suite.values: must be a list with at least one entry, found []",
        "{\"values\": {}} | suite.values: must be a list with at least one entry, found {}"
      })
  void notAnObject(String suite, String problem) {
    assertThat(problems(suite)).containsExactly(problem);
  }

  @Test
  void bounds() {
    assertThat(parse(entries(100, "a")).suite().selection("a99").isEmpty()).isFalse();
    assertThat(problems(entries(101, "a")))
        .containsExactly("suite.values: must have at most 100 entries, found 101");
    assertThat(parse(entries(1, patterns(100))).suite().isEmpty()).isFalse();
    assertThat(problems(entries(1, patterns(101))))
        .containsExactly("suite.values[0].metrics: must have at most 100 patterns, found 101");
    String longest = "\u00e9".repeat(2047) + "a";
    assertThat(parse(entries(1, longest)).suite().selection(longest + "0").isEmpty()).isFalse();
    assertThat(problems(entries(1, "a" + longest)))
        .containsExactly("suite.values[0].metrics: must have at most 4096 bytes, found 4097");
  }

  private static String patterns(int count) {
    return IntStream.range(0, count).mapToObj(i -> "p" + i).collect(Collectors.joining(","));
  }

  private static String entries(int count, String metrics) {
    return IntStream.range(0, count)
        .mapToObj(
            i ->
                "{\"metrics\": \"%s%d\", \"intervals\": \"1h\", \"aggregators\": \"p50\"}"
                    .formatted(metrics, i))
        .collect(Collectors.joining(",", "{\"values\": [", "]}"));
  }

  private static final String PACKED = "\"packed\": {\"1d\": \"packed-1d\", \"1h\": \"packed-1h\"}";

  @Test
  void packed() {
    RollupConfig config = parse("{" + PACKED + "," + VALUES + "}");
    SuiteConfig suite = config.suite();
    assertThat(suite.packedTable("1h")).isEqualTo("packed-1h");
    assertThat(suite.packedTable("7m")).isNull();
    assertThat(suite.text())
        .as("says what rollups have")
        .isEqualTo(parse("{" + VALUES + "}").suite().text());
    assertThat(parse("{" + PACKED + "}").suite().isEmpty()).isTrue();
    Level level = config.level("1h.packed");
    assertThat(level.table()).isEqualTo("packed-1h");
    assertThat(level.isPacked()).isTrue();
    assertThat(level.isHistogram()).isFalse();
    assertThat(config.level("1h").isPacked()).isFalse();
    assertThat(config.level("7m.packed")).isNull();
    assertThat(config.levels())
        .extracting(Level::text)
        .contains("1d.packed", "1h.packed")
        .doesNotContain("7m.packed");
    assertThat(suite.selection("app.latency").levels("1h"))
        .as("of rollups, not of their copies")
        .doesNotContain("1h.packed");
  }

  @Test
  void problemsOfPackedTables() {
    assertThat(
            problems(
                """
                {"packed": {"1d": "tsdb-agg-1h", "2h": "t", "7m": "", "1h": "tsdb-agg-1s"}}
                """))
        .containsExactly(
            "suite.packed.1d: must be a table that stores nothing else," + " found \"tsdb-agg-1h\"",
            "suite.packed.2h: must be an interval of intervals, found '2h'",
            "suite.packed.7m: must divide the hour, or be hours that divide the day,"
                + " found '7m'",
            "suite.packed.7m: must be the name of a table, found \"\"",
            "suite.packed.1h: must be a table that stores nothing else,"
                + " found \"tsdb-agg-1s\"");
    assertThat(problems("{" + HISTOGRAMS + ", \"packed\": {\"1h\": \"tsdb-histogram-1d\"}}"))
        .containsExactly(
            "suite.packed.1h: must be a table that stores nothing else,"
                + " found \"tsdb-histogram-1d\"");
    assertThat(problems("{\"packed\": {}}"))
        .containsExactly("suite.packed: must be an object with a table of an interval, found {}");
    String some = config("{" + PACKED + "}").replace(",\"min\":3,\"max\":4", "");
    assertThatThrownBy(() -> RollupConfig.parse(some))
        .hasMessageContaining(
            "suite.packed: aggregationIds must have sum, min, max, count, found [sum, count, p50");
  }

  @Test
  void problemsOfHistograms() {
    assertThat(
            problems(
                """
                {"histograms": [{"metrics": "a", "intervals": "1h,1d", "aggregators": "p50"}],
                 "histogramTables": {"1d": "tsdb-agg-1h", "2h": "t", "7m": ""}}
                """))
        .containsExactly(
            "suite.histogramTables.1d: must be a table that stores nothing else,"
                + " found \"tsdb-agg-1h\"",
            "suite.histogramTables.2h: must be an interval of intervals, found '2h'",
            "suite.histogramTables.7m: must divide the hour, or be hours that divide the day,"
                + " found '7m'",
            "suite.histogramTables.7m: must be the name of a table, found \"\"",
            "suite.histograms[0].aggregators: must be one of metrics, intervals,"
                + " found 'aggregators'",
            "suite.histograms[0].intervals: must have a table in suite.histogramTables,"
                + " found '1h'");
  }
}
