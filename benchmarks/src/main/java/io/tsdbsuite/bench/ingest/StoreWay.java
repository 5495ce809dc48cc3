package io.tsdbsuite.bench.ingest;

import io.tsdbsuite.bench.measure.CpuClock;
import io.tsdbsuite.testkit.TsdServer;
import java.io.IOException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** An implementation that stores data in HBase. */
abstract class StoreWay {
  private static final long PATIENCE_NANOS = TimeUnit.MINUTES.toNanos(10);
  private static final long POLL_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

  private final Servers servers;
  private final TsdServer tsd;
  private final String name;

  /** Creates a way that stores through a TSD. */
  StoreWay(Servers servers, TsdServer tsd, String name) {
    this.servers = servers;
    this.tsd = tsd;
    this.name = name;
  }

  final String name() {
    return name;
  }

  final Servers servers() {
    return servers;
  }

  final TsdServer tsd() {
    return tsd;
  }

  /** Unmeasured preparation: sends messages to the topic or builds requests. */
  abstract void prepare();

  /** Starts a round; may return before its end. */
  abstract void start();

  /**
   * Whether HBase has acknowledged all data of the round.
   *
   * @throws IllegalStateException when a point failed
   */
  abstract boolean isDone();

  /** Ends a round. */
  abstract void stop();

  /**
   * Measures a round.
   *
   * @param units that the round stores
   */
  final Cost round(long units) throws IOException {
    prepare();
    servers.flush();
    CpuClock ofTsd = CpuClock.of(tsd.pid());
    CpuClock hbase = CpuClock.of(servers.stack().hbase().pid());
    CpuClock kafka = CpuClock.of(servers.stack().kafka().pid());
    CpuClock client = CpuClock.of(ProcessHandle.current().pid());
    long started = System.nanoTime();
    start();
    while (!isDone()) {
      if (System.nanoTime() - started > PATIENCE_NANOS) {
        throw new IllegalStateException(name + " did not end in time");
      }
      // Precise enough for rounds of ten seconds, without measurable load.
      LockSupport.parkNanos(POLL_NANOS);
    }
    double seconds = (System.nanoTime() - started) / 1e9;
    double[] cpu = {ofTsd.seconds(), hbase.seconds(), kafka.seconds(), client.seconds()};
    stop();
    return new Cost(units, seconds, cpu[0], cpu[1], cpu[2], cpu[3]);
  }
}
