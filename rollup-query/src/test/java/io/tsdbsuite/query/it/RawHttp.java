package io.tsdbsuite.query.it;

import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Requests and answers byte for byte, of any method, path and body. */
final class RawHttp {
  /** An answer: its status line, its headers sorted, its body as sent. */
  record Answer(String status, List<String> headers, byte[] body) {
    String text() {
      return new String(body, StandardCharsets.UTF_8);
    }

    int code() {
      return Integer.parseInt(status.split(" ", -1)[1]);
    }

    /** The value of a header; empty if there is none. */
    String header(String name) {
      String start = name.toLowerCase(Locale.ROOT) + ": ";
      return headers.stream()
          .filter(line -> line.toLowerCase(Locale.ROOT).startsWith(start))
          .map(line -> line.substring(start.length()))
          .findFirst()
          .orElse("");
    }
  }

  private RawHttp() {}

  /**
   * Sends a request on a connection of its own, and reads the whole answer.
   *
   * @param headers without Host and Content-Length; with "Transfer-Encoding: chunked" the body must
   *     be in chunks
   */
  static Answer ask(int port, String method, String uri, List<String> headers, byte[] body)
      throws IOException {
    try (Socket socket = open(port)) {
      send(socket, method, uri, headers, body);
      return read(new DataInputStream(socket.getInputStream()), method.equals("HEAD"));
    }
  }

  static Answer get(int port, String uri) throws IOException {
    return ask(port, "GET", uri, List.of("Connection: close"), new byte[0]);
  }

  static Socket open(int port) throws IOException {
    Socket socket = new Socket(InetAddress.getLoopbackAddress(), port);
    socket.setSoTimeout((int) QueryStack.PATIENCE.toMillis());
    return socket;
  }

  static void send(Socket socket, String method, String uri, List<String> headers, byte[] body)
      throws IOException {
    StringBuilder head = new StringBuilder();
    head.append(method).append(' ').append(uri).append(" HTTP/1.1\r\nHost: tsd\r\n");
    headers.forEach(header -> head.append(header).append("\r\n"));
    if (body.length > 0 && !headers.contains("Transfer-Encoding: chunked")) {
      head.append("Content-Length: ").append(body.length).append("\r\n");
    }
    ByteArrayOutputStream request = new ByteArrayOutputStream();
    request.write(head.append("\r\n").toString().getBytes(StandardCharsets.ISO_8859_1));
    request.write(body);
    socket.getOutputStream().write(request.toByteArray());
    socket.getOutputStream().flush();
  }

  private static Answer read(DataInputStream in, boolean noBody) throws IOException {
    String status = line(in);
    List<String> headers = new ArrayList<>();
    int length = -1;
    for (String line = line(in); !line.isEmpty(); line = line(in)) {
      headers.add(line);
      if (line.toLowerCase(Locale.ROOT).startsWith("content-length: ")) {
        length = Integer.parseInt(line.substring("content-length: ".length()));
      }
    }
    headers.sort(null);
    if (noBody) {
      return new Answer(status, headers, new byte[0]);
    }
    byte[] body = length < 0 ? in.readAllBytes() : in.readNBytes(length);
    return new Answer(status, headers, body);
  }

  private static String line(DataInputStream in) throws IOException {
    StringBuilder line = new StringBuilder();
    for (int c = in.read(); c != '\n'; c = in.read()) {
      if (c < 0) {
        throw new EOFException("the connection was closed after: " + line);
      }
      if (c != '\r') {
        line.append((char) c);
      }
    }
    return line.toString();
  }
}
