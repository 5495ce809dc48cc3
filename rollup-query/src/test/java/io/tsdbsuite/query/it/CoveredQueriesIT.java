package io.tsdbsuite.query.it;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.tsdbsuite.testkit.Await;
import io.tsdbsuite.testkit.TsdServer;
import java.io.IOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.junit.jupiter.api.Test;

/** The jar in a TSD: rollups are read inside the coverage, and nowhere else. */
class CoveredQueriesIT {
  private static final long FROM = CoveredTsd.FROM;
  private static final long HOUR = CoveredTsd.HOUR;
  private static final String PREFIX = "/plugin/rollup-query/";
  private static final String QUERY =
      "?start=" + FROM + "&end=" + (FROM + 6 * HOUR - 1) + "&m=sum:1h-sum:q.covered";
  private static final String URI = PREFIX + "api/query" + QUERY;

  @Test
  void rollupsAreReadInsideTheCoverageAlone() throws IOException {
    CoveredTsd covered = CoveredTsd.start("covered");
    TsdServer tsd = covered.tsd();
    RawHttp.Answer raw = RawHttp.get(tsd.port(), URI);
    assertThat(values(raw)).containsExactly("360", "360", "360", "360", "360", "360");
    assertThat(raw.header("X-Rollup-Query"))
        .isEqualTo("0: raw (no rollups are proven to be stored)");

    try (Admin admin = QueryStack.hbase().connection().getAdmin()) {
      covered.claim(admin, 4);
      awaitValues(tsd, "1000", "1001", "1002", "1003", "360", "360");
      assertThat(RawHttp.get(tsd.port(), URI).header("X-Rollup-Query")).startsWith("0: 1h:4");
      assertThat(values(RawHttp.get(tsd.port(), URI.replace("1h-sum", "1h-dev")))).hasSize(6);
      awaitShadowDifference(tsd);
      explains(tsd);
      assertThat(RawHttp.get(tsd.port(), PREFIX + "status").text())
          .endsWith(
              "Rollups of 1h in covered-1h: the last window ends at "
                  + Instant.ofEpochSecond(FROM + 4 * HOUR)
                  + "\n");
      refusesOtherSites(tsd);

      covered.mask(1);
      awaitValues(tsd, "1000", "360", "1002", "1003", "360", "360");

      TableName rollups = TableName.valueOf(covered.rollupTable());
      admin.disableTable(rollups);
      admin.truncateTable(rollups, true);
      awaitValues(tsd, "360", "360", "360", "360", "360", "360");
    }
    tsd.stop();
  }

  /** Rollups of five hours, and a floor above all six. OpenTSDB reads a bucket after the end. */
  @Test
  void belowAFloorRollupsAreReadOrNothing() throws IOException {
    CoveredTsd covered = CoveredTsd.start("floored");
    TsdServer tsd = covered.tsd();
    String midnight = Instant.ofEpochSecond(FROM + 24 * HOUR).toString();
    String gone = "raw data of q.covered before " + midnight + " is gone";
    String four = URI.replace("" + (FROM + 6 * HOUR - 1), "" + (FROM + 4 * HOUR - 1));
    assertThat(values(RawHttp.get(tsd.port(), four))).hasSize(4);
    try (Admin admin = QueryStack.hbase().connection().getAdmin()) {
      covered.claim(admin, 5);
      covered.floor(FROM + 24 * HOUR);
    }
    Await.until(
        "the floor to be read",
        QueryStack.PATIENCE,
        () -> RawHttp.get(tsd.port(), PREFIX + "status").text().contains("of level raw before"));
    assertThat(values(RawHttp.get(tsd.port(), four)))
        .containsExactly("1000", "1001", "1002", "1003");
    assertRefused(tsd, URI, gone + " (rollups are not proven for all of its buckets)");
    assertRefused(
        tsd,
        four.replace("1h-sum", "1h-dev"),
        gone + " (dev does not follow from rollups): downsample by 1h-avg");
    assertRefused(
        tsd, four.replace("1h-sum:", ""), gone + " (not downsampled): downsample by 1h-avg");
    assertRefused(
        tsd,
        four.replace("1h-sum", "0all-sum"),
        gone
            + " (rollups are not proven for all of its buckets): begin and end at multiples of 1h"
            + " (UTC)");
    aCoarsePathWidensWhatWouldBeRefused(tsd, four, gone);
    JsonNode plan = json(RawHttp.get(tsd.port(), PREFIX + "explain" + QUERY)).get("queries").get(0);
    assertThat(plan.get("readBy").asText()).isEqualTo("refused");
    assertThat(plan.get("reason").asText()).startsWith(gone);
    assertThat(tsd.client().stats())
        .containsEntry("tsd.rollup_query.queries outcome=raw_gone plugin=httprpc", "6");
    tsd.stop();

    TsdServer without =
        QueryStack.tsd(
            "floored-stock", QueryStack.conf("floored", "coverage.table", "floored-coverage"));
    assertRefused(without, four, gone + ", and this TSD reads no rollups");
    without.stop();
  }

  private static void aCoarsePathWidensWhatWouldBeRefused(TsdServer tsd, String four, String gone)
      throws IOException {
    String fine = four.replace("1h-sum", "10m-sum");
    assertRefused(
        tsd, fine, gone + " (no table is as fine as the downsampler): downsample by 1h-sum");
    String show = "&show_query&show_tsuids";
    RawHttp.Answer wide = RawHttp.get(tsd.port(), four + show);
    RawHttp.Answer coarse = RawHttp.get(tsd.port(), coarse(fine) + show);
    assertThat(coarse.code()).as(coarse.text()).isEqualTo(200);
    assertThat(coarse.text()).isEqualTo(wide.text()).contains("\"downsample\":\"1h-sum\"");
    assertThat(coarse.header("X-Rollup-Query")).isEqualTo("0: downsampled by 1h-sum; 1h:5");
    RawHttp.Answer same = RawHttp.get(tsd.port(), coarse(four) + show);
    assertThat(same.text()).isEqualTo(wide.text());
    assertThat(same.header("X-Rollup-Query")).isEqualTo("0: as asked; 1h:5");
    RawHttp.Answer both = RawHttp.get(tsd.port(), coarse(fine) + "&m=max:1h-sum:q.covered");
    assertThat(both.header("X-Rollup-Query"))
        .isEqualTo("0: downsampled by 1h-sum; 1h:5 | 1: as asked; 1h:5");
    assertRefused(
        tsd,
        coarse(four.replace("1h-sum", "1h-dev")),
        gone + " (dev does not follow from rollups): downsample by 1h-avg");
    String suggest = RawHttp.get(tsd.port(), PREFIX + "coarse/api/suggest?type=metrics").text();
    assertThat(suggest).contains("q.covered");
    assertThat(RawHttp.get(tsd.port(), PREFIX + "coarse/api/uid/assign?metric=x").code())
        .isEqualTo(403);
    Await.until(
        "no query to run",
        QueryStack.PATIENCE,
        () -> tsd.client().get("api/stats/query").get("running").isEmpty());
  }

  private static String coarse(String uri) {
    return uri.replace(PREFIX, PREFIX + "coarse/");
  }

  private static void assertRefused(TsdServer tsd, String uri, String message) throws IOException {
    RawHttp.Answer answer = RawHttp.get(tsd.port(), uri);
    assertThat(answer.code()).as(answer.text()).isEqualTo(400);
    assertThat(json(answer.text(), "message")).isEqualTo(message);
  }

  private static String json(String error, String field) throws IOException {
    return new ObjectMapper().readTree(error).get("error").get(field).asText();
  }

  /** The rollups are wrong inside the coverage. */
  private static void awaitShadowDifference(TsdServer tsd) throws IOException {
    Await.until(
        "a difference to be found",
        QueryStack.PATIENCE,
        () -> {
          values(RawHttp.get(tsd.port(), URI));
          return !tsd.client()
              .stats()
              .get("tsd.rollup_query.shadow.different plugin=httprpc")
              .equals("0");
        });
    JsonNode state = json(RawHttp.get(tsd.port(), PREFIX + "ui/state?metric=q.covered"));
    JsonNode difference = state.get("differences").get(0);
    assertThat(difference.get("table").asText()).isEqualTo("covered-1h");
    assertThat(difference.get("example").get("name").asText()).isEqualTo("q.covered{host=a}");
    assertThat(difference.get("example").get("rollup").asText()).startsWith("100").endsWith(".0");
    assertThat(difference.get("example").get("raw").asText()).isEqualTo("360.0");
    JsonNode hours = state.get("coverage").get("intervals").get(0);
    assertThat(hours.get("ranges").toString())
        .isEqualTo("[[" + FROM * 1000 + "," + (FROM + 4 * HOUR) * 1000 + "]]");
    assertThat(state.get("heavy")).isNotEmpty();
  }

  private static void explains(TsdServer tsd) throws IOException {
    RawHttp.Answer answer = RawHttp.get(tsd.port(), PREFIX + "explain" + QUERY);
    assertThat(answer.header("Content-Type")).isEqualTo("application/json; charset=UTF-8");
    JsonNode plan = json(answer).get("queries").get(0);
    assertThat(plan.get("query").asText()).isEqualTo("sum:1h-sum:q.covered");
    assertThat(plan.get("readBy").asText()).isEqualTo("rollups");
    assertThat(plan.get("pieces").get(0).get("interval").asText()).isEqualTo("1h");
    assertThat(plan.get("pieces").get(0).get("buckets").asInt()).isEqualTo(4);
    assertThat(plan.get("ofSeries").get("rollupCells").asInt()).isEqualTo(4);
    // Of the row of a day, six rollups are read for four.
    assertThat(plan.get("series").asInt()).isBetween(1, 2);
    assertThat(plan.get("cells").asInt()).isBetween(100, 2000);
    String body =
        "{\"start\":"
            + FROM
            + ",\"queries\":[{\"aggregator\":\"sum\",\"metric\":\"q.covered\","
            + "\"downsample\":\"1h-p99\"}]}";
    answer =
        RawHttp.ask(
            tsd.port(),
            "POST",
            PREFIX + "explain",
            List.of("Connection: close"),
            body.getBytes(UTF_8));
    assertThat(json(answer).get("queries").get(0).get("summary").asText())
        .isEqualTo("raw (p99 does not follow from rollups)");
    String unknown = PREFIX + "explain" + QUERY.replace("q.covered", "q.nothing");
    answer = RawHttp.get(tsd.port(), unknown);
    assertThat(answer.code()).isEqualTo(400);
    assertThat(answer.text()).contains("No such name for 'metrics': 'q.nothing'");
    answer = RawHttp.get(tsd.port(), PREFIX + "explain?start=1h-ago&m=wrong");
    assertThat(answer.code()).isEqualTo(400);
  }

  private static void refusesOtherSites(TsdServer tsd) throws IOException {
    for (String path : List.of("ui/state", "explain" + QUERY)) {
      List<String> headers = List.of("Connection: close", "Sec-Fetch-Site: cross-site");
      RawHttp.Answer answer = RawHttp.ask(tsd.port(), "GET", PREFIX + path, headers, new byte[0]);
      assertThat(answer.code()).as(path).isEqualTo(403);
    }
  }

  private static JsonNode json(RawHttp.Answer answer) throws IOException {
    assertThat(answer.code()).as(answer.text()).isEqualTo(200);
    assertThat(answer.header("Content-Security-Policy")).startsWith("default-src 'none'");
    assertThat(answer.header("Cache-Control")).isEqualTo("no-store");
    return new ObjectMapper().readTree(answer.body());
  }

  private static void awaitValues(TsdServer tsd, String... expected) {
    Await.until(
        "the coverage to be read: " + List.of(expected),
        QueryStack.PATIENCE,
        () -> values(RawHttp.get(tsd.port(), URI)).equals(List.of(expected)));
  }

  /** The values of the answer, without a fraction of zero. */
  private static List<String> values(RawHttp.Answer answer) {
    assertThat(answer.code()).as(answer.text()).isEqualTo(200);
    List<String> values = new ArrayList<>();
    Matcher value = Pattern.compile("\"\\d{10}\":(-?[0-9.E]+)").matcher(answer.text());
    while (value.find()) {
      values.add(value.group(1).replaceAll("\\.0$", ""));
    }
    return values;
  }
}
