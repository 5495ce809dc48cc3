package io.tsdbsuite.query.it;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.tsdbsuite.coverage.CoverageWindow;
import io.tsdbsuite.format.rollup.RollupCell;
import io.tsdbsuite.format.rollup.RollupConfig;
import io.tsdbsuite.format.rollup.RollupInterval;
import io.tsdbsuite.format.row.RowKey;
import io.tsdbsuite.format.schema.StorageSchema;
import io.tsdbsuite.testkit.Await;
import io.tsdbsuite.testkit.DataPoint;
import io.tsdbsuite.testkit.RawCell;
import io.tsdbsuite.testkit.TsdServer;
import java.io.IOException;
import java.math.BigInteger;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.LongSummaryStatistics;
import java.util.Map;
import java.util.TreeMap;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Table;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * A year of points, of which raw data of the first eleven months are gone: hours and days are kept.
 * Queries are answered as before, or coarser where that is asked for, or refused.
 */
class YearQueriesIT {
  private static final long HOUR = 3600;
  private static final long DAY = 24 * HOUR;
  private static final long FROM = Instant.parse("2024-11-01T00:00:00Z").getEpochSecond();
  private static final long TO = Instant.parse("2025-11-01T00:00:00Z").getEpochSecond();
  private static final long FLOOR = Instant.parse("2025-10-01T00:00:00Z").getEpochSecond();

  /**
   * Hours of {@code q.holes} are proven before it and from a week later on, its days everywhere.
   */
  private static final long HOLE = Instant.parse("2025-03-01T00:00:00Z").getEpochSecond();

  private static final long EVERY = 5 * HOUR + 7;
  private static final String PREFIX = "/plugin/rollup-query/";
  private static final String GONE = "raw data of %s before 2025-10-01T00:00:00Z is gone ";
  private static final String FROM_THE_FLOOR = ", or ask for times from 2025-10-01T00:00:00Z on";

  private static CoveredTsd year;
  private static TsdServer tsd;

  /** Answers from all raw data, by query. */
  private static final Map<String, String> BEFORE = new TreeMap<>();

  private static final List<String> WHOLE_YEAR =
      List.of(
          "sum:1d-sum:q.year",
          "sum:1d-avg:q.year%7Bhost=*%7D",
          "max:1h-max:q.year%7Bhost=*%7D",
          "avg:1h-count:q.year",
          "none:6h-min:q.year",
          "sum:rate:1d-avg:q.year",
          "sum:1nc-sum:q.year",
          "sum:1d-sum:q.holes");

  /** Around the floor, by their begin and end. */
  private static final Map<String, long[]> AT_THE_FLOOR =
      Map.of(
          "sum:q.year", new long[] {FLOOR, TO - 1},
          "sum:1m-avg:q.year", new long[] {FLOOR, FLOOR + 5 * DAY - 1},
          "sum:1h-dev:q.year%7Bhost=*%7D", new long[] {FLOOR + 1, FLOOR + 5 * DAY - 1},
          "sum:1h-sum:q.year%7Bhost=*%7D", new long[] {FLOOR - 1, FLOOR + 5 * DAY - 1},
          "max:1h-max:q.year", new long[] {FLOOR - 2 * DAY, FLOOR + 2 * DAY - 1},
          "sum:1d-count:q.year", new long[] {FLOOR - 2 * DAY, FLOOR - 1},
          "sum:1h-sum:q.holes", new long[] {HOLE + 7 * DAY, TO - 1});

  private static final RowKey KEYS = new RowKey(StorageSchema.defaults());

  @BeforeAll
  static void start() throws IOException {
    Map<String, String> conf =
        QueryStack.conf("year", "coverage.table", "year-coverage", "coverage.seconds", "1");
    conf.put("tsd.rollups.enable", "true");
    String rollups =
        CoveredTsd.rollups("year")
            .replace(
                "]}",
                ",{\"table\":\"year-1d\",\"preAggregationTable\":\"year-agg\","
                    + "\"interval\":\"1d\",\"rowSpan\":\"1y\"}]}");
    conf.put("tsd.rollups.config", rollups);
    tsd = QueryStack.tsd("year", conf);
    year = new CoveredTsd("year", conf, tsd);
    List<DataPoint> points = new ArrayList<>();
    for (String metric : List.of("q.year", "q.holes")) {
      for (int host = 0; host < 3; host++) {
        for (long time = FROM + 60L * host; time < TO; time += EVERY) {
          long value = time / HOUR % 1000 * (host + 1);
          points.add(new DataPoint(metric, time, value, Map.of("host", "h" + host)));
        }
      }
    }
    tsd.client().put(points, 3000);
    for (String query : WHOLE_YEAR) {
      BEFORE.put(query, raw(query, FROM, TO - 1));
    }
    AT_THE_FLOOR.forEach((query, times) -> BEFORE.put(query, raw(query, times[0], times[1])));
    BEFORE.put("sum:1h-avg:q.year", raw("sum:1h-avg:q.year", FROM, TO - 1));

    List<RawCell> cells = QueryStack.hbase().cells("year-tsdb");
    RollupConfig config = RollupConfig.parse(rollups);
    rollUp(cells, config, "1h");
    rollUp(cells, config, "1d");
    try (Admin admin = QueryStack.hbase().connection().getAdmin()) {
      year.claim(
          admin,
          // OpenTSDB looks back to the begin of a month of 30 days.
          window("1d", FROM - 30 * DAY, TO, "q.*"),
          window("1h", FROM, TO, "q.year"),
          window("1h", FROM, HOLE, "q.holes"),
          window("1h", HOLE + 7 * DAY, TO, "q.holes"));
    }
    Await.until(
        "a year to be read from rollups",
        QueryStack.PATIENCE,
        () -> assertEqual("sum:1d-sum:q.year", FROM, TO - 1).startsWith("0: 1d:36"));
    for (String query : WHOLE_YEAR) {
      String unused = assertEqual(query, FROM, TO - 1);
    }
    year.floor(FLOOR);
    Await.until(
        "the floor to be read",
        QueryStack.PATIENCE,
        () -> RawHttp.get(tsd.port(), PREFIX + "status").text().contains("of level raw before"));
    deleteRawData(cells);
  }

  @AfterAll
  static void stop() {
    tsd.stop();
  }

  private static CoverageWindow window(String interval, long from, long to, String metrics) {
    return CoverageWindow.of(
        interval,
        from,
        to,
        metrics.replace("*", "all"),
        "year-" + interval,
        (to + DAY) * 1000,
        metrics,
        "a test");
  }

  /** Stores the rollups of all points, in rows with the keys of the points' rows. */
  private static void rollUp(List<RawCell> cells, RollupConfig config, String name)
      throws IOException {
    RollupInterval interval = config.interval(name);
    Map<String, TreeMap<Integer, LongSummaryStatistics>> rows = new TreeMap<>();
    for (RawCell cell : cells) {
      long hour = KEYS.baseTime(cell.row(), 0);
      long base = interval.baseTime(hour);
      byte[] row = cell.row().clone();
      KEYS.writeBaseTime(row, base);
      rows.computeIfAbsent(HexFormat.of().formatHex(row), any -> new TreeMap<>())
          .computeIfAbsent(
              RollupCell.offset(interval, base, hour), any -> new LongSummaryStatistics())
          .accept(new BigInteger(cell.value()).longValueExact());
    }
    List<RawCell> rollups = new ArrayList<>();
    rows.forEach(
        (row, buckets) ->
            buckets.forEach(
                (offset, of) -> {
                  Map<String, Long> values =
                      Map.of("sum", of.getSum(), "min", of.getMin(), "max", of.getMax());
                  values.forEach(
                      (aggregator, value) ->
                          rollups.add(
                              rollup(
                                  row,
                                  RollupCell.doubleQualifier(
                                      config.aggregatorId(aggregator), offset),
                                  RollupCell.doubleValue(value))));
                  rollups.add(
                      rollup(
                          row,
                          RollupCell.countQualifier(config.aggregatorId("count"), offset),
                          RollupCell.countValue(of.getCount())));
                }));
    QueryStack.hbase().putCells(interval.table(), rollups);
  }

  private static RawCell rollup(String row, byte[] qualifier, byte[] value) {
    return new RawCell(HexFormat.of().parseHex(row), RowKey.FAMILY, qualifier, TO * 1000, value);
  }

  private static void deleteRawData(List<RawCell> cells) throws IOException {
    List<Delete> deletes = new ArrayList<>();
    for (RawCell cell : cells) {
      if (KEYS.baseTime(cell.row(), 0) < FLOOR) {
        deletes.add(new Delete(cell.row()));
      }
    }
    assertThat(deletes).hasSizeGreaterThan(5000);
    try (Table table = QueryStack.hbase().connection().getTable(TableName.valueOf("year-tsdb"))) {
      table.delete(deletes);
    }
  }

  private static RawHttp.Answer get(String path, String query, long from, long to) {
    try {
      return RawHttp.get(
          tsd.port(), path + "api/query?start=" + from + "&end=" + to + "&m=" + query);
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  /** OpenTSDB's own answer, from raw data. */
  private static String raw(String query, long from, long to) {
    String aggregator = query.substring(0, query.indexOf(':'));
    String rest = query.substring(aggregator.length());
    // Without a downsampler nothing but raw data is read.
    String usage = rest.matches(".*\\d[a-z]+-.*") ? ":rollup_raw" : "";
    RawHttp.Answer answer =
        get(
            "/",
            rest.startsWith(":rate")
                ? aggregator + ":rate" + usage + rest.substring(":rate".length())
                : aggregator + usage + rest,
            from,
            to);
    assertThat(answer.code()).as(answer.text()).isEqualTo(200);
    assertThat(answer.text()).contains("\"dps\":{\"1");
    return answer.text();
  }

  /** Requires the answer of before, and returns what was read. */
  private static String assertEqual(String query, long from, long to) {
    RawHttp.Answer answer = get(PREFIX, query, from, to);
    assertThat(answer.code()).as(query + answer.text()).isEqualTo(200);
    assertThat(answer.text()).as(query).isEqualTo(BEFORE.get(query));
    return answer.header("X-Rollup-Query");
  }

  private static void assertRefused(String path, String query, long from, String why)
      throws IOException {
    RawHttp.Answer answer = get(path, query, from, TO - 1);
    assertThat(answer.code()).as(query + answer.text()).isEqualTo(400);
    String metric = query.contains("q.holes") ? "q.holes" : "q.year";
    assertThat(new ObjectMapper().readTree(answer.text()).at("/error/message").asText())
        .isEqualTo(GONE.formatted(metric) + why);
  }

  @Test
  void aYearIsAnsweredAsBefore() {
    for (String query : WHOLE_YEAR) {
      assertThat(assertEqual(query, FROM, TO - 1)).startsWith("0: 1");
    }
  }

  @Test
  void aYearOfMinutesIsRefusedAndItsAdviceIsAnswered() throws IOException {
    String why = "(no table is as fine as the downsampler): downsample by 1h-avg" + FROM_THE_FLOOR;
    assertRefused(PREFIX, "sum:1m-avg:q.year", FROM, why);
    assertRefused(
        PREFIX, "sum:q.year", FROM, "(not downsampled): downsample by 1h-avg" + FROM_THE_FLOOR);
    String direct = assertEqual("sum:1h-avg:q.year", FROM, TO - 1);
    for (String fine : List.of("sum:1m-avg:q.year", "sum:q.year")) {
      RawHttp.Answer coarse = get(PREFIX + "coarse/", fine, FROM, TO - 1);
      assertThat(coarse.code()).as(coarse.text()).isEqualTo(200);
      assertThat(coarse.text()).isEqualTo(BEFORE.get("sum:1h-avg:q.year"));
      assertThat(coarse.header("X-Rollup-Query"))
          .isEqualTo(direct.replaceFirst("0: ", "0: downsampled by 1h-avg; "));
    }
    String dev = "(dev does not follow from rollups): downsample by 1h-avg" + FROM_THE_FLOOR;
    assertRefused(PREFIX, "sum:1h-dev:q.year", FROM, dev);
    assertRefused(PREFIX + "coarse/", "sum:1h-dev:q.year", FROM, dev);
  }

  /** Where a week of hours is not proven, days are. */
  @Test
  void whatIsNotProvenIsRefused() throws IOException {
    String why =
        "(rollups are not proven for all of its buckets): downsample by 1d-sum" + FROM_THE_FLOOR;
    assertRefused(PREFIX, "sum:1h-sum:q.holes", FROM, why);
    RawHttp.Answer coarse = get(PREFIX + "coarse/", "sum:1h-sum:q.holes", FROM, TO - 1);
    assertThat(coarse.code()).as(coarse.text()).isEqualTo(200);
    assertThat(coarse.text()).isEqualTo(BEFORE.get("sum:1d-sum:q.holes"));
  }

  @Test
  void queriesAtTheFloor() throws IOException {
    AT_THE_FLOOR.forEach((query, times) -> assertEqual(query, times[0], times[1]));
    assertThat(
            get(PREFIX, "max:1h-max:q.year", FLOOR - 2 * DAY, FLOOR + 2 * DAY - 1)
                .header("X-Rollup-Query"))
        .startsWith("0: 1h:");
    assertRefused(
        PREFIX,
        "sum:q.year",
        FLOOR - 1,
        "(not downsampled): downsample by 1h-avg" + FROM_THE_FLOOR);
    assertRefused(
        PREFIX,
        "sum:1m-sum:q.year",
        FLOOR - 1,
        "(no table is as fine as the downsampler): downsample by 1h-sum" + FROM_THE_FLOOR);
  }
}
