package io.tsdbsuite.bench.load;

import io.tsdbsuite.synthetic.round.TextBuffer;
import java.io.Closeable;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;

/** One connection to a TSD, used by one thread. */
abstract class TsdConnection implements Closeable {
  /** Time-out of connections and answers. */
  static final int TIMEOUT_MILLIS = 60_000;

  final TsdAddress address;
  final Books books;
  final Socket socket = new Socket();

  TsdConnection(TsdAddress address, Books books) throws IOException {
    this.address = address;
    this.books = books;
    try {
      socket.connect(new InetSocketAddress(address.host(), address.port()), TIMEOUT_MILLIS);
      socket.setTcpNoDelay(true);
      socket.setSoTimeout(TIMEOUT_MILLIS);
    } catch (IOException e) {
      socket.close();
      throw new IOException("no connection to the TSD " + address + ": " + e.getMessage(), e);
    }
  }

  /**
   * Sends a batch and adds it to the books.
   *
   * @throws IOException when the connection is of no more use
   */
  abstract void send(TextBuffer batch, int points) throws IOException;

  /**
   * Requests the results of all batches so far, before a pause.
   *
   * @throws IOException when the connection is of no more use
   */
  void ask() throws IOException {}

  /**
   * Waits until the results of all batches are known.
   *
   * @throws IOException when the results cannot be obtained any more
   */
  void finish() throws IOException {}

  /**
   * Closes the connection; points without an answer have failed.
   *
   * @throws IOException when closing the socket fails
   */
  @Override
  public abstract void close() throws IOException;
}
