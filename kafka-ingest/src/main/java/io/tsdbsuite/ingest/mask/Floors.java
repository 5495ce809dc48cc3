package io.tsdbsuite.ingest.mask;

import com.google.common.base.Ticker;
import com.google.common.util.concurrent.ThreadFactoryBuilder;
import com.google.common.util.concurrent.Uninterruptibles;
import com.stumbleupon.async.Callback;
import io.tsdbsuite.coverage.Coverage;
import io.tsdbsuite.coverage.CoverageFloor;
import io.tsdbsuite.message.read.BadMessageException;
import io.tsdbsuite.message.read.Reason;
import java.io.IOException;
import java.time.Clock;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The raw floors of metrics: raw points before them may be gone, and the rollups there are proven,
 * so none of these is written or deleted. They are read again and again in the background; a
 * reading is used until {@link Coverage#MAX_AGE} after its begin. Thread-safe.
 */
public final class Floors implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(Floors.class);

  /** How often they are read, milliseconds. */
  static final long EVERY = 20_000;

  /** How often is looked whether a reading is due; after a failure it is. Milliseconds. */
  private static final long TURN = 5_000;

  /** How long the first reading is waited for, seconds. */
  private static final long FIRST = 10;

  private static final class Reading {
    private final Coverage coverage;
    private final long began;
    private final long beganAt;

    /** The highest raw floor of any metric: later times need no look, seconds since the epoch. */
    private final long highest;

    /**
     * @param began by the ticker, milliseconds
     * @param beganAt milliseconds since the epoch
     */
    Reading(Coverage coverage, long began, long beganAt) {
      this.coverage = coverage;
      this.began = began;
      this.beganAt = beganAt;
      this.highest =
          coverage.floors().stream()
              .filter(floor -> floor.level().equals(CoverageFloor.RAW))
              .mapToLong(CoverageFloor::before)
              .max()
              .orElse(0);
    }

    /** The floor of a metric, if the time is before it; else 0. */
    long above(String metric, long time) {
      long floor = time >= highest ? 0 : coverage.floor(CoverageFloor.RAW, metric);
      return time < floor ? floor : 0;
    }
  }

  private final @Nullable MaskTable table;
  private final Clock clock;
  private final Ticker ticker;
  private final CountDownLatch first = new CountDownLatch(1);
  private volatile @Nullable Reading last;
  private volatile String problem = "";
  private volatile long next = Long.MIN_VALUE;
  private @Nullable ScheduledExecutorService timer;

  /**
   * Creates it; nothing is read before {@link #start}.
   *
   * @param table the coverage table, which need not exist; null if none is configured: then there
   *     are no floors
   */
  public Floors(@Nullable MaskTable table, Clock clock, Ticker ticker) {
    this.table = table;
    this.clock = clock;
    this.ticker = ticker;
  }

  /** Begins to read, at once and then periodically. */
  synchronized void start() {
    if (table != null && timer == null) {
      ScheduledExecutorService executor =
          Executors.newSingleThreadScheduledExecutor(
              new ThreadFactoryBuilder()
                  .setNameFormat("kafka-ingest-floors")
                  .setDaemon(true)
                  .build());
      timer = executor;
      Object unused = executor.scheduleWithFixedDelay(this::turn, 0, TURN, TimeUnit.MILLISECONDS);
    }
  }

  /** Begins a reading if one is due. */
  void turn() {
    MaskTable from = table;
    long began = millis();
    if (from == null || began < next) {
      return;
    }
    next = began + EVERY;
    try {
      long beganAt = clock.millis();
      from.floors(beganAt)
          .addCallback(
              (Callback<Object, Coverage>)
                  coverage -> {
                    read(new Reading(coverage, began, beganAt));
                    return "";
                  })
          .addErrback(
              (Callback<Object, Exception>)
                  failure -> {
                    failed(failure.toString());
                    return "";
                  });
    } catch (Throwable e) {
      // Else it was the last turn.
      failed(e.toString());
    }
  }

  private synchronized void read(Reading reading) {
    if (!reading.coverage.floorsKnown()) {
      failed(reading.coverage.reason());
      return;
    }
    Reading before = last;
    // A reading that took too long may end after a later one.
    if (before == null || before.began <= reading.began) {
      last = reading;
      if (!problem.isEmpty()) {
        problem = "";
        LOG.info("the floors of table {} are read", name());
      }
    }
    first.countDown();
  }

  private synchronized void failed(String why) {
    // The messages of HBase's client have several lines, with keys of rows.
    String line = why.split("\n", 2)[0];
    next = Long.MIN_VALUE;
    if (!line.equals(problem)) {
      problem = line;
      LOG.warn("the floors of table {} cannot be read: {}", name(), line);
    }
    first.countDown();
  }

  private String name() {
    return table == null ? "" : table.name();
  }

  /**
   * Rejects what needs raw points before the raw floor of its metric, or would change a rollup
   * there. At the start it waits for the first reading.
   *
   * @param what begins then, for the message
   * @param start seconds since the epoch
   * @throws BadMessageException when it begins before the floor
   * @throws IOException when the floors are not known now
   */
  public void require(String what, String metric, long start)
      throws BadMessageException, IOException {
    if (table == null) {
      return;
    }
    Reading reading = current();
    if (reading == null && Uninterruptibles.awaitUninterruptibly(first, FIRST, TimeUnit.SECONDS)) {
      reading = current();
    }
    if (reading == null) {
      throw new IOException(
          String.format(
              "the floors in table %s must have been read in the last %s s%s",
              name(), Coverage.MAX_AGE / 1000, problem.isEmpty() ? "" : ": " + problem));
    }
    long floor = reading.above(metric, start);
    if (floor > 0) {
      throw new BadMessageException(
          Reason.BELOW_FLOOR,
          String.format(
              "%s of metric %s must begin at the floor of its raw data or later, %s, found %s",
              what, metric, floor, start));
    }
  }

  /**
   * Whether a time is before the raw floor of a metric; not if the floors are not known now.
   *
   * @param time seconds since the epoch
   */
  public boolean isBelow(String metric, long time) {
    Reading reading = table == null ? null : current();
    return reading != null && reading.above(metric, time) > 0;
  }

  /**
   * Whether windows may prove other values of a metric than those that a repair has written: these
   * lack what a mask stands for. A window of any time counts, since a load may be about to add one
   * of the hour. Windows that cannot be read now may be such ones, unless the table had no version
   * of levels within {@link Coverage#MAX_AGE}.
   *
   * @param isWritten whether values of a level such as {@code 1h.p99} were written
   */
  public boolean provesOthers(String metric, Predicate<String> isWritten) {
    Reading reading = current();
    if (reading == null) {
      return table != null;
    }
    Coverage coverage = reading.coverage;
    return coverage.mayHaveLevels()
        && (!problem.isEmpty()
            || !coverage.reason().isEmpty()
            || coverage.windows().stream()
                .anyMatch(window -> window.wants(metric) && !isWritten.test(window.interval())));
  }

  /**
   * The last reading, while it may be used. The ticker may stand still while the machine does, so
   * the clock counts as well.
   */
  private @Nullable Reading current() {
    Reading reading = last;
    return reading != null
            && millis() - reading.began <= Coverage.MAX_AGE
            && clock.millis() - reading.beganAt <= Coverage.MAX_AGE
        ? reading
        : null;
  }

  private long millis() {
    return ticker.read() / 1_000_000;
  }

  /** Ends the periodic readings. */
  @Override
  public synchronized void close() {
    if (timer != null) {
      timer.shutdownNow();
    }
  }
}
