package io.tsdbsuite.bench.loadtest;

import io.tsdbsuite.bench.MarkedSection;
import io.tsdbsuite.bench.load.LoadShape;
import io.tsdbsuite.bench.load.Protocol;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Stream;

/** Measures all set-ups, prints the tables and puts them between the marks of a document. */
public final class LoadTest {
  private static final int USAGE = 2;
  private static final int ROUNDS = 6;
  private static final int WARM_UPS = 2;
  private static final LoadShape SHAPE = new LoadShape(20, 2, 10);

  /** An hour at an interval of 15 seconds: what the plugin turns into one write per series. */
  private static final int HOUR = 240;

  private static final int HOUR_SECONDS = 3600;

  /** Between two rounds of the held load, which is an hour in 12 seconds. */
  private static final Duration SLEEP = Duration.ofMillis(50);

  private static final int SHORT_TTL_SECONDS = (int) (SLEEP.toMillis() * HOUR / 1000);
  private static final Duration SETTLE = Duration.ofSeconds(SHORT_TTL_SECONDS + 3);
  private static final Duration LENGTH = Duration.ofSeconds(2L * SHORT_TTL_SECONDS);

  private final Driver driver;
  private final LoadServers servers;
  private final double scale;
  private final int rounds;
  private final List<String> names;
  private final Set<Setup> driven = new LinkedHashSet<>();

  private LoadTest(LoadServers servers, double scale, int rounds, List<String> names) {
    this.servers = servers;
    this.driver = new Driver(servers, SHAPE);
    this.scale = scale;
    this.rounds = rounds;
    this.names = names;
  }

  /**
   * Takes the document and the jar of tsuid-ratelimiter; for a trial, which writes nothing, also
   * the share of the full load and the rounds.
   */
  public static void main(String[] args) throws IOException {
    if (args.length < 2 || args.length == 3) {
      System.err.println(
          "load-test: arguments are DOCUMENT JAR [SCALE ROUNDS [SETUP...]], found " + args.length);
      System.exit(USAGE);
    }
    boolean trial = args.length > 2;
    MarkedSection section = new MarkedSection(Path.of(args[0]), "make load-test");
    double scale = trial ? Double.parseDouble(args[2]) : 1;
    int rounds = trial ? Integer.parseInt(args[3]) : ROUNDS;
    LoadReport report = new LoadReport(SHAPE, rounds);
    try (LoadServers servers = new LoadServers(Path.of(args[1]))) {
      LoadTest test =
          new LoadTest(servers, scale, rounds, List.of(args).subList(trial ? 4 : 2, args.length));
      test.peaks(report);
      test.held(report);
      test.counts(report);
    }
    System.out.println("\n" + report.markdown());
    if (!trial) {
      section.write(report.markdown());
    }
  }

  private void peaks(LoadReport report) throws IOException {
    List<Setup> setups =
        chosen(
            Setup.OFF,
            Setup.TRACKING,
            Setup.trackingPlugin("tracking-plugin", HOUR_SECONDS),
            Setup.INCREMENTING,
            Setup.incrementingPlugin("incrementing-plugin", HOUR_SECONDS));
    servers.run(setups);
    driven.addAll(setups);
    for (Protocol protocol : Protocol.values()) {
      report.peak(protocol, inTurns(setups, protocol));
    }
  }

  private List<Setup> chosen(Setup... setups) {
    return Stream.of(setups)
        .filter(
            setup ->
                names.isEmpty()
                    || setup.equals(Setup.OFF)
                    || names.contains(setup.id().replace("-short", "")))
        .toList();
  }

  /** Warms up, then measures, the order turned round each time. */
  private List<Rounds> inTurns(List<Setup> setups, Protocol protocol) throws IOException {
    List<Rounds> all = setups.stream().map(Rounds::new).toList();
    for (int time = -WARM_UPS; time < rounds; time++) {
      for (int i = 0; i < all.size(); i++) {
        Rounds ofSetup = all.get(time % 2 == 0 ? i : all.size() - 1 - i);
        long sent = Math.max(1, (long) (HOUR * scale * ofSetup.setup().share()));
        Sample sample = driver.drive(ofSetup.setup(), protocol, sent);
        print(time < 0 ? "warm-up" : "round " + (time + 1), protocol, ofSetup.setup(), sample);
        if (time >= 0) {
          ofSetup.add(sample);
        }
      }
    }
    return all;
  }

  /** The same load for all, held long enough for the plugin's writes to fall due. */
  private void held(LoadReport report) throws IOException {
    List<Setup> setups =
        chosen(
            Setup.OFF,
            Setup.TRACKING,
            Setup.trackingPlugin("tracking-plugin-short", SHORT_TTL_SECONDS),
            Setup.INCREMENTING,
            Setup.incrementingPlugin("incrementing-plugin-short", SHORT_TTL_SECONDS));
    servers.run(setups);
    driven.addAll(setups);
    List<Rounds> all = new ArrayList<>();
    for (Setup setup : setups) {
      if (setup.hasPlugin()) {
        // The others have been at it for long; a young compiler costs as much as the plugin.
        for (int time = 0; time < WARM_UPS; time++) {
          driver.drive(setup, Protocol.TELNET, (long) (HOUR * scale));
        }
      }
      Duration sleep = Duration.ofNanos((long) (SLEEP.toNanos() / setup.share()));
      Sample sample = driver.hold(setup, Protocol.TELNET, sleep, SETTLE, LENGTH);
      print("held", Protocol.TELNET, setup, sample);
      Rounds once = new Rounds(setup);
      once.add(sample);
      all.add(once);
    }
    report.held(SHORT_TTL_SECONDS, all);
  }

  /** Counters against points, once the TSDs have stopped and written what they held back. */
  private void counts(LoadReport report) throws IOException {
    servers.run(List.of());
    for (Setup setup : driven) {
      if (setup.counts()) {
        report.counts(setup, driver.points(setup), servers.counted(setup));
      }
    }
  }

  private static void print(String round, Protocol protocol, Setup setup, Sample sample) {
    System.out.printf(
        Locale.ROOT,
        "%s %-6s %-22s %9.0f per second, CPU us per point of TSD %.2f, HBase %.2f, client %.2f; per"
            + " point %.4f writes to tsdb, %.5f writes and %.5f reads of tsdb-meta; %d failed%n",
        round,
        protocol,
        setup.name(),
        sample.rate(),
        sample.tsdPerMillion(),
        sample.hbasePerMillion(),
        sample.clientPerMillion(),
        sample.dataWrites(),
        sample.metaWrites(),
        sample.metaReads(),
        sample.failed());
  }
}
