package io.tsdbsuite.bench.load;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.tsdbsuite.synthetic.round.TextBuffer;
import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Locale;

/**
 * A keep-alive connection to {@code /api/put?summary} with one request at a time. The answer has
 * the number of points that the TSD accepted; the TSD answers before HBase does.
 */
final class HttpConnection extends TsdConnection {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final String LENGTH = "content-length:";
  private static final int OUT_BUFFER = 65_536;
  private static final int MAX_LINE = 8192;
  private static final int MAX_SHOWN = 300;
  private static final byte[] HEAD_END = TextBuffer.bytes("\r\n\r\n");

  private final OutputStream out;
  private final InputStream in;
  private final byte[] head;
  private final TextBuffer length = new TextBuffer();
  private int open;

  HttpConnection(TsdAddress address, Books books) throws IOException {
    super(address, books);
    this.out = new BufferedOutputStream(socket.getOutputStream(), OUT_BUFFER);
    this.in = new BufferedInputStream(socket.getInputStream());
    this.head =
        TextBuffer.bytes(
            "POST /api/put?summary HTTP/1.1\r\nHost: "
                + address
                + "\r\nContent-Type: application/json\r\nContent-Length: ");
  }

  @Override
  void send(TextBuffer batch, int points) throws IOException {
    books.sent(points);
    open = points;
    length.clear();
    length.decimal(batch.length());
    length.text(HEAD_END);
    out.write(head);
    length.writeTo(out);
    batch.writeTo(out);
    out.flush();
    String status = line();
    int bodyLength = 0;
    for (String line = line(); !line.isEmpty(); line = line()) {
      if (line.toLowerCase(Locale.ROOT).startsWith(LENGTH)) {
        bodyLength = contentLength(line);
      }
    }
    byte[] body = in.readNBytes(bodyLength);
    if (body.length < bodyLength) {
      throw new EOFException(address + " closed the connection within an answer");
    }
    account(status, body);
  }

  private int contentLength(String line) throws IOException {
    try {
      return Integer.parseInt(line.substring(LENGTH.length()).strip());
    } catch (NumberFormatException e) {
      throw new IOException(address + " answered with a header that has no number: " + line, e);
    }
  }

  /** An answer without a summary, for example to a too large request, refuses the whole batch. */
  private void account(String status, byte[] body) {
    int failed = open;
    try {
      JsonNode summary = JSON.readTree(body);
      if (summary.path("success").isInt() && summary.path("failed").isInt()) {
        failed = summary.path("failed").asInt();
        books.accepted(summary.path("success").asInt());
      }
    } catch (JsonProcessingException e) {
      // Without a summary the HTTP status is the reason.
    } catch (IOException e) {
      throw new IllegalStateException("an array of bytes failed to be read", e);
    }
    books.failed(failed);
    open = 0;
    if (failed > 0) {
      String text = new String(body, StandardCharsets.UTF_8);
      books.reason(
          address
              + " answered "
              + status
              + " "
              + text.substring(0, Math.min(MAX_SHOWN, text.length())));
    }
  }

  /** A line of the head without CRLF. */
  private String line() throws IOException {
    ByteArrayOutputStream line = new ByteArrayOutputStream(64);
    for (int next = in.read(); next != '\n'; next = in.read()) {
      if (next < 0) {
        throw new EOFException(address + " closed the connection");
      }
      if (line.size() > MAX_LINE) {
        throw new IOException(address + " does not speak HTTP");
      }
      line.write(next);
    }
    return line.toString(StandardCharsets.ISO_8859_1).stripTrailing();
  }

  @Override
  public void close() throws IOException {
    books.failed(open);
    open = 0;
    socket.close();
  }
}
