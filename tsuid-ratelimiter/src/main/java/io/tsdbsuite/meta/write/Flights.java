package io.tsdbsuite.meta.write;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Writes that have no answer yet.
 *
 * <p>asynchbase loses a call now and then: one that it should refuse while its probe of a region is
 * suspended itself is neither queued nor called back. Such a call must not hold a place of the
 * window for ever, nor its series. But a call may also wait for an HBase that is away for hours,
 * and be done then. So a write without an answer first frees its place, and is given up only when
 * that does no harm: what it writes can be written twice, or HBase has answered others for long
 * since.
 */
final class Flights {
  private static final int OPEN = 0;
  private static final int OVERDUE = 1;
  private static final int ENDED = 2;
  private static final int GIVE_UP_AFTER = 10;

  /** One write; its number is its state. */
  static final class Flight extends AtomicInteger {
    private static final long serialVersionUID = 1L;

    private final transient Job job;
    private final transient Object source;
    private final int startedAt;

    private Flight(Job job, Object source, int startedAt) {
      super(OPEN);
      this.job = job;
      this.source = source;
      this.startedAt = startedAt;
    }
  }

  private final Set<Flight> flights = ConcurrentHashMap.newKeySet();
  private final Window window;
  private final Settlement settlement;
  private final Counters counters;
  private final Seconds seconds;
  private final int timeout;
  private volatile int lastTaken;

  /**
   * None at first.
   *
   * @param timeout after which a write without an answer is overdue, seconds
   */
  Flights(Window window, Settlement settlement, Counters counters, Seconds seconds, int timeout) {
    this.window = window;
    this.settlement = settlement;
    this.counters = counters;
    this.seconds = seconds;
    this.timeout = timeout;
  }

  /** A write starts, for which there is a place. */
  Flight start(Job job, Object source) {
    Flight flight = new Flight(job, source, seconds.now());
    counters.pointsInFlight.add(job.points);
    flights.add(flight);
    return flight;
  }

  /** The answer is there: an outcome, or a failure. */
  void ended(Flight flight, Outcome outcome, Exception failure) {
    int before = flight.getAndSet(ENDED);
    if (before == ENDED) {
      return;
    }
    Settlement.Verdict verdict = Settlement.Verdict.NONE;
    Job job = flight.job;
    try {
      verdict =
          failure == null
              ? settlement.ended(job, flight.source, outcome)
              : settlement.failed(job, flight.source, failure);
    } catch (RuntimeException | Error e) {
      settlement.broken(job, e);
    } finally {
      counters.pointsInFlight.add(-job.points);
      if (verdict == Settlement.Verdict.TAKEN) {
        lastTaken = seconds.now();
      }
      if (before == OPEN) {
        window.end(verdict);
      }
      // Last: a shutdown that sees no flight finds all figures as they are.
      flights.remove(flight);
    }
  }

  /** Frees the places of those that are overdue, and gives up those that it may. */
  void expire(int now) {
    for (Flight flight : flights) {
      int age = now - flight.startedAt;
      if (age < timeout) {
        continue;
      }
      if (flight.compareAndSet(OPEN, OVERDUE)) {
        settlement.overdue(flight.job, now, age);
        window.end(Settlement.Verdict.REFUSED);
      }
      boolean harmless = flight.job.points == 0;
      boolean lost =
          age >= (long) GIVE_UP_AFTER * timeout && lastTaken > flight.startedAt + timeout;
      if ((harmless || lost) && flight.compareAndSet(OVERDUE, ENDED)) {
        giveUp(flight, age);
      }
    }
  }

  private void giveUp(Flight flight, int age) {
    counters.pointsInFlight.add(-flight.job.points);
    settlement.failed(flight.job, flight.source, new UnansweredException(age));
    flights.remove(flight);
  }

  /** Writes without an answer, overdue ones included. */
  int size() {
    return flights.size();
  }
}
