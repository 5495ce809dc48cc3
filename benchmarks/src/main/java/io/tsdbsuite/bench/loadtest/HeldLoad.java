package io.tsdbsuite.bench.loadtest;

import io.tsdbsuite.bench.load.Protocol;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;

/**
 * A load at a constant rate below the capacity of the machine, with a TTL in which the plugin's
 * writes become due. The compared TSDs start together, warm up equally and then run passes
 * alternately. A pass lasts one TTL, so each series' write becomes due once in it.
 */
final class HeldLoad {
  /** Passes of each compared set-up. */
  static final int PASSES = 8;

  /** TTL: the time in which the load sends one hour of points at an interval of 15 seconds. */
  static final int TTL_SECONDS = 8;

  private static final Duration LENGTH = Duration.ofSeconds(TTL_SECONDS);
  private static final Duration SLEEP = LENGTH.dividedBy(LoadTest.HOUR);

  /** Unmeasured start of a pass: the writes that became due during the other TSDs' passes. */
  private static final Duration SETTLE = Duration.ofSeconds(3);

  private static final int WARM_UPS = 5;

  /** Share of the full load for a set-up with one call to HBase per point. */
  private static final double TRACKING_SHARE = 1 / 2.0;

  private static final double INCREMENTING_SHARE = 1 / 15.0;

  /** A second TSD of the same set-up: its difference to the first is the noise. */
  private static final Setup CONTROL =
      new Setup("off-control", "off, a second TSD", Setup.OFF.keys(), Setup.OFF.share());

  private final LoadServers servers;
  private final Driver driver;
  private final double scale;

  /**
   * Creates a held load.
   *
   * @param scale share of the warm-up points and of the passes
   */
  HeldLoad(LoadServers servers, Driver driver, double scale) {
    this.servers = servers;
    this.driver = driver;
    this.scale = scale;
  }

  /** The compared set-ups; each has a new TSD and new tables. */
  static List<Setup> setups() {
    return List.of(
        Setup.OFF.as("off-held", Setup.OFF.share()),
        CONTROL,
        Setup.TRACKING.as("tracking-held", TRACKING_SHARE),
        Setup.trackingPlugin("tracking-plugin-held", TTL_SECONDS),
        Setup.INCREMENTING.as("incrementing-held", INCREMENTING_SHARE),
        Setup.incrementingPlugin("incrementing-plugin-held", TTL_SECONDS));
  }

  /**
   * Starts the TSDs, stops all others, and measures.
   *
   * @param setups the result of {@link #setups()}; the first is the reference
   */
  List<Rounds> measure(List<Setup> setups) throws IOException {
    servers.run(setups);
    List<Rounds> all = setups.stream().map(Rounds::new).toList();
    List<Rounds> stock = all.stream().filter(one -> !one.setup().isCompared()).toList();
    List<Rounds> compared = all.stream().filter(one -> one.setup().isCompared()).toList();
    for (Rounds one : stock) {
      warmUp(one.setup(), 0);
      pass(one, 1);
    }
    servers.run(compared.stream().map(Rounds::setup).toList());
    for (int time = 0; time < WARM_UPS; time++) {
      for (Rounds one : Turns.of(compared, time)) {
        warmUp(one.setup(), time);
      }
    }
    for (int time = 0; time < Math.max(1, PASSES * scale); time++) {
      for (Rounds one : Turns.of(compared, time)) {
        pass(one, time + 1);
      }
    }
    return Stream.concat(compared.stream(), stock.stream()).toList();
  }

  private void warmUp(Setup setup, int time) throws IOException {
    long rounds = Math.max(1, (long) (LoadTest.HOUR * scale * setup.share()));
    Sample sample = driver.drive(setup, Protocol.TELNET, rounds);
    LoadTest.print("warm-up " + (time + 1), Protocol.TELNET, setup, sample);
  }

  private void pass(Rounds one, int number) throws IOException {
    Duration sleep = Duration.ofNanos((long) (SLEEP.toNanos() / one.setup().share()));
    Sample sample = driver.hold(one.setup(), Protocol.TELNET, sleep, SETTLE, LENGTH);
    LoadTest.print("pass " + number, Protocol.TELNET, one.setup(), sample);
    one.add(sample);
  }
}
