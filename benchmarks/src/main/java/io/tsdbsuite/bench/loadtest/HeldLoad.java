package io.tsdbsuite.bench.loadtest;

import io.tsdbsuite.bench.load.Protocol;
import java.io.IOException;
import java.time.Duration;
import java.util.List;

/**
 * A load at a constant rate below the capacity of the machine, with a TTL in which the plugin's
 * writes become due. Each compared TSD runs passes alternately with its work for each point off and
 * on: in one JVM, so that the compiler's decisions are the same. A pass lasts one TTL, so each
 * series' write becomes due once in it.
 */
final class HeldLoad {
  /** Passes of each compared set-up, off and on. */
  static final int PASSES = 8;

  /** TTL: the time in which the load sends one hour of points at an interval of 15 seconds. */
  static final int TTL_SECONDS = 8;

  private static final Duration LENGTH = Duration.ofSeconds(TTL_SECONDS);
  private static final Duration SLEEP = LENGTH.dividedBy(LoadTest.HOUR);

  /** Unmeasured start of a pass: the writes that became due during the other TSDs' passes. */
  private static final Duration SETTLE = Duration.ofSeconds(3);

  private static final int WARM_UPS = 6;

  /** Share of the full load for a set-up with one call to HBase per point. */
  private static final double TRACKING_SHARE = 1 / 2.0;

  private static final double INCREMENTING_SHARE = 1 / 15.0;

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

  /** All set-ups; each has a new TSD and new tables. */
  static List<Setup> setups() {
    return List.of(
        Setup.OFF.as("off-held", Setup.OFF.share()),
        Setup.TRACKING.as("tracking-held", TRACKING_SHARE),
        Setup.trackingPlugin("tracking-plugin-held", TTL_SECONDS),
        Setup.INCREMENTING.as("incrementing-held", INCREMENTING_SHARE),
        Setup.incrementingPlugin("incrementing-plugin-held", TTL_SECONDS));
  }

  /** Starts the stock set-ups, stops all others, and measures each once. */
  List<Rounds> measureStock(List<Setup> setups) throws IOException {
    List<Rounds> all =
        setups.stream().filter(setup -> !setup.isCompared()).map(Rounds::new).toList();
    servers.run(all.stream().map(Rounds::setup).toList());
    for (Rounds one : all) {
      warmUp(one.setup(), 0);
      pass(one, "pass 1");
    }
    return all;
  }

  /**
   * Starts the other set-ups, stops all others, and measures. The one that is always off is the
   * control: its two passes differ by chance alone.
   */
  List<Pair> measure(List<Setup> setups) throws IOException {
    List<Pair> all = setups.stream().filter(Setup::isCompared).map(Pair::of).toList();
    servers.run(all.stream().map(Pair::setup).toList());
    for (int time = 0; time < WARM_UPS; time++) {
      for (Pair one : Turns.of(all, time)) {
        driver.turn(one.setup(), time % 2 != 0);
        warmUp(one.setup(), time);
      }
    }
    for (int time = 0; time < Math.max(1, PASSES * scale); time++) {
      // All of them off, then all on: what an incrementing TSD writes after it was switched off
      // is over when its own turn comes.
      for (boolean on : Turns.of(List.of(false, true), time)) {
        for (Pair one : all) {
          driver.turn(one.setup(), on);
        }
        for (Pair one : all) {
          pass(on ? one.on() : one.off(), "pass " + (time + 1) + (on ? " on" : " off"));
        }
      }
    }
    return all;
  }

  private void warmUp(Setup setup, int time) throws IOException {
    long rounds = Math.max(1, (long) (LoadTest.HOUR * scale * setup.share()));
    Sample sample = driver.drive(setup, Protocol.TELNET, rounds);
    LoadTest.print("warm-up " + (time + 1), Protocol.TELNET, setup, sample);
  }

  private void pass(Rounds one, String name) throws IOException {
    Duration sleep = Duration.ofNanos((long) (SLEEP.toNanos() / one.setup().share()));
    Sample sample = driver.hold(one.setup(), Protocol.TELNET, sleep, SETTLE, LENGTH);
    LoadTest.print(name, Protocol.TELNET, one.setup(), sample);
    one.add(sample);
  }
}
