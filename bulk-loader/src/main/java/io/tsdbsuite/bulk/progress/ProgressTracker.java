package io.tsdbsuite.bulk.progress;

import java.io.Console;
import java.io.PrintStream;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/**
 * Tracks the progress of a load by phase and shows it. Any thread may call {@link #advance}, about
 * once per megabyte or batch of rows; the other methods are for the main thread.
 */
public final class ProgressTracker implements AutoCloseable {
  private static final long TICK_SECONDS = 1;

  private final ProgressMode mode;
  private final PrintStream out;
  private final InstantSource clock;
  private final LongAdder work = new LongAdder();
  private final LongAdder points = new LongAdder();
  private final LongAdder bytes = new LongAdder();
  private @Nullable ScheduledExecutorService ticker;
  private @Nullable Phase phase;

  /** A phase that has begun: its status at the begin, and its display. */
  private record Phase(PhaseStatus start, Instant began, ProgressView view) {}

  private ProgressTracker(ProgressMode mode, PrintStream out, InstantSource clock) {
    this.mode = mode;
    this.out = out;
    this.clock = clock;
  }

  /**
   * Progress of a process.
   *
   * @param out receives the display; standard error by default
   */
  public static ProgressTracker of(ProgressMode mode, PrintStream out, InstantSource clock) {
    ProgressMode chosen = mode;
    if (mode == ProgressMode.AUTO) {
      chosen = isTerminal() ? ProgressMode.BAR : ProgressMode.PLAIN;
    }
    return new ProgressTracker(chosen, out, clock);
  }

  private ProgressView view(PhaseStatus start) {
    return switch (mode) {
      case BAR -> new BarView(out, start);
      case NONE -> ProgressView.NONE;
      default -> new PlainView(out, start);
    };
  }

  /** Whether standard output is a terminal. */
  // From Java 22 on System.console() is never null; isTerminal() says whether it is one.
  @SuppressWarnings("SystemConsoleNull")
  private static boolean isTerminal() {
    Console console = System.console();
    if (console == null) {
      return false;
    }
    try {
      return (boolean) Console.class.getMethod("isTerminal").invoke(console);
    } catch (NoSuchMethodException e) {
      return true;
    } catch (ReflectiveOperationException e) {
      return false;
    }
  }

  /** Starts a thread that shows progress every second. */
  public synchronized ProgressTracker ticking() {
    if (ticker == null && mode != ProgressMode.NONE) {
      ScheduledExecutorService started =
          Executors.newSingleThreadScheduledExecutor(
              task -> {
                Thread thread = new Thread(task, "progress");
                thread.setDaemon(true);
                return thread;
              });
      var unused =
          started.scheduleAtFixedRate(this::tick, TICK_SECONDS, TICK_SECONDS, TimeUnit.SECONDS);
      ticker = started;
    }
    return this;
  }

  /**
   * Begins a phase; one that is not ended counts as stopped.
   *
   * @param name name of the phase: read, write
   * @param unit unit of the work: bytes, rows
   * @param total work of the phase; 0 or less if not known
   * @param done work that an earlier process has done
   */
  public synchronized void begin(String name, String unit, long total, long done) {
    stop(false);
    work.reset();
    points.reset();
    bytes.reset();
    PhaseStatus start = new PhaseStatus(name, unit, total, done, done, 0, 0, Duration.ZERO);
    phase = new Phase(start, clock.instant(), view(start));
  }

  /**
   * Adds finished work. Safe to call from all threads.
   *
   * @param moreWork in the unit of the phase
   * @param moreBytes read or written
   */
  public void advance(long moreWork, long morePoints, long moreBytes) {
    work.add(moreWork);
    points.add(morePoints);
    bytes.add(moreBytes);
  }

  /** Updates the display. */
  public synchronized void tick() {
    Phase current = phase;
    if (current != null) {
      current.view().show(status(current));
    }
  }

  /** Ends the phase as complete. */
  public synchronized void end() {
    stop(true);
  }

  private void stop(boolean complete) {
    Phase current = phase;
    if (current != null) {
      current.view().end(status(current), complete);
    }
    phase = null;
  }

  private PhaseStatus status(Phase current) {
    PhaseStatus start = current.start();
    return new PhaseStatus(
        start.phase(),
        start.unit(),
        start.total(),
        start.skipped(),
        start.skipped() + work.sum(),
        points.sum(),
        bytes.sum(),
        Duration.between(current.began(), clock.instant()));
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
