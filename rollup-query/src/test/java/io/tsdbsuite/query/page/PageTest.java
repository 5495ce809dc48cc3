package io.tsdbsuite.query.page;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.tsdbsuite.coverage.Coverage;
import io.tsdbsuite.format.rollup.RollupConfig;
import io.tsdbsuite.query.http.QueryHistory;
import io.tsdbsuite.query.plan.RollupTables;
import io.tsdbsuite.query.shadow.ShadowResult;
import java.io.IOException;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class PageTest {
  private static final long HOUR = Coverages.HOUR;
  private static final long DAY = Coverages.DAY;
  private static final RollupTables TABLES =
      new RollupTables(
          RollupConfig.parse(
              """
              {"aggregationIds": {"sum": 0, "count": 2}, "intervals": [
                {"table": "tsdb", "preAggregationTable": "tsdb", "interval": "1m",
                 "rowSpan": "1h", "defaultInterval": true},
                {"table": "t1h", "preAggregationTable": "t1h", "interval": "1h",
                 "rowSpan": "1d"},
                {"table": "t1d", "preAggregationTable": "t1d", "interval": "1d",
                 "rowSpan": "1y"}]}
              """));

  private Coverage coverage =
      new Coverages(Map.of("1h", "t1h", "1d", "t1d"))
          .window("1h", DAY, 3 * DAY, "*")
          .window("1h", 5 * DAY, 6 * DAY, "cpu.*")
          .window("1d", DAY, 2 * DAY, "*")
          .mask(5 * DAY + 2 * HOUR, "cpu.user")
          .mask(5 * DAY + 3 * HOUR, "mem")
          .read();

  private final Page page =
      new Page(
          new Page.Sources() {
            @Override
            public Coverage coverage() {
              return coverage;
            }

            @Override
            public List<ShadowResult> checks() {
              return List.of();
            }

            @Override
            public List<ShadowResult> differences() {
              return List.of();
            }
          },
          new QueryHistory(() -> Coverages.NOW * 1000),
          TABLES.intervals(),
          () -> "answers <queries>",
          () -> Coverages.NOW * 1000);

  private PageAnswer get(String path, String metric, String... headers) {
    Map<String, String> all = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
    for (int i = 0; i < headers.length; i += 2) {
      all.put(headers[i], headers[i + 1]);
    }
    return page.get(path, metric, all::get);
  }

  private JsonNode state(String metric) throws IOException {
    PageAnswer answer = get("/ui/state", metric);
    assertThat(answer.status()).isEqualTo(200);
    assertThat(answer.contentType()).isEqualTo("application/json; charset=UTF-8");
    return new ObjectMapper().readTree(answer.body());
  }

  private static JsonNode interval(JsonNode state, String name) {
    for (JsonNode each : state.get("coverage").get("intervals")) {
      if (each.get("interval").asText().equals(name)) {
        return each;
      }
    }
    throw new AssertionError("no " + name);
  }

  /** In hours since BASE. */
  private static String ranges(JsonNode interval) {
    StringBuilder text = new StringBuilder();
    for (JsonNode each : interval.get("ranges")) {
      text.append(text.length() == 0 ? "" : " ").append(hours(each.get(0)));
      text.append('-').append(hours(each.get(1)));
    }
    return text.toString();
  }

  private static long hours(JsonNode millis) {
    return (millis.asLong() / 1000 - Coverages.BASE) / HOUR;
  }

  @Test
  void floorsAreShown() throws IOException {
    assertThat(state("").get("coverage").get("floors")).isEmpty();
    coverage =
        new Coverages(Map.of("1h", "t1h", "1d", "t1d"))
            .floor("raw", 3 * DAY, "cpu.*")
            .floor("1h", DAY, "mem")
            .read();
    JsonNode floors = state("").get("coverage").get("floors");
    assertThat(floors).hasSize(2);
    assertThat(floors.get(1).toString())
        .isEqualTo(
            "{\"level\":\"raw\",\"before\":"
                + (Coverages.BASE + 3 * DAY) * 1000
                + ",\"metrics\":\"cpu.*\",\"asOf\":"
                + (Coverages.BASE + 3 * DAY) * 1000
                + ",\"evidence\":\"a proof\"}");
    assertThat(state("cpu.user").get("coverage").get("floors")).hasSize(1);
    assertThat(page.coverage())
        .contains(
            "Data of level raw before "
                + Instant.ofEpochSecond(Coverages.BASE + 3 * DAY)
                + " may be gone, of the metrics cpu.*\n");
  }

  @Test
  void withoutAMetricAllWindowsAreShown() throws IOException {
    JsonNode state = state("");
    assertThat(state.get("state").asText()).isEqualTo("answers <queries>");
    assertThat(state.get("coverage").get("windows").asInt()).isEqualTo(3);
    JsonNode hours = interval(state, "1h");
    assertThat(ranges(hours)).isEqualTo("24-72 120-144");
    assertThat(hours.get("metrics").toString()).isEqualTo("[\"*\",\"cpu.*\"]");
    assertThat(hours.get("asOf").asLong()).isEqualTo((Coverages.BASE + 16 * DAY) * 1000);
    assertThat(hours.get("void").asText()).isEmpty();
    assertThat(hours.get("width").asLong()).isEqualTo(HOUR * 1000);
    assertThat(ranges(interval(state, "1d"))).isEqualTo("24-48");
    assertThat(state.get("coverage").get("masks")).hasSize(2);
    for (String list : List.of("checks", "differences", "heavy", "refused")) {
      assertThat(state.get(list)).as(list).isEmpty();
    }
  }

  @Test
  void ofAMetricWhatIsProvenIsShown() throws IOException {
    JsonNode state = state("cpu.user");
    assertThat(ranges(interval(state, "1h"))).isEqualTo("24-72 120-122 123-144");
    JsonNode masks = state.get("coverage").get("masks");
    assertThat(masks).hasSize(1);
    assertThat(masks.get(0).get("from").asLong())
        .isEqualTo((Coverages.BASE + 5 * DAY + 2 * HOUR) * 1000);
    assertThat(masks.get(0).get("kind").asText()).isEqualTo("late");
    assertThat(ranges(interval(state("disk"), "1h"))).isEqualTo("24-72");
  }

  @Test
  void theReasonWhyNothingIsProvenIsShown() throws IOException {
    coverage = Coverage.nothing("table tsdb-coverage does not exist");
    JsonNode shown = state("").get("coverage");
    assertThat(shown.get("reason").asText()).isEqualTo("table tsdb-coverage does not exist");
    assertThat(interval(state(""), "1h").get("ranges")).isEmpty();
  }

  @Test
  void theStateIsBounded() throws IOException {
    Coverages many = new Coverages(Map.of("1h", "t1h", "1d", "t1d"));
    for (long i = 0; i < 3000; i++) {
      many.window("1h", 2 * i * HOUR, (2 * i + 1) * HOUR, "m." + i % 100);
      many.mask(2 * i * HOUR, "<script>" + i);
    }
    coverage = many.read();
    JsonNode state = state("");
    JsonNode hours = interval(state, "1h");
    assertThat(hours.get("ranges")).hasSize(1000);
    assertThat(hours.get("rangesLeftOut").asInt()).isEqualTo(2000);
    assertThat(hours.get("ranges").get(999).get(1).asLong())
        .isEqualTo((Coverages.BASE + 5999 * HOUR) * 1000);
    assertThat(hours.get("metrics")).hasSize(20);
    JsonNode shown = state.get("coverage");
    assertThat(shown.get("masks")).hasSize(1000);
    assertThat(shown.get("masksLeftOut").asInt()).isEqualTo(2000);
    assertThat(get("/ui/state", "m".repeat(1001)).status()).isEqualTo(400);
  }

  @Test
  void theResourcesAreThere() {
    assertThat(new String(get("/", "").body(), UTF_8)).contains("<title>rollup-query</title>");
    assertThat(get("/", "").contentType()).startsWith("text/html");
    assertThat(get("/ui/page.js", "").contentType()).startsWith("text/javascript");
    assertThat(get("/ui/page.css", "").contentType()).startsWith("text/css");
    assertThat(get("/ui/../page.js", "").status()).isEqualTo(404);
    assertThat(get("/ui/other", "").status()).isEqualTo(404);
    assertThat(Page.has("/")).isTrue();
    assertThat(Page.has("/ui/other")).isTrue();
    assertThat(Page.has("/api/query")).isFalse();
  }

  /** No script or style in the page itself, and nothing from elsewhere: the headers forbid it. */
  @Test
  void thePageNeedsNothingFromElsewhere() {
    String html = new String(get("/", "").body(), UTF_8);
    assertThat(html).doesNotContain("http", "//", "style=", "onclick", "<style");
    assertThat(html.split("<script", -1)).hasSize(2);
    String script = new String(get("/ui/page.js", "").body(), UTF_8);
    assertThat(script.replace("http://www.w3.org/2000/svg", "")).doesNotContain("http");
    assertThat(script).doesNotContain("innerHTML", "outerHTML", "insertAdjacent", "eval(");
    assertThat(PageAnswer.headers().get("Content-Security-Policy"))
        .startsWith("default-src 'none'; script-src 'self';")
        .doesNotContain("unsafe");
  }

  @Test
  void otherSitesAreRefused() {
    assertThat(get("/ui/state", "", "Sec-Fetch-Site", "cross-site").status()).isEqualTo(403);
    assertThat(get("/ui/state", "", "Sec-Fetch-Site", "same-site").status()).isEqualTo(403);
    assertThat(get("/ui/state", "", "Sec-Fetch-Site", "same-origin").status()).isEqualTo(200);
    assertThat(get("/ui/state", "", "Sec-Fetch-Site", "none").status()).isEqualTo(200);
    PageAnswer other = get("/ui/state", "", "Origin", "http://evil", "Host", "tsd:4242");
    assertThat(other.status()).isEqualTo(403);
    assertThat(new String(other.body(), UTF_8))
        .contains("Origin must be that of the TSD, tsd:4242, found http://evil");
    assertThat(get("/ui/state", "", "Origin", "http://TSD:4242", "Host", "tsd:4242").status())
        .isEqualTo(200);
    // A link in another page may lead to the page.
    assertThat(get("/", "", "Sec-Fetch-Site", "cross-site").status()).isEqualTo(200);
  }

  @Test
  void saysUntilWhenRollupsAreProvenOrWhyNot() {
    assertThat(page.coverage())
        .isEqualTo(
            "Rollups of 1h in t1h: the last window ends at "
                + Instant.ofEpochSecond(Coverages.BASE + 6 * DAY)
                + "\nRollups of 1d in t1d: the last window ends at "
                + Instant.ofEpochSecond(Coverages.BASE + 2 * DAY)
                + "\n");
    Map<String, String> tables = Map.of("1h", "t1h", "1d", "t1d");
    coverage = new Coverages(tables).window("1h", DAY, 3 * DAY, "*").read();
    assertThat(page.coverage()).endsWith("Rollups of 1d in t1d are not read: no window\n");
    coverage = Coverage.nothing("table x does not exist");
    assertThat(page.coverage()).isEqualTo("No rollups are read: table x does not exist\n");
  }

  @Test
  void namesTheTableOfTheWindowsIfItIsNotTheConfiguredOne() throws IOException {
    coverage =
        new Coverages(Map.of("1h", "old", "1d", "t1d"))
            .window("1h", DAY, 3 * DAY, "*")
            .read(Map.of("1h", "t1h", "1d", "t1d"));
    String why = "the coverage has no marker of the table; the windows of 1h are of the table old";
    assertThat(page.coverage()).contains("Rollups of 1h in t1h are not read: " + why + "\n");
    assertThat(state("").get("coverage").get("intervals").get(0).get("void").asText())
        .isEqualTo(why);
  }
}
