package io.tsdbsuite.bench.loadtest;

import com.fasterxml.jackson.databind.JsonNode;
import io.tsdbsuite.bench.load.Books.Totals;
import io.tsdbsuite.bench.load.LoadGenerator;
import io.tsdbsuite.bench.load.LoadPlan;
import io.tsdbsuite.bench.load.Protocol;
import io.tsdbsuite.bench.load.Schedule;
import io.tsdbsuite.bench.load.Ticks;
import io.tsdbsuite.bench.load.TsdAddress;
import io.tsdbsuite.bench.loadtest.Sample.Requests;
import io.tsdbsuite.synthetic.round.RoundShape;
import io.tsdbsuite.testkit.Await;
import java.io.IOException;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Runs the load generator against one TSD at a time; the timestamps of each load continue the
 * timestamps of the previous one.
 */
final class Driver {
  private static final Duration PATIENCE = Duration.ofMinutes(3);
  private static final Duration SECOND = Duration.ofSeconds(1);
  private static final int CONNECTIONS = 2;
  private static final int BATCH = 50;
  private static final long START_MILLIS = 1_763_510_400_000L;

  /** Interval of a series' points: a usual interval of collectors. */
  private static final long STEP_MILLIS = 15_000;

  /** Longer than asynchbase's delay before a retry. */
  private static final long STALLED_NANOS = 5_000_000_000L;

  private final LoadServers servers;
  private final RoundShape shape;
  private final Map<Setup, Long> roundsSent = new HashMap<>();
  private final Map<Setup, Long> pointsSent = new HashMap<>();
  private final Set<Setup> off = new HashSet<>();

  Driver(LoadServers servers, RoundShape shape) {
    this.servers = servers;
    this.shape = shape;
  }

  /** Switches the work of a set-up for each point off, or on again. */
  void turn(Setup setup, boolean on) {
    servers.turn(setup, on);
    if (on) {
      off.remove(setup);
    } else {
      off.add(setup);
    }
  }

  /** Number of points sent to a set-up so far while it was on. */
  long points(Setup setup) {
    return pointsSent.getOrDefault(setup, 0L);
  }

  /** Sends rounds as fast as possible, and measures until HBase has answered every call. */
  Sample drive(Setup setup, Protocol protocol, long rounds) throws IOException {
    Sample before = Sample.now(servers, setup);
    LoadGenerator generator = start(setup, protocol, rounds, Duration.ZERO);
    long points = end(setup, before, generator);
    awaitCalls(setup, before, points);
    Sample sample = Sample.now(servers, setup).since(before, 0);
    servers.flush(setup);
    return sample;
  }

  /**
   * Sends rounds on schedule, and measures a part of the load.
   *
   * @param sleep between the starts of two rounds
   * @param settle unmeasured time at the start
   * @param length measured time
   */
  Sample hold(Setup setup, Protocol protocol, Duration sleep, Duration settle, Duration length)
      throws IOException {
    // More rounds than needed, so that the load outlasts the measured time.
    long rounds = settle.plus(length).plus(SECOND).dividedBy(sleep) + 1;
    Sample first = Sample.now(servers, setup);
    LoadGenerator generator = start(setup, protocol, rounds, sleep);
    await(generator, first.seconds() + settle.toMillis() / 1e3);
    Sample before = Sample.now(servers, setup);
    Busiest busiest = new Busiest(before.meta().writes());
    for (long second = 1; second <= length.toSeconds(); second++) {
      await(generator, before.seconds() + second);
      busiest.second(metaWrites(setup));
    }
    Sample sample = Sample.now(servers, setup).since(before, busiest.overMean());
    long unused = end(setup, first, generator);
    servers.flush(setup);
    return sample;
  }

  /** Waits until a time, seconds on the scale of {@link Sample#seconds} until now. */
  private static void await(LoadGenerator generator, double until) {
    for (double left = until - System.nanoTime() / 1e9;
        left > 0;
        left = until - System.nanoTime() / 1e9) {
      boolean unused = ended(generator, Duration.ofNanos((long) (left * 1e9)));
    }
  }

  private long metaWrites(Setup setup) throws IOException {
    return Requests.of(servers.hbase().connection(), setup.metaTable()).writes();
  }

  private LoadGenerator start(Setup setup, Protocol protocol, long rounds, Duration sleep)
      throws IOException {
    long before = roundsSent.merge(setup, rounds, Long::sum) - rounds;
    return LoadGenerator.start(
        new LoadPlan(
            shape,
            new Schedule(START_MILLIS + before * STEP_MILLIS, STEP_MILLIS, sleep.toNanos()),
            protocol,
            List.of(new TsdAddress("127.0.0.1", servers.tsd(setup).port())),
            CONNECTIONS,
            BATCH,
            rounds,
            LoadPlan.UNLIMITED),
        Ticks.SYSTEM);
  }

  /** Waits for the end of a load and returns the number of sent points. */
  private long end(Setup setup, Sample before, LoadGenerator generator) {
    Await.until(setup.name() + " to take all points", PATIENCE, () -> ended(generator, SECOND));
    Totals totals = generator.books().totals();
    if (generator.lostConnections() > 0 || !totals.closed()) {
      throw new IllegalStateException(totals + ": " + generator.books().reasons());
    }
    if (!off.contains(setup)) {
      pointsSent.merge(setup, totals.sent(), Long::sum);
    }
    Await.until(
        setup.name() + " to store all points",
        PATIENCE,
        () -> {
          JsonNode now = servers.counts(setup);
          long done = now.path("stored").asLong() + now.path("failed").asLong();
          return done - before.points() >= totals.sent() && now.path("open").asLong() == 0;
        });
    return totals.sent();
  }

  /**
   * Increments that a full call queue of HBase rejected wait for their retry and appear in no
   * counter. A load of increments therefore ends with the last write, or when no counter moves any
   * more.
   */
  private void awaitCalls(Setup setup, Sample before, long points) throws IOException {
    if (!setup.callsForEachPoint()) {
      return;
    }
    long[] last = {metaWrites(setup), System.nanoTime()};
    Await.until(
        setup.name() + " to count all points",
        PATIENCE,
        () -> {
          long now = metaWrites(setup);
          if (now > last[0]) {
            last[0] = now;
            last[1] = System.nanoTime();
          }
          return now - before.meta().writes() >= points
              || System.nanoTime() - last[1] > STALLED_NANOS;
        });
  }

  private static boolean ended(LoadGenerator generator, Duration atMost) {
    try {
      return generator.await(atMost);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted", e);
    }
  }
}
