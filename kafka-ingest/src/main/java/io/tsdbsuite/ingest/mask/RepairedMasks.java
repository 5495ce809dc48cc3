package io.tsdbsuite.ingest.mask;

import com.google.common.base.Ticker;
import com.stumbleupon.async.Callback;
import com.stumbleupon.async.Deferred;
import io.tsdbsuite.coverage.Coverage;
import io.tsdbsuite.coverage.CoverageMask.Kind;
import io.tsdbsuite.coverage.CoverageRows;
import io.tsdbsuite.ingest.mask.MaskStats.Count;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicLong;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Removes the masks of hours whose rollups are written again. The masks are read before the raw
 * points: what is masked later may not be in the rollups, and stays. So does a new mask: that of a
 * point over HTTP or telnet may be there before the point ({@link PublishedMasks}). No method
 * blocks. Thread-safe.
 */
public final class RepairedMasks {
  private static final Logger LOG = LoggerFactory.getLogger(RepairedMasks.class);

  /** How long a table that does not exist is not looked for, nanoseconds. */
  private static final long MISSING = 5_000_000_000L;

  /** How often failures are logged, nanoseconds. */
  private static final long LOG_EVERY = 60_000_000_000L;

  private final MaskTable table;
  private final MaskStats stats;
  private final long newMillis;
  private final Ticker ticker;
  private final AtomicLong nextLine;
  private volatile boolean exists;
  private volatile long missingSince;
  private volatile boolean missing;

  /**
   * Creates it; the table need not exist.
   *
   * @param stats counts what could not be read
   * @param repairDelay how long a request for rollups waits, at least, milliseconds. A mask counts
   *     as new for {@link PublishedMasks#AGAIN}, and for half of this at most: equal requests are
   *     left out for so long, and a mask that comes after it has a request of its own
   */
  public RepairedMasks(MaskTable table, MaskStats stats, long repairDelay, Ticker ticker) {
    this.table = table;
    this.stats = stats;
    this.newMillis = Math.min(PublishedMasks.AGAIN, repairDelay / 2);
    this.ticker = ticker;
    this.nextLine = new AtomicLong(ticker.read());
  }

  /**
   * Reads the masks of a series. If that fails, there are none: they stay, and that is counted.
   *
   * @param hours their starts, seconds since the epoch
   * @param now milliseconds since the epoch
   * @param until later masks stay, milliseconds since the epoch
   * @return of each hour that has masks the times by column, for {@link #remove}
   */
  public Deferred<Map<Long, Map<String, Long>>> read(
      Collection<Long> hours, long now, long until, String metric, String tsuid) {
    if (tsuid.isEmpty() || (missing && ticker.read() - missingSince < MISSING)) {
      return Deferred.fromResult(Collections.emptyMap());
    }
    Deferred<Boolean> there = exists ? Deferred.fromResult(true) : table.exists();
    return there
        .addCallbackDeferring(
            (Callback<Deferred<Map<Long, Map<String, Long>>>, Boolean>)
                found -> {
                  exists = found;
                  missing = !found;
                  missingSince = ticker.read();
                  return found
                      ? readAll(hours, Math.min(until, now - newMillis), metric, tsuid)
                      : Deferred.fromResult(Collections.emptyMap());
                })
        .addErrback(
            (Callback<Map<Long, Map<String, Long>>, Exception>)
                failure -> {
                  exists = false;
                  unread(hours, metric, failure);
                  return Collections.emptyMap();
                });
  }

  private Deferred<Map<Long, Map<String, Long>>> readAll(
      Collection<Long> hours, long until, String metric, String tsuid) {
    List<Deferred<Map<String, Long>>> answers = new ArrayList<>();
    for (long hour : hours) {
      answers.add(table.read(hour, metric, tsuid));
    }
    return Deferred.groupInOrder(answers)
        .addCallback(
            (Callback<Map<Long, Map<String, Long>>, ArrayList<Map<String, Long>>>)
                read -> {
                  Map<Long, Map<String, Long>> masks = new TreeMap<>();
                  int i = 0;
                  for (long hour : hours) {
                    Map<String, Long> cells = new TreeMap<>(read.get(i++));
                    cells.values().removeIf(written -> written > until);
                    if (!cells.isEmpty()) {
                      masks.put(hour, cells);
                    }
                  }
                  return masks;
                });
  }

  private void unread(Collection<Long> hours, String metric, Exception failure) {
    stats.add(Count.UNREAD, 1);
    long due = nextLine.get();
    long now = ticker.read();
    if (now - due >= 0 && nextLine.compareAndSet(due, now + LOG_EVERY)) {
      LOG.warn(
          "the masks of {} at {} cannot be read, and stay after the repair; so far {} of such"
              + " repairs: {}",
          metric,
          hours,
          stats.get(Count.UNREAD),
          failure.toString());
    }
  }

  /**
   * The timestamp of the cells of a repair: later than each snapshot that lacks what the masks
   * stand for, by HBase's clocks, whatever the clock of this TSD says. So no run over such a
   * snapshot replaces the cells when the masks are gone.
   *
   * @param readAt when the raw points were read, by this TSD's clock, milliseconds since the epoch
   * @param masks what {@link #read} has found
   */
  public static long asOf(long readAt, Map<Long, Map<String, Long>> masks) {
    long asOf = readAt;
    for (Map<String, Long> cells : masks.values()) {
      for (long written : cells.values()) {
        asOf = Math.max(asOf, written + Coverage.CLOCK_SKEW);
      }
    }
    return asOf;
  }

  /**
   * Removes the masks of an hour after its rollups of all intervals are acknowledged.
   *
   * @param cells what {@link #read} has found of it before the raw points were read
   * @param allWritten whether each bucket has points and was written: what was lost with a message
   *     may have been the deletion of another one
   */
  public Deferred<Object> remove(
      long hour, String metric, Map<String, Long> cells, boolean allWritten) {
    Map<String, Long> shown = new TreeMap<>(cells);
    if (!allWritten) {
      shown.keySet().removeIf(column -> column.startsWith(CoverageRows.maskColumn(Kind.LOST, "")));
    }
    return shown.isEmpty() ? Deferred.fromResult("") : table.delete(hour, metric, shown);
  }
}
