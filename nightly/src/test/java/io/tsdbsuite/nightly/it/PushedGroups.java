package io.tsdbsuite.nightly.it;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** Takes groups of metrics as a push gateway does, and gives each back under its own path. */
final class PushedGroups implements AutoCloseable {
  private final HttpServer server;
  private final Map<String, byte[]> groups = new ConcurrentHashMap<>();

  PushedGroups() throws IOException {
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext("/", this::handle);
    server.start();
  }

  private void handle(HttpExchange exchange) throws IOException {
    String path = exchange.getRequestURI().getPath();
    byte[] body = exchange.getRequestBody().readAllBytes();
    byte[] answer = groups.getOrDefault(path, new byte[0]);
    int status = answer.length == 0 ? 404 : 200;
    if (exchange.getRequestMethod().equals("PUT")) {
      groups.put(path, body);
      answer = new byte[0];
      status = 200;
    }
    exchange.getResponseHeaders().set("Content-Type", "text/plain; version=0.0.4");
    exchange.sendResponseHeaders(status, answer.length == 0 ? -1 : answer.length);
    exchange.getResponseBody().write(answer);
    exchange.close();
  }

  /** The address for {@code metrics.push}. */
  String url() {
    return "http://127.0.0.1:" + server.getAddress().getPort();
  }

  /** Where the group of a job is. */
  URI group(String job) {
    return URI.create(url() + "/metrics/job/" + job);
  }

  @Override
  public void close() {
    server.stop(0);
  }
}
