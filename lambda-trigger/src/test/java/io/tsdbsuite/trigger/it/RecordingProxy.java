package io.tsdbsuite.trigger.it;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * Forwards requests to moto and records them, because moto discards the parameters of an
 * activation.
 */
final class RecordingProxy implements AutoCloseable {
  /** A request. */
  record Recorded(String target, String body) {}

  private static final Set<String> OF_THE_CONNECTION =
      Set.of("host", "connection", "content-length", "expect", "upgrade");

  private final HttpServer server;
  private final HttpClient client = HttpClient.newHttpClient();
  private final URI next;
  private final List<Recorded> requests = new CopyOnWriteArrayList<>();
  private volatile int refuseWith;

  RecordingProxy(URI next) throws IOException {
    this.next = next;
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext("/", this::serve);
    server.start();
  }

  String endpoint() {
    return "http://127.0.0.1:" + server.getAddress().getPort();
  }

  List<Recorded> requests() {
    return requests;
  }

  /** Responds with this status from now on; 0 for moto's own responses. */
  void refuseWith(int status) {
    refuseWith = status;
  }

  private void serve(HttpExchange exchange) throws IOException {
    try (exchange) {
      byte[] body = exchange.getRequestBody().readAllBytes();
      requests.add(
          new Recorded(
              exchange.getRequestHeaders().getFirst("X-Amz-Target"),
              new String(body, StandardCharsets.UTF_8)));
      if (refuseWith != 0) {
        byte[] refusal =
            "{\"__type\":\"InvalidRequestException\",\"message\":\"refused\"}"
                .getBytes(StandardCharsets.UTF_8);
        exchange.getResponseHeaders().add("Content-Type", "application/x-amz-json-1.1");
        exchange.sendResponseHeaders(refuseWith, refusal.length);
        exchange.getResponseBody().write(refusal);
        return;
      }
      HttpRequest.Builder request =
          HttpRequest.newBuilder(next.resolve(exchange.getRequestURI().toString()))
              .version(HttpClient.Version.HTTP_1_1)
              .method(exchange.getRequestMethod(), HttpRequest.BodyPublishers.ofByteArray(body));
      for (Map.Entry<String, List<String>> header : exchange.getRequestHeaders().entrySet()) {
        if (!OF_THE_CONNECTION.contains(header.getKey().toLowerCase(Locale.ROOT))) {
          header.getValue().forEach(value -> request.header(header.getKey(), value));
        }
      }
      HttpResponse<byte[]> response =
          client.send(request.build(), HttpResponse.BodyHandlers.ofByteArray());
      response
          .headers()
          .firstValue("Content-Type")
          .ifPresent(type -> exchange.getResponseHeaders().add("Content-Type", type));
      exchange.sendResponseHeaders(
          response.statusCode(), response.body().length == 0 ? -1 : response.body().length);
      exchange.getResponseBody().write(response.body());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  @Override
  public void close() {
    server.stop(0);
  }
}
