package io.tsdbsuite.query.it;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.tsdbsuite.format.row.Percentiles;
import io.tsdbsuite.testkit.Await;
import io.tsdbsuite.testkit.DataPoint;
import io.tsdbsuite.testkit.TsdServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.DoubleSummaryStatistics;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import org.apache.hadoop.hbase.client.Admin;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * The plugin answers each request as OpenTSDB does: status, headers, and body byte for byte. One
 * TSD has no rollups, and OpenTSDB reads; the other has rollups, and the plugin reads raw data
 * until there is a coverage, then rollups of two of three hours; of percentiles, first and last
 * those of one hour, while another hour has wrong ones.
 */
class SameAnswersIT {
  private static final String PREFIX = "/plugin/rollup-query/";

  private static final ObjectMapper JSON = new ObjectMapper();

  /** No point has this value. */
  private static final double MARK = 4711.5;

  private static TsdServer plain;
  private static TsdServer takeover;
  private static Map<String, String> rollups;

  @BeforeAll
  static void start() throws IOException {
    plain = QueryStack.tsd("same", conf("pass_through", "all"));
    rollups =
        conf(
            "takeover",
            "true",
            "annotations_over_rollups",
            "true",
            "coverage.table",
            "same-coverage",
            "coverage.seconds",
            "1");
    rollups.put("tsd.rollups.enable", "true");
    rollups.put(
        "tsd.rollups.config",
        CoveredTsd.rollups("same")
            .replace(
                "\"max\":4}",
                "\"max\":4,\"p50\":10,\"p99\":11,\"first\":13,\"last\":14},\"suite\":{\"values\":[{"
                    + "\"metrics\":\"q.latency,q.marked\",\"intervals\":\"1h\","
                    + "\"aggregators\":\"p50,p99,first,last\"}]}"));
    takeover = QueryStack.tsd("same-takeover", rollups);
    write();
  }

  @AfterAll
  static void stop() {
    takeover.stop();
    plain.stop();
  }

  private static Map<String, String> conf(String... keysAndValues) {
    Map<String, String> conf = QueryStack.conf("same", keysAndValues);
    conf.put("tsd.http.request.cors_domains", Requests.ORIGIN);
    // A trace has the names of the classes.
    conf.put("tsd.http.show_stack_trace", "false");
    conf.put("tsd.core.meta.enable_realtime_uid", "true");
    return conf;
  }

  private static void write() throws IOException {
    // One by one, so that their UIDs are known.
    plain.client().put(List.of(cpu(0, "a", "x")));
    plain.client().put(List.of(cpu(0, "b", "y")));
    List<DataPoint> points = new ArrayList<>();
    for (int second = 10; second < 3 * 3600; second += 10) {
      points.add(cpu(second, "a", "x"));
      points.add(cpu(second, "b", "y"));
      if (second % 2400 < 1000) {
        points.add(
            new DataPoint("q.gap", Requests.START + second, second / 8.0, Map.of("host", "a")));
      }
    }
    plain.client().put(points);
    List<DataPoint> latencies = new ArrayList<>();
    for (int second = 0; second < 3 * 3600; second += 10) {
      latencies.add(latency("q.latency", second, "a"));
      latencies.add(latency("q.latency", second, "b"));
      latencies.add(latency("q.marked", second, "a"));
    }
    plain.client().put(latencies);
    points.add(cpu(0, "a", "x"));
    points.add(cpu(0, "b", "y"));
    points.addAll(latencies);
    rollUp(points);
    for (int hour = 0; hour < 3; hour++) {
      plain
          .client()
          .putHistogram(
              "q.histogram",
              Requests.START + hour * 3600L,
              new TreeMap<>(Map.of("0,10", 5L, "10,20", 7L + hour)),
              Map.of("host", "a"));
    }
    String tsuid =
        plain
            .client()
            .get("api/query?start=" + Requests.START + "&m=sum:q.cpu%7Bhost=a%7D&show_tsuids")
            .get(0)
            .get("tsuids")
            .get(0)
            .asText();
    plain.client().putAnnotation(tsuid, Requests.START + 300, "of a series");
    plain.client().putAnnotation("", Requests.START + 60, "global");
  }

  private static DataPoint cpu(int second, String host, String dc) {
    Object value = second % 120 == 0 ? (Object) (long) second : (Object) (second / 4.0);
    return new DataPoint("q.cpu", Requests.START + second, value, Map.of("host", host, "dc", dc));
  }

  private static DataPoint latency(String metric, int second, String host) {
    Object value = (second * (host.equals("a") ? 7919L : 104_729L)) % 997 / 8.0;
    return new DataPoint(metric, Requests.START + second, value, Map.of("host", host));
  }

  /** Stores the rollups of the first two hours; the sums of these values are exact. */
  private static void rollUp(List<DataPoint> points) throws IOException {
    Map<String, DoubleSummaryStatistics> buckets = new TreeMap<>();
    Map<String, List<Double>> latencies = new TreeMap<>();
    for (DataPoint point : points) {
      long hour = point.timestamp() - point.timestamp() % 3600;
      if (hour < Requests.START + 2 * 3600) {
        String bucket =
            String.format(
                "\"metric\":\"%s\",\"timestamp\":%d,\"tags\":%s",
                point.metric(), hour, JSON.writeValueAsString(point.tags()));
        double value = ((Number) point.value()).doubleValue();
        buckets.computeIfAbsent(bucket, none -> new DoubleSummaryStatistics()).accept(value);
        if (bucket.contains("q.latency") || bucket.contains("q.marked")) {
          latencies.computeIfAbsent(bucket, none -> new ArrayList<>()).add(value);
        }
      }
    }
    List<String> cells = new ArrayList<>();
    buckets.forEach(
        (bucket, values) -> {
          cells.add(rollup(bucket, "SUM", values.getSum()));
          cells.add(rollup(bucket, "COUNT", values.getCount()));
          cells.add(rollup(bucket, "MIN", values.getMin()));
          cells.add(rollup(bucket, "MAX", values.getMax()));
        });
    latencies.forEach(
        (bucket, values) -> {
          double[] sorted = values.stream().mapToDouble(Double::doubleValue).sorted().toArray();
          boolean marked = bucket.contains("q.marked");
          boolean firstHour = bucket.contains(":" + Requests.START);
          for (String name : List.of("p50", "p99", "first", "last")) {
            boolean percentile = name.startsWith("p");
            double value =
                percentile
                    ? Percentiles.of(sorted, 0, sorted.length, Percentiles.rank(name))
                    : values.get(name.equals("first") ? 0 : values.size() - 1);
            // Those outside of the windows of their level are wrong.
            value = marked ? MARK : firstHour == percentile ? value : -1;
            cells.add(rollup(bucket, name.toUpperCase(Locale.ROOT), value));
          }
        });
    RawHttp.Answer answer =
        RawHttp.ask(
            takeover.port(),
            "POST",
            "/api/rollup?sync",
            List.of("Connection: close"),
            cells.toString().getBytes(StandardCharsets.UTF_8));
    assertThat(answer.code()).as(answer.text()).isLessThan(300);
  }

  private static String rollup(String bucket, String aggregator, Number value) {
    return "{"
        + bucket
        + ",\"interval\":\"1h\",\"aggregator\":\""
        + aggregator
        + "\",\"value\":"
        + value
        + "}";
  }

  @Test
  void eachAnswerIsTheSame() throws IOException {
    // Without the names in its cache a TSD can answer a query with a wildcard otherwise.
    for (TsdServer tsd : List.of(plain, takeover)) {
      for (String metric : List.of("q.cpu", "q.gap", "q.histogram", "q.latency")) {
        tsd.client().get("api/query?start=1d-ago&m=sum:" + metric + "%7Bhost=*%7D");
      }
      tsd.client().get("api/query?start=" + Requests.START + "&m=none:q.cpu");
    }
    List<String> differences = new ArrayList<>();
    Map<Requests.Request, RawHttp.Answer> stocks = new LinkedHashMap<>();
    int answered = 0;
    awaitStatus("No rollups are read: table same-coverage does not exist");
    for (Requests.Request request : Requests.all()) {
      RawHttp.Answer stock = ask(plain, "/", request);
      stocks.put(request, stock);
      compare(differences, request, "prefix", stock, ask(plain, PREFIX, request));
      if (!isAnsweredByRollups(request)) {
        compare(differences, request, "in place", stock, ask(takeover, "/", request));
      }
      answered += stock.code() == 200 ? 1 : 0;
    }
    assertThat(differences).isEmpty();
    try (Admin admin = QueryStack.hbase().connection().getAdmin()) {
      CoveredTsd covered = new CoveredTsd("same", rollups, takeover);
      covered.claim(
          admin,
          covered.window("1h", 0, 2),
          covered.window("1h.p50", 0, 1),
          covered.window("1h.p99", 0, 1),
          covered.window("1h.first", 1, 2),
          covered.window("1h.last", 1, 2));
    }
    awaitStatus("Rollups of 1h in same-1h: the last window ends at 2025-11-19T02:00:00Z");
    stocks.forEach(
        (request, stock) -> {
          // Statistics tell how many rows were read.
          if (!isAnsweredByRollups(request) && !isTimed(request)) {
            compare(differences, request, "rollups", stock, ask(takeover, "/", request));
            if (request.path().contains("query") && stock.code() != 404) {
              RawHttp.Answer below = ask(takeover, PREFIX, request);
              compare(differences, request, "rollups, prefix", stock, below);
            }
          }
        });
    assertThat(differences).isEmpty();
    assertThat(marks("none:1h-p99")).isEqualTo("0: 1h.p99:1 raw 1");
    assertThat(marks("sum:60m-p50-zero")).isEqualTo("0: 1h.p50:1 raw 1");
    assertThat(marks("max:1hc-p99")).isEqualTo("0: 1h.p99:1 raw 1");
    assertThat(marks("sum:1h-first")).isEqualTo("0: 1h.first:1 raw 1");
    assertThat(marks("none:3h-last")).isEqualTo("0: 1h.last:1 raw 0");
    assertThat(marks("sum:1h-max")).isEqualTo("0: 1h:2 raw 0");
    assertThat(marks("sum:2h-p99"))
        .isEqualTo("0: raw (p99 of 2h follows only from rollups of this interval) 0");
    assertThat(marks("sum:rollup_raw:1h-p99")).isEqualTo("0: raw (rollupUsage is ROLLUP_RAW) 0");
    assertThat(answered).as("requests without an error").isGreaterThan(60);
    assertThat(values("q.cpu")).as("no request has deleted the points").isEqualTo(1);
    Map<String, String> stats = takeover.client().stats();
    assertThat(stats)
        .containsEntry("tsd.rollup_query.takeover plugin=httprpc", "1")
        .containsEntry("tsd.rollup_query.running plugin=httprpc", "0");
    assertThat(
            Integer.parseInt(stats.get("tsd.rollup_query.queries outcome=answered plugin=httprpc")))
        .isGreaterThan(50);
    assertThat(
            Integer.parseInt(stats.get("tsd.rollup_query.rollup_cells interval=1h plugin=httprpc")))
        .isGreaterThan(100);
  }

  /** What a query of q.marked has read, and how many of its values are cells of rollups. */
  private static String marks(String function) throws IOException {
    RawHttp.Answer answer =
        RawHttp.get(
            takeover.port(),
            String.format(
                "%sapi/query?start=%d&end=%d&m=%s:q.marked",
                PREFIX, Requests.START, Requests.END - 1, function));
    assertThat(answer.code()).as(answer.text()).isEqualTo(200);
    int marks = answer.text().split(String.valueOf(MARK), -1).length - 1;
    return answer.header("X-Rollup-Query").replaceAll("raw:\\d+s", "raw") + " " + marks;
  }

  /** OpenTSDB itself answers these otherwise if it has rollups. */
  private static boolean isAnsweredByRollups(Requests.Request request) {
    return request.toString().matches("(?s).*(pre-agg|preAggregate| /q\\?).*");
  }

  private static boolean isTimed(Requests.Request request) {
    return request.toString().matches("(?s).*(show_?[sS]tats|show_?[sS]ummary|lookup).*");
  }

  private static void awaitStatus(String text) {
    Await.until(
        text,
        QueryStack.PATIENCE,
        () -> RawHttp.get(takeover.port(), PREFIX + "status").text().contains(text));
  }

  private static RawHttp.Answer ask(TsdServer tsd, String prefix, Requests.Request request) {
    try {
      return RawHttp.ask(
          tsd.port(), request.method(), prefix + request.path(), request.headers(), request.body());
    } catch (IOException e) {
      throw new UncheckedIOException("no whole answer below " + prefix + " to " + request, e);
    }
  }

  private static void compare(
      List<String> differences,
      Requests.Request request,
      String way,
      RawHttp.Answer stock,
      RawHttp.Answer ours) {
    boolean isSame =
        stock.status().equals(ours.status())
            && masked(stock.headers(), request).equals(masked(ours.headers(), request))
            && (java.util.Arrays.equals(stock.body(), ours.body())
                || sameText(masked(stock.text()), masked(ours.text())));
    if (!isSame) {
      differences.add(
          way + ": " + request + "\n  stock " + text(stock) + "\n  ours  " + text(ours));
    }
  }

  /**
   * The fields of a query, which showQuery adds, have another order in each JVM: what JSON says is
   * compared, then.
   */
  private static boolean sameText(String stock, String ours) {
    if (stock.equals(ours)) {
      return true;
    }
    try {
      return stock.contains("\"query\":") && JSON.readTree(stock).equals(JSON.readTree(ours));
    } catch (JsonProcessingException e) {
      return false;
    }
  }

  /** A body with times of processing has another length each time; a file of /q has its age. */
  private static List<String> masked(List<String> headers, Requests.Request request) {
    boolean timed = isTimed(request);
    return headers.stream()
        .filter(line -> !line.startsWith("Age:") && !line.startsWith("X-Rollup-Query:"))
        .filter(line -> !timed || !line.startsWith("Content-Length"))
        .toList();
  }

  /** Times of processing, and the scanners' addresses, differ between two equal queries. */
  private static String masked(String body) {
    return body.replaceAll("\"(?!startTime|endTime)(time|\\w+Time)\":[-0-9.E]+", "\"$1\":0")
        .replaceAll("\"scannerId\":\"(\\\\.|[^\"\\\\])*\"", "\"scannerId\":0")
        .replaceAll(",\"rollupQuery\":\\[[^]]*]", "");
  }

  private static String text(RawHttp.Answer answer) {
    return answer.status() + " " + answer.headers() + " " + answer.text();
  }

  @Test
  void onlyReadsArePassedOnByDefault() throws IOException {
    byte[] none = new byte[0];
    List<String> close = List.of("Connection: close");
    for (String path :
        List.of(
            "api/version",
            "API/Aggregators",
            "api/v1/suggest?type=metrics",
            "api/config/filters",
            "api/search/lookup?m=q.cpu&use_meta=false",
            "api/annotation?start_time=" + (Requests.START + 60),
            "api/query?start=" + Requests.START + "&m=sum:1h-sum:q.cpu",
            "api/query/last?timeseries=q.cpu")) {
      assertThat(RawHttp.get(takeover.port(), PREFIX + path).code())
          .as(path)
          .isNotIn(403, 404, 500);
    }
    for (String path :
        List.of(
            "",
            "q?start=1h-ago&m=sum:q.cpu",
            "api",
            "api/config",
            "api/search/tsmeta",
            "api/uid/assign?metric=q.other",
            "api/stats",
            "api/put",
            "api/annotation?start_time=1&method_override=delete",
            "logs",
            "diediedie")) {
      RawHttp.Answer answer = RawHttp.get(takeover.port(), PREFIX + path);
      assertThat(answer.code())
          .as(path)
          .isIn(
              path.isEmpty() ? 200 : 403,
              path.startsWith("api") ? 403 : path.isEmpty() ? 200 : 400);
    }
    assertThat(RawHttp.ask(takeover.port(), "POST", PREFIX + "api/annotation", close, none).text())
        .contains("\"code\":403", "does not pass on");
  }

  /** What the TSD itself answers before a plugin is asked. */
  @Test
  void theTsdItselfRefusesOtherDomainsInItsOwnWords() throws IOException {
    List<String> headers = List.of("Origin: http://other.example", "Connection: close");
    byte[] none = new byte[0];
    RawHttp.Answer stock = RawHttp.ask(plain.port(), "GET", "/api/aggregators", headers, none);
    RawHttp.Answer ours =
        RawHttp.ask(plain.port(), "GET", PREFIX + "api/aggregators", headers, none);
    assertThat(stock.code()).isEqualTo(200);
    assertThat(stock.text()).contains("CORS domain not allowed");
    assertThat(ours.code()).isEqualTo(400);
    assertThat(ours.text()).contains("CORS domain not allowed");
  }

  /** OpenTSDB obeys such a body although tsd.http.query.allow_delete is off. */
  @Test
  void bodiesThatDeleteAreRefused() throws IOException {
    plain
        .client()
        .put(List.of(new DataPoint("q.deleted", Requests.START, 1L, Map.of("host", "a"))));
    String body =
        String.format(
            "{\"start\":%d,\"end\":%d,\"delete\":true,"
                + "\"queries\":[{\"aggregator\":\"sum\",\"metric\":\"q.deleted\"}]}",
            Requests.START, Requests.END);
    for (String path : List.of("api/query", "api/query/gexp", "API/v1/Query/GExp/")) {
      RawHttp.Answer below = post(plain, PREFIX + path, body);
      RawHttp.Answer inPlace = post(takeover, "/" + path, body);
      assertThat(List.of(below.code(), inPlace.code())).as(path).containsOnly(400);
      assertThat(List.of(below.text(), inPlace.text()))
          .as(path)
          .allMatch(text -> text.contains("Deleting data is not enabled"));
    }
    assertThat(values("q.deleted")).isEqualTo(1);
    assertThat(post(plain, "/api/query", body).code()).as("stock").isEqualTo(200);
    Await.until("the point is gone", QueryStack.PATIENCE, () -> values("q.deleted") == 0);
  }

  /** OpenTSDB runs the query, and its error has no message. */
  @Test
  void bodiesForGexpAreRefused() throws IOException {
    String body =
        String.format(
            "{\"start\":%d,\"end\":%d,\"queries\":[{\"aggregator\":\"sum\",\"metric\":\"q.cpu\"}]}",
            Requests.START, Requests.END);
    assertThat(post(plain, "/api/query/gexp", body).code()).as("stock").isEqualTo(400);
    RawHttp.Answer below = post(plain, PREFIX + "api/query/gexp", body);
    RawHttp.Answer inPlace = post(takeover, "/api/query/gexp", body);
    assertThat(List.of(below.code(), inPlace.code())).containsOnly(400);
    assertThat(List.of(below.text(), inPlace.text()))
        .allMatch(text -> text.contains("gexp takes expressions from the parameter exp of a GET"));
  }

  private static RawHttp.Answer post(TsdServer tsd, String path, String body) throws IOException {
    return RawHttp.ask(
        tsd.port(),
        "POST",
        path,
        List.of("Content-Type: application/json", "Connection: close"),
        body.getBytes(StandardCharsets.UTF_8));
  }

  private static int values(String metric) {
    String query = "&end=" + Requests.END + "&m=sum:" + metric;
    return plain.client().get("api/query?start=" + Requests.START + query).size();
  }

  /** OpenTSDB never answers it: its error is formatted with a parameter that cannot be read. */
  @Test
  void parametersThatCannotBeDecodedAreRefused() throws IOException {
    RawHttp.Answer ours = RawHttp.get(plain.port(), PREFIX + "api/query?m=sum:q.cpu&bad=%zz");
    assertThat(ours.code()).isEqualTo(400);
    assertThat(ours.text()).contains("Bad query string");
  }

  /** A TSD for queries alone. */
  @Test
  void aReadOnlyTsdAnswersBelowThePrefixAndInPlace() throws IOException {
    Map<String, String> conf = conf("takeover", "true");
    conf.put("tsd.mode", "ro");
    TsdServer readOnly = QueryStack.tsd("same-ro", conf);
    String query =
        "api/query?start="
            + Requests.START
            + "&end="
            + Requests.END
            + "&m=sum:10m-avg:q.cpu%7Bhost=a,dc=x%7D";
    RawHttp.Answer stock = RawHttp.get(plain.port(), "/" + query);
    assertThat(stock.text()).contains("q.cpu");
    for (String prefix : List.of("/", PREFIX)) {
      RawHttp.Answer ours = RawHttp.get(readOnly.port(), prefix + query);
      assertThat(ours.text()).isEqualTo(stock.text());
    }
    Map<String, String> stats = readOnly.client().stats();
    assertThat(stats)
        .containsEntry("tsd.rollup_query.queries outcome=answered plugin=httprpc", "2")
        .containsEntry("tsd.rollup_query.takeover plugin=httprpc", "1");
    readOnly.stop();
  }

  @Test
  void tellsWhatItIsAndItsStatistics() throws IOException {
    assertThat(RawHttp.get(takeover.port(), "/plugin/rollup-query").text())
        .contains("answers queries at /plugin/rollup-query/api/query and /api/query");
    assertThat(RawHttp.get(plain.port(), PREFIX + "status").text())
        .endsWith("No rollups are read: tsd.rollups.enable is false\n");
    RawHttp.Answer metrics = RawHttp.get(plain.port(), PREFIX + "metrics");
    assertThat(metrics.text())
        .contains("# TYPE rollup_query_queries_total counter")
        .contains("rollup_query_on 1.0")
        .contains("rollup_query_takeover 0.0");
    String nothing = PREFIX + "api/query?start=1h-ago&m=sum:q.cpu";
    RawHttp.Answer both = RawHttp.get(takeover.port(), nothing);
    assertThat(both.text()).isEqualTo("[]");
    assertThat(RawHttp.get(plain.port(), nothing).header("X-Rollup-Query"))
        .isEqualTo("0: OpenTSDB (no rollups are read: see /plugin/rollup-query/status)");
    JsonNode version = plain.client().get(PREFIX.substring(1) + "api/version");
    assertThat(version.has("version")).isTrue();
  }
}
