package io.tsdbsuite.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

class TsdClientTest {
  /** The server answers only after the client has told that the answer is late. */
  @Test
  void tellsALateAnswerAndWaitsOn() throws Exception {
    CompletableFuture<String> late = new CompletableFuture<>();
    HttpServer server =
        HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext(
        "/",
        exchange -> {
          late.join();
          exchange.sendResponseHeaders(200, 2);
          exchange.getResponseBody().write(new byte[] {'{', '}'});
          exchange.close();
        });
    server.start();
    try {
      URI base = URI.create("http://127.0.0.1:" + server.getAddress().getPort() + "/");
      TsdClient client = new TsdClient(base, Duration.ofMillis(1), late::complete);
      assertThat(client.get("api/stats").isObject()).isTrue();
      assertThat(late).isCompletedWithValue("api/stats");
    } finally {
      server.stop(0);
    }
  }
}
