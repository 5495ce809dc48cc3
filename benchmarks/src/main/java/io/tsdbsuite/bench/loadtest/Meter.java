package io.tsdbsuite.bench.loadtest;

import com.fasterxml.jackson.databind.JsonNode;
import io.tsdbsuite.bench.loadtest.Sample.Requests;
import io.tsdbsuite.bench.measure.CpuClock;
import io.tsdbsuite.testkit.TsdServer;
import java.io.IOException;

/** Measures a set-up from the creation of this object. */
final class Meter {
  private final LoadServers servers;
  private final Setup setup;
  private final TsdServer tsd;
  private final long storedBefore;
  private final long failedBefore;
  private final Requests dataBefore;
  private final Requests metaBefore;
  private final Busiest busiest;
  private final CpuClock tsdClock;
  private final CpuClock hbaseClock;
  private final CpuClock clientClock;
  private final long started;

  Meter(LoadServers servers, Setup setup) throws IOException {
    this.servers = servers;
    this.setup = setup;
    this.tsd = servers.tsd(setup);
    JsonNode counts = counts();
    storedBefore = counts.path("stored").asLong();
    failedBefore = counts.path("failed").asLong();
    dataBefore = servers.requests(setup.dataTable());
    metaBefore = servers.requests(setup.metaTable());
    busiest = new Busiest(metaBefore.writes());
    tsdClock = CpuClock.of(tsd.pid());
    hbaseClock = CpuClock.of(servers.hbasePid());
    clientClock = CpuClock.of(ProcessHandle.current().pid());
    started = System.nanoTime();
  }

  private JsonNode counts() {
    return tsd.client().get("plugin/stored");
  }

  /** Seconds so far. */
  double seconds() {
    return (System.nanoTime() - started) / 1e9;
  }

  /** Samples the writes; to be called once a second. */
  void second() throws IOException {
    busiest.second(servers.requests(setup.metaTable()).writes());
  }

  /** Writes to the meta table so far. */
  long metaWrites() throws IOException {
    return servers.requests(setup.metaTable()).writes() - metaBefore.writes();
  }

  /** Whether this many points are stored or have failed, and no call to HBase is open. */
  boolean isDone(long points) {
    JsonNode counts = counts();
    return done(counts) >= points && counts.path("open").asLong() == 0;
  }

  private long done(JsonNode counts) {
    return counts.path("stored").asLong()
        - storedBefore
        + counts.path("failed").asLong()
        - failedBefore;
  }

  /** The sample, for the points stored or failed so far. */
  Sample sample() throws IOException {
    double seconds = seconds();
    JsonNode counts = counts();
    return new Sample(
        done(counts),
        counts.path("failed").asLong() - failedBefore,
        seconds,
        tsdClock.seconds(),
        hbaseClock.seconds(),
        clientClock.seconds(),
        servers.requests(setup.dataTable()).minus(dataBefore),
        servers.requests(setup.metaTable()).minus(metaBefore),
        busiest.overMean());
  }
}
