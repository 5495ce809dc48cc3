package io.tsdbsuite.testkit;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStreamWriter;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * A TSD's telnet interface: lines of {@code put metric timestamp value key=value ...}.
 *
 * <p>Text is ISO-8859-1, like in the TSD. Lines are not acknowledged: the TSD stores points with
 * its next flush.
 */
public final class TelnetClient implements AutoCloseable {
  private static final int TIMEOUT_MILLIS = 300_000;
  private static final String VERSION_START = "net.opentsdb";
  private static final String VERSION_END = "Built on";

  private final Socket socket;
  private final Writer out;
  private final BufferedReader in;

  /**
   * Connects to a TSD on loopback.
   *
   * @param port the TSD's port
   */
  public TelnetClient(int port) {
    try {
      socket = new Socket(InetAddress.getLoopbackAddress(), port);
      socket.setSoTimeout(TIMEOUT_MILLIS);
      out = new OutputStreamWriter(socket.getOutputStream(), StandardCharsets.ISO_8859_1);
      in =
          new BufferedReader(
              new InputStreamReader(socket.getInputStream(), StandardCharsets.ISO_8859_1));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /**
   * Sends points and waits until the TSD has read all lines.
   *
   * @param points the points; values are sent as text
   * @throws TsdException with the TSD's error lines when it rejected a point
   */
  public void put(List<DataPoint> points) {
    StringBuilder lines = new StringBuilder();
    for (DataPoint point : points) {
      lines.append("put ").append(point.metric()).append(' ').append(point.timestamp());
      lines.append(' ').append(point.value());
      for (Map.Entry<String, String> tag : point.tags().entrySet()) {
        lines.append(' ').append(tag.getKey()).append('=').append(tag.getValue());
      }
      lines.append('\n');
    }
    // The response to this command follows the errors of all previous lines.
    lines.append("version\n");
    List<String> complaints = new ArrayList<>();
    try {
      out.write(lines.toString());
      out.flush();
      String line = in.readLine();
      while (line != null && !line.startsWith(VERSION_END)) {
        if (!line.startsWith(VERSION_START)) {
          complaints.add(line);
        }
        line = in.readLine();
      }
      if (line == null) {
        complaints.add("the TSD closed the connection");
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    if (!complaints.isEmpty()) {
      throw new TsdException(0, "the TSD did not accept all lines: " + complaints);
    }
  }

  @Override
  public void close() {
    try {
      socket.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
