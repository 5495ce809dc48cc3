package io.tsdbsuite.query.it;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.tsdbsuite.coverage.CoverageRows;
import io.tsdbsuite.coverage.CoverageWindow;
import io.tsdbsuite.testkit.Await;
import io.tsdbsuite.testkit.DataPoint;
import io.tsdbsuite.testkit.OpenTsdbTables;
import io.tsdbsuite.testkit.RawCell;
import io.tsdbsuite.testkit.TsdServer;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.junit.jupiter.api.Test;

/** The jar in a TSD: rollups are read inside the coverage, and nowhere else. */
class CoveredQueriesIT {
  private static final String COVERAGE = "covered-coverage";
  private static final String ROLLUPS = "covered-1h";
  private static final String ID = "0123456789abcdef0123456789abcdef";
  private static final long HOUR = 3600;

  /** The hours have three points of the value 1; the rollups say 1000, 1001 and so on. */
  private static final long FROM = Requests.START - Requests.START % HOUR;

  private static final String URI =
      "/plugin/rollup-query/api/query?start="
          + FROM
          + "&end="
          + (FROM + 6 * HOUR - 1)
          + "&m=sum:1h-sum:q.covered";

  @Test
  void rollupsAreReadInsideTheCoverageAlone() throws IOException {
    Map<String, String> conf =
        QueryStack.conf("covered", "coverage.table", COVERAGE, "coverage.seconds", "1");
    conf.put("tsd.rollups.enable", "true");
    conf.put("tsd.rollups.config", rollups());
    TsdServer tsd = QueryStack.tsd("covered", conf);
    store(tsd);
    RawHttp.Answer raw = RawHttp.get(tsd.port(), URI);
    assertThat(values(raw)).containsExactly("3", "3", "3", "3", "3", "3");
    assertThat(raw.header("X-Rollup-Query"))
        .isEqualTo("0: raw (no rollups are proven to be stored)");

    try (Admin admin = QueryStack.hbase().connection().getAdmin()) {
      OpenTsdbTables.of(conf).coverage(COVERAGE).create(admin);
      put("format", Map.of("version", "1"));
      put("marker/" + ROLLUPS, Map.of("id", ID));
      marker();
      CoverageWindow window =
          CoverageWindow.of("1h", FROM, FROM + 4 * HOUR, "hand", ROLLUPS, asOf(), "q.*", "a test");
      put("window/1h/" + FROM + "/hand", CoverageRows.columns(window));
      awaitValues(tsd, "1000", "1001", "1002", "1003", "3", "3");
      assertThat(RawHttp.get(tsd.port(), URI).header("X-Rollup-Query")).startsWith("0: 1h:4");
      assertThat(values(RawHttp.get(tsd.port(), URI.replace("1h-sum", "1h-dev")))).hasSize(6);

      // Raw points of the second hour have changed.
      String mask = "mask/" + (FROM + HOUR) + "/q.covered";
      QueryStack.hbase()
          .putCells(COVERAGE, List.of(cell(mask, "late/*", "", System.currentTimeMillis())));
      awaitValues(tsd, "1000", "3", "1002", "1003", "3", "3");

      admin.disableTable(TableName.valueOf(ROLLUPS));
      admin.truncateTable(TableName.valueOf(ROLLUPS), true);
      awaitValues(tsd, "3", "3", "3", "3", "3", "3");
    }
    tsd.stop();
  }

  private static String rollups() {
    return "{\"aggregationIds\":{\"sum\":0,\"count\":2,\"min\":3,\"max\":4},\"intervals\":["
        + "{\"table\":\"covered-tsdb\",\"preAggregationTable\":\"covered-tsdb\","
        + "\"interval\":\"1m\",\"rowSpan\":\"1h\",\"defaultInterval\":true},"
        + "{\"table\":\""
        + ROLLUPS
        + "\",\"preAggregationTable\":\"covered-agg\",\"interval\":\"1h\",\"rowSpan\":\"1d\"}]}";
  }

  private static void store(TsdServer tsd) throws IOException {
    List<DataPoint> points = new ArrayList<>();
    List<String> rollups = new ArrayList<>();
    for (int hour = 0; hour < 6; hour++) {
      long start = FROM + hour * HOUR;
      for (int i = 0; i < 3; i++) {
        points.add(new DataPoint("q.covered", start + i * 600L, 1L, Map.of("host", "a")));
      }
      rollups.add(
          "{\"metric\":\"q.covered\",\"timestamp\":"
              + start
              + ",\"value\":"
              + (1000 + hour)
              + ",\"tags\":{\"host\":\"a\"},\"interval\":\"1h\",\"aggregator\":\"SUM\"}");
    }
    tsd.client().put(points);
    RawHttp.Answer answer =
        RawHttp.ask(
            tsd.port(),
            "POST",
            "/api/rollup?sync",
            List.of("Connection: close"),
            rollups.toString().getBytes(UTF_8));
    assertThat(answer.code()).as(answer.text()).isLessThan(300);
  }

  private static void marker() throws IOException {
    QueryStack.hbase()
        .putCells(
            ROLLUPS,
            List.of(
                new RawCell(
                    CoverageRows.tableMarkerRow(),
                    CoverageRows.TABLE_FAMILY,
                    CoverageRows.TABLE_COLUMN.getBytes(UTF_8),
                    asOf(),
                    ID.getBytes(UTF_8))));
  }

  private static long asOf() {
    return (FROM + 7 * HOUR) * 1000;
  }

  private static void put(String row, Map<String, String> columns) throws IOException {
    List<RawCell> cells = new ArrayList<>();
    columns.forEach((column, value) -> cells.add(cell(row, column, value, asOf())));
    QueryStack.hbase().putCells(COVERAGE, cells);
  }

  private static RawCell cell(String row, String column, String value, long timestamp) {
    return new RawCell(
        row.getBytes(UTF_8), "c", column.getBytes(UTF_8), timestamp, value.getBytes(UTF_8));
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
