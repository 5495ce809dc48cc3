package io.tsdbsuite.query.run;

import com.stumbleupon.async.Deferred;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;
import org.jboss.netty.util.Timeout;
import org.jboss.netty.util.Timer;

/**
 * An answer of HBase that is waited for during a bounded time: of a disabled table HBase's client
 * asks again and again.
 */
public final class BoundedAnswer {
  private BoundedAnswer() {}

  /**
   * The answer, or the failure of one that comes too late and is dropped.
   *
   * @param millis how long it is waited for
   * @param asked nothing else may be added to it before
   */
  public static <T> Deferred<T> of(
      Timer timer, long millis, Deferred<T> asked, Supplier<? extends Exception> late) {
    Deferred<T> answer = new Deferred<>();
    AtomicBoolean ended = new AtomicBoolean();
    Timeout timeout =
        timer.newTimeout(
            expired -> {
              if (ended.compareAndSet(false, true)) {
                answer.callback(late.get());
              }
            },
            millis,
            TimeUnit.MILLISECONDS);
    asked.addCallbacks(
        found -> {
          timeout.cancel();
          if (ended.compareAndSet(false, true)) {
            answer.callback(found);
          }
          return null;
        },
        (Exception failure) -> {
          timeout.cancel();
          if (ended.compareAndSet(false, true)) {
            answer.callback(failure);
          }
          return null;
        });
    return answer;
  }
}
