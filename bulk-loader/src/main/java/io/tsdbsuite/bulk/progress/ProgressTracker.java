package io.tsdbsuite.bulk.progress;

import java.io.PrintStream;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;

/**
 * How far a load is, phase by phase. {@link #advance} is for many threads and cheap, yet meant to
 * be called for a megabyte or a batch of rows, not for each; the rest is for the thread that leads.
 */
public final class ProgressTracker implements AutoCloseable {
  private static final long TICK_SECONDS = 1;

  private final ProgressView view;
  private final InstantSource clock;
  private final LongAdder work = new LongAdder();
  private final LongAdder points = new LongAdder();
  private final LongAdder bytes = new LongAdder();
  private ScheduledExecutorService ticker;
  private String phase;
  private String unit;
  private long total;
  private long skipped;
  private Instant began;

  private ProgressTracker(ProgressView view, InstantSource clock) {
    this.view = view;
    this.clock = clock;
  }

  /**
   * Progress of a process.
   *
   * @param out standard error, unless that is not wanted
   */
  public static ProgressTracker of(ProgressMode mode, PrintStream out, InstantSource clock) {
    ProgressMode chosen = mode;
    if (mode == ProgressMode.AUTO) {
      chosen = Terminal.isThere() ? ProgressMode.BAR : ProgressMode.PLAIN;
    }
    return switch (chosen) {
      case BAR -> new ProgressTracker(new BarView(out), clock);
      case NONE -> new ProgressTracker(null, clock);
      default -> new ProgressTracker(new PlainView(out), clock);
    };
  }

  /** Shows progress every second from here on, by a thread of its own. */
  public synchronized ProgressTracker ticking() {
    if (ticker == null && view != null) {
      ticker =
          Executors.newSingleThreadScheduledExecutor(
              task -> {
                Thread thread = new Thread(task, "progress");
                thread.setDaemon(true);
                return thread;
              });
      var unused =
          ticker.scheduleAtFixedRate(this::tick, TICK_SECONDS, TICK_SECONDS, TimeUnit.SECONDS);
    }
    return this;
  }

  /**
   * Begins a phase; one that is not ended counts as stopped.
   *
   * @param name what happens: read, write
   * @param unit what the work is counted in: bytes, rows
   * @param total work of the phase; 0 or less if not known
   * @param done work that an earlier process has done
   */
  public synchronized void begin(String name, String unit, long total, long done) {
    stop(false);
    work.reset();
    points.reset();
    bytes.reset();
    phase = name;
    this.unit = unit;
    this.total = total;
    skipped = done;
    began = clock.instant();
    if (view != null) {
      view.begin(snapshot());
    }
  }

  /**
   * Something was done. Safe to call from all threads.
   *
   * @param moreWork in the unit of the phase
   * @param moreBytes read or written
   */
  public void advance(long moreWork, long morePoints, long moreBytes) {
    work.add(moreWork);
    points.add(morePoints);
    bytes.add(moreBytes);
  }

  /** Shows what is to be shown now. */
  public synchronized void tick() {
    if (phase != null && view != null) {
      view.show(snapshot());
    }
  }

  /** The phase came to its end. */
  public synchronized void end() {
    stop(true);
  }

  private void stop(boolean complete) {
    if (phase != null && view != null) {
      view.end(snapshot(), complete);
    }
    phase = null;
  }

  private PhaseStatus snapshot() {
    return new PhaseStatus(
        phase,
        unit,
        total,
        skipped,
        skipped + work.sum(),
        points.sum(),
        bytes.sum(),
        Duration.between(began, clock.instant()));
  }

  /** Stops showing; a phase that is not ended counts as stopped. */
  @Override
  public synchronized void close() {
    if (ticker != null) {
      ticker.shutdownNow();
      ticker = null;
    }
    stop(false);
  }
}
