package io.tsdbsuite.bench.load;

import io.tsdbsuite.synthetic.round.TextBuffer;
import java.io.Closeable;
import java.io.IOException;

/** One connection to a TSD, used by one thread. */
interface TsdConnection extends Closeable {
  /**
   * Sends a batch and adds it to the books.
   *
   * @throws IOException when the connection is of no more use
   */
  void send(TextBuffer batch, int points) throws IOException;

  /**
   * Requests the results of all batches so far, before a pause.
   *
   * @throws IOException when the connection is of no more use
   */
  void ask() throws IOException;

  /**
   * Waits until the results of all batches are known.
   *
   * @throws IOException when the results cannot be obtained any more
   */
  void finish() throws IOException;

  /**
   * Closes the connection; points without an answer have failed.
   *
   * @throws IOException when closing the socket fails
   */
  @Override
  void close() throws IOException;
}
