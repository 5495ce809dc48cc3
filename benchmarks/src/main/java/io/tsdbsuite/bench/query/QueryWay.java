package io.tsdbsuite.bench.query;

import io.tsdbsuite.testkit.TsdServer;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.List;

/**
 * A TSD that answers queries in one way.
 *
 * @param name one of {@link #NAMES}
 * @param path where it is asked
 */
record QueryWay(String name, TsdServer tsd, String path) {
  /** OpenTSDB over rollups. */
  static final String STOCK = "stock";

  /** The same with split queries. */
  static final String SPLIT = "split";

  /** rollup-query. */
  static final String PLUGIN = "plugin";

  /** OpenTSDB without rollups: the right answer. */
  static final String RAW = "raw data";

  /** All ways, as the tables have them. */
  static final List<String> NAMES = List.of(STOCK, SPLIT, PLUGIN, RAW);

  private static final HttpClient HTTP =
      HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

  /**
   * An answer.
   *
   * @param read what X-Rollup-Query says, without the index of the sub-query; empty without it
   * @param millis until its last byte
   */
  record Reply(int code, String read, byte[] body, double millis) {
    /** How it differs from the right answer; empty if it is equal. */
    String differenceFrom(Answer right, double tolerance) throws IOException {
      return code == 200 ? Answer.parse(body).differenceFrom(right, tolerance) : "status " + code;
    }
  }

  /**
   * Asks a query.
   *
   * @param query as {@link QueryCase#request}
   */
  Reply ask(String query) throws IOException, InterruptedException {
    boolean isBody = query.startsWith("{");
    String uri = "http://127.0.0.1:" + tsd.port() + "/" + path + (isBody ? "?arrays=true" : query);
    HttpRequest.Builder builder = HttpRequest.newBuilder(URI.create(uri));
    HttpRequest request =
        (isBody ? builder.POST(HttpRequest.BodyPublishers.ofString(query)) : builder).build();
    long begin = System.nanoTime();
    HttpResponse<byte[]> answer = HTTP.send(request, HttpResponse.BodyHandlers.ofByteArray());
    double millis = (System.nanoTime() - begin) / 1e6;
    String read = answer.headers().firstValue("X-Rollup-Query").orElse("");
    return new Reply(answer.statusCode(), read.replaceFirst("^0: ", ""), answer.body(), millis);
  }
}
