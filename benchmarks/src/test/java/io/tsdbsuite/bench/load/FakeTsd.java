package io.tsdbsuite.bench.load;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * As much of a TSD's telnet and HTTP as a load generator meets: puts are kept, those of some
 * metrics are refused, and one metric ends the connection.
 */
final class FakeTsd implements AutoCloseable {
  static final String REFUSED = "load.metric.2";

  private static final Pattern METRIC = Pattern.compile("\"metric\":\"([^\"]*)\"");

  /** What it was sent: put lines, or bodies. */
  final ConcurrentLinkedQueue<String> received = new ConcurrentLinkedQueue<>();

  private final ServerSocket server;
  private final List<Socket> sockets = new ArrayList<>();
  private final String hangUpOn;
  private final String httpAnswer;

  FakeTsd() throws IOException {
    this("nothing", "");
  }

  /**
   * A TSD with a will of its own.
   *
   * @param hangUpOn ends a connection on which a line with this text comes
   * @param httpAnswer instead of the summary, unless empty
   */
  FakeTsd(String hangUpOn, String httpAnswer) throws IOException {
    this.hangUpOn = hangUpOn;
    this.httpAnswer = httpAnswer;
    server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    daemon(this::accept);
  }

  String address() {
    return "127.0.0.1:" + server.getLocalPort();
  }

  private void accept() {
    try {
      while (true) {
        Socket socket = server.accept();
        synchronized (sockets) {
          sockets.add(socket);
        }
        daemon(() -> serve(socket));
      }
    } catch (IOException e) {
      // Closed.
    }
  }

  private static void daemon(Runnable body) {
    Thread thread = new Thread(body, "fake-tsd");
    thread.setDaemon(true);
    thread.start();
  }

  private void serve(Socket socket) {
    try (socket;
        BufferedReader in =
            new BufferedReader(
                new InputStreamReader(socket.getInputStream(), StandardCharsets.ISO_8859_1))) {
      OutputStream out = socket.getOutputStream();
      for (String line = in.readLine(); line != null; line = in.readLine()) {
        if (line.contains(hangUpOn)) {
          return;
        }
        String answer = line.startsWith("POST ") ? http(in) : telnet(line);
        out.write(answer.getBytes(StandardCharsets.ISO_8859_1));
      }
    } catch (IOException e) {
      // The client has gone.
    }
  }

  private String telnet(String line) {
    if (line.equals("version")) {
      return "net.opentsdb.tools built at revision 0\nBuilt on a test\n";
    }
    received.add(line);
    return line.startsWith("put " + REFUSED + " ") ? "put: unknown metric: " + REFUSED + "\n" : "";
  }

  private String http(BufferedReader in) throws IOException {
    int length = 0;
    for (String header = in.readLine(); !header.isEmpty(); header = in.readLine()) {
      if (header.startsWith("Content-Length: ")) {
        length = Integer.parseInt(header.substring("Content-Length: ".length()));
      }
    }
    char[] body = new char[length];
    for (int got = 0; got < length; ) {
      got += in.read(body, got, length - got);
    }
    String text = new String(body);
    received.add(text);
    if (!httpAnswer.isEmpty()) {
      return httpAnswer;
    }
    int failed = 0;
    int success = 0;
    for (Matcher metric = METRIC.matcher(text); metric.find(); ) {
      if (metric.group(1).equals(REFUSED)) {
        failed++;
      } else {
        success++;
      }
    }
    String summary = "{\"success\":" + success + ",\"failed\":" + failed + "}";
    return "HTTP/1.1 "
        + (failed > 0 ? "400 Bad Request" : "200 OK")
        + "\r\nContent-Length: "
        + summary.length()
        + "\r\n\r\n"
        + summary;
  }

  @Override
  public void close() throws IOException {
    server.close();
    synchronized (sockets) {
      for (Socket socket : sockets) {
        socket.close();
      }
    }
  }
}
