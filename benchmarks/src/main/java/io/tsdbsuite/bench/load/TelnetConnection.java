package io.tsdbsuite.bench.load;

import io.tsdbsuite.synthetic.round.TextBuffer;
import java.io.BufferedReader;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Sends lines of {@code put}. A TSD answers only refused lines, with a line that starts with {@code
 * put:}. The connection therefore sends {@code version} at intervals; its answer comes after the
 * errors of all previous lines. Failures of HBase arrive later and count while the connection is
 * open.
 */
final class TelnetConnection extends TsdConnection {
  /** Points between two requests for {@code version}. */
  private static final int MARK_POINTS = 1000;

  private static final byte[] MARK = TextBuffer.bytes("version\n");
  private static final String MARK_START = "net.opentsdb";
  private static final String MARK_END = "Built on";
  private static final String COMPLAINT = "put: ";

  private final OutputStream out;
  private final Thread reader;

  /** Points sent after the last request for {@code version}. */
  private int unmarked;

  // The sending thread adds requests, the reading thread removes them; guarded by this object.
  /** Points of each open request for {@code version}. */
  private final Queue<Integer> open = new ArrayDeque<>();

  private long answers;

  /** Refused since the last answer. */
  private long refused;

  private @Nullable IOException failure;

  TelnetConnection(TsdAddress address, Books books) throws IOException {
    super(address, books);
    // A TSD sends nothing for accepted points, so a read may wait without a limit.
    socket.setSoTimeout(0);
    this.out = socket.getOutputStream();
    this.reader = new Thread(this::read, "answers of " + address);
    reader.setDaemon(true);
    reader.start();
  }

  @Override
  void send(TextBuffer batch, int points) throws IOException {
    check();
    books.sent(points);
    unmarked += points;
    batch.writeTo(out);
    if (unmarked >= MARK_POINTS) {
      ask();
    }
  }

  private synchronized void check() throws IOException {
    if (failure != null) {
      throw failure;
    }
  }

  @Override
  void ask() throws IOException {
    if (unmarked > 0) {
      synchronized (this) {
        open.add(unmarked);
      }
      unmarked = 0;
      out.write(MARK);
    }
  }

  /** Fails when the connection is broken, or no answer came for a minute. */
  @Override
  void finish() throws IOException {
    ask();
    try {
      awaitAnswers();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted while " + address + " had to answer", e);
    }
  }

  private synchronized void awaitAnswers() throws IOException, InterruptedException {
    long seen = answers;
    long since = System.nanoTime();
    while (!open.isEmpty()) {
      check();
      long left = TIMEOUT_MILLIS - TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - since);
      if (left <= 0) {
        throw new IOException(address + " did not answer for " + TIMEOUT_MILLIS / 1000 + " s");
      }
      wait(left);
      if (answers > seen) {
        seen = answers;
        since = System.nanoTime();
      }
    }
  }

  private void read() {
    try (BufferedReader in =
        new BufferedReader(
            new InputStreamReader(socket.getInputStream(), StandardCharsets.ISO_8859_1))) {
      for (String line = in.readLine(); line != null; line = in.readLine()) {
        take(line);
      }
      broken(new EOFException(address + " closed the connection"));
    } catch (IOException e) {
      broken(e);
    }
  }

  private synchronized void take(String line) {
    if (line.startsWith(MARK_END)) {
      // The points of the oldest request that were not refused are accepted.
      Integer points = open.poll();
      books.accepted((points == null ? 0 : points) - refused);
      refused = 0;
      answers++;
      notifyAll();
    } else if (line.startsWith(COMPLAINT)) {
      refused++;
      books.failed(1);
      books.reason(address + " answered " + line);
    } else if (!line.startsWith(MARK_START)) {
      books.reason(address + " said " + line);
    }
  }

  private synchronized void broken(IOException why) {
    failure = why;
    notifyAll();
  }

  @Override
  public void close() throws IOException {
    try {
      socket.close();
      reader.join();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } finally {
      closeBooks();
    }
  }

  /**
   * Points without an answer have failed. Points that were refused after they counted as accepted
   * move from accepted to failed.
   */
  private synchronized void closeBooks() {
    long unknown = unmarked;
    for (int points : open) {
      unknown += points;
    }
    long known = Math.min(unknown, refused);
    books.failed(unknown - known);
    books.accepted(known - refused);
    open.clear();
    refused = 0;
    unmarked = 0;
  }
}
