package io.tsdbsuite.bench.loadtest;

import io.tsdbsuite.bench.load.Protocol;
import io.tsdbsuite.bench.measure.Report;
import io.tsdbsuite.bench.measure.Samples;
import io.tsdbsuite.bench.measure.Suite;
import io.tsdbsuite.bench.measure.Trial;
import io.tsdbsuite.bench.measure.Way;
import io.tsdbsuite.synthetic.round.RoundShape;
import java.io.IOException;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/**
 * {@code make load-test}: what tracking and counting cost a TSD, as fast as it goes and under a
 * held load.
 *
 * <p>The held load sends a round of points on schedule. Set-ups with the plugin, and one that is
 * always off, are each compared with itself: its work for each point is switched off and on by
 * turns. The one that is always off is the control: its two sides differ by chance alone.
 */
public final class LoadTest implements Suite {
  private static final int ROUNDS = 6;
  private static final int WARM_UPS = 2;
  private static final RoundShape SHAPE = new RoundShape(20, 2, 10);

  /** Rounds of an hour at an interval of 15 seconds: the plugin writes once per series in it. */
  private static final int HOUR = 240;

  private static final int HOUR_SECONDS = 3600;

  /** Passes of each compared set-up of the held load, off and on. */
  private static final int PASSES = 8;

  private static final int HELD_WARM_UPS = 6;

  /** TTL: the time in which the held load sends one hour of points at an interval of 15 seconds. */
  private static final int TTL_SECONDS = 8;

  private static final Duration LENGTH = Duration.ofSeconds(TTL_SECONDS);

  /** Unmeasured start of a pass: the writes that became due during the other TSDs' passes. */
  private static final Duration SETTLE = Duration.ofSeconds(3);

  private final List<Setup> peaks =
      List.of(
          Setup.OFF,
          Setup.TRACKING,
          Setup.trackingPlugin("tracking-plugin", HOUR_SECONDS),
          Setup.INCREMENTING,
          Setup.incrementingPlugin("incrementing-plugin", HOUR_SECONDS));

  /** Those of the held load have new TSDs and tables. */
  private final List<Setup> held =
      List.of(
          Setup.OFF.as("off-held", 1),
          // Shares of the full load that they can take.
          Setup.TRACKING.as("tracking-held", 1 / 2.0),
          Setup.trackingPlugin("tracking-plugin-held", TTL_SECONDS),
          Setup.INCREMENTING.as("incrementing-held", 1 / 15.0),
          Setup.incrementingPlugin("incrementing-plugin-held", TTL_SECONDS));

  @Override
  public String question() {
    return "What do tracking and counting of series cost a TSD? 0 rounds: only the held load.";
  }

  @Override
  public String peer() {
    return "OpenTSDB's own tracking and incrementing, and a TSD without both";
  }

  @Override
  public String command(String name) {
    return "make load-test";
  }

  /** The set-ups that are compared with off. */
  @Override
  public List<String> parts() {
    return peaks.stream().filter(setup -> !setup.isOff()).map(Setup::id).toList();
  }

  @Override
  public List<String> numbers() {
    return List.of("SCALE", "ROUNDS");
  }

  @Override
  public void run(Trial trial, Report report) throws IOException, InterruptedException {
    int rounds = (int) trial.second(ROUNDS);
    report.fact("HBase 2.6.4, TSD 2.4.1 and the generator share the machine");
    report.fact(
        "METRICS=%d TAGKS=%d TAGVS=%d: %,d series",
        SHAPE.metrics(), SHAPE.tagks(), SHAPE.tagvs(), SHAPE.series());
    report.fact("As fast as it goes: medians of %d rounds. Held: medians of the passes", rounds);
    Set<Setup> driven = new LinkedHashSet<>();
    try (LoadServers servers = new LoadServers(Trial.jar("tsuid-ratelimiter", "tsd"))) {
      Driver driver = new Driver(servers, SHAPE);
      if (rounds > 0) {
        List<Setup> setups = chosen(peaks, trial);
        servers.run(setups);
        driven.addAll(setups);
        for (Protocol protocol : Protocol.values()) {
          peak(driver, protocol, setups, trial.scale(), rounds, report);
        }
      }
      List<Setup> setups = chosen(held, trial);
      driven.addAll(setups);
      held(servers, driver, setups, trial.scale(), report);
      counts(servers, driver, driven, report);
    }
  }

  private static List<Setup> chosen(List<Setup> setups, Trial trial) {
    return setups.stream()
        .filter(setup -> setup.isOff() || trial.parts().contains(setup.id().replace("-held", "")))
        .toList();
  }

  private static void peak(
      Driver driver, Protocol protocol, List<Setup> setups, double scale, int rounds, Report report)
      throws IOException, InterruptedException {
    List<Samples<Sample>> all =
        Samples.of(
            WARM_UPS,
            rounds,
            setups.stream()
                .map(
                    setup ->
                        new Way<>(
                            setup.name(),
                            () -> driver.drive(setup, protocol, rounds(setup, scale))))
                .toList());
    report.table(
        ("As fast as it goes, %s | Points per second | Slowest..fastest round | TSD CPU s"
                + " per million | TSD CPU over off | HBase CPU s per million | Writes per point:"
                + " tsdb | tsdb-meta | Reads of tsdb-meta per point | Failed points")
            .formatted(protocol.name().toLowerCase(Locale.ROOT)));
    for (Samples<Sample> one : all) {
      report.row(
          "%s | %,.0f | %s | %.2f | %s | %.1f | %.3f | %s | %s | %,.0f",
          one.name(),
          one.median(Sample::rate),
          one.range(Sample::rate),
          one.median(Sample::tsdPerMillion),
          one.over(all.get(0), Sample::tsdPerMillion),
          one.median(Sample::hbasePerMillion),
          one.median(Sample::dataWrites),
          perPoint(one.median(Sample::metaWrites)),
          perPoint(one.median(Sample::metaReads)),
          one.sum(Sample::failed));
    }
  }

  private static long rounds(Setup setup, double scale) {
    return Math.max(1, (long) (HOUR * scale * setup.share()));
  }

  private static void held(
      LoadServers servers, Driver driver, List<Setup> setups, double scale, Report report)
      throws IOException {
    // The stock set-ups cannot take the rate, are not compared, and are measured once.
    List<Setup> stock = setups.stream().filter(setup -> !setup.isCompared()).toList();
    List<Setup> compared = setups.stream().filter(Setup::isCompared).toList();
    Map<Setup, Samples<Sample>> alone = new LinkedHashMap<>();
    servers.run(stock);
    for (Setup setup : stock) {
      warmUp(driver, setup, scale, 0);
      pass(driver, setup, alone.computeIfAbsent(setup, one -> new Samples<>(one.name())));
    }
    Map<Setup, Samples<Sample>> off = new LinkedHashMap<>();
    Map<Setup, Samples<Sample>> on = new LinkedHashMap<>();
    servers.run(compared);
    for (int time = 0; time < HELD_WARM_UPS; time++) {
      for (Setup setup : Samples.turned(compared, time)) {
        driver.turn(setup, time % 2 != 0);
        warmUp(driver, setup, scale, time);
      }
    }
    for (int time = 0; time < Math.max(1, PASSES * scale); time++) {
      // All of them off, then all on: what an incrementing TSD writes after it was switched off
      // is over when its own turn comes.
      for (boolean turned : Samples.turned(List.of(false, true), time)) {
        for (Setup setup : compared) {
          driver.turn(setup, turned);
        }
        for (Setup setup : compared) {
          pass(
              driver,
              setup,
              (turned ? on : off)
                  .computeIfAbsent(setup, one -> new Samples<>(one.name() + side(one, turned))));
        }
      }
    }
    report.table(
        "Held, telnet, ttl_seconds="
            + TTL_SECONDS
            + " | Passes | Points per second | TSD CPU s per million | TSD CPU over off, by pass |"
            + " All passes together | HBase CPU s per million | Writes per point: tsdb | tsdb-meta"
            + " | Points per write to tsdb-meta | Busiest second over mean | Failed points");
    for (Setup setup : compared) {
      Samples<Sample> without = off.get(setup);
      Samples<Sample> with = on.get(setup);
      if (without != null && with != null) {
        row(report, without, "-", "-");
        row(
            report,
            with,
            with.over(without, Sample::tsdPerMillion),
            Report.thousandths(tsdPerPoint(with) / tsdPerPoint(without)));
      }
    }
    alone.values().forEach(one -> row(report, one, "-", "-"));
  }

  private static String side(Setup setup, boolean on) {
    if (setup.isOff()) {
      return on ? ", again" : "";
    }
    return on ? "" : ", switched off";
  }

  private static void warmUp(Driver driver, Setup setup, double scale, int time)
      throws IOException {
    Sample sample = driver.drive(setup, Protocol.TELNET, rounds(setup, scale));
    System.out.println("warm-up " + (time + 1) + " " + setup.name() + " " + sample);
  }

  private static void pass(Driver driver, Setup setup, Samples<Sample> samples) throws IOException {
    Duration sleep = Duration.ofNanos((long) (LENGTH.toNanos() / (HOUR * setup.share())));
    Sample sample = driver.hold(setup, Protocol.TELNET, sleep, SETTLE, LENGTH);
    samples.all().add(sample);
    System.out.println("pass " + samples.all().size() + " " + samples.name() + " " + sample);
  }

  /** CPU of the TSD per point, over all rounds, seconds. */
  static double tsdPerPoint(Samples<Sample> one) {
    return one.sum(Sample::tsdCpu) / one.sum(Sample::points);
  }

  private static void row(Report report, Samples<Sample> one, String byPass, String together) {
    double writes = one.median(Sample::metaWrites);
    report.row(
        "%s | %d | %,.0f | %.2f | %s | %s | %.1f | %.3f | %s | %s | %s | %,.0f",
        one.name(),
        one.all().size(),
        one.median(Sample::rate),
        one.median(Sample::tsdPerMillion),
        byPass,
        together,
        one.median(Sample::hbasePerMillion),
        one.median(Sample::dataWrites),
        perPoint(writes),
        writes == 0 ? "-" : Report.tenths(1 / writes),
        writes == 0 ? "-" : Report.times(one.median(Sample::busiest)),
        one.sum(Sample::failed));
  }

  private static String perPoint(double value) {
    return value == 0 ? "0" : String.format(Locale.ROOT, value < 0.1 ? "%.5f" : "%.3f", value);
  }

  /** Compares counters with points, after the TSDs have stopped and written pending counts. */
  private static void counts(LoadServers servers, Driver driver, Set<Setup> driven, Report report)
      throws IOException {
    servers.run(List.of());
    List<Setup> counting = driven.stream().filter(Setup::counts).toList();
    if (!counting.isEmpty()) {
      report.table(
          "Counters after the TSDs have stopped | Points written | Sum of ts_ctr | Difference");
    }
    for (Setup setup : counting) {
      long points = driver.points(setup);
      long counted = servers.counted(setup);
      report.row(
          "%s, %s | %,d | %,d | %,d", setup.name(), setup.id(), points, counted, counted - points);
    }
  }
}
