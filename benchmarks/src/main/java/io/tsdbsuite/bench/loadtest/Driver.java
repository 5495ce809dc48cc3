package io.tsdbsuite.bench.loadtest;

import com.fasterxml.jackson.databind.JsonNode;
import io.tsdbsuite.bench.load.Books.Totals;
import io.tsdbsuite.bench.load.LoadGenerator;
import io.tsdbsuite.bench.load.LoadPlan;
import io.tsdbsuite.bench.load.LoadShape;
import io.tsdbsuite.bench.load.Protocol;
import io.tsdbsuite.bench.load.Schedule;
import io.tsdbsuite.bench.load.Ticks;
import io.tsdbsuite.bench.load.TsdAddress;
import io.tsdbsuite.bench.measure.CpuClock;
import io.tsdbsuite.testkit.Await;
import io.tsdbsuite.testkit.TsdServer;
import java.io.IOException;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Drives one TSD at a time with the load generator, and measures. */
final class Driver {
  private static final Duration PATIENCE = Duration.ofMinutes(3);
  private static final Duration SECOND = Duration.ofSeconds(1);
  private static final int CONNECTIONS = 2;
  private static final int BATCH = 50;
  private static final long START_MILLIS = 1_763_510_400_000L;

  /** The usual interval of collectors. */
  private static final long STEP_MILLIS = 15_000;

  private final LoadServers servers;
  private final LoadShape shape;
  private final Map<Setup, Long> roundsSent = new HashMap<>();

  Driver(LoadServers servers, LoadShape shape) {
    this.servers = servers;
    this.shape = shape;
  }

  /**
   * Sends rounds; each goes on in time where the last ended.
   *
   * @param sleep between the starts of two rounds; 0: as fast as it goes
   */
  Sample drive(Setup setup, Protocol protocol, long rounds, Duration sleep) throws IOException {
    TsdServer tsd = servers.tsd(setup);
    long sentBefore = roundsSent.merge(setup, rounds, Long::sum) - rounds;
    LoadPlan plan =
        new LoadPlan(
            shape,
            new Schedule(START_MILLIS + sentBefore * STEP_MILLIS, STEP_MILLIS, sleep.toNanos()),
            protocol,
            List.of(new TsdAddress("127.0.0.1", tsd.port())),
            CONNECTIONS,
            BATCH,
            rounds,
            LoadPlan.UNLIMITED);
    long storedBefore = count(tsd, "stored");
    long failedBefore = count(tsd, "failed");
    Requests dataBefore = servers.requests(setup.dataTable());
    Requests metaBefore = servers.requests(setup.metaTable());
    Busiest busiest = new Busiest(metaBefore.writes());
    CpuClock tsdClock = CpuClock.of(tsd.pid());
    CpuClock hbaseClock = CpuClock.of(servers.hbasePid());
    CpuClock clientClock = CpuClock.of(ProcessHandle.current().pid());
    long started = System.nanoTime();
    LoadGenerator generator = LoadGenerator.start(plan, Ticks.SYSTEM);
    while (!ended(generator)) {
      busiest.second(servers.requests(setup.metaTable()).writes());
    }
    long points = sent(generator);
    Await.until(
        setup.name() + " to store " + points + " points",
        PATIENCE,
        () -> {
          JsonNode counts = counts(tsd);
          long done =
              counts.path("stored").asLong()
                  - storedBefore
                  + counts.path("failed").asLong()
                  - failedBefore;
          return done >= points && counts.path("open").asLong() == 0;
        });
    double seconds = (System.nanoTime() - started) / 1e9;
    Requests meta = servers.requests(setup.metaTable()).minus(metaBefore);
    Sample sample =
        new Sample(
            points,
            count(tsd, "failed") - failedBefore,
            seconds,
            tsdClock.seconds(),
            hbaseClock.seconds(),
            clientClock.seconds(),
            servers.requests(setup.dataTable()).minus(dataBefore),
            meta,
            busiest.overMean());
    servers.flush(setup);
    return sample;
  }

  private static boolean ended(LoadGenerator generator) {
    try {
      return generator.await(SECOND);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted", e);
    }
  }

  private static long sent(LoadGenerator generator) {
    Totals totals = generator.books().totals();
    if (generator.lostConnections() > 0 || !totals.closed()) {
      throw new IllegalStateException(totals + ": " + generator.books().reasons());
    }
    return totals.sent();
  }

  private static long count(TsdServer tsd, String name) {
    return counts(tsd).path(name).asLong();
  }

  private static JsonNode counts(TsdServer tsd) {
    return tsd.client().get("plugin/stored");
  }
}
