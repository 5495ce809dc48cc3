package io.tsdbsuite.bench.load;

import io.tsdbsuite.synthetic.round.TextBuffer;
import java.io.Closeable;
import java.io.IOException;

/** One connection to a TSD, used by one thread. */
interface TsdConnection extends Closeable {
  /**
   * Sends a batch and enters it in the books.
   *
   * @throws IOException when the connection is of no more use
   */
  void send(TextBuffer batch, int points) throws IOException;

  /**
   * Asks what became of the batches so far, before a pause.
   *
   * @throws IOException when the connection is of no more use
   */
  void ask() throws IOException;

  /**
   * Waits until it is known what became of all batches.
   *
   * @throws IOException when that cannot be known any more
   */
  void finish() throws IOException;

  /**
   * Closes it; points without an answer have failed.
   *
   * @throws IOException when the socket does not close
   */
  @Override
  void close() throws IOException;
}
