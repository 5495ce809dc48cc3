package io.tsdbsuite.trigger;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import software.amazon.awssdk.auth.credentials.AwsBasicCredentials;
import software.amazon.awssdk.auth.credentials.StaticCredentialsProvider;
import software.amazon.awssdk.http.urlconnection.UrlConnectionHttpClient;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.services.emr.EmrClient;

/** Over a server with EMR's answers; moto has neither pages of instances nor lost ones. */
class LostInstancesTest {
  private static final ObjectMapper MAPPER = new ObjectMapper();

  private final List<JsonNode> requests = new ArrayList<>();
  private final List<String> pages = new ArrayList<>();
  private HttpServer server;

  @BeforeEach
  void start() throws IOException {
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext("/", this::answer);
    server.start();
  }

  @AfterEach
  void stop() {
    server.stop(0);
  }

  private synchronized void answer(HttpExchange exchange) throws IOException {
    try (exchange) {
      assertThat(exchange.getRequestHeaders().getFirst("X-Amz-Target"))
          .isEqualTo("ElasticMapReduce.ListInstances");
      JsonNode request = MAPPER.readTree(exchange.getRequestBody());
      requests.add(request);
      int page = request.path("Marker").asInt(0);
      ObjectNode answer = MAPPER.createObjectNode();
      answer.set("Instances", MAPPER.readTree(pages.get(page)));
      if (page + 1 < pages.size()) {
        answer.put("Marker", Integer.toString(page + 1));
      }
      byte[] bytes = MAPPER.writeValueAsBytes(answer);
      exchange.sendResponseHeaders(200, bytes.length);
      exchange.getResponseBody().write(bytes);
    }
  }

  private boolean any() {
    EmrClient client =
        EmrClient.builder()
            .httpClient(UrlConnectionHttpClient.create())
            .endpointOverride(URI.create("http://127.0.0.1:" + server.getAddress().getPort()))
            .region(Region.US_EAST_1)
            .credentialsProvider(
                StaticCredentialsProvider.create(AwsBasicCredentials.create("test", "test")))
            .build();
    return new LostInstancesHandler(client).hasLost("j-1");
  }

  @Test
  void none() {
    pages.add("[]");
    assertThat(any()).isFalse();
    assertThat(requests)
        .singleElement()
        .hasToString(
            "{\"ClusterId\":\"j-1\",\"InstanceFleetType\":\"TASK\","
                + "\"InstanceStates\":[\"TERMINATED\"]}");
  }

  @Test
  void onALaterPage() {
    pages.addAll(List.of("[]", "[]", "[{\"Id\":\"ci-1\"}]", "[{\"Id\":\"ci-2\"}]"));
    assertThat(any()).isTrue();
    // The first answer decides; no page after it is read.
    assertThat(requests).hasSize(3);
  }

  @Test
  void noneOnAnyPage() {
    pages.addAll(List.of("[]", "[]"));
    assertThat(any()).isFalse();
    assertThat(requests).hasSize(2);
  }
}
