package io.tsdbsuite.ingest.mask;

import com.google.common.base.Ticker;
import com.stumbleupon.async.Deferred;
import io.tsdbsuite.ingest.mask.MaskStats.Count;
import io.tsdbsuite.metrics.plugin.PluginThreads;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes masks, in a thread of its own: what waits together is written together, each mask once.
 * Thread-safe.
 *
 * <p>A mask that is written again gets a newer time, which it must: readers compare it with the
 * time of a reading.
 */
public final class MaskWriter implements MaskSink, AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(MaskWriter.class);

  /** Time in which masks gather, milliseconds: messages wait for it. */
  private static final long GATHER = 50;

  /** How long a table that does not exist is not looked for, milliseconds. */
  private static final long MISSING = 5_000;

  private static final class Waiting {
    private final Source source;
    private final Consumer<@Nullable Throwable> done;

    Waiting(Source source, Consumer<@Nullable Throwable> done) {
      this.source = source;
      this.done = done;
    }
  }

  private final MaskTable table;
  private final MaskLimits limits;
  private final RawTtl ttl;
  private final long timeoutMillis;
  private final Floors floors;
  private final Ticker ticker;
  private final MaskStats stats = new MaskStats();
  private final MaskBudget budget = new MaskBudget();
  private final BlockingQueue<Waiting> queue = new LinkedBlockingQueue<>();
  private final ExecutorService thread;

  /** Whether the table was seen; for the thread. */
  private boolean exists;

  private volatile boolean missing;
  private final AtomicLong missingUntil = new AtomicLong();

  /**
   * Creates a writer; the first masks start its thread.
   *
   * @param name of the thread
   * @param ttl late points that are older have no masks
   * @param timeoutMillis after which an answer of HBase counts as a failure
   * @param floors of the table; started and closed with the writer
   */
  public MaskWriter(
      String name,
      MaskTable table,
      MaskLimits limits,
      RawTtl ttl,
      long timeoutMillis,
      Floors floors,
      Ticker ticker) {
    this.thread = PluginThreads.pool(1, name);
    this.table = table;
    this.limits = limits;
    this.ttl = ttl;
    this.timeoutMillis = timeoutMillis;
    this.floors = floors;
    this.ticker = ticker;
  }

  /** The table that it writes. */
  public MaskTable table() {
    return table;
  }

  /** Its counters. */
  public MaskStats stats() {
    return stats;
  }

  /** The floors of the table. */
  public Floors floors() {
    return floors;
  }

  /** Looks for the table now, so that no message has to wait for it, and begins to read floors. */
  public void look() {
    floors.start();
    write(masks -> {}, failure -> {});
  }

  @Override
  public boolean isOn() {
    return !missing;
  }

  @Override
  public void write(Source source, Consumer<@Nullable Throwable> done) {
    if (missing) {
      lookAgain();
      stats.add(Count.SKIPPED, 1);
      done.accept(null);
      return;
    }
    Waiting waiting = new Waiting(source, done);
    queue.add(waiting);
    try {
      thread.execute(this::writeWaiting);
    } catch (Throwable e) {
      // Closed, or no thread can be started; a turn that runs may have it already.
      if (queue.remove(waiting)) {
        done.accept(new IllegalStateException("the TSD stops, or has no thread for masks", e));
      }
    }
  }

  @Override
  public boolean leavesOut(String metric, long hour, long now, boolean isFirst) {
    boolean expired = ttl.mayLackDayOf(hour, now);
    if (expired && isFirst) {
      stats.add(Count.EXPIRED, 1);
    }
    if (isFirst && floors.isBelow(metric, hour)) {
      stats.add(Count.BELOW_FLOOR, 1);
    }
    return expired;
  }

  private void writeWaiting() {
    if (queue.isEmpty()) {
      // It was written with an earlier one.
      return;
    }
    List<Waiting> all = new ArrayList<>();
    Throwable failure = null;
    try {
      Thread.sleep(GATHER);
      queue.drainTo(all);
      write(all);
    } catch (InterruptedException e) {
      // Closed: what waits is not acknowledged, and its messages are read again.
      Thread.currentThread().interrupt();
      return;
    } catch (Throwable e) {
      // Also an Error: no message may wait forever.
      failure = e;
      stats.add(Count.FAILURES, 1);
    }
    for (Waiting each : all) {
      try {
        each.done.accept(failure);
      } catch (Throwable e) {
        LOG.error("a message whose masks are written was not completed", e);
      }
    }
  }

  private void write(List<Waiting> all) throws Exception {
    if (!isThere()) {
      stats.add(Count.SKIPPED, 1);
      return;
    }
    long now = millis();
    if (budget.mustCount(now)) {
      MaskTable.Size size = await(table.size());
      budget.counted(size.rows, size.cells, now);
    }
    MaskSet masks = budget.next(limits);
    for (Waiting each : all) {
      each.source.addTo(masks);
    }
    if (masks.isEmpty()) {
      return;
    }
    Map<String, List<String>> rows = masks.rows();
    int cells = rows.values().stream().mapToInt(List::size).sum();
    budget.written(rows.size(), cells);
    Object unused = await(table.put(rows));
    stats.add(Count.WRITTEN, cells);
    stats.add(Count.COARSE, masks.isCoarse() ? 1 : 0);
    for (Waiting each : all) {
      each.source.written(masks);
    }
  }

  private boolean isThere() throws Exception {
    if (!exists) {
      exists = await(table.exists());
      if (!exists && !missing) {
        LOG.warn(
            "table {} does not exist: no masks are written for late points, and no query may use"
                + " rollups by a coverage; docs/coverage.md has the command that creates it",
            table.name());
      }
      missingUntil.set(millis() + MISSING);
      missing = !exists;
    }
    return exists;
  }

  /** A look for a table that is missing takes long, and no message waits for it. */
  private void lookAgain() {
    long until = missingUntil.get();
    if (millis() >= until && missingUntil.compareAndSet(until, Long.MAX_VALUE)) {
      try {
        thread.execute(this::lookNow);
      } catch (Throwable e) {
        // Closed, or no thread can be started.
        missingUntil.set(until);
      }
    }
  }

  private void lookNow() {
    try {
      boolean unused = isThere();
    } catch (Throwable e) {
      LOG.warn("table {} cannot be looked for: {}", table.name(), e.toString());
      // It may exist: the next masks ask again, and wait for the answer.
      missing = false;
    }
  }

  private <T> T await(Deferred<T> answer) throws Exception {
    return answer.join(timeoutMillis);
  }

  private long millis() {
    return ticker.read() / 1_000_000;
  }

  /** Ends the thread; what waits is not written. */
  @Override
  public void close() {
    floors.close();
    thread.shutdownNow();
  }
}
