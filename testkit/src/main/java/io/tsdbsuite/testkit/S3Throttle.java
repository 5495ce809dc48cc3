package io.tsdbsuite.testkit;

import java.io.ByteArrayOutputStream;
import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A proxy for an {@link S3Server} that throttles a share of the requests like S3: status 503, code
 * SlowDown. It forwards the other requests unchanged, including their signature, each over its own
 * connection. It listens on loopback and ends with this JVM.
 */
public final class S3Throttle implements AutoCloseable {
  private static final int HEAD_LIMIT = 64 << 10;
  private static final byte[] HEAD_END = {'\r', '\n', '\r', '\n'};
  private static final Pattern CONNECTION = Pattern.compile("(?im)^connection:.*\r\n");
  private static final Pattern LENGTH = Pattern.compile("(?im)^content-length:\\s*(\\d+)\\s*$");
  private static final Pattern WAITS = Pattern.compile("(?im)^expect:\\s*100-continue\\s*$");

  private final S3Server server;
  private final ServerSocket listener;
  private final Random random;
  private final ExecutorService threads =
      Executors.newCachedThreadPool(
          task -> {
            Thread thread = new Thread(task, "s3-throttle");
            thread.setDaemon(true);
            return thread;
          });
  private double share;
  private long requests;
  private long refused;

  private S3Throttle(S3Server server, ServerSocket listener, long seed) {
    this.server = server;
    this.listener = listener;
    this.random = new Random(seed);
  }

  /**
   * Starts a proxy that forwards all requests until {@link #share} is called.
   *
   * @param server target of the requests
   * @param seed seed of the choice of requests; their order depends on the clients' threads
   * @return the running proxy
   */
  public static S3Throttle start(S3Server server, long seed) {
    try {
      ServerSocket listener = new ServerSocket();
      listener.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), FreePorts.next()));
      S3Throttle throttle = new S3Throttle(server, listener, seed);
      throttle.threads.execute(throttle::accept);
      return throttle;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /**
   * Sets the share of throttled requests.
   *
   * @param value from 0, none, to 1, all
   */
  public synchronized void share(double value) {
    share = value;
  }

  /**
   * The endpoint for clients.
   *
   * @return {@code http://127.0.0.1:PORT}
   */
  public URI endpoint() {
    return URI.create("http://127.0.0.1:" + listener.getLocalPort());
  }

  /**
   * The properties of Hadoop's S3A for the server behind this proxy.
   *
   * @return keys {@code fs.s3a.*}
   */
  public Map<String, String> s3aProperties() {
    Map<String, String> s3a = new LinkedHashMap<>(server.s3aProperties());
    s3a.put("fs.s3a.endpoint", endpoint().toString());
    return s3a;
  }

  /**
   * The number of requests so far.
   *
   * @return requests, including throttled ones
   */
  public synchronized long requests() {
    return requests;
  }

  /**
   * The number of requests answered with 503.
   *
   * @return throttled requests so far
   */
  public synchronized long refused() {
    return refused;
  }

  private synchronized boolean refuses() {
    requests++;
    boolean refuse = random.nextDouble() < share;
    refused += refuse ? 1 : 0;
    return refuse;
  }

  private void accept() {
    while (!listener.isClosed()) {
      try {
        Socket client = listener.accept();
        threads.execute(() -> serve(client));
      } catch (IOException e) {
        // The proxy was closed, or the client disconnected: its own request fails.
      }
    }
  }

  private void serve(Socket client) {
    try (client) {
      byte[] head = head(client.getInputStream());
      if (head.length == 0) {
        return;
      }
      String text = new String(head, StandardCharsets.ISO_8859_1);
      if (refuses()) {
        refuse(client, text);
      } else {
        pass(client, text);
      }
    } catch (IOException e) {
      // The client sees a broken connection and retries.
    }
  }

  /** Request line and headers with the empty line; empty when the client sent less. */
  private static byte[] head(InputStream in) throws IOException {
    ByteArrayOutputStream head = new ByteArrayOutputStream();
    int matched = 0;
    while (matched < HEAD_END.length) {
      int next = in.read();
      if (next < 0 || head.size() >= HEAD_LIMIT) {
        return new byte[0];
      }
      head.write(next);
      matched = next == HEAD_END[matched] ? matched + 1 : next == HEAD_END[0] ? 1 : 0;
    }
    return head.toByteArray();
  }

  private static void refuse(Socket client, String head) throws IOException {
    Matcher length = LENGTH.matcher(head);
    if (length.find() && !WAITS.matcher(head).find()) {
      client.getInputStream().skipNBytes(Long.parseLong(length.group(1)));
    }
    String resource = head.split(" ", 3)[1];
    byte[] body =
        """
        <?xml version="1.0" encoding="UTF-8"?>
        <Error><Code>SlowDown</Code><Message>Please reduce your request rate.</Message>\
        <Resource>%s</Resource><RequestId>THROTTLED0000000</RequestId><HostId>testkit</HostId>\
        </Error>\
        """
            .formatted(resource.replace("&", "&amp;").replace("<", "&lt;"))
            .getBytes(StandardCharsets.UTF_8);
    OutputStream out = client.getOutputStream();
    String answer =
        String.format(
            Locale.ROOT,
            "HTTP/1.1 503 Slow Down\r\nx-amz-request-id: THROTTLED0000000\r\n"
                + "Content-Type: application/xml\r\nContent-Length: %d\r\n"
                + "Connection: close\r\n\r\n",
            body.length);
    out.write(answer.getBytes(StandardCharsets.ISO_8859_1));
    if (!head.startsWith("HEAD ")) {
      out.write(body);
    }
    out.flush();
    client.shutdownOutput();
  }

  private void pass(Socket client, String head) throws IOException {
    try (Socket upstream = new Socket(InetAddress.getLoopbackAddress(), server.port())) {
      String single =
          CONNECTION
              .matcher(head)
              .replaceAll("")
              .replaceFirst("\r\n\r\n$", "\r\nConnection: close\r\n\r\n");
      upstream.getOutputStream().write(single.getBytes(StandardCharsets.ISO_8859_1));
      threads.execute(
          () -> {
            try {
              client.getInputStream().transferTo(upstream.getOutputStream());
            } catch (IOException e) {
              // The response is complete and both sides were closed.
              closeQuietly(upstream);
            }
          });
      upstream.getInputStream().transferTo(client.getOutputStream());
    }
  }

  private static void closeQuietly(Closeable closeable) {
    try {
      closeable.close();
    } catch (IOException e) {
      // The connection is not used any more.
    }
  }

  /** Stops the proxy; requests in flight fail. */
  @Override
  public void close() {
    closeQuietly(listener);
    threads.shutdownNow();
  }
}
