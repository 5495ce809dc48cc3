package io.tsdbsuite.quickstart.report;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.tsdbsuite.job.page.HtmlPage;
import io.tsdbsuite.quickstart.data.RequestRate;
import io.tsdbsuite.quickstart.query.Answer;
import io.tsdbsuite.quickstart.query.Answer.Point;
import io.tsdbsuite.quickstart.query.AnswerComparison;
import io.tsdbsuite.quickstart.query.BenchmarkResults;
import io.tsdbsuite.quickstart.query.PluginReading;
import io.tsdbsuite.quickstart.query.Query;
import io.tsdbsuite.quickstart.query.QueryLimits;
import io.tsdbsuite.quickstart.query.QueryMeasurement;
import io.tsdbsuite.quickstart.query.QuerySource;
import io.tsdbsuite.quickstart.query.QuerySpan;
import io.tsdbsuite.quickstart.query.Runs;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ReportPageTest {
  private static final String HOSTILE =
      "</script><script>alert(1)</script><!-- & \" ' \\ \u2028 @DATA@ \u00fc";
  private static final long DAY = 1761004800;
  private static final Query DAILY = Query.of("1d-max", "max", true);

  private static String page(String stock) {
    return new ReportPage(results(stock), new RequestRate(3), Instant.ofEpochSecond(DAY)).html();
  }

  @Test
  void hostileTextsAreNeverMarkup() throws IOException {
    HtmlPage plots = new HtmlPage("x");
    plots.add(plots.lines(HOSTILE, 100));
    String html = plots.html();

    assertThat(html).doesNotContain("alert(1)</script>").doesNotContain("\u2028");
    assertThat(embedded(html).path(0).path("title").asText()).isEqualTo(HOSTILE);
    assertThat(html.split("</script>", -1)).hasSize(3);

    assertThat(page(HOSTILE))
        .doesNotContain("<script>alert(1)")
        .contains("&lt;/script&gt;&lt;script&gt;alert(1)&lt;/script&gt;&lt;!-- &amp; ");
  }

  @Test
  void neverAsksTheNetwork() {
    assertThat(page("HTTP 400").replaceAll("http://www.w3.org/[0-9]+/(svg|xhtml)", ""))
        .doesNotContain("http://")
        .doesNotContain("https://")
        .doesNotContain("src=")
        .doesNotContain("@import")
        .doesNotContain("url(")
        .contains("default-src 'none'");
  }

  @Test
  void hasEverythingThatWasFound(@TempDir Path directory) throws IOException {
    Path file = directory.resolve("report.html");
    new ReportPage(results("HTTP 400"), new RequestRate(3), Instant.ofEpochSecond(DAY)).write(file);

    String html = Files.readString(file);
    JsonNode plots = embedded(html);
    assertThat(plots).hasSize(4);
    assertThat(plots.at("/0/series/0/points")).hasSize(8640);
    assertThat(plots.at("/0/series/0/points/1/0").asLong()).isEqualTo(DAY + 10);
    assertThat(plots.at("/1/series/0/points")).hasSize(2);
    assertThat(plots.at("/1/series/1/name").asText()).isEqualTo("plugin");
    assertThat(plots.at("/2/title").asText()).isEqualTo("p50 and p99 by 1h, 7 days, edge001");
    assertThat(plots.at("/3/title").asText()).isEqualTo("p50 and p99 by 1d, 365 days, edge001");
    for (int i = 2; i < 4; i++) {
      assertThat(plots.at("/" + i + "/series/0/name").asText()).isEqualTo("p50");
      assertThat(plots.at("/" + i + "/series/1/name").asText()).isEqualTo("p99");
      assertThat(plots.at("/" + i + "/series/1/points")).hasSize(2);
    }
    for (JsonNode plot : plots) {
      assertThat(html).contains("<div id=\"" + plot.path("id").asText() + "\">");
    }
    assertThat(html)
        .contains("<b class=\"good\">0</b>")
        .contains("<b class=\"good\">75x</b>")
        .contains("<b class=\"\">75x</b>")
        .contains("compacted rows, smallest ratio, aim 500x")
        .contains("about 2,000 ms")
        .contains("compacted rows of 365 days: 13 queries")
        .contains("HTTP 400")
        .contains("1d:29 1h:23 raw:3600s")
        .contains("<td class=\"\">1,234</td>");
  }

  @Test
  void theTableSaysWhetherTheAimsAreReached() {
    String table = new ResultsTable(results("HTTP 400")).text();

    assertThat(table)
        .contains(
            "30 days by 1d, plugin against compacted rows: at least 75x faster, aim 60x reached")
        .contains(
            "365 days by 1d, plugin against compacted rows: at least 75x faster, aim 500x MISSED")
        .contains("about 2,000")
        .contains("compacted rows of 365 days: 13 queries");
  }

  @Test
  void theTablesAreMarkdown() {
    String table = new ResultsTable(results("HTTP 400")).text().replaceAll(" +", " ");

    assertThat(table)
        .contains("\n| --- | --- |")
        .contains(
            "| 30 days | max:1d-max | 1,200 | 120 | 12.0 | 1.6 | 1d:30 | 600 | 3 | 2 | 750x | 75x"
                + " | 8x | 4 | 0 |")
        .contains(
            "| last 24 hours | avg:0all-avg | 20.0 | HTTP 400 | 3.0 | 1d:29 1h:23 raw:3600s | 1,234"
                + " | 2 | 0 |");
  }

  private static JsonNode embedded(String html) throws IOException {
    String start = "id=\"data\">";
    int from = html.indexOf(start) + start.length();
    return new ObjectMapper().readTree(html.substring(from, html.indexOf("</script>", from)));
  }

  private static BenchmarkResults results(String stock) {
    Answer answer =
        new Answer(
            new TreeMap<>(
                Map.of(
                    "{}", List.of(new Point(DAY * 1000, 1), new Point((DAY + 3600) * 1000, 2)))));
    AnswerComparison comparison = AnswerComparison.of(answer, answer, false);
    long to = DAY + 365 * 86400;
    List<QueryMeasurement> queries = new ArrayList<>();
    Map<QuerySpan, BenchmarkResults.Cost> costs = new HashMap<>();
    for (QuerySpan span : List.of(QuerySpan.ofDays(30, to), QuerySpan.ofDays(365, to))) {
      Map<QuerySource, Runs> runs = new EnumMap<>(QuerySource.class);
      double millis = 1200;
      for (QuerySource source : QuerySource.values()) {
        if (source != QuerySource.RAW_CELLS || span.days() == 30) {
          runs.put(source, new Runs(answer, List.of(millis)));
        }
        millis /= source == QuerySource.STOCK ? 7.5 : 10;
      }
      costs.put(span, new BenchmarkResults.Cost(2, span.days() == 30 ? 3 : 5));
      queries.add(
          new QueryMeasurement(
              DAILY,
              span,
              runs,
              "12.0",
              List.of(comparison, comparison),
              new PluginReading("1d:" + span.days(), 600)));
    }
    QueryMeasurement further =
        new QueryMeasurement(
            Query.of("0all-avg", "avg", false),
            new QuerySpan("last 24 hours", DAY, DAY + 86400, ""),
            Map.of(
                QuerySource.RAW_COMPACTED,
                new Runs(answer, List.of(20.0)),
                QuerySource.PLUGIN,
                new Runs(answer, List.of(3.0))),
            stock,
            List.of(comparison),
            new PluginReading("1d:29 1h:23 raw:3600s", 1234));
    List<QueryMeasurement> all = new ArrayList<>(List.of(further));
    for (QuerySpan span : List.of(QuerySpan.ofDays(7, to), QuerySpan.ofDays(365, to))) {
      for (Query query : Query.ofLatency(span.days() == 7 ? "1h" : "1d")) {
        all.add(
            new QueryMeasurement(
                query,
                span.ofHost("edge001"),
                further.runs(),
                stock,
                List.of(comparison),
                new PluginReading("1d:365", 365)));
      }
    }
    return new BenchmarkResults(queries, all, costs, new QueryLimits(20));
  }
}
