package io.tsdbsuite.trigger.snapshot;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import software.amazon.awssdk.auth.credentials.AwsBasicCredentials;
import software.amazon.awssdk.auth.credentials.StaticCredentialsProvider;
import software.amazon.awssdk.http.urlconnection.UrlConnectionHttpClient;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.services.s3.S3Client;

/**
 * An object store that only lists, over HTTP and with a delay: HFiles of one table, whose keys are
 * computed from their numbers, so that millions need no memory.
 */
final class SlowListing implements AutoCloseable {
  /** Size of each object, bytes. */
  static final long SIZE = 7;

  private static final int FILES_OF_REGION = 1000;
  private static final int PAGE = 1000;
  private static final String DIRECTORY = "hbase/archive/data/default/tsdb/";
  private static final HexFormat HEX = HexFormat.of();

  static {
    // Otherwise its answers to connections in use wait 40 ms for TCP's acknowledgement.
    System.setProperty("sun.net.httpserver.nodelay", "true");
  }

  private final int keys;
  private final int missing;
  private final long latencyMillis;
  private final HttpServer server;
  private final ExecutorService threads = Executors.newCachedThreadPool();
  private final AtomicInteger requests = new AtomicInteger();
  private final AtomicInteger open = new AtomicInteger();
  private final AtomicInteger mostOpen = new AtomicInteger();

  /**
   * @param keys number of objects
   * @param missing number of an object that is not there; -1 for none
   * @param latencyMillis delay of each answer
   */
  SlowListing(int keys, int missing, long latencyMillis) throws IOException {
    this.keys = keys;
    this.missing = missing;
    this.latencyMillis = latencyMillis;
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.setExecutor(threads);
    server.createContext("/", this::answer);
    server.start();
  }

  /** Path of an HFile below its table; the paths are sorted like their numbers. */
  static String path(int number) {
    return "%s/t/%s".formatted(name(number / FILES_OF_REGION), name(number));
  }

  private static String name(long number) {
    return "0000000000000000" + HEX.toHexDigits(number);
  }

  /** A client of this store. */
  S3Client client() {
    return S3Client.builder()
        .httpClient(UrlConnectionHttpClient.create())
        .endpointOverride(URI.create("http://127.0.0.1:" + server.getAddress().getPort()))
        .forcePathStyle(true)
        .region(Region.US_EAST_1)
        .credentialsProvider(
            StaticCredentialsProvider.create(AwsBasicCredentials.create("test", "test")))
        .build();
  }

  /** The number of requests. */
  int requests() {
    return requests.get();
  }

  /** The largest number of requests at the same time. */
  int mostOpen() {
    return mostOpen.get();
  }

  private void answer(HttpExchange exchange) throws IOException {
    requests.incrementAndGet();
    mostOpen.accumulateAndGet(open.incrementAndGet(), Math::max);
    try (exchange) {
      byte[] page = page(query(exchange.getRequestURI())).getBytes(StandardCharsets.UTF_8);
      Thread.sleep(latencyMillis);
      open.decrementAndGet();
      exchange.getResponseHeaders().set("Content-Type", "application/xml");
      exchange.sendResponseHeaders(200, page.length);
      try (OutputStream body = exchange.getResponseBody()) {
        body.write(page);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private static Map<String, String> query(URI uri) {
    return Arrays.stream(uri.getRawQuery().split("&", -1))
        .map(parameter -> parameter.split("=", 2))
        .collect(
            Collectors.toMap(
                parameter -> parameter[0],
                parameter -> URLDecoder.decode(parameter[1], StandardCharsets.UTF_8)));
  }

  private String page(Map<String, String> query) {
    StringBuilder xml =
        new StringBuilder(250 * PAGE)
            .append("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<ListBucketResult>");
    int listed = 0;
    int number = first(query.get("start-after"));
    boolean here = query.get("prefix").equals(DIRECTORY);
    for (; here && number < keys && listed < PAGE; number++) {
      if (number != missing) {
        xml.append("<Contents><Key>")
            .append(DIRECTORY)
            .append(path(number))
            .append("</Key><LastModified>2026-11-21T00:40:00.000Z</LastModified>")
            .append("<ETag>&quot;0123456789abcdef0123456789abcdef&quot;</ETag><Size>")
            .append(SIZE)
            .append("</Size><StorageClass>STANDARD</StorageClass></Contents>");
        listed++;
      }
    }
    return xml.append("<IsTruncated>")
        .append(here && number < keys)
        .append("</IsTruncated></ListBucketResult>")
        .toString();
  }

  /** The number of the first object after a key, by bisection. */
  private int first(String after) {
    int from = 0;
    int to = keys;
    while (from < to) {
      int middle = (from + to) >>> 1;
      if ((DIRECTORY + path(middle)).compareTo(after) > 0) {
        to = middle;
      } else {
        from = middle + 1;
      }
    }
    return from;
  }

  @Override
  public void close() {
    server.stop(0);
    threads.shutdownNow();
  }
}
