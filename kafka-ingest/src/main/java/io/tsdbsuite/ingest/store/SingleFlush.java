package io.tsdbsuite.ingest.store;

import com.stumbleupon.async.Deferred;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;

/** Flushes of HBase's client, no more than one of them unanswered. Thread-safe. */
final class SingleFlush {
  private final Supplier<Deferred<Object>> client;
  private final AtomicBoolean unanswered = new AtomicBoolean();

  /**
   * @param client flushes; called back when HBase has answered what was sent or was waiting
   */
  SingleFlush(Supplier<Deferred<Object>> client) {
    this.client = client;
  }

  /** Flushes, unless HBase has not answered the flush before. */
  void flush() {
    if (!unanswered.compareAndSet(false, true)) {
      return;
    }
    Deferred<Object> answer;
    try {
      answer = client.get();
    } catch (RuntimeException | Error e) {
      unanswered.set(false);
      throw e;
    }
    answer.addBoth(
        result -> {
          unanswered.set(false);
          return result;
        });
  }
}
