package io.tsdbsuite.bench.load;

import io.tsdbsuite.synthetic.round.TextBuffer;
import java.io.BufferedReader;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.net.Socket;
import java.nio.charset.StandardCharsets;

/**
 * Sends lines of {@code put}. A TSD answers only refused lines, with a line that starts with {@code
 * put:}. The connection therefore sends {@code version} at intervals; its answer comes after the
 * errors of all previous lines. Failures of HBase arrive later and count while the connection is
 * open.
 */
final class TelnetConnection implements TsdConnection {
  /** Points between two requests for {@code version}. */
  private static final int MARK_POINTS = 1000;

  private static final byte[] MARK = TextBuffer.bytes("version\n");
  private static final String MARK_START = "net.opentsdb";
  private static final String MARK_END = "Built on";
  private static final String COMPLAINT = "put: ";

  private final TsdAddress address;
  private final Books books;
  private final Socket socket;
  private final OutputStream out;
  private final Thread reader;
  private final PointMarks marks;
  private int unmarked;

  TelnetConnection(TsdAddress address, Books books) throws IOException {
    this.address = address;
    this.books = books;
    this.marks = new PointMarks(books);
    this.socket = Sockets.connect(address);
    // A TSD sends nothing for accepted points, so a read may wait without a limit.
    socket.setSoTimeout(0);
    this.out = socket.getOutputStream();
    this.reader = new Thread(this::read, "answers of " + address);
    reader.setDaemon(true);
    reader.start();
  }

  @Override
  public void send(TextBuffer batch, int points) throws IOException {
    marks.check();
    books.sent(points);
    unmarked += points;
    batch.writeTo(out);
    if (unmarked >= MARK_POINTS) {
      ask();
    }
  }

  @Override
  public void ask() throws IOException {
    if (unmarked > 0) {
      marks.asked(unmarked);
      unmarked = 0;
      out.write(MARK);
    }
  }

  @Override
  public void finish() throws IOException {
    ask();
    marks.awaitAll(address.toString());
  }

  private void read() {
    try (BufferedReader in =
        new BufferedReader(
            new InputStreamReader(socket.getInputStream(), StandardCharsets.ISO_8859_1))) {
      for (String line = in.readLine(); line != null; line = in.readLine()) {
        take(line);
      }
      marks.broken(new EOFException(address + " closed the connection"));
    } catch (IOException e) {
      marks.broken(e);
    }
  }

  private void take(String line) {
    if (line.startsWith(MARK_END)) {
      marks.answered();
    } else if (line.startsWith(COMPLAINT)) {
      marks.refused();
      books.reason(address + " answered " + line);
    } else if (!line.startsWith(MARK_START)) {
      books.reason(address + " said " + line);
    }
  }

  @Override
  public void close() throws IOException {
    try {
      socket.close();
      reader.join();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } finally {
      marks.close(unmarked);
      unmarked = 0;
    }
  }
}
