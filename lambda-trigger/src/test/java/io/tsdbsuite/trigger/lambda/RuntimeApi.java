package io.tsdbsuite.trigger.lambda;

import com.sun.net.httpserver.Headers;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.LinkedBlockingQueue;

/**
 * Lambda's runtime API (2018-06-01): the function's runtime requests the next event, and posts its
 * response or error.
 */
final class RuntimeApi implements AutoCloseable {
  private static final String PATH = "/2018-06-01/runtime/";

  /** The runtime ends an invocation by itself after this time; in Lambda the service does it. */
  private static final long TIMEOUT_SECONDS = 300;

  private record Event(String id, String body) {}

  private final HttpServer server;
  private final ExecutorService threads = Executors.newCachedThreadPool();
  private final BlockingQueue<Event> events = new LinkedBlockingQueue<>();
  private final Map<String, CompletableFuture<InvocationResult>> answers =
      new ConcurrentHashMap<>();
  private final CompletableFuture<InvocationResult> init = new CompletableFuture<>();

  RuntimeApi() throws IOException {
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.setExecutor(threads);
    server.createContext(PATH, this::serve);
    server.start();
  }

  /** For AWS_LAMBDA_RUNTIME_API. */
  String address() {
    return "127.0.0.1:" + server.getAddress().getPort();
  }

  /** Completes when the runtime asks for its first event, or cannot start. */
  CompletableFuture<InvocationResult> init() {
    return init;
  }

  /** Hands in an event. */
  CompletableFuture<InvocationResult> invoke(String body) {
    String id = UUID.randomUUID().toString();
    CompletableFuture<InvocationResult> answer = new CompletableFuture<>();
    answers.put(id, answer);
    events.add(new Event(id, body));
    return answer;
  }

  private void serve(HttpExchange exchange) throws IOException {
    try (exchange) {
      String path = exchange.getRequestURI().getPath().substring(PATH.length());
      if (path.equals("invocation/next")) {
        init.complete(new InvocationResult(null, ""));
        next(exchange);
        return;
      }
      String body = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
      String type = exchange.getRequestHeaders().getFirst("Lambda-Runtime-Function-Error-Type");
      if (path.equals("init/error")) {
        init.complete(new InvocationResult(type == null ? "unknown" : type, body));
      } else {
        String[] parts = path.split("/", -1);
        answers
            .get(parts[1])
            .complete(
                new InvocationResult(parts[2].equals("error") ? String.valueOf(type) : null, body));
      }
      exchange.sendResponseHeaders(202, -1);
    }
  }

  private void next(HttpExchange exchange) throws IOException {
    Event event;
    try {
      event = events.take();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return;
    }
    byte[] bytes = event.body.getBytes(StandardCharsets.UTF_8);
    Headers headers = exchange.getResponseHeaders();
    headers.add("Lambda-Runtime-Aws-Request-Id", event.id);
    headers.add(
        "Lambda-Runtime-Deadline-Ms",
        Long.toString(Instant.now().plusSeconds(TIMEOUT_SECONDS).toEpochMilli()));
    headers.add(
        "Lambda-Runtime-Invoked-Function-Arn",
        "arn:aws:lambda:us-east-1:123456789012:function:test");
    // The runtime's native library crashes on a response without it.
    headers.add("Content-Type", "application/json");
    headers.add("Lambda-Runtime-Trace-Id", "Root=1-5bef4de7-ad49b0e87f6ef6c87fc2e700;Sampled=0");
    exchange.sendResponseHeaders(200, bytes.length);
    exchange.getResponseBody().write(bytes);
  }

  @Override
  public void close() {
    threads.shutdownNow();
    server.stop(0);
  }
}
