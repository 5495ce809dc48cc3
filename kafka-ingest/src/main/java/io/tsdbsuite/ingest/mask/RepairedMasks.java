package io.tsdbsuite.ingest.mask;

import com.google.common.base.Ticker;
import com.stumbleupon.async.Callback;
import com.stumbleupon.async.Deferred;
import io.tsdbsuite.coverage.Coverage;
import io.tsdbsuite.coverage.CoverageMask.Kind;
import io.tsdbsuite.coverage.CoverageRows;
import java.util.Collections;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicLong;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Removes the masks of hours whose rollups are written again. The masks are read before the raw
 * points: what is masked later may not be in the rollups, and stays. No method blocks. Thread-safe.
 */
public final class RepairedMasks {
  private static final Logger LOG = LoggerFactory.getLogger(RepairedMasks.class);

  /** How long a table that does not exist is not looked for, nanoseconds. */
  private static final long MISSING = 5_000_000_000L;

  /** How often failures are logged, nanoseconds. */
  private static final long LOG_EVERY = 60_000_000_000L;

  private final MaskStore table;
  private final MaskStats stats;
  private final Ticker ticker;
  private final AtomicLong nextLine;
  private volatile boolean exists;
  private volatile long missingSince;
  private volatile boolean missing;

  /**
   * Creates it; the table need not exist.
   *
   * @param stats counts what could not be read
   */
  public RepairedMasks(MaskTable table, MaskStats stats, Ticker ticker) {
    this((MaskStore) table, stats, ticker);
  }

  RepairedMasks(MaskStore table, MaskStats stats, Ticker ticker) {
    this.table = table;
    this.stats = stats;
    this.ticker = ticker;
    this.nextLine = new AtomicLong(ticker.read());
  }

  /**
   * Reads the masks of a series' hour. If that fails, there are none: they stay, and that is
   * counted.
   *
   * @return times by column, for {@link #remove}
   */
  public Deferred<Map<String, Long>> read(long hour, String metric, String tsuid) {
    if (tsuid.isEmpty() || (missing && ticker.read() - missingSince < MISSING)) {
      return Deferred.fromResult(Collections.emptyMap());
    }
    Deferred<Boolean> there = exists ? Deferred.fromResult(true) : table.exists();
    return there
        .addCallbackDeferring(
            (Callback<Deferred<Map<String, Long>>, Boolean>)
                found -> {
                  exists = found;
                  missing = !found;
                  missingSince = ticker.read();
                  return found
                      ? table.read(hour, metric, tsuid)
                      : Deferred.fromResult(Collections.emptyMap());
                })
        .addErrback(
            (Callback<Map<String, Long>, Exception>)
                failure -> {
                  exists = false;
                  unread(hour, metric, failure);
                  return Collections.emptyMap();
                });
  }

  private void unread(long hour, String metric, Exception failure) {
    stats.unread();
    long due = nextLine.get();
    long now = ticker.read();
    if (now - due >= 0 && nextLine.compareAndSet(due, now + LOG_EVERY)) {
      LOG.warn(
          "the masks of {} at {} cannot be read, and stay after the repair; so far {} of such"
              + " repairs: {}",
          metric,
          hour,
          stats.unreadRepairs(),
          failure.toString());
    }
  }

  /**
   * The timestamp of the cells of a repair: later than each snapshot that lacks what the masks
   * stand for, by HBase's clocks, whatever the clock of this TSD says. So no run over such a
   * snapshot replaces the cells when the masks are gone.
   *
   * @param readAt when the raw points were read, by this TSD's clock, milliseconds since the epoch
   * @param cells what {@link #read} has found
   */
  public static long asOf(long readAt, Map<String, Long> cells) {
    long asOf = readAt;
    for (long written : cells.values()) {
      asOf = Math.max(asOf, written + Coverage.CLOCK_SKEW);
    }
    return asOf;
  }

  /**
   * Removes masks after the rollups of all intervals are acknowledged.
   *
   * @param cells what {@link #read} has found before the raw points were read
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
