package net.opentsdb.tsd;

import static org.assertj.core.api.Assertions.assertThat;

import com.stumbleupon.async.Deferred;
import io.tsdbsuite.query.page.QueryExplainer;
import io.tsdbsuite.query.run.AbortReason;
import io.tsdbsuite.query.run.QueryAbortedException;
import java.lang.reflect.Constructor;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import net.opentsdb.core.TSDB;
import net.opentsdb.uid.NoSuchUniqueName;
import net.opentsdb.utils.Config;
import org.hbase.async.HBaseClient;
import org.hbase.async.TableNotFoundException;
import org.jboss.netty.channel.Channel;
import org.jboss.netty.handler.codec.http.DefaultHttpRequest;
import org.jboss.netty.handler.codec.http.HttpMethod;
import org.jboss.netty.handler.codec.http.HttpResponse;
import org.jboss.netty.handler.codec.http.HttpVersion;
import org.junit.jupiter.api.Test;

/** In OpenTSDB's package, because its handlers are. */
class ExplainRpcTest {
  /** It connects when it is first asked. */
  private static final HBaseClient CLIENT = new HBaseClient("127.0.0.1:1");

  /** The status of the answer when the plan of a query fails. */
  private static int status(Exception failure) throws Exception {
    List<Integer> sent = new ArrayList<>();
    Channel channel =
        (Channel)
            Proxy.newProxyInstance(
                Channel.class.getClassLoader(),
                new Class<?>[] {Channel.class},
                (proxy, method, arguments) -> {
                  if (method.getName().equals("write")) {
                    sent.add(((HttpResponse) arguments[0]).getStatus().getCode());
                  }
                  return method.getName().equals("isConnected") ? true : null;
                });
    Config config = new Config(false);
    // The TSD's Logback makes it.
    config.overrideConfig("tsd.http.show_stack_trace", "false");
    TSDB tsdb = new TSDB(CLIENT, config);
    HttpQuery http =
        new HttpQuery(
            tsdb,
            new DefaultHttpRequest(
                HttpVersion.HTTP_1_1, HttpMethod.GET, "/api/query?start=1h-ago&m=sum:m"),
            channel);
    assertThat(http.getQueryBaseRoute()).isEqualTo("api/query");
    QueryExplainer explainer =
        new QueryExplainer((asked, query, index) -> Deferred.fromError(failure), () -> "");
    new ExplainRpc(explainer).execute(tsdb, http);
    assertThat(sent).hasSize(1);
    return sent.get(0);
  }

  @Test
  void onlyAWrongQueryIsABadRequest() throws Exception {
    assertThat(status(new NoSuchUniqueName("metrics", "m"))).isEqualTo(400);
    assertThat(status(new IllegalArgumentException("wrong"))).isEqualTo(400);
    // Only HBase's client can make one.
    Constructor<TableNotFoundException> failure =
        TableNotFoundException.class.getDeclaredConstructor(byte[].class);
    failure.setAccessible(true);
    assertThat(status(failure.newInstance(new byte[] {'t'}))).isEqualTo(424);
    assertThat(status(new QueryAbortedException(AbortReason.ERROR, "heap"))).isEqualTo(500);
    assertThat(status(new QueryAbortedException(AbortReason.TIME, "late"))).isEqualTo(504);
  }
}
