package io.tsdbsuite.query.coverage;

import com.stumbleupon.async.Callback;
import com.stumbleupon.async.Deferred;
import io.tsdbsuite.coverage.Coverage;
import io.tsdbsuite.coverage.CoverageFloor;
import io.tsdbsuite.coverage.TimeRanges;
import io.tsdbsuite.format.rollup.Level;
import io.tsdbsuite.query.plan.ProvenTimes;
import io.tsdbsuite.query.run.StockRunner;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import net.opentsdb.stats.StatsCollector;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The coverage, read again and again in the background. A coverage is used until {@link
 * Coverage#MAX_AGE} after its reading began; then nothing is proven until the next one. Whoever
 * removes rollups relies on this time. Thread-safe.
 */
public final class CoverageSource implements StockRunner.Floors {
  /** How long queries wait for the first reading, milliseconds. */
  private static final long MAX_WAIT = 30_000;

  /** By how much the clock of who raises floors may be ahead, milliseconds. */
  private static final long CLOCKS = 5 * Coverage.MAX_AGE;

  private static final Logger LOG = LoggerFactory.getLogger(CoverageSource.class);

  /** A longer jump forward of the wall clock is time that nanoTime has missed, milliseconds. */
  private static final long JUMP = 1000;

  /**
   * By how much the wall clock was ahead of nanoTime at the last call, milliseconds; MAX_VALUE
   * before. Guarded by the class, as {@link #jumped}.
   */
  private static long wallAhead = Long.MAX_VALUE;

  /** The sum of these jumps, milliseconds. */
  private static long jumped;

  private final CoverageReading reading;
  private final LongSupplier clock;
  private final LongSupplier wallClock;

  /** The last result, with the time at which its reading began. */
  private static final class State implements ProvenTimes {
    private final Coverage coverage;
    private final long began;

    /** Up to where floors may have risen since they were read, milliseconds; 0 if they have not. */
    private final long mayHaveRisen;

    State(Coverage coverage, long began, long mayHaveRisen) {
      this.coverage = coverage;
      this.began = began;
      this.mayHaveRisen = mayHaveRisen;
    }

    @Override
    public boolean floorsKnown() {
      return coverage.floorsKnown() && mayHaveRisen == 0;
    }

    @Override
    public long rawFloor(String metric) {
      if (!coverage.floorsKnown()) {
        return Long.MAX_VALUE;
      }
      if (metric.isEmpty()) {
        long highest = 0;
        for (CoverageFloor floor : coverage.floors()) {
          if (floor.level().equals(CoverageFloor.RAW)) {
            highest = Math.max(highest, floor.before());
          }
        }
        return Math.max(mayHaveRisen, highest * 1000);
      }
      return Math.max(mayHaveRisen, coverage.floor(CoverageFloor.RAW, metric) * 1000);
    }

    @Override
    public long rollupFloor(String interval, String metric) {
      return coverage.floor(interval, metric) * 1000;
    }

    @Override
    public String reason() {
      return coverage.reason();
    }

    @Override
    public TimeRanges proven(String interval, long widthMillis, String metric) {
      return coverage.proven(interval, widthMillis, metric);
    }

    @Override
    public TimeRanges stored(String interval, long widthMillis, String metric) {
      return coverage.stored(interval, widthMillis, metric);
    }

    @Override
    public long began() {
      return began;
    }
  }

  private @Nullable State state;

  /**
   * The last floors that were known. They only rise, but for an undo: so they count also when later
   * readings fail or find a broken table, and after a minute others may have risen.
   */
  private @Nullable List<CoverageFloor> floors;

  /** Whether the table had the version of floors then. */
  private boolean mayHaveFloors;

  /** When the last reading that knew its floors began, each a minute or less after another. */
  private long floorsRead;

  /** Queries that wait for the first reading. */
  private final List<Deferred<Object>> waiting = new ArrayList<>();

  /** Whether no query waits any more. */
  private boolean open;

  /** When the last reading that was not refused began; at first when this was made. */
  private long good;

  /** When the reading that runs began; null if none runs. */
  private @Nullable Long running;

  private String failure = "";
  private String logged = "";
  private @Nullable ScheduledExecutorService timer;

  /**
   * @param clock milliseconds of a clock that never goes back
   * @param wallClock milliseconds since the epoch
   */
  CoverageSource(CoverageReading reading, LongSupplier clock, LongSupplier wallClock) {
    this.reading = reading;
    this.clock = clock;
    this.wallClock = wallClock;
    this.good = clock.getAsLong();
  }

  /**
   * A source that reads the coverage table of a TSD's HBase. It reads nothing before {@link
   * #start}.
   */
  public static CoverageSource of(CoverageScan scan) {
    return new CoverageSource(scan, CoverageSource::millis, System::currentTimeMillis);
  }

  /**
   * The clock of {@link ProvenTimes#began}: milliseconds, never goes back. It goes on while the
   * machine is suspended, unlike {@link System#nanoTime}, and goes forward with the wall clock.
   */
  public static long millis() {
    return millis(System.nanoTime() / 1_000_000, System.currentTimeMillis());
  }

  static synchronized long millis(long elapsed, long wall) {
    long ahead = wall - elapsed;
    if (wallAhead != Long.MAX_VALUE && ahead - wallAhead > JUMP) {
      jumped += ahead - wallAhead;
    }
    wallAhead = ahead;
    return elapsed + jumped;
  }

  /**
   * Begins to read, at once and then periodically.
   *
   * @param everyMillis less than {@link Coverage#MAX_AGE}
   */
  public synchronized void start(long everyMillis) {
    if (timer != null) {
      throw new IllegalStateException("started before");
    }
    ScheduledExecutorService executor =
        Executors.newSingleThreadScheduledExecutor(
            task -> {
              Thread thread = new Thread(task, "rollup-query-coverage");
              thread.setDaemon(true);
              return thread;
            });
    timer = executor;
    ScheduledFuture<?> unused =
        executor.scheduleWithFixedDelay(this::readSafely, 0, everyMillis, TimeUnit.MILLISECONDS);
    ScheduledFuture<?> unusedToo = executor.schedule(this::open, MAX_WAIT, TimeUnit.MILLISECONDS);
  }

  /** Ends the periodic readings. */
  public synchronized void stop() {
    if (timer != null) {
      timer.shutdownNow();
    }
  }

  /** Begins a reading. A task that throws would be the last one, also by a heap that was full. */
  void readSafely() {
    try {
      read();
    } catch (RuntimeException | Error e) {
      try {
        failed(e);
      } catch (Error again) {
        // Not even the message can be made; the next reading may have room.
      }
      open();
    }
  }

  /**
   * Does the work at once, or while the first reading runs, after it: raw data that are gone cannot
   * be told from data that never were before. It waits for half a minute at most.
   */
  @Override
  public <T> Deferred<T> afterFirstReading(Supplier<Deferred<T>> work) {
    Deferred<Object> opened = new Deferred<>();
    synchronized (this) {
      if (!open) {
        waiting.add(opened);
        return opened.addCallbackDeferring(done -> work.get());
      }
    }
    return work.get();
  }

  private void open() {
    List<Deferred<Object>> all;
    synchronized (this) {
      open = true;
      all = new ArrayList<>(waiting);
      waiting.clear();
    }
    all.forEach(one -> one.callback(""));
  }

  /**
   * What is proven now: the same object until the next reading, with its begin in milliseconds of
   * the clock.
   */
  @Override
  public synchronized ProvenTimes reading() {
    State last = state;
    long now = clock.getAsLong();
    long mayHaveRisen =
        mayHaveFloors && now - floorsRead > Coverage.MAX_AGE
            ? CoverageFloor.highestAt(wallClock.getAsLong() + CLOCKS) * 1000
            : 0;
    if (last == null || now - last.began > Coverage.MAX_AGE) {
      return new State(current(), now, mayHaveRisen);
    }
    return mayHaveRisen == 0 ? last : new State(last.coverage, last.began, mayHaveRisen);
  }

  /** The coverage now; with nothing proven and the reason if there is none that may be used. */
  public synchronized Coverage current() {
    State last = state;
    if (last == null) {
      return nothing(failure.isEmpty() ? "the coverage was not read yet" : failure);
    }
    long age = clock.getAsLong() - last.began;
    return age <= Coverage.MAX_AGE
        ? last.coverage
        : nothing(
            String.format(
                "the coverage was last read %s s ago%s",
                age / 1000, failure.isEmpty() ? "" : ": " + failure));
  }

  private Coverage nothing(String reason) {
    return floors == null ? Coverage.nothing(reason) : Coverage.nothing(reason, floors);
  }

  /**
   * Reports how old the coverage is, and how far its windows are behind the present. An interval of
   * which no window counts is behind by the time since 1970: its table was truncated or restored,
   * or all its windows have expired.
   *
   * @param prefix of the names
   */
  public void collectStats(StatsCollector collector, String prefix) {
    Coverage coverage;
    synchronized (this) {
      collector.record(prefix + "coverage.age_seconds", (clock.getAsLong() - good) / 1000);
      coverage = current();
    }
    long now = wallClock.getAsLong() / 1000;
    TreeSet<String> intervals = new TreeSet<>();
    coverage.windows().forEach(window -> intervals.add(window.interval()));
    intervals.removeIf(Level::isPacked);
    for (String interval : intervals) {
      long lag = now - coverage.end(interval);
      collector.record(prefix + "coverage.lag_seconds", lag, "interval=" + interval);
    }
  }

  /** Begins a reading, unless one runs that may still end in time. */
  void read() {
    long began;
    synchronized (this) {
      began = clock.getAsLong();
      if (running != null && began - running <= Coverage.MAX_AGE) {
        return;
      }
      running = began;
    }
    try {
      read(began, true);
    } catch (RuntimeException | Error e) {
      ended(began);
      throw e;
    }
  }

  private void read(long began, boolean again) {
    Callback<Object, Coverage> done =
        coverage -> {
          if (again && hasNewDoubts(coverage)) {
            // A writer may have changed a marker while the rows were read.
            read(began, false);
          } else {
            done(coverage, began);
            open();
          }
          return null;
        };
    Callback<Object, Exception> failed =
        cause -> {
          ended(began);
          failed(cause);
          open();
          return null;
        };
    reading.read(wallClock.getAsLong()).addCallback(done).addErrback(failed);
  }

  private synchronized boolean hasNewDoubts(Coverage coverage) {
    return state != null
        && !state.coverage.voidTables().keySet().containsAll(coverage.voidTables().keySet());
  }

  private synchronized void done(Coverage coverage, long began) {
    ended(began);
    // A reading that took too long may end after a later one.
    if (state == null || state.began <= began) {
      // A table that proves nothing, as after a truncate, does not bring data back.
      boolean count =
          coverage.floorsKnown()
              && (coverage.reason().isEmpty()
                  || !coverage.floors().isEmpty()
                  || floors == null
                  || floors.isEmpty());
      if (count) {
        floors = coverage.floors();
        mayHaveFloors = coverage.mayHaveFloors();
      }
      if (count || (coverage.floorsKnown() && began - floorsRead <= Coverage.MAX_AGE)) {
        floorsRead = began;
      }
      state = new State(count ? coverage : nothing(coverage.reason()), began, 0);
      failure = "";
      good = coverage.reason().isEmpty() ? began : good;
      log(
          coverage.reason().isEmpty()
              ? ""
              : "no rollup is proven, queries read raw data: " + coverage.reason());
    }
  }

  private synchronized void ended(long began) {
    if (running != null && running == began) {
      running = null;
    }
  }

  private synchronized void failed(Throwable cause) {
    // The messages of HBase's client have several lines, with keys of rows.
    String message = String.valueOf(cause.getMessage());
    int end = message.indexOf('\n');
    failure =
        cause.getClass().getSimpleName() + ": " + (end < 0 ? message : message.substring(0, end));
    log("the coverage can not be read: " + failure);
  }

  /** One line when something changes, not one each time. */
  private void log(String problem) {
    if (problem.equals(logged)) {
      return;
    }
    if (problem.isEmpty()) {
      LOG.info("the coverage is read again");
    } else {
      LOG.warn("{}", problem);
    }
    logged = problem;
  }
}
