package io.tsdbsuite.meta.write;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Writes that have no answer yet.
 *
 * <p>asynchbase occasionally loses a call: a call that it should refuse while its probe of a region
 * is itself suspended is neither queued nor called back. Such a call must not block its series, or
 * hold a place of the in-flight limit, for ever. But a call may also wait for an HBase that is down
 * for hours, and succeed then. So a write without an answer first frees its place. It is abandoned
 * only when that is safe: a second write has no effect, or HBase has answered other writes long
 * since.
 */
final class PendingWrites {
  private static final int OPEN = 0;
  private static final int OVERDUE = 1;
  private static final int ENDED = 2;
  private static final int GIVE_UP_AFTER = 10;

  /** One write; the integer is its state. */
  static final class PendingWrite extends AtomicInteger {
    private static final long serialVersionUID = 1L;

    private final transient SeriesWrite write;
    private final transient Object source;
    private final int startedAt;

    private PendingWrite(SeriesWrite write, Object source, int startedAt) {
      super(OPEN);
      this.write = write;
      this.source = source;
      this.startedAt = startedAt;
    }
  }

  /**
   * Applies the result of a write.
   *
   * @param <T> type of the result
   */
  private interface Application<T> {
    HBaseAnswer apply(WriteCompletion completion, SeriesWrite write, Object source, T result);
  }

  private final Set<PendingWrite> unanswered = ConcurrentHashMap.newKeySet();
  private final InFlightLimit inFlightLimit;
  private final WriteCompletion completion;
  private final Counters counters;
  private final Clock clock;
  private final int timeout;
  private volatile int lastTaken;

  /**
   * None at first.
   *
   * @param timeout after which a write without an answer is overdue, seconds
   */
  PendingWrites(
      InFlightLimit inFlightLimit,
      WriteCompletion completion,
      Counters counters,
      Clock clock,
      int timeout) {
    this.inFlightLimit = inFlightLimit;
    this.completion = completion;
    this.counters = counters;
    this.clock = clock;
    this.timeout = timeout;
  }

  /** Starts a write, for which the caller has taken a place. */
  PendingWrite start(SeriesWrite write, Object source) {
    PendingWrite pending = new PendingWrite(write, source, clock.now());
    counters.pointsInFlight.add(write.points);
    unanswered.add(pending);
    return pending;
  }

  /** Takes the outcome of a write. */
  void ended(PendingWrite pending, Outcome outcome) {
    apply(pending, outcome, WriteCompletion::ended);
  }

  /** Takes the failure of a write. */
  void failed(PendingWrite pending, Exception failure) {
    apply(pending, failure, WriteCompletion::failed);
  }

  private <T> void apply(PendingWrite pending, T result, Application<T> application) {
    int before = pending.getAndSet(ENDED);
    if (before == ENDED) {
      return;
    }
    HBaseAnswer answer = HBaseAnswer.NONE;
    SeriesWrite write = pending.write;
    try {
      answer = application.apply(completion, write, pending.source, result);
    } catch (RuntimeException | Error e) {
      completion.broken(write, e);
    } finally {
      counters.pointsInFlight.add(-write.points);
      if (answer == HBaseAnswer.TAKEN) {
        lastTaken = clock.now();
      }
      if (before == OPEN) {
        inFlightLimit.end(answer);
      }
      // Last: a shutdown that sees no pending write finds all figures as they are.
      unanswered.remove(pending);
    }
  }

  /** Frees the places of overdue writes, and abandons those that it may. */
  void expire(int now) {
    for (PendingWrite pending : unanswered) {
      int age = now - pending.startedAt;
      if (age < timeout) {
        continue;
      }
      if (pending.compareAndSet(OPEN, OVERDUE)) {
        completion.overdue(pending.write, now, age);
        inFlightLimit.end(HBaseAnswer.REFUSED);
      }
      boolean harmless = pending.write.points == 0;
      boolean lost =
          age >= (long) GIVE_UP_AFTER * timeout && lastTaken > pending.startedAt + timeout;
      if ((harmless || lost) && pending.compareAndSet(OVERDUE, ENDED)) {
        giveUp(pending, age);
      }
    }
  }

  private void giveUp(PendingWrite pending, int age) {
    counters.pointsInFlight.add(-pending.write.points);
    completion.failed(pending.write, pending.source, new UnansweredException(age));
    unanswered.remove(pending);
  }

  /** Writes without an answer, overdue ones included. */
  int size() {
    return unanswered.size();
  }
}
