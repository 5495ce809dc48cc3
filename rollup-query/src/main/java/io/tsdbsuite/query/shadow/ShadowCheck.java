package io.tsdbsuite.query.shadow;

import io.tsdbsuite.coverage.Coverage;
import io.tsdbsuite.coverage.QueryPlan;
import io.tsdbsuite.query.plan.RollupFunction;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.BooleanSupplier;
import java.util.function.IntFunction;
import java.util.function.LongSupplier;
import net.opentsdb.stats.StatsCollector;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Checks rollups that were read: after some of the queries, one bucket of the widest table is
 * computed again from raw data.
 *
 * <ol>
 *   <li>{@link #choose} decides with the query's answer at hand; the check begins when the answer
 *       was sent.
 *   <li>Some series of the query are compared, and some that have raw data, so that a series
 *       without rollups is found, too.
 *   <li>A difference is looked at again after some time. It counts if nothing has changed, and if
 *       the coverage, read after that, still claims the bucket: a point that came late is masked by
 *       then.
 * </ol>
 *
 * <p>A check reads one row at a time, there is one check at a time, and it reads during a hundredth
 * of the time at most. Thread-safe.
 */
public final class ShadowCheck {
  /** Series of the query that are compared, and as many that have raw data. */
  private static final int SERIES = 10;

  private static final long MAX_CELLS = 200_000;

  /** How long a check rests after it has read, as a multiple of the time of reading. */
  private static final long REST = 99;

  private static final long HOUR = 3_600_000;

  /** Clocks of those who store points and of region servers may differ. */
  private static final long TTL_MARGIN = 24 * HOUR;

  private static final Logger LOG = LoggerFactory.getLogger(ShadowCheck.class);

  /** What is proven now. */
  public interface CurrentCoverage {
    /**
     * As of when a bucket is proven, by a reading that begins with this call. Waits for HBase.
     *
     * @return milliseconds since the epoch; {@link Coverage#NOT_PROVEN}
     * @throws Exception if HBase does not answer
     */
    long asOf(ShadowBucket bucket) throws Exception;
  }

  /** Runs work in the background. */
  public interface Background {
    /** Runs the work after a time, in another thread. */
    void run(long afterMillis, Runnable work);
  }

  private final ShadowSettings settings;
  private final BucketReader reader;
  private final CurrentCoverage coverage;
  private final Map<String, String> tables;
  private final Background background;
  private final Random random;
  private final LongSupplier clock;
  private final LongSupplier wallClock;
  private final ShadowHistory history = new ShadowHistory();
  private volatile BooleanSupplier load = () -> false;
  private boolean running;
  private long restUntil = Long.MIN_VALUE;

  /**
   * @param coverage is read again
   * @param tables the rollup table of each level
   * @param clock milliseconds that never go back
   * @param wallClock milliseconds since the epoch
   */
  public ShadowCheck(
      ShadowSettings settings,
      BucketReader reader,
      CurrentCoverage coverage,
      Map<String, String> tables,
      Background background,
      Random random,
      LongSupplier clock,
      LongSupplier wallClock) {
    this.settings = settings;
    this.reader = reader;
    this.coverage = coverage;
    this.tables = tables;
    this.background = background;
    this.random = random;
    this.clock = clock;
    this.wallClock = wallClock;
  }

  /** Checks begin and go on only while the running queries leave room. */
  public void pauseWhile(BooleanSupplier queriesAreNearTheirLimits) {
    load = queriesAreNearTheirLimits;
  }

  /** Whether the next sub-query that has read rollups is to be checked. Asked once for each. */
  public boolean choose() {
    return settings.oneIn() > 0 && random.nextDouble() * settings.oneIn() < 1;
  }

  /**
   * What to check of a sub-query.
   *
   * @param pieces what it has read
   * @param floor raw data before it may be gone, milliseconds since the epoch
   * @param series how many it has
   * @param tsuid of a series, by its index
   * @return begins the check; to be called after the answer was sent. It does not wait.
   */
  public Runnable of(
      String metric,
      byte[] metricUid,
      RollupFunction function,
      List<QueryPlan.Piece> pieces,
      long floor,
      int series,
      IntFunction<byte[]> tsuid) {
    List<byte[]> some = some(series, tsuid);
    ShadowBucket bucket =
        ShadowBucket.choose(metric, metricUid, function, pieces, some, floor, random);
    return bucket == null ? () -> history.skipped(ShadowOutcome.EXPIRED) : () -> begin(bucket);
  }

  private List<byte[]> some(int series, IntFunction<byte[]> tsuid) {
    Set<Integer> chosen = new TreeSet<>();
    while (chosen.size() < Math.min(SERIES, series)) {
      chosen.add(random.nextInt(series));
    }
    List<byte[]> some = new ArrayList<>();
    chosen.forEach(one -> some.add(tsuid.apply(one)));
    return some;
  }

  private void begin(ShadowBucket bucket) {
    ShadowOutcome no = null;
    synchronized (this) {
      if (running || clock.getAsLong() < restUntil) {
        no = ShadowOutcome.BUSY;
      } else if (load.getAsBoolean()) {
        no = ShadowOutcome.LOAD;
      } else {
        running = true;
      }
    }
    if (no == null) {
      later(0, bucket, () -> check(bucket));
    } else {
      history.skipped(no);
    }
  }

  /** One step of the check that runs; it must say how it ended, or that it goes on. */
  private interface Step {
    @Nullable ShadowResult run() throws Exception;
  }

  private void later(long millis, ShadowBucket bucket, Step step) {
    try {
      background.run(millis, () -> run(bucket, step));
    } catch (RuntimeException e) {
      // The TSD stops.
      end(result(bucket, ShadowOutcome.FAILED, 0), 0);
    }
  }

  private void run(ShadowBucket bucket, Step step) {
    long began = clock.getAsLong();
    ShadowResult result;
    try {
      result = step.run();
    } catch (Exception | Error e) {
      if (e instanceof InterruptedException) {
        Thread.currentThread().interrupt();
      }
      LOG.info("shadow check of {} has failed: {}", bucket, e.toString());
      result = result(bucket, ShadowOutcome.FAILED, 0);
    }
    rest(clock.getAsLong() - began);
    if (result != null) {
      end(result, clock.getAsLong());
    }
  }

  private synchronized void rest(long worked) {
    restUntil = Math.max(restUntil, clock.getAsLong()) + worked * REST;
  }

  private void end(ShadowResult result, long now) {
    history.ended(result, now);
    synchronized (this) {
      running = false;
    }
  }

  private ShadowResult result(ShadowBucket bucket, ShadowOutcome outcome, int series) {
    return new ShadowResult(
        wallClock.getAsLong(), bucket, tables.getOrDefault(bucket.interval(), ""), outcome, series);
  }

  private @Nullable ShadowResult check(ShadowBucket bucket) throws Exception {
    if (mayHaveExpired(bucket)) {
      return result(bucket, ShadowOutcome.EXPIRED, 0);
    }
    List<SeriesValues> compared = new ArrayList<>();
    ShadowOutcome problem = compare(bucket, sample(bucket), compared);
    if (problem != null) {
      return result(bucket, problem, compared.size());
    }
    List<SeriesValues> differing = new ArrayList<>();
    boolean anyRaw = false;
    for (SeriesValues each : compared) {
      anyRaw |= each.raw().isPresent();
      if (each.areDifferent()) {
        differing.add(each);
      }
    }
    if (!anyRaw) {
      // The TTL of the data table, which HBase's client cannot ask for, may have removed them.
      return result(bucket, ShadowOutcome.NO_RAW_DATA, compared.size());
    }
    if (differing.isEmpty()) {
      return result(bucket, ShadowOutcome.SAME, compared.size());
    }
    later(settings.recheckMillis(), bucket, () -> checkAgain(bucket, compared.size(), differing));
    return null;
  }

  private boolean mayHaveExpired(ShadowBucket bucket) {
    return settings.rawTtlMillis() > 0
        && bucket.from() < wallClock.getAsLong() - settings.rawTtlMillis() + TTL_MARGIN;
  }

  /** Series of the query, and others that have raw data in an hour of the bucket. */
  private List<byte[]> sample(ShadowBucket bucket) throws Exception {
    List<byte[]> sample = new ArrayList<>(bucket.series());
    long hours = Math.max(1, bucket.width() / HOUR);
    long hour = bucket.from() + random.nextInt((int) hours) * HOUR;
    byte[] after =
        sample.isEmpty() || random.nextBoolean() ? null : sample.get(random.nextInt(sample.size()));
    for (byte[] found :
        reader.rawSeries(
            bucket,
            Math.floorDiv(hour, HOUR) * HOUR / 1000,
            after,
            random.nextInt(Integer.MAX_VALUE),
            SERIES)) {
      boolean known = false;
      for (byte[] each : sample) {
        known |= Arrays.equals(each, found);
      }
      if (!known) {
        sample.add(found);
      }
    }
    return sample;
  }

  /** Reads the series, as far as the cells allow; why nothing can be said, or null. */
  private @Nullable ShadowOutcome compare(
      ShadowBucket bucket, List<byte[]> series, List<SeriesValues> compared) throws Exception {
    long cells = 0;
    for (byte[] tsuid : series) {
      if (load.getAsBoolean()) {
        return ShadowOutcome.LOAD;
      }
      Optional<SeriesValues> values = reader.read(bucket, tsuid, MAX_CELLS - cells);
      if (!values.isPresent()) {
        continue;
      }
      cells += values.get().cells();
      if (cells > MAX_CELLS) {
        return compared.isEmpty() ? ShadowOutcome.TOO_LARGE : null;
      }
      compared.add(values.get());
    }
    return compared.isEmpty() && !series.isEmpty() ? ShadowOutcome.NOT_EXACT : null;
  }

  private ShadowResult checkAgain(ShadowBucket bucket, int series, List<SeriesValues> before)
      throws Exception {
    List<SeriesValues> still = new ArrayList<>();
    for (SeriesValues each : before) {
      Optional<SeriesValues> now = reader.read(bucket, each.tsuid(), MAX_CELLS);
      if (now.isPresent() && each.areUnchanged(now.get())) {
        still.add(now.get());
      }
    }
    if (still.isEmpty()) {
      return result(bucket, ShadowOutcome.CHANGING, series);
    }
    // After the values, so that it knows the masks of all points that were read.
    long asOf = coverage.asOf(bucket);
    if (asOf == Coverage.NOT_PROVEN) {
      return result(bucket, ShadowOutcome.NOT_PROVEN, series);
    }
    SeriesValues one = still.get(0);
    return result(bucket, ShadowOutcome.DIFFERENT, series)
        .differing(still.size(), reader.name(bucket, one.tsuid()), one, asOf);
  }

  /** The last checks, the newest first. */
  public List<ShadowResult> last() {
    return history.last();
  }

  /** The last checks that found a difference, the newest first. */
  public List<ShadowResult> differences() {
    return history.differences();
  }

  /**
   * Reports the counts.
   *
   * @param prefix of the names
   */
  public void collectStats(StatsCollector collector, String prefix) {
    history.collect(collector, prefix);
  }
}
