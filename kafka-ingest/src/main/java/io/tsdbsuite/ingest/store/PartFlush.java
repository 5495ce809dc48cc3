package io.tsdbsuite.ingest.store;

import com.stumbleupon.async.Deferred;
import java.util.function.Supplier;

/**
 * Flushes HBase's client when it was given packed parts and no further ones are expected. Else each
 * part would wait for the client's timer after its plain cells have waited for it. Thread-safe.
 *
 * <p>The plain cells of many rows are answered together, so their parts share RPCs, too: there is
 * no more than one flush for each round of such answers. If one of them never comes, parts wait for
 * the timer from then on.
 */
final class PartFlush {
  private final SingleFlush flush;
  private int expected;
  private boolean isPut;

  /**
   * Expects no part.
   *
   * @param client flushes; called back when HBase has answered what was sent or was waiting
   */
  PartFlush(Supplier<Deferred<Object>> client) {
    this.flush = new SingleFlush(client);
  }

  /** A part is put when HBase has acknowledged the plain cells of its row. */
  synchronized void expect() {
    expected++;
  }

  /** An expected part was passed to HBase's client. */
  void put() {
    end(true);
  }

  /** An expected part is not put, since its plain cells failed. */
  void notPut() {
    end(false);
  }

  private void end(boolean wasPut) {
    synchronized (this) {
      expected--;
      isPut |= wasPut;
      if (expected > 0 || !isPut) {
        return;
      }
      isPut = false;
    }
    flush.flush();
  }
}
