package io.tsdbsuite.testkit;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Optional;

/** A JobManager's REST API. */
final class FlinkRest {
  private static final Duration TIMEOUT = Duration.ofMinutes(5);

  private final ObjectMapper json = new ObjectMapper();
  private final HttpClient http =
      HttpClient.newBuilder()
          .version(HttpClient.Version.HTTP_1_1)
          .connectTimeout(Duration.ofSeconds(10))
          .build();
  private final URI base;

  /**
   * A client.
   *
   * @param base for example {@code http://127.0.0.1:8081/}
   */
  FlinkRest(URI base) {
    this.base = base;
  }

  URI base() {
    return base;
  }

  /**
   * The answer to a GET.
   *
   * @param path path and query, without the first slash
   * @throws ServerException when the JobManager does not answer, or with another status than 2xx
   */
  JsonNode get(String path) {
    return required(path, request(path).GET());
  }

  /**
   * The answer to a GET, for waits: empty while the JobManager does not answer, or with another
   * status than 2xx.
   *
   * @param path path and query, without the first slash
   */
  Optional<JsonNode> find(String path) {
    try {
      HttpResponse<byte[]> answer = send(request(path).GET());
      return isError(answer) ? Optional.empty() : Optional.of(json.readTree(answer.body()));
    } catch (IOException e) {
      return Optional.empty();
    }
  }

  /**
   * A PATCH without a body.
   *
   * @param path path and query, without the first slash
   * @throws ServerException when the JobManager does not answer, or with another status than 2xx
   */
  void patch(String path) {
    required(path, request(path).method("PATCH", HttpRequest.BodyPublishers.noBody()));
  }

  private HttpRequest.Builder request(String path) {
    return HttpRequest.newBuilder(base.resolve(path)).timeout(TIMEOUT);
  }

  private JsonNode required(String path, HttpRequest.Builder request) {
    try {
      HttpResponse<byte[]> answer = send(request);
      if (isError(answer)) {
        throw new ServerException(
            path
                + " answered "
                + answer.statusCode()
                + ": "
                + new String(answer.body(), StandardCharsets.UTF_8));
      }
      return json.readTree(answer.body());
    } catch (IOException e) {
      throw new ServerException(base.resolve(path) + " did not answer", e);
    }
  }

  private HttpResponse<byte[]> send(HttpRequest.Builder request) throws IOException {
    try {
      return http.send(request.build(), HttpResponse.BodyHandlers.ofByteArray());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new ServerException("interrupted while Flink was asked", e);
    }
  }

  private static boolean isError(HttpResponse<byte[]> answer) {
    return answer.statusCode() / 100 != 2;
  }
}
