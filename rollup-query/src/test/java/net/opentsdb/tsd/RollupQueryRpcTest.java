package net.opentsdb.tsd;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.stumbleupon.async.Deferred;
import io.tsdbsuite.coverage.TimeRanges;
import io.tsdbsuite.query.config.QueryConfig;
import io.tsdbsuite.query.http.QueryService;
import io.tsdbsuite.query.plan.ProvenTimes;
import io.tsdbsuite.query.run.QueryContext;
import io.tsdbsuite.query.run.QueryRunner;
import io.tsdbsuite.query.run.StockRunner;
import java.lang.reflect.Proxy;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import net.opentsdb.core.DataPoints;
import net.opentsdb.core.TSDB;
import net.opentsdb.core.TSQuery;
import net.opentsdb.core.TSSubQuery;
import net.opentsdb.utils.Config;
import org.hbase.async.HBaseClient;
import org.jboss.netty.buffer.ChannelBuffers;
import org.jboss.netty.channel.Channel;
import org.jboss.netty.channel.Channels;
import org.jboss.netty.handler.codec.http.DefaultHttpRequest;
import org.jboss.netty.handler.codec.http.HttpMethod;
import org.jboss.netty.handler.codec.http.HttpRequest;
import org.jboss.netty.handler.codec.http.HttpResponse;
import org.jboss.netty.handler.codec.http.HttpResponseStatus;
import org.jboss.netty.handler.codec.http.HttpVersion;
import org.junit.jupiter.api.Test;

/** In OpenTSDB's package, because its handlers are. */
class RollupQueryRpcTest {
  /** It connects when it is first asked. */
  private static final HBaseClient CLIENT = new HBaseClient("127.0.0.1:1");

  private static final String REST =
      "\"start\":1763510400,\"queries\":[{\"metric\":\"m\",\"aggregator\":\"sum\"}]}";

  private final List<String> passedOn = new ArrayList<>();
  private final List<String> run = new ArrayList<>();
  private final List<HttpResponse> sent = new ArrayList<>();

  /** The floor of the metric {@code m}. */
  private ProvenTimes reading = (interval, width, metric) -> TimeRanges.none();

  /** Others than those of histograms that rollups have. */
  @Test
  void percentilesOfOtherMetricsAreOpenTsdbs() throws Exception {
    String percentiles = "{" + REST.replace("\"sum\"}", "\"sum\",\"percentiles\":[99]}");
    post("false", "/api/query", percentiles);
    assertThat(passedOn).containsExactly("/api/query");
    String buckets = "\"sum\",\"showHistogramBuckets\":true}";
    post(
        "false",
        "/api/query",
        "{" + REST.replace("\"m\"", "\"sketched\"").replace("\"sum\"}", buckets));
    assertThat(passedOn).hasSize(2);
    assertThat(run).isEmpty();
    post("false", "/api/query", percentiles.replace("\"m\"", "\"sketched\""));
    assertThat(run).containsExactly("sketched");
    assertThat(passedOn).hasSize(2);
  }

  private void post(String allowDelete, String path, String body) throws Exception {
    Config config = new Config(false);
    config.overrideConfig("tsd.http.query.allow_delete", allowDelete);
    config.overrideConfig("tsd.http.show_stack_trace", "false");
    request(config, HttpMethod.POST, path, body);
  }

  private void request(Config config, HttpMethod method, String path, String body)
      throws Exception {
    TSDB tsdb = new TSDB(CLIENT, config);
    HttpRequest request = new DefaultHttpRequest(HttpVersion.HTTP_1_1, method, path);
    request.setContent(ChannelBuffers.copiedBuffer(body, UTF_8));
    Channel channel =
        (Channel)
            Proxy.newProxyInstance(
                Channel.class.getClassLoader(),
                new Class<?>[] {Channel.class},
                (proxy, called, arguments) -> {
                  if (called.getName().equals("write")) {
                    sent.add((HttpResponse) arguments[0]);
                  }
                  switch (called.getName()) {
                    case "isConnected":
                      return true;
                    case "getRemoteAddress":
                      return new InetSocketAddress(InetAddress.getLoopbackAddress(), 1);
                    case "getCloseFuture":
                      return Channels.future((Channel) proxy);
                    default:
                      return null;
                  }
                });
    StockRunner floors =
        new StockRunner(
            new StockRunner.Floors() {
              @Override
              public ProvenTimes reading() {
                return reading;
              }

              @Override
              public <T> Deferred<T> afterFirstReading(Supplier<Deferred<T>> work) {
                return work.get();
              }
            });
    QueryService service =
        new QueryService(
            QueryConfig.read(Map.of("tsd.rollup_query.max_seconds_per_query", "0"), 1L << 30),
            new QueryRunner() {
              @Override
              public Deferred<List<DataPoints[]>> run(
                  TSDB asked, TSQuery query, QueryContext context) {
                run.add(query.getQueries().get(0).getMetric());
                assertThat(run).as("run").containsOnly("sketched");
                return new Deferred<>();
              }

              @Override
              public boolean readsHistograms(TSSubQuery query) {
                return query.getMetric().equals("sketched");
              }
            },
            () -> 0,
            context -> Runnable::run);
    HttpQuery http = new HttpQuery(tsdb, request, channel);
    assertThat(http.getQueryBaseRoute()).isNotEmpty();
    new RollupQueryRpc((asked, query) -> passedOn.add(path), service, floors, false)
        .execute(tsdb, http);
  }

  /** A floor of {@code m} at a time in seconds. */
  private static ProvenTimes floor(long before, boolean known) {
    return new ProvenTimes() {
      @Override
      public TimeRanges proven(String interval, long width, String metric) {
        return TimeRanges.none();
      }

      @Override
      public long rawFloor(String metric) {
        return metric.equals("m") ? before * 1000 : 0;
      }

      @Override
      public boolean floorsKnown() {
        return known;
      }
    };
  }

  private void delete(HttpMethod method, String parameters, String body) throws Exception {
    Config config = new Config(false);
    config.overrideConfig("tsd.http.query.allow_delete", "true");
    config.overrideConfig("tsd.http.show_stack_trace", "false");
    request(config, method, "/api/query" + parameters, body);
  }

  /** Raw data that are gone cannot be shown, and the rollups may be the only data. */
  @Test
  void nothingIsDeletedBelowAFloor() throws Exception {
    String body = "{\"delete\":true," + REST;
    String parameters = "?start=1763510400&m=sum:m";
    reading = floor(1763510400, true);
    delete(HttpMethod.POST, "", body);
    delete(HttpMethod.DELETE, parameters, "");
    delete(HttpMethod.GET, parameters + "&method_override=delete", "");
    assertThat(passedOn).hasSize(3);
    for (boolean known : new boolean[] {true, false}) {
      sent.clear();
      reading = floor(1763596800, known);
      delete(HttpMethod.POST, "", body);
      delete(HttpMethod.DELETE, parameters, "");
      delete(HttpMethod.GET, parameters + "&method_override=delete", "");
      delete(HttpMethod.DELETE, parameters + "&m=sum:other", "");
      assertThat(sent)
          .hasSize(4)
          .allSatisfy(
              answer -> {
                assertThat(answer.getStatus().getCode()).isEqualTo(known ? 400 : 503);
                assertThat(answer.getContent().toString(UTF_8))
                    .contains(
                        known
                            ? "raw data of m before 2025-11-20T00:00:00Z is gone, and a query that"
                                + " deletes must begin there"
                            : "raw data of m before 2025-11-20T00:00:00Z may be gone");
              });
    }
    assertThat(passedOn).hasSize(3);
    delete(HttpMethod.DELETE, parameters.replace(":m", ":other"), "");
    assertThat(passedOn).hasSize(4);
  }

  /** OpenTSDB runs it, deletes with {@code "delete": true}, and answers an error. */
  @Test
  void aBodyForGexpIsRefused() {
    for (String body : List.of("{" + REST, "{\"delete\":true," + REST)) {
      assertThatThrownBy(() -> post("true", "/api/query/gexp?exp=scale(sum:m,10)", body))
          .isInstanceOfSatisfying(
              BadRequestException.class,
              refusal -> {
                assertThat(refusal.getStatus()).isEqualTo(HttpResponseStatus.BAD_REQUEST);
                assertThat(refusal.getDetails()).contains("parameter exp of a GET");
              });
    }
    assertThat(passedOn).isEmpty();
  }

  /** OpenTSDB deletes the rows of each, also of gexp, which it answers with an error then. */
  @Test
  void noPathPassesOnABodyThatDeletes() {
    for (String path :
        List.of(
            "/api/query",
            "/api/query/",
            "/api/query/other",
            "/api/query/gexp",
            "/api/query/gexp/",
            "/api/query/gexp/more?exp=scale(sum:m,10)",
            "/api/query/gexp?method_override=get",
            "/api/query/ge%78p",
            "/api/query//gexp",
            "/api/v1/query/gexp",
            "/API/V1/Query/GExp")) {
      assertThatThrownBy(() -> post("false", path, "{\"delete\":true," + REST))
          .as(path)
          .isInstanceOfSatisfying(
              BadRequestException.class,
              refusal -> {
                assertThat(refusal.getStatus()).isEqualTo(HttpResponseStatus.BAD_REQUEST);
                assertThat(refusal.getDetails()).contains("Deleting data is not enabled");
              });
    }
    assertThat(passedOn).isEmpty();
  }

  @Test
  void whatOpenTsdbMustAnswerIsPassedOn() throws Exception {
    post("true", "/api/query", "{\"delete\":true," + REST);
    post("false", "/api/query/gexp", "no JSON");
    post("false", "/api/query/last", "{\"queries\":[]}");
    post("false", "/api/query/exp", "{}");
    assertThat(passedOn).hasSize(4);
  }
}
