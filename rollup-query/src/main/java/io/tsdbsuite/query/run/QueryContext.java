package io.tsdbsuite.query.run;

import io.tsdbsuite.query.limit.InFlight;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * What one running query may use, and what it used.
 *
 * <p>Readers call {@link #used} for each batch of rows. It throws when the query has been stopped:
 * because the client has gone, the time is over, the query exceeds its own limits, or all queries
 * together exceed theirs. Whoever stops the query first decides the reason.
 *
 * <p>Thread-safe.
 */
public final class QueryContext {
  private static final long MEGABYTE = 1L << 20;

  private final QueryLimits limits;
  private final LongSupplier clock;
  private final long start;
  private final InFlight.Share share;
  private final Map<Integer, List<String>> notes = new TreeMap<>();
  private final List<Runnable> listeners = new ArrayList<>();
  private final List<Runnable> afterwards = new ArrayList<>();
  private long cells;

  /** Those of the cells that do not count towards the limits. */
  private long forgiven;

  private long bytes;
  private @Nullable QueryAbortedException aborted;
  private volatile @Nullable Runnable onBroken;
  private volatile boolean widens;

  /**
   * The context of a query that starts now.
   *
   * @param clock milliseconds that never go back, such as System.nanoTime()/1e6
   * @param inFlight shared by all queries
   * @param client who asks, for the fair share
   */
  public QueryContext(QueryLimits limits, LongSupplier clock, InFlight inFlight, String client) {
    this.limits = limits;
    this.clock = clock;
    this.start = clock.getAsLong();
    this.share = inFlight.begin(client, message -> abort(AbortReason.IN_FLIGHT, message));
  }

  /** The context of a query that is alone. */
  public QueryContext(QueryLimits limits, LongSupplier clock) {
    this(limits, clock, InFlight.unlimited(), "");
  }

  /**
   * Counts what a reader has just read and keeps until the answer.
   *
   * @param moreCells cells of HBase
   * @param moreBytes heap that they hold
   * @throws QueryAbortedException if the query must stop
   */
  public void used(long moreCells, long moreBytes) {
    String over = null;
    AbortReason reason = AbortReason.CELLS;
    synchronized (this) {
      // Also after the stop: it is freed later.
      cells += moreCells;
      bytes += moreBytes;
      if (aborted == null) {
        if (limits.cells() > 0 && cells - forgiven > limits.cells()) {
          over = cellsMessage(cells - forgiven);
        } else if (limits.bytes() > 0 && bytes > limits.bytes()) {
          over = bytesMessage(bytes);
          reason = AbortReason.MEMORY;
        }
      }
    }
    share.add(moreCells, moreBytes);
    if (over != null) {
      abort(reason, over);
    }
    check();
  }

  /**
   * Counts what a reader no longer keeps.
   *
   * @param lessBytes heap
   */
  public void freed(long lessBytes) {
    synchronized (this) {
      bytes -= lessBytes;
    }
    share.add(0, -lessBytes);
  }

  /**
   * Has cells that were read in vain not count towards the limits: the query is to end as if other
   * tables had been read at once.
   */
  public void forgiven(long lessCells) {
    synchronized (this) {
      forgiven += lessCells;
    }
    share.add(-lessCells, 0);
  }

  /**
   * Refuses the query before it starts if it would read or hold more than it may.
   *
   * @param expectedCells of the whole query, estimated
   * @param expectedBytes heap, estimated
   * @param advice what to ask for instead, a sentence
   * @throws QueryAbortedException if they are too many
   */
  public void expect(long expectedCells, long expectedBytes, Supplier<String> advice) {
    if (limits.cells() > 0 && expectedCells > limits.cells()) {
      abort(
          AbortReason.CELLS,
          String.format(
              Locale.ROOT,
              "The query would read about %,d cells; the limit is %,d"
                  + " (tsd.rollup_query.max_cells_per_query). %s",
              expectedCells,
              limits.cells(),
              advice.get()));
    } else if (limits.bytes() > 0 && expectedBytes > limits.bytes()) {
      abort(
          AbortReason.MEMORY,
          String.format(
              Locale.ROOT,
              "The query would hold about %,d MB; the limit is %,d MB"
                  + " (tsd.rollup_query.max_megabytes_per_query). %s",
              (expectedBytes + MEGABYTE - 1) / MEGABYTE,
              limits.bytes() / MEGABYTE,
              advice.get()));
    }
    check();
  }

  /** Lets the runner widen downsamplers instead of refusing the query. Before it runs. */
  public void widen() {
    widens = true;
  }

  /** Whether downsamplers may be widened instead of refusing the query. */
  public boolean widens() {
    return widens;
  }

  /** What this query may use. */
  public QueryLimits limits() {
    return limits;
  }

  /**
   * Ends the query because of an Error, after which no callback can be relied on. It is answered at
   * once, and what it holds is given back.
   */
  public void broken(Error error) {
    abort(AbortReason.ERROR, "The query has failed: " + error);
    Runnable listener = onBroken;
    if (listener != null) {
      listener.run();
    }
  }

  /** Sets who is told that the query is broken, also if it was stopped before. */
  public void onBroken(Runnable listener) {
    onBroken = listener;
  }

  /**
   * Throws if the query must stop; for work that reads nothing.
   *
   * @throws QueryAbortedException with the first reason
   */
  public void check() {
    if (limits.millis() > 0 && clock.getAsLong() - start > limits.millis()) {
      timeOver();
    }
    QueryAbortedException stop = aborted();
    if (stop != null) {
      // Its trace is that of whoever stopped the query.
      throw stop;
    }
  }

  /** Stops the query because its time is over. */
  public void timeOver() {
    abort(
        AbortReason.TIME,
        String.format(
            Locale.ROOT,
            "The query took longer than %,d s (tsd.rollup_query.max_seconds_per_query)."
                + " Ask for a shorter time, fewer series or a wider downsampler.",
            limits.millis() / 1000));
  }

  /** Stops the query, unless it has been stopped before. */
  public void abort(AbortReason reason, String message) {
    List<Runnable> call;
    synchronized (this) {
      if (aborted != null) {
        return;
      }
      aborted = new QueryAbortedException(reason, message);
      call = new ArrayList<>(listeners);
      listeners.clear();
    }
    call.forEach(Runnable::run);
  }

  /** Calls the listener when the query is stopped, at once if that was before. Once. */
  public void onAbort(Runnable listener) {
    synchronized (this) {
      if (aborted == null) {
        listeners.add(listener);
        return;
      }
    }
    listener.run();
  }

  /** Why the query was stopped; null if it was not. */
  public synchronized @Nullable QueryAbortedException aborted() {
    return aborted;
  }

  /** Calls the listener at the end of the query, after its answer. */
  public synchronized void onEnd(Runnable listener) {
    afterwards.add(listener);
  }

  /** Gives back what the query holds. The last call, after the answer is written. */
  public void end() {
    share.end();
    List<Runnable> call;
    synchronized (this) {
      call = new ArrayList<>(afterwards);
      afterwards.clear();
    }
    call.forEach(Runnable::run);
  }

  /**
   * Adds a note for the header X-Rollup-Query and showSummary.
   *
   * @param subQuery its index in the query
   * @param pieces what is read, such as {@code 1d:364 1h:20 raw:3600s}
   */
  public synchronized void note(int subQuery, String pieces) {
    notes.computeIfAbsent(subQuery, index -> new ArrayList<>()).add(pieces);
  }

  /**
   * Completes the last note of a sub-query by what its reading has shown.
   *
   * @param subQuery its index in the query
   */
  public synchronized void completeNote(int subQuery, String end) {
    List<String> texts = notes.getOrDefault(subQuery, new ArrayList<>());
    if (!texts.isEmpty()) {
      texts.set(texts.size() - 1, texts.get(texts.size() - 1) + end);
    }
  }

  /** One line for each sub-query with notes, in their order, such as {@code 0: 1d:364; cells 9}. */
  public synchronized List<String> notes() {
    List<String> lines = new ArrayList<>();
    notes.forEach((index, texts) -> lines.add(index + ": " + String.join("; ", texts)));
    return lines;
  }

  /** Cells read so far. */
  public synchronized long cells() {
    return cells;
  }

  /** Heap held, bytes. */
  public synchronized long bytes() {
    return bytes;
  }

  private String cellsMessage(long read) {
    return String.format(
        Locale.ROOT,
        "The query has read %,d cells; the limit is %,d (tsd.rollup_query.max_cells_per_query)."
            + " Ask for a shorter time, fewer series or a wider downsampler.",
        read,
        limits.cells());
  }

  private String bytesMessage(long held) {
    return String.format(
        Locale.ROOT,
        "The query holds %,d MB; the limit is %,d MB (tsd.rollup_query.max_megabytes_per_query)."
            + " Ask for a shorter time, fewer series or a wider downsampler.",
        (held + MEGABYTE - 1) / MEGABYTE,
        limits.bytes() / MEGABYTE);
  }
}
