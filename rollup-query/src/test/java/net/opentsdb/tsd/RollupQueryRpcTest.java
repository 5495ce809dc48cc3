package net.opentsdb.tsd;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tsdbsuite.query.config.QueryConfig;
import io.tsdbsuite.query.http.QueryService;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import net.opentsdb.core.TSDB;
import net.opentsdb.utils.Config;
import org.hbase.async.HBaseClient;
import org.jboss.netty.buffer.ChannelBuffers;
import org.jboss.netty.handler.codec.http.DefaultHttpRequest;
import org.jboss.netty.handler.codec.http.HttpMethod;
import org.jboss.netty.handler.codec.http.HttpRequest;
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

  private void post(String allowDelete, String path, String body) throws Exception {
    Config config = new Config(false);
    config.overrideConfig("tsd.http.query.allow_delete", allowDelete);
    TSDB tsdb = new TSDB(CLIENT, config);
    HttpRequest request = new DefaultHttpRequest(HttpVersion.HTTP_1_1, HttpMethod.POST, path);
    request.setContent(ChannelBuffers.copiedBuffer(body, UTF_8));
    QueryService service =
        new QueryService(
            QueryConfig.read(Map.of(), 1L << 30),
            (asked, query, context) -> {
              throw new AssertionError("no query is run");
            },
            () -> 0,
            context -> Runnable::run);
    new RollupQueryRpc((asked, http) -> passedOn.add(path), service)
        .execute(tsdb, new HttpQuery(tsdb, request, null));
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
