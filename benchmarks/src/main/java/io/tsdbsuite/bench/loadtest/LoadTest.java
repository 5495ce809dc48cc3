package io.tsdbsuite.bench.loadtest;

import io.tsdbsuite.bench.MarkedSection;
import io.tsdbsuite.bench.load.Protocol;
import io.tsdbsuite.synthetic.round.RoundShape;
import java.io.IOException;
import java.nio.file.Path;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/** Measures all set-ups, prints the tables and writes them between the marks of a document. */
public final class LoadTest {
  private static final int USAGE = 2;
  private static final int ROUNDS = 6;
  private static final int WARM_UPS = 2;
  private static final RoundShape SHAPE = new RoundShape(20, 2, 10);

  /** Rounds of an hour at an interval of 15 seconds: the plugin writes once per series in it. */
  static final int HOUR = 240;

  private static final int HOUR_SECONDS = 3600;

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
   * Arguments: the document and the jar of tsuid-ratelimiter. Two more make a trial, which does not
   * write the document: the share of the full load and the rounds. Without rounds the trial runs
   * only the held load.
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
      if (rounds > 0) {
        test.peaks(report);
      }
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
            List.of(
                Setup.OFF,
                Setup.TRACKING,
                Setup.trackingPlugin("tracking-plugin", HOUR_SECONDS),
                Setup.INCREMENTING,
                Setup.incrementingPlugin("incrementing-plugin", HOUR_SECONDS)));
    servers.run(setups);
    driven.addAll(setups);
    for (Protocol protocol : Protocol.values()) {
      report.peak(protocol, inTurns(setups, protocol));
    }
  }

  private List<Setup> chosen(List<Setup> setups) {
    return setups.stream()
        .filter(
            setup ->
                names.isEmpty() || setup.isOff() || names.contains(setup.id().replace("-held", "")))
        .toList();
  }

  /** Warms up, then measures in alternating order. */
  private List<Rounds> inTurns(List<Setup> setups, Protocol protocol) throws IOException {
    List<Rounds> all = setups.stream().map(Rounds::new).toList();
    for (int time = -WARM_UPS; time < rounds; time++) {
      for (Rounds ofSetup : Turns.of(all, time)) {
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

  private void held(LoadReport report) throws IOException {
    List<Setup> setups = chosen(HeldLoad.setups());
    driven.addAll(setups);
    HeldLoad load = new HeldLoad(servers, driver, scale);
    List<Rounds> stock = load.measureStock(setups);
    report.held(HeldLoad.TTL_SECONDS, load.measure(setups), stock);
  }

  /** Compares counters with points, after the TSDs have stopped and written pending counts. */
  private void counts(LoadReport report) throws IOException {
    servers.run(List.of());
    for (Setup setup : driven) {
      if (setup.counts()) {
        report.counts(setup, driver.points(setup), servers.counted(setup));
      }
    }
  }

  static void print(String round, Protocol protocol, Setup setup, Sample sample) {
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
