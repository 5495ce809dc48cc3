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
 * A proxy before an {@link S3Server} that answers a share of the requests as S3 does when there are
 * too many: status 503, code SlowDown. The other requests pass as they are, signature and all, each
 * over a connection of its own. It is on loopback and ends with this JVM.
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
   * Starts a proxy that lets everything pass, until {@link #share} is called.
   *
   * @param server where requests go
   * @param seed of the choice of requests; which request is the n-th is up to the clients' threads
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
   * Refuses this share of the requests from now on.
   *
   * @param value from 0, none, to 1, all
   */
  public synchronized void share(double value) {
    share = value;
  }

  /**
   * Where clients find it.
   *
   * @return {@code http://127.0.0.1:PORT}
   */
  public URI endpoint() {
    return URI.create("http://127.0.0.1:" + listener.getLocalPort());
  }

  /**
   * What Hadoop's S3A needs to reach the server through this.
   *
   * @return keys {@code fs.s3a.*}
   */
  public Map<String, String> s3aProperties() {
    Map<String, String> s3a = new LinkedHashMap<>(server.s3aProperties());
    s3a.put("fs.s3a.endpoint", endpoint().toString());
    return s3a;
  }

  /**
   * Requests so far.
   *
   * @return those refused among them
   */
  public synchronized long requests() {
    return requests;
  }

  /**
   * Requests that were answered with 503.
   *
   * @return their number so far
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
        // Closed, or a client that went away at once: its own request fails.
      }
    }
  }

  private void serve(Socket client) {
    try (client) {
      byte[] head = head(client.getInputStream());
      if (head == null) {
        return;
      }
      String text = new String(head, StandardCharsets.ISO_8859_1);
      if (refuses()) {
        refuse(client, text);
      } else {
        pass(client, text);
      }
    } catch (IOException e) {
      // The client sees a connection that broke, and tries again.
    }
  }

  /** Request line and headers with the empty line; null when the client sent nothing. */
  private static byte[] head(InputStream in) throws IOException {
    ByteArrayOutputStream head = new ByteArrayOutputStream();
    int matched = 0;
    while (matched < HEAD_END.length) {
      int next = in.read();
      if (next < 0 || head.size() >= HEAD_LIMIT) {
        return null;
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
        ("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
                + "<Error><Code>SlowDown</Code><Message>Please reduce your request rate.</Message>"
                + "<Resource>"
                + resource.replace("&", "&amp;").replace("<", "&lt;")
                + "</Resource><RequestId>THROTTLED0000000</RequestId><HostId>testkit</HostId>"
                + "</Error>")
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
              // The answer is there, and both were closed.
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
      // Nobody uses it any more.
    }
  }

  /** Ends it; requests under way break. */
  @Override
  public void close() {
    closeQuietly(listener);
    threads.shutdownNow();
  }
}
