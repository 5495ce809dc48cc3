package io.tsdbsuite.bench.ingest;

import io.tsdbsuite.bench.measure.CpuClock;
import io.tsdbsuite.bench.measure.Median;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.ToDoubleFunction;
import org.jspecify.annotations.Nullable;

/** Compares implementations that store the same data, in alternating order. */
final class Contest {
  private static final long PATIENCE_NANOS = TimeUnit.MINUTES.toNanos(10);
  private static final long POLL_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

  private final Servers servers;
  private final long units;
  private final List<Way> ways;
  private final List<List<Round>> rounds = new ArrayList<>();
  private @Nullable RegionServerMetrics metrics;

  /**
   * Prepares a comparison.
   *
   * @param units number of units that each implementation stores per round
   */
  Contest(Servers servers, long units, List<Way> ways) {
    this.servers = servers;
    this.units = units;
    this.ways = ways;
    ways.forEach(way -> rounds.add(new ArrayList<>()));
  }

  /** Counts the RPCs of each round too, which takes up to ten seconds more for a round. */
  Contest counting(RegionServerMetrics regionServer) {
    metrics = regionServer;
    return this;
  }

  /** Warms up, then measures in alternating order. */
  Contest run(int times) throws IOException {
    for (int time = -1; time < times; time++) {
      for (int i = 0; i < ways.size(); i++) {
        int way = time % 2 == 0 ? i : ways.size() - 1 - i;
        Round round = round(ways.get(way));
        System.out.printf(
            Locale.ROOT,
            "%s %-55s %9.0f per second, CPU s of TSD %.1f, HBase %.1f, Kafka %.1f, client %.1f%n",
            time < 0 ? "warm-up" : "round " + (time + 1),
            ways.get(way).name(),
            units / round.seconds(),
            round.tsdCpu(),
            round.hbaseCpu(),
            round.kafkaCpu(),
            round.clientCpu());
        if (time >= 0) {
          rounds.get(way).add(round);
        }
      }
    }
    return this;
  }

  private Round round(Way way) throws IOException {
    way.prepare();
    servers.flush();
    CpuClock tsd = CpuClock.of(way.tsd().pid());
    CpuClock hbase = CpuClock.of(servers.stack().hbase().pid());
    CpuClock kafka = CpuClock.of(servers.stack().kafka().pid());
    CpuClock client = CpuClock.of(ProcessHandle.current().pid());
    long started = System.nanoTime();
    way.start();
    while (!way.isDone()) {
      if (System.nanoTime() - started > PATIENCE_NANOS) {
        throw new IllegalStateException(way.name() + " did not end in time");
      }
      // Precise enough for rounds of ten seconds, without measurable load.
      LockSupport.parkNanos(POLL_NANOS);
    }
    double seconds = (System.nanoTime() - started) / 1e9;
    Round round =
        new Round(
            seconds,
            tsd.seconds(),
            hbase.seconds(),
            kafka.seconds(),
            client.seconds(),
            RegionServerCounts.NONE);
    way.stop();
    return metrics == null ? round : round.with(metrics.sinceLast());
  }

  int ways() {
    return ways.size();
  }

  String name(int way) {
    return ways.get(way).name();
  }

  /** Units per second, the median of all rounds. */
  double rate(int way) {
    return units / median(way, Round::seconds);
  }

  /** Units per second, the slowest and the fastest round. */
  String range(int way) {
    List<Double> sorted = sorted(way, Round::seconds);
    return String.format(
        Locale.ROOT, "%,.0f..%,.0f", units / sorted.get(sorted.size() - 1), units / sorted.get(0));
  }

  /** Seconds of CPU per million units, the median of all rounds. */
  double cpu(int way, ToDoubleFunction<Round> process) {
    return median(way, process) * 1e6 / units;
  }

  /** A count per thousand units, the median of all rounds. */
  double perThousand(int way, ToDoubleFunction<RegionServerCounts> count) {
    return median(way, round -> count.applyAsDouble(round.counts())) * 1e3 / units;
  }

  private double median(int way, ToDoubleFunction<Round> value) {
    return Median.of(sorted(way, value));
  }

  private List<Double> sorted(int way, ToDoubleFunction<Round> value) {
    return rounds.get(way).stream()
        .map(value::applyAsDouble)
        .sorted(Comparator.naturalOrder())
        .toList();
  }
}
