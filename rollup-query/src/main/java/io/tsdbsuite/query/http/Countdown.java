package io.tsdbsuite.query.http;

import com.stumbleupon.async.Deferred;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Waits for any number of results, and keeps none of them: an answer may have millions of names.
 */
final class Countdown {
  private final AtomicLong left = new AtomicLong(1);
  private final Deferred<Object> end = new Deferred<>();

  /** Waits for one more. What fails here fails again in the answer, in OpenTSDB's words. */
  <T> void await(Deferred<T> one) {
    left.incrementAndGet();
    one.addCallbacks(
        found -> {
          down();
          return found;
        },
        (Exception failure) -> {
          down();
          return null;
        });
  }

  /** There are no more; called when all have come. */
  Deferred<Object> end() {
    down();
    return end;
  }

  private void down() {
    if (left.decrementAndGet() == 0) {
      end.callback(true);
    }
  }
}
