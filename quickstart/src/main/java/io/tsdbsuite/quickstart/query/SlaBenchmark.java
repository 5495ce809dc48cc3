package io.tsdbsuite.quickstart.query;

import java.io.IOException;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.function.LongSupplier;

/**
 * Split queries of the last hours and days with one delaySla: compared with raw data, timed, and
 * the cells that they read counted.
 */
public final class SlaBenchmark {
  private static final int HOUR = 3600;
  private static final String INTERVAL = "1h";
  private static final Query SUM = new Query("1h-sum", "sum", List.of("sum"), false);
  private static final Query MAX = new Query("1h-max", "max", List.of("max"), true);
  private static final double NANOS_PER_MILLI = 1e6;

  /** A query that reads mostly raw points is slow, and compiled after a few runs. */
  private static final int SLOW_WARM_UPS = 3;

  private static final int SLOW_RUNS = 5;
  private static final int FAST_WARM_UPS = 40;
  private static final int FAST_RUNS = 15;

  private final QueryClient client;
  private final ScanCounter scans;
  private final byte[] metric;
  private final int series;
  private final long dataFrom;
  private final Clock clock;
  private final LongSupplier nanoTime;

  /**
   * @param client client of a TSD that splits
   * @param scans counts cells
   * @param metric UID of the metric
   * @param series number of its series
   * @param dataFrom first second with data, since the epoch, a whole hour
   * @param clock the clock that determines the split point
   * @param nanoTime a clock as {@link System#nanoTime}
   */
  public SlaBenchmark(
      QueryClient client,
      ScanCounter scans,
      byte[] metric,
      int series,
      long dataFrom,
      Clock clock,
      LongSupplier nanoTime) {
    this.client = client;
    this.scans = scans;
    this.metric = metric.clone();
    this.series = series;
    this.dataFrom = dataFrom;
    this.clock = clock;
    this.nanoTime = nanoTime;
  }

  /**
   * Measures all ranges.
   *
   * @param delaySlaHours the delaySla of the TSD, whole hours
   * @throws IOException when HBase does not answer
   */
  public List<SlaMeasurement> measure(int delaySlaHours) throws IOException {
    List<SlaMeasurement> measurements = new ArrayList<>();
    for (SlaRange range : SlaRange.values()) {
      long now = clock.instant().getEpochSecond();
      long to = now - now % HOUR;
      long from = Math.max(dataFrom, to - (long) range.hours() * HOUR);
      measurements.add(measure(delaySlaHours, range, from, to));
    }
    return measurements;
  }

  private SlaMeasurement measure(int delaySlaHours, SlaRange range, long from, long to)
      throws IOException {
    List<AnswerComparison> comparisons = new ArrayList<>();
    for (Query query : List.of(SUM, MAX)) {
      String aggregator = query.aggregator();
      comparisons.add(
          compare(
              query,
              client.ask(query.downsample(), aggregator, QuerySource.RAW_COMPACTED, from, to),
              client.ask(query.downsample(), aggregator, QuerySource.ROLLUPS, from, to)));
      comparisons.add(
          compare(
              query,
              client.askByHost(query.downsample(), QuerySource.RAW_COMPACTED, from, to),
              client.askByHost(query.downsample(), QuerySource.ROLLUPS, from, to)));
    }
    boolean slow = delaySlaHours > 1;
    List<Double> millis = new ArrayList<>();
    int warmUps = slow ? SLOW_WARM_UPS : FAST_WARM_UPS;
    for (int run = 0; run < warmUps + (slow ? SLOW_RUNS : FAST_RUNS); run++) {
      long start = nanoTime.getAsLong();
      client.ask(SUM.downsample(), SUM.aggregator(), QuerySource.ROLLUPS, from, to);
      if (run >= warmUps) {
        millis.add((nanoTime.getAsLong() - start) / NANOS_PER_MILLI);
      }
    }
    long splitAt = clock.instant().getEpochSecond() - (long) delaySlaHours * HOUR;
    return new SlaMeasurement(
        delaySlaHours,
        range,
        series,
        (int) ((to - from) / HOUR),
        new Timings(millis),
        comparisons,
        rollups(from, splitAt),
        scans.raw(metric, Math.max(from, splitAt - splitAt % HOUR), to));
  }

  /** The TSD reads whole rows of a day, also that of the split point. */
  private ScanCost rollups(long from, long splitAt) throws IOException {
    if (from >= splitAt) {
      return new ScanCost(0, 0, 0, 0);
    }
    return scans.rollup(metric, INTERVAL, SUM.stored(), from, splitAt + 1);
  }

  private static AnswerComparison compare(Query query, Answer raw, Answer split) {
    return AnswerComparison.of(raw, split.lastOfEachTime(), query.exact());
  }
}
