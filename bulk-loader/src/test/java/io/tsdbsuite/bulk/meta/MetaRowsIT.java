package io.tsdbsuite.bulk.meta;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tsdbsuite.bulk.spill.SeriesTotal;
import io.tsdbsuite.format.schema.StorageSchema;
import io.tsdbsuite.testkit.Await;
import io.tsdbsuite.testkit.DataPoint;
import io.tsdbsuite.testkit.QuerySpec;
import io.tsdbsuite.testkit.RawCell;
import io.tsdbsuite.testkit.Stack;
import io.tsdbsuite.testkit.ToolRun;
import io.tsdbsuite.testkit.TsdClient;
import io.tsdbsuite.testkit.TsdException;
import io.tsdbsuite.testkit.WorkDirs;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;

/**
 * A TSD that tracks series, and what it says about series that came past it: their points are put
 * by a TSD on the same tables that tracks nothing.
 */
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class MetaRowsIT {
  private static final long TIME = 1_600_000_200;
  private static final Instant NOW = Instant.ofEpochSecond(1_700_000_000);
  private static final StorageSchema SCHEMA = StorageSchema.defaults();
  private static final Map<String, String> TAGS = Map.of("host", "web01");

  private static Stack stack;
  private static TsdClient tracking;
  private static String tsuid;

  @BeforeAll
  static void start() {
    stack =
        Stack.in(WorkDirs.fresh("MetaRowsIT"))
            .tsd(
                Map.of(
                    "tsd.core.meta.enable_tsuid_tracking", "true",
                    "tsd.core.meta.enable_tsuid_incrementing", "true",
                    "tsd.core.meta.enable_realtime_ts", "true"))
            .start();
    tracking = stack.tsd().client();
    TsdClient plain = stack.startTsd("plain", Map.of()).client();
    plain.put(
        List.of(
            new DataPoint("loaded", TIME, 1L, TAGS), new DataPoint("loaded", TIME + 60, 2L, TAGS)));
    tsuid = tsuidOf(plain, "loaded");
  }

  @AfterAll
  static void close() {
    stack.close();
  }

  private static String tsuidOf(TsdClient client, String metric) {
    return client.query(QuerySpec.of(metric, TIME - 100, TIME + 100)).get(0).tsuids().get(0);
  }

  private static SeriesTotal loaded(long points, long newestMillis) {
    return new SeriesTotal(HexFormat.of().parseHex(tsuid), "", points, points, newestMillis);
  }

  private static MetaRows.Counts write(SeriesTotal... series) throws IOException {
    try (MetaRows rows =
        new MetaRows(stack.hbase().connection(), SCHEMA, InstantSource.fixed(NOW))) {
      Iterator<SeriesTotal> all = List.of(series).iterator();
      return rows.write(() -> all.hasNext() ? all.next() : null);
    }
  }

  private static JsonNode tsMeta() {
    return tracking.get("api/uid/tsmeta?tsuid=" + tsuid);
  }

  @Test
  @Order(1)
  void withoutRowsTheTsdKnowsNothing() {
    assertThatThrownBy(MetaRowsIT::tsMeta)
        .isInstanceOf(TsdException.class)
        .hasMessageContaining("404");
    assertThat(lookup()).isEmpty();
  }

  private static List<String> lookup() {
    return tracking
        .get("api/search/lookup?m=loaded&use_meta=true")
        .path("results")
        .findValuesAsText("tsuid");
  }

  @Test
  @Order(2)
  void theTsdAnswersAsForASeriesOfItsOwn() throws IOException {
    assertThat(write(loaded(2, (TIME + 60) * 1000))).isEqualTo(new MetaRows.Counts(1, 1, 1));

    JsonNode meta = tsMeta();
    assertThat(meta.path("tsuid").asText()).isEqualTo(tsuid);
    assertThat(meta.path("created").asLong()).isEqualTo(NOW.getEpochSecond());
    assertThat(meta.path("lastReceived").asLong()).isEqualTo(TIME + 60);
    assertThat(meta.path("totalDatapoints").asLong()).isEqualTo(2);
    assertThat(meta.path("metric").path("name").asText()).isEqualTo("loaded");
    assertThat(meta.path("tags").findValuesAsText("name")).containsExactly("host", "web01");
    assertThat(lookup()).containsExactly(tsuid);
    System.out.println("MetaRowsIT tsmeta: " + meta);

    JsonNode last = tracking.get("api/query/last?timeseries=loaded%7Bhost=web01%7D&resolve=true");
    System.out.println("MetaRowsIT last: " + last);
    assertThat(last).hasSize(1);
    assertThat(last.get(0).path("metric").asText()).isEqualTo("loaded");
    assertThat(last.get(0).path("timestamp").asLong()).isEqualTo((TIME + 60) * 1000);
    assertThat(last.get(0).path("value").asText()).isEqualTo("2");
    assertThat(tracking.get("api/query/last?timeseries=loaded&resolve=true")).hasSize(1);

    JsonNode uid =
        tracking.get("api/uid/uidmeta?type=metric&uid=" + meta.path("metric").path("uid").asText());
    System.out.println("MetaRowsIT uidmeta: " + uid);
    assertThat(uid.path("name").asText()).isEqualTo("loaded");
    assertThat(uid.path("created").asLong()).isZero();
  }

  @Test
  @Order(3)
  void againChangesNothing() throws IOException {
    List<RawCell> before = stack.hbase().cells("tsdb-meta");

    assertThat(write(loaded(7, (TIME + 7000) * 1000))).isEqualTo(new MetaRows.Counts(1, 0, 0));
    assertThat(stack.hbase().cells("tsdb-meta")).isEqualTo(before);
  }

  @Test
  @Order(4)
  void bytesAreThoseOfATsd() throws IOException {
    tracking.put(List.of(new DataPoint("tracked", TIME, 1L, TAGS)));
    String theirs = tsuidOf(tracking, "tracked");
    Map<String, String> rows = new TreeMap<>();
    Await.until(
        "the TSD's own row",
        Duration.ofSeconds(20),
        () -> {
          for (RawCell cell : stack.hbase().cells("tsdb-meta")) {
            rows.put(
                HexFormat.of().withUpperCase().formatHex(cell.row())
                    + " "
                    + new String(cell.qualifier(), StandardCharsets.ISO_8859_1),
                new String(cell.value(), StandardCharsets.ISO_8859_1));
          }
          return rows.containsKey(theirs + " ts_meta");
        });

    assertThat(rows.get(tsuid + " ts_meta"))
        .isEqualTo(
            rows.get(theirs + " ts_meta")
                .replace(theirs, tsuid)
                .replaceFirst("\"created\":\\d+", "\"created\":" + NOW.getEpochSecond()));
    assertThat(rows.get(tsuid + " ts_ctr")).hasSameSizeAs(rows.get(theirs + " ts_ctr"));
  }

  @Test
  @Order(5)
  void theTsdCountsOnAndEdits() {
    ObjectNode edit = JsonNodeFactory.instance.objectNode();
    edit.put("tsuid", tsuid).put("displayName", "Loaded").put("units", "ms");
    JsonNode edited = tracking.post("api/uid/tsmeta", edit);
    assertThat(edited.path("displayName").asText()).isEqualTo("Loaded");

    tracking.put(List.of(new DataPoint("loaded", TIME + 120, 3L, TAGS)));
    Await.until(
        "the third point to be counted",
        Duration.ofSeconds(20),
        () -> tsMeta().path("totalDatapoints").asLong() == 3);
    assertThat(tsMeta().path("displayName").asText()).isEqualTo("Loaded");
    assertThat(tsMeta().path("lastReceived").asLong()).isGreaterThan(NOW.getEpochSecond());
  }

  @Test
  @Order(6)
  void aCounterIsNeverInTheFuture() throws IOException {
    byte[] other = HexFormat.of().parseHex(tsuid);
    other[other.length - 1] = 99;

    write(new SeriesTotal(other, "", 1, 1, NOW.plusSeconds(9).toEpochMilli()));

    assertThat(stack.hbase().cells("tsdb-meta"))
        .anyMatch(
            cell ->
                cell.row()[other.length - 1] == 99
                    && new String(cell.qualifier(), StandardCharsets.ISO_8859_1).equals("ts_ctr")
                    && cell.timestamp() == NOW.toEpochMilli());
  }

  @Test
  @Order(7)
  void whatIsMissingIsAddedToWhatIsThere() throws IOException {
    List<RawCell> halves = new ArrayList<>();
    List<SeriesTotal> series = new ArrayList<>();
    byte[] tsuids = HexFormat.of().parseHex(tsuid);
    for (int i = 0; i < 3; i++) {
      byte[] row = tsuids.clone();
      row[row.length - 1] = (byte) (100 + i);
      series.add(new SeriesTotal(row, "", 5, 5, TIME * 1000));
    }
    halves.add(cell(series.get(0), "ts_meta", "{}"));
    halves.add(cell(series.get(1), "ts_ctr", "12345678"));
    stack.hbase().putCells("tsdb-meta", halves);

    assertThat(write(series.toArray(new SeriesTotal[0]))).isEqualTo(new MetaRows.Counts(3, 2, 2));

    List<RawCell> cells = stack.hbase().cells("tsdb-meta");
    assertThat(cells).containsAll(halves);
    assertThat(cells.stream().filter(cell -> cell.row()[tsuids.length - 1] >= 100)).hasSize(6);
  }

  private static RawCell cell(SeriesTotal series, String qualifier, String value) {
    return new RawCell(
        series.tsuid(),
        "name",
        qualifier.getBytes(StandardCharsets.ISO_8859_1),
        NOW.toEpochMilli(),
        value.getBytes(StandardCharsets.ISO_8859_1));
  }

  @Test
  @Order(8)
  void metasyncMakesTheRest() {
    ToolRun sync = stack.tsd().tool("UidManager", "metasync");

    assertThat(sync.exitCode()).as(sync.output()).isZero();
    System.out.println("MetaRowsIT after metasync: " + tsMeta());
    assertThat(tsMeta().path("metric").path("created").asLong()).isPositive();
  }
}
