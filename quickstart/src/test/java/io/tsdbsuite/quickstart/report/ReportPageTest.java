package io.tsdbsuite.quickstart.report;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.tsdbsuite.job.page.HtmlPage;
import io.tsdbsuite.quickstart.data.RequestRate;
import io.tsdbsuite.quickstart.query.Answer;
import io.tsdbsuite.quickstart.query.AnswerComparison;
import io.tsdbsuite.quickstart.query.BenchmarkResults;
import io.tsdbsuite.quickstart.query.Point;
import io.tsdbsuite.quickstart.query.Query;
import io.tsdbsuite.quickstart.query.QueryMeasurement;
import io.tsdbsuite.quickstart.query.QueryRange;
import io.tsdbsuite.quickstart.query.QueryResult;
import io.tsdbsuite.quickstart.query.QuerySource;
import io.tsdbsuite.quickstart.query.ResultsTable;
import io.tsdbsuite.quickstart.query.ScanCost;
import io.tsdbsuite.quickstart.query.SlaMeasurement;
import io.tsdbsuite.quickstart.query.SlaRange;
import io.tsdbsuite.quickstart.query.SplitQueryResult;
import io.tsdbsuite.quickstart.query.Timings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ReportPageTest {
  private static final String HOSTILE =
      "</script><script>alert(1)</script><!-- & \" ' \\ \u2028 @DATA@ \u00fc";
  private static final long DAY = 1761004800;
  private static final Query DAILY = new Query("1d-max", "max", List.of("max"), true);

  private static String page(String none) {
    return new ReportPage(results(none), new RequestRate(3), DAY, Instant.ofEpochSecond(DAY))
        .html();
  }

  @Test
  void hostileTextsAreNeverMarkup() throws IOException {
    LinePlots plots = new LinePlots();
    plots.add(HOSTILE, 100, List.of(), List.of());
    String html = new HtmlPage("x").script(plots.json(), LinePlots.script()).html();

    assertThat(html).doesNotContain("alert(1)</script>").doesNotContain("\u2028");
    assertThat(embedded(html).path(0).path("title").asText()).isEqualTo(HOSTILE);
    assertThat(html.split("</script>", -1)).hasSize(3);

    assertThat(page(HOSTILE))
        .doesNotContain("<script>alert(1)")
        .contains("<code>&lt;/script&gt;&lt;script&gt;alert(1)&lt;/script&gt;&lt;!-- &amp; ");
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
    new ReportPage(results("HTTP 400"), new RequestRate(3), DAY, Instant.ofEpochSecond(DAY))
        .write(file);

    String html = Files.readString(file);
    JsonNode plots = embedded(html);
    assertThat(plots).hasSize(4);
    assertThat(plots.at("/0/series/0/points")).hasSize(8640);
    assertThat(plots.at("/0/series/0/points/1/0").asLong()).isEqualTo(DAY + 10);
    assertThat(plots.at("/1/series/0/points")).hasSize(2);
    assertThat(plots.at("/1/series/1/name").asText()).isEqualTo("rollup");
    assertThat(plots.at("/3/series/2/name").asText()).isEqualTo("again");
    assertThat(plots.at("/3/marks/0/text").asText()).isEqualTo("split");
    for (JsonNode plot : plots) {
      assertThat(html).contains("<div id=\"" + plot.path("id").asText() + "\">");
    }
    assertThat(html)
        .contains("<b class=\"good\">0</b>")
        .contains("<b class=\"good\">75\u00d7</b>")
        .contains("<b class=\"\">75\u00d7</b>")
        .contains("compacted rows, smallest ratio, aim 500\u00d7")
        .contains("about 2,000 ms")
        .contains("Compacted rows of 365 days are read by 13 queries")
        .contains("Hours: 1 twice. ")
        .contains("<code>HTTP 400</code>")
        .contains("<td class=\"\">527</td>")
        .contains("1\u00d7 fewer cells, 72\u00d7 faster");
  }

  @Test
  void theTableSaysWhetherTheAimsAreReached() {
    String table = new ResultsTable(results("HTTP 400")).text();

    assertThat(table)
        .contains(
            "30 days, rollups of 1d against compacted rows: at least 75x faster, aim 60x reached")
        .contains(
            "365 days, rollups of 1d against compacted rows: at least 75x faster, aim 500x MISSED")
        .contains("~2,000.0")
        .contains("compacted rows of 365 days: 13 queries")
        .contains("1 equal")
        .contains("1 twice")
        .contains("8,640")
        .contains("383")
        .contains("26,016")
        .contains("527")
        .contains("1h instead of 3d: 1x fewer cells, 72.0x faster");
  }

  private static JsonNode embedded(String html) throws IOException {
    String start = "id=\"data\">";
    int from = html.indexOf(start) + start.length();
    return new ObjectMapper().readTree(html.substring(from, html.indexOf("</script>", from)));
  }

  private static BenchmarkResults results(String none) {
    Answer answer =
        new Answer(
            new TreeMap<>(
                Map.of(
                    "{}", List.of(new Point(DAY * 1000, 1), new Point((DAY + 3600) * 1000, 2)))));
    AnswerComparison comparison = AnswerComparison.of(answer, answer, false);
    List<QueryResult> queries = new ArrayList<>();
    for (QueryRange range : List.of(new QueryRange(30), new QueryRange(365))) {
      Map<QuerySource, Answer> answers = new EnumMap<>(QuerySource.class);
      Map<QuerySource, Timings> timings = new EnumMap<>(QuerySource.class);
      Map<QuerySource, ScanCost> costs = new EnumMap<>(QuerySource.class);
      double millis = 1200;
      for (QuerySource source : QuerySource.values()) {
        if (source != QuerySource.RAW_CELLS || range.days() == 30) {
          answers.put(source, answer);
          timings.put(source, new Timings(List.of(millis)));
        }
        costs.put(source, new ScanCost(1, 2, 3, 4));
        millis /= source == QuerySource.RAW_COMPACTED ? 75 : 10;
      }
      queries.add(
          new QueryResult(
              new QueryMeasurement(
                  DAILY,
                  range,
                  range.days() == 30 ? 1 : 13,
                  range.days() == 30,
                  answers,
                  List.of(comparison, comparison),
                  timings),
              costs,
              1000));
    }
    return new BenchmarkResults(
        DAY,
        DAY + 365 * 86400,
        queries,
        List.of(
            new SplitQueryResult(
                DAY, List.of(new SplitQueryResult.Bucket(DAY, 1, List.of(1.0))), none),
            new SplitQueryResult(
                DAY, List.of(new SplitQueryResult.Bucket(DAY, 1, List.of(1.0, 1.0))), none)),
        List.of(
            sla(72, SlaRange.DAY, comparison),
            sla(72, SlaRange.WEEK, comparison),
            sla(1, SlaRange.DAY, comparison),
            sla(1, SlaRange.WEEK, comparison)));
  }

  private static SlaMeasurement sla(
      int delaySlaHours, SlaRange range, AnswerComparison comparison) {
    return new SlaMeasurement(
        delaySlaHours,
        range,
        2,
        range.hours(),
        new Timings(List.of(100.0 * delaySlaHours)),
        List.of(comparison),
        new ScanCost(1, 1, 1, 1),
        new ScanCost(1, 3, 3, 3));
  }
}
