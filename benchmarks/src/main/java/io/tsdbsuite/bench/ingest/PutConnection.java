package io.tsdbsuite.bench.ingest;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;

/**
 * A keep-alive connection that sends prepared requests and reads only the status of answers: the
 * client shares the cores with the TSD and must use little CPU.
 */
final class PutConnection implements AutoCloseable {
  private static final String STORED = "HTTP/1.1 204 ";
  private static final int MAX_HEAD = 4096;

  private final Socket socket;
  private final OutputStream out;
  private final InputStream in;
  private final byte[] head = new byte[MAX_HEAD];

  PutConnection(int port) throws IOException {
    socket = new Socket(InetAddress.getLoopbackAddress(), port);
    socket.setTcpNoDelay(true);
    out = socket.getOutputStream();
    in = socket.getInputStream();
  }

  /** Creates a complete request. */
  static byte[] request(String body) {
    byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
    return ("POST /api/put HTTP/1.1\r\nHost: tsd\r\nContent-Type:"
            + " application/json\r\nContent-Length: %s\r\n\r\n%s")
        .formatted(bytes.length, body)
        .getBytes(StandardCharsets.UTF_8);
  }

  /** Sends a request and waits for its answer, which has no body. */
  void put(byte[] request) throws IOException {
    out.write(request);
    int length = 0;
    do {
      int got = in.read(head, length, MAX_HEAD - length);
      if (got < 0) {
        throw new IOException("the TSD closed the connection");
      }
      length += got;
    } while (!isWhole(length));
    String status = new String(head, 0, STORED.length(), StandardCharsets.US_ASCII);
    if (!status.equals(STORED)) {
      throw new IOException(
          "the TSD answered " + new String(head, 0, length, StandardCharsets.UTF_8));
    }
  }

  private boolean isWhole(int length) {
    return length >= 4
        && head[length - 4] == '\r'
        && head[length - 3] == '\n'
        && head[length - 2] == '\r'
        && head[length - 1] == '\n';
  }

  @Override
  public void close() throws IOException {
    socket.close();
  }
}
