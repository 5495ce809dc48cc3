package io.tsdbsuite.ingest.mask;

import com.google.common.base.Ticker;
import com.stumbleupon.async.Callback;
import com.stumbleupon.async.Deferred;
import io.tsdbsuite.coverage.CoverageMask.Kind;
import io.tsdbsuite.coverage.CoverageRows;
import java.util.Collections;
import java.util.Map;
import java.util.TreeMap;

/**
 * Removes the masks of hours whose rollups are written again. The masks are read before the raw
 * points: what is masked later may not be in the rollups, and stays. No method blocks. Thread-safe.
 */
public final class RepairedMasks {
  /** How long a table that does not exist is not looked for, nanoseconds. */
  private static final long MISSING = 5_000_000_000L;

  private final MaskTable table;
  private final Ticker ticker;
  private volatile boolean exists;
  private volatile long missingSince;
  private volatile boolean missing;

  /** Creates it; the table need not exist. */
  public RepairedMasks(MaskTable table, Ticker ticker) {
    this.table = table;
    this.ticker = ticker;
  }

  /**
   * Reads the masks of a series' hour. If that fails, there are none: they stay.
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
                  return Collections.emptyMap();
                });
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
