package io.tsdbsuite.query.it;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.tsdbsuite.testkit.Await;
import io.tsdbsuite.testkit.DataPoint;
import io.tsdbsuite.testkit.TsdServer;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * The plugin answers each request as OpenTSDB does: status, headers, and body byte for byte. One
 * TSD has no rollups, and OpenTSDB reads; the other has rollups without a coverage, and the plugin
 * reads raw data.
 */
class SameAnswersIT {
  private static final String PREFIX = "/plugin/rollup-query/";

  private static final ObjectMapper JSON = new ObjectMapper();

  private static TsdServer plain;
  private static TsdServer takeover;

  @BeforeAll
  static void start() {
    plain = QueryStack.tsd("same", conf("pass_through", "all"));
    Map<String, String> rollups = conf("takeover", "true");
    rollups.put("tsd.rollups.enable", "true");
    rollups.put("tsd.rollups.config", CoveredTsd.rollups("same"));
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

  private static void write() {
    // One by one, so that their UIDs are known.
    plain.client().put(List.of(cpu(0, "a", "x")));
    plain.client().put(List.of(cpu(0, "b", "y")));
    List<DataPoint> points = new ArrayList<>();
    for (int second = 60; second < 3 * 3600; second += 60) {
      points.add(cpu(second, "a", "x"));
      points.add(cpu(second, "b", "y"));
      if (second % 2400 < 1000) {
        points.add(
            new DataPoint("q.gap", Requests.START + second, second / 7.0, Map.of("host", "a")));
      }
    }
    plain.client().put(points);
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
    Object value = second % 120 == 0 ? (Object) (long) second : (Object) (second / 3.0);
    return new DataPoint("q.cpu", Requests.START + second, value, Map.of("host", host, "dc", dc));
  }

  @Test
  void eachAnswerIsTheSame() throws IOException {
    // Without the names in its cache a TSD can answer a query with a wildcard otherwise.
    for (TsdServer tsd : List.of(plain, takeover)) {
      for (String metric : List.of("q.cpu", "q.gap", "q.histogram")) {
        tsd.client().get("api/query?start=1d-ago&m=sum:" + metric + "%7Bhost=*%7D");
      }
      tsd.client().get("api/query?start=" + Requests.START + "&m=none:q.cpu");
    }
    List<String> differences = new ArrayList<>();
    int answered = 0;
    for (Requests.Request request : Requests.all()) {
      RawHttp.Answer stock = ask(plain, "/", request);
      compare(differences, request, "prefix", stock, ask(plain, PREFIX, request));
      if (!request.toString().matches("(?s).*(pre-agg|preAggregate| /q\\?).*")) {
        // OpenTSDB itself answers these otherwise if it has rollups.
        compare(differences, request, "in place", stock, ask(takeover, "/", request));
      }
      answered += stock.code() == 200 ? 1 : 0;
    }
    assertThat(differences).isEmpty();
    assertThat(answered).as("requests without an error").isGreaterThan(60);
    assertThat(values("q.cpu")).as("no request has deleted the points").isEqualTo(1);
    Map<String, String> stats = takeover.client().stats();
    assertThat(stats)
        .containsEntry("tsd.rollup_query.takeover plugin=httprpc", "1")
        .containsEntry("tsd.rollup_query.running plugin=httprpc", "0");
    assertThat(
            Integer.parseInt(stats.get("tsd.rollup_query.queries outcome=answered plugin=httprpc")))
        .isGreaterThan(50);
  }

  private static RawHttp.Answer ask(TsdServer tsd, String prefix, Requests.Request request)
      throws IOException {
    try {
      return RawHttp.ask(
          tsd.port(), request.method(), prefix + request.path(), request.headers(), request.body());
    } catch (IOException e) {
      throw new IOException("no whole answer below " + prefix + " to " + request, e);
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
    boolean timed = request.toString().matches("(?s).*(show_?[sS]tats|show_?[sS]ummary|lookup).*");
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
    RawHttp.Answer below = delete(plain, PREFIX, body);
    RawHttp.Answer inPlace = delete(takeover, "/", body);
    assertThat(List.of(below.code(), inPlace.code())).containsOnly(400);
    assertThat(below.text() + inPlace.text()).contains("Deleting data is not enabled");
    assertThat(values("q.deleted")).isEqualTo(1);
    assertThat(delete(plain, "/", body).code()).as("stock").isEqualTo(200);
    Await.until("the point is gone", QueryStack.PATIENCE, () -> values("q.deleted") == 0);
  }

  private static RawHttp.Answer delete(TsdServer tsd, String prefix, String body)
      throws IOException {
    return RawHttp.ask(
        tsd.port(),
        "POST",
        prefix + "api/query",
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

  @Test
  void tellsWhatItIsAndItsStatistics() throws IOException {
    assertThat(RawHttp.get(takeover.port(), "/plugin/rollup-query").text())
        .contains("answers queries at /plugin/rollup-query/api/query and /api/query");
    RawHttp.Answer metrics = RawHttp.get(plain.port(), PREFIX + "metrics");
    assertThat(metrics.text())
        .contains("# TYPE rollup_query_queries_total counter")
        .contains("rollup_query_on 1.0")
        .contains("rollup_query_takeover 0.0");
    String nothing = PREFIX + "api/query?start=1h-ago&m=sum:q.cpu";
    RawHttp.Answer both = RawHttp.get(takeover.port(), nothing);
    assertThat(both.text()).isEqualTo("[]");
    JsonNode version = plain.client().get(PREFIX.substring(1) + "api/version");
    assertThat(version.has("version")).isTrue();
  }
}
