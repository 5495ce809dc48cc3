package io.tsdbsuite.system;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.tsdbsuite.coverage.CoverageWindow;
import io.tsdbsuite.job.coverage.CoverageTable;
import io.tsdbsuite.testkit.Await;
import io.tsdbsuite.testkit.DataPoint;
import io.tsdbsuite.testkit.OpenTsdbTables;
import io.tsdbsuite.testkit.RawCell;
import io.tsdbsuite.testkit.TelnetClient;
import io.tsdbsuite.testkit.TsdServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Table;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Points that come after their hour was rolled up, as queries through rollup-query see them: from
 * raw data as soon as their masks are read, and from rollups again after their repair. Requests for
 * repairs wait in a topic until the test hands them on. stream-rollup does not run.
 */
@Tag("slow")
class LateQueriesIT {
  private static final long HOUR = 3600;

  private static final int HOURS = 12;

  /**
   * Twelve hours of which the last one ended 6 to 66 minutes ago, from noon on in a day that has
   * not ended; and those of 40 days before.
   */
  private static final long RECENT = ((now() - 360) / HOUR - HOURS) * HOUR;

  private static final long OLD = RECENT - 40 * 24 * HOUR;

  private static final String COVERAGE = "late-coverage";
  private static final String TABLE = "late-1h";
  private static final String POINTS = "late-points";
  private static final String ROLLUPS = "late-rollups";
  private static final String REQUESTS = "late-requests";
  private static final String WAITING = "late-waiting";
  private static final List<String> DOWNSAMPLERS = List.of("1h-sum", "2h-count", "0all-avg");
  private static final Pattern ROLLED_UP = Pattern.compile("0: 1h:(\\d+)( .*)?");

  private static final HttpClient HTTP = HttpClient.newHttpClient();

  private static SystemStack stack;
  private static TsdServer tsd;
  private static int handedOn;

  /** Near midnight a day before: a repair in the minute after the end of a day leaves masks. */
  private static long now() {
    long now = System.currentTimeMillis() / 1000;
    return (now + 15 * 60) % (24 * HOUR) < 17 * 60 ? now - 24 * HOUR : now;
  }

  @BeforeAll
  static void start() throws IOException {
    stack = SystemStack.get();
    Map<String, String> conf = stack.maskingConf("late");
    try (Admin admin = stack.hbase().connection().getAdmin()) {
      OpenTsdbTables.of(conf).coverage(COVERAGE).create(admin);
    }
    tsd = stack.startTsd("late", conf);
  }

  @AfterAll
  static void stop() {
    tsd.stop();
  }

  @Test
  void latePointsAreReadAtOnceAndTheirHoursRepaired() throws Exception {
    String metric = "late.points";
    for (long from : List.of(RECENT, OLD)) {
      // Of one series, raw data cost less than rollups with gaps.
      sendPoints(metric, List.of("a", "b", "c"), from, HOURS);
    }
    Await.until(
        "repairs",
        SystemStack.PATIENCE,
        () -> {
          handOn();
          return masks(metric).isEmpty();
        });
    for (long from : List.of(RECENT, OLD)) {
      cover(from, from + HOURS * HOUR, metric, System.currentTimeMillis());
    }
    for (long from : List.of(RECENT, OLD)) {
      awaitRollups(metric, from, HOURS, HOURS);
    }
    for (long from : List.of(RECENT, OLD)) {
      send(POINTS, List.of(InputPoints.point(metric, "a", from + 2 * HOUR + 7, 10_000)));
      tsd.client().put(List.of(late(from + 5 * HOUR + 7)));
      try (TelnetClient telnet = tsd.telnet()) {
        telnet.put(List.of(late(from + 11 * HOUR + 7)));
      }
    }
    for (long from : List.of(RECENT, OLD)) {
      awaitRollups(metric, from, HOURS, HOURS - 3);
      // The sum of an hour is 1770 without its late point.
      assertThat(raw(metric, "1h-sum", from, HOURS).split(":11770\\b", -1)).hasSize(4);
      // The publisher's own requests come minutes later.
      for (int hour : new int[] {5, 11}) {
        send(REQUESTS, List.of(request(from + hour * HOUR)));
      }
    }
    for (long from : List.of(RECENT, OLD)) {
      awaitRollups(metric, from, HOURS, HOURS);
    }
  }

  private static DataPoint late(long time) {
    return new DataPoint("late.points", time, 10_000L, Map.of("host", "a"));
  }

  /** A producer sends a day of many series again; the next night rolls it up. */
  @Test
  void aReplayedDayIsRawUntilTheNight() throws Exception {
    String metric = "late.storm";
    long day = OLD - 100 * HOUR;
    List<String> hosts = IntStream.range(0, 12).mapToObj(i -> "h" + i).toList();
    sendPoints(metric, hosts.subList(0, 3), day, 24);
    rollUp(metric, hosts.subList(0, 3), day, 24);
    awaitRollups(metric, day, 24, 24);
    int named = masks(metric).size();
    int requested = requests(metric).size();

    sendPoints(metric, hosts, day + 7, 24);
    awaitRollups(metric, day, 24, 0);
    assertThat(masks(metric)).hasSize(named + 24);
    assertThat(masks(metric)).filteredOn(mask -> mask.endsWith(" late/*")).hasSize(24);
    assertThat(requests(metric)).as("none for series that no mask names").hasSize(requested);
    assertThat(tsd.client().stats())
        .anySatisfy(
            (name, value) -> {
              assertThat(name).startsWith("tsd.kafka-ingest.masks.coarse by=groups");
              assertThat(Long.parseLong(value)).isPositive();
            });

    rollUp(metric, hosts, day, 24);
    awaitRollups(metric, day, 24, 24);
  }

  /** The requests that wait. */
  private static List<String> requests(String metric) {
    return stack.topics().readAll(WAITING).stream()
        .map(request -> new String(request.value(), UTF_8))
        .filter(request -> request.contains(metric))
        .toList();
  }

  /** Stores a point a minute of each hour; they are masked, since they are late. */
  private static void sendPoints(String metric, List<String> hosts, long from, int hours) {
    List<String> messages = new ArrayList<>();
    for (long first = from; first < from + hours * HOUR; first += HOUR) {
      List<String> points = new ArrayList<>();
      for (String host : hosts) {
        for (int minute = 0; minute < 60; minute++) {
          points.add(InputPoints.point(metric, host, first + minute * 60L, minute));
        }
      }
      messages.add("[" + String.join(",", points) + "]");
    }
    send(POINTS, messages);
    awaitStored(POINTS);
  }

  /** What a night does ten minutes later: a run over a snapshot of half of this time ago. */
  private static void rollUp(String metric, List<String> hosts, long from, int hours)
      throws Exception {
    long later = Duration.ofMinutes(10).toMillis();
    long asOf = System.currentTimeMillis() - later / 2;
    for (RawCell mask : maskCells(metric)) {
      rewrite(mask, mask.timestamp() - later);
    }
    List<String> rollups = new ArrayList<>();
    for (long hour = from; hour < from + hours * HOUR; hour += HOUR) {
      for (String host : hosts) {
        // Of some hosts the points came twice, seven seconds apart.
        int times = hosts.size() > 3 && host.matches("h[0-2]") ? 2 : 1;
        rollups.add(rollup(metric, host, hour, asOf, times));
      }
    }
    send(ROLLUPS, rollups);
    awaitStored(ROLLUPS);
    cover(from, from + hours * HOUR, metric, asOf);
  }

  private static void awaitStored(String group) {
    Await.until(
        "group " + group, SystemStack.PATIENCE, () -> stack.topics().lag(group, group) == 0);
  }

  private static void rewrite(RawCell mask, long timestamp) throws IOException {
    byte[] family = mask.family().getBytes(UTF_8);
    try (Table table = stack.hbase().connection().getTable(TableName.valueOf(COVERAGE))) {
      table.put(new Put(mask.row()).addColumn(family, mask.qualifier(), timestamp, mask.value()));
      table.delete(new Delete(mask.row()).addColumn(family, mask.qualifier(), mask.timestamp()));
    }
  }

  private static String request(long hour) {
    return """
    {"type":"RollupRequest","v":1,"metric":"late.points","tags":{"host":"a"},"timestamp":%d,\
    "intervals":["1h","1d"],"reason":"late"}\
    """
        .formatted(hour);
  }

  private static String rollup(String metric, String host, long hour, long asOf, int times) {
    return """
    {"type":"Rollup","v":1,"metric":"%s","tags":{"host":"%s"},"timestamp":%d,\
    "interval":"1h","asOf":%d,"values":{"sum":%d,"min":0,"max":59,"count":%d}}\
    """
        .formatted(metric, host, hour, asOf, times * 1770, times * 60);
  }

  private static void send(String topic, List<String> messages) {
    stack
        .topics()
        .send(
            messages.stream()
                .map(message -> new ProducerRecord<byte[], byte[]>(topic, message.getBytes(UTF_8)))
                .toList());
  }

  /** Hands the requests that wait on to the group that carries them out. */
  private static void handOn() {
    List<String> all = requests("late.points");
    send(REQUESTS, all.subList(handedOn, all.size()));
    handedOn = all.size();
  }

  /** Claims all rollups of a metric, as a writer does after they can be read. */
  private static void cover(long from, long to, String metric, long asOf) throws Exception {
    try (CoverageTable table = new CoverageTable(stack.hbase().connection(), COVERAGE)) {
      table.add(
          List.of(CoverageWindow.of("1h", from, to, metric, TABLE, asOf, metric, "a test")),
          Map.of(TABLE, table.mark(TABLE)),
          System.currentTimeMillis());
    }
  }

  /**
   * Waits until some hours are read from rollups, and the others from raw data; then the answers
   * must be those of raw data. Until the masks are read they may lack late points.
   */
  private static void awaitRollups(String metric, long from, int hours, int rollups)
      throws Exception {
    Await.until(
        rollups + " hours of " + metric + " to be read from rollups",
        SystemStack.PATIENCE,
        () -> {
          if (rollups == hours) {
            handOn();
          }
          return rolledUp(metric, from, hours) == rollups
              && answer(metric, "1h-sum", from, hours)
                  .body()
                  .equals(raw(metric, "1h-sum", from, hours));
        });
    for (String downsampler : DOWNSAMPLERS) {
      assertThat(answer(metric, downsampler, from, hours).body())
          .as("%s from %d", downsampler, from)
          .isEqualTo(raw(metric, downsampler, from, hours));
    }
  }

  /** How many hours the plugin reads from rollups. */
  private static int rolledUp(String metric, long from, int hours) {
    String header =
        answer(metric, "1h-sum", from, hours).headers().firstValue("X-Rollup-Query").orElseThrow();
    Matcher matcher = ROLLED_UP.matcher(header);
    return matcher.matches() ? Integer.parseInt(matcher.group(1)) : 0;
  }

  private static HttpResponse<String> answer(
      String metric, String downsampler, long from, int hours) {
    return get("plugin/rollup-query/api/query", "sum:" + downsampler, metric, from, hours);
  }

  private static String raw(String metric, String downsampler, long from, int hours) {
    return get("api/query", "sum:rollup_raw:" + downsampler, metric, from, hours).body();
  }

  private static HttpResponse<String> get(
      String path, String function, String metric, long from, int hours) {
    String query = URLEncoder.encode(function + ":" + metric + "{host=*}", UTF_8);
    URI uri =
        URI.create(
            "http://127.0.0.1:%d/%s?start=%d&end=%d&m=%s"
                .formatted(tsd.port(), path, from, from + hours * HOUR - 1, query));
    try {
      HttpResponse<String> answer =
          HTTP.send(HttpRequest.newBuilder(uri).build(), HttpResponse.BodyHandlers.ofString());
      assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
      return answer;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  /** The masks of a metric, each as its row and column. */
  private static List<String> masks(String metric) throws IOException {
    return maskCells(metric).stream()
        .map(cell -> new String(cell.row(), UTF_8) + " " + new String(cell.qualifier(), UTF_8))
        .toList();
  }

  private static List<RawCell> maskCells(String metric) throws IOException {
    return stack.hbase().cells(COVERAGE).stream()
        .filter(cell -> new String(cell.row(), UTF_8).matches("mask/\\d+/" + metric))
        .toList();
  }
}
