package io.tsdbsuite.ingest.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.tsdbsuite.testkit.KafkaTopics;
import io.tsdbsuite.testkit.TsdServer;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import net.opentsdb.auth.AllowAllAuthenticatingAuthorizer;
import net.opentsdb.auth.Authentication;
import org.junit.jupiter.api.Test;

/** {@code POST rate} of a TSD with {@code tsd.core.authentication}. */
class AuthenticationIT {
  private static final String POINT =
      "{\"metric\":\"auth.m\",\"timestamp\":1763510401,\"value\":1,\"tags\":{\"a\":\"b\"}}";

  private static TsdServer start(String name, Class<? extends Authentication> plugin)
      throws IOException {
    KafkaTopics topics = IngestStack.get().kafka().topics();
    topics.create(name, 1);
    topics.create(name + "-dead", 1);
    Map<String, String> conf = new TreeMap<>();
    conf.put("KafkaRpcPlugin.groups", name);
    conf.put("KafkaRpcPlugin." + name + ".topics", name);
    conf.put("KafkaRpcPlugin." + name + ".rate", "1000");
    conf.put("KafkaRpcPlugin.deadLetterTopic", name + "-dead");
    conf.put("tsd.core.authentication.enable", "true");
    conf.put("tsd.core.authentication.plugin", plugin.getName());
    List<Path> classPath =
        List.of(
            IngestStack.jar(),
            IngestStack.plugin(
                Authentication.class, plugin, HeaderUsers.class, HeaderUsers.State.class));
    return IngestStack.get().startTsd(name, IngestStack.conf(conf), classPath);
  }

  /** On a connection of its own: a TSD asks who the user is at the first request of each. */
  private static int post(TsdServer tsd, String user, String path, String body) throws Exception {
    URI uri = URI.create("http://127.0.0.1:" + tsd.port() + "/" + path);
    HttpRequest request =
        HttpRequest.newBuilder(uri)
            .timeout(IngestStack.PATIENCE)
            .headers("X-Requested-By", "me", "X-User", user)
            .POST(HttpRequest.BodyPublishers.ofString(body))
            .build();
    return HttpClient.newHttpClient()
        .send(request, HttpResponse.BodyHandlers.discarding())
        .statusCode();
  }

  private static int changeRate(TsdServer tsd, String user, int rate) throws Exception {
    return post(tsd, user, "plugin/kafka-ingest/rate?rate=" + rate, "");
  }

  private static double rate(TsdServer tsd, String group) {
    return tsd.client().get("plugin/kafka-ingest/rate").get(group).asDouble();
  }

  @Test
  void aRateIsChangedByUsersWhoMayWrite() throws Exception {
    TsdServer tsd = start("auth-users", HeaderUsers.class);
    try {
      assertThat(changeRate(tsd, "reader", 2)).isEqualTo(401);
      assertThat(rate(tsd, "auth-users")).isEqualTo(1000);
      assertThat(changeRate(tsd, "operator", 3)).isEqualTo(200);
      assertThat(rate(tsd, "auth-users")).isEqualTo(3);
    } finally {
      tsd.stop();
    }
  }

  /** OpenTSDB's own plugin has no permissions to give: no user may write. */
  @Test
  void withoutPermissionsNoUserChangesARate() throws Exception {
    TsdServer tsd = start("auth-all", AllowAllAuthenticatingAuthorizer.class);
    try {
      // The TSD catches its own 401.
      assertThat(post(tsd, "operator", "api/put", POINT)).isEqualTo(400);
      assertThat(changeRate(tsd, "operator", 1)).isEqualTo(401);
      assertThat(rate(tsd, "auth-all")).isEqualTo(1000);
    } finally {
      tsd.stop();
    }
  }
}
