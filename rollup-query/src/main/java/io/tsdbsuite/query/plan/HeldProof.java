package io.tsdbsuite.query.plan;

import io.tsdbsuite.coverage.Coverage;
import io.tsdbsuite.coverage.QueryPlan;
import io.tsdbsuite.coverage.TimeRanges;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Keeps the proof of a plan while its tables are read. {@link #check} is called now and then, and
 * after the last row has come.
 *
 * <p>Docs/coverage.md rule 6: who removes rollups removes their windows first, or raises the floor
 * of their interval, below which they are void, and begins with the rollups at least {@link
 * Coverage#MAX_AGE} later. So windows that a reading shows, which began at {@code B}, were there at
 * {@code B}, and until {@code B + MAX_AGE} no rollup of them is removed.
 *
 * <p>Let {@code B0} be the begin of the reading of the plan, and {@code B1, B2 ...} those of the
 * readings at which the checks looked. Each check requires that
 *
 * <ol>
 *   <li>a new reading has windows for all pieces,
 *   <li>{@code B(i+1) - B(i)} is at most MAX_AGE,
 *   <li>the present time is at most MAX_AGE after the last of them.
 * </ol>
 *
 * So when the last check passes, each time at which a row was read lies in some {@code [B(i), B(i)
 * + MAX_AGE]}, and the rollup was there: it also could not be removed and written again unseen. No
 * bound on the time of the whole query is needed.
 *
 * <p>Masks do not matter here: a masked rollup is stored, and the answer is as of the plan. A
 * window that expires does not count from more than MAX_AGE before, so the same holds for a TTL.
 *
 * <p>Raw data are there as long as no floor of the metric is above them: who deletes raises the
 * floor first, and waits at least {@link Coverage#MAX_AGE} before the first datum goes. A plan of
 * raw data alone needs no new reading: without one {@link ProvenTimes#rawFloor} is as high as a
 * floor may have risen meanwhile.
 *
 * <p>Thread-safe.
 */
public final class HeldProof {
  private final String metric;
  private final List<QueryPlan.Piece> pieces;
  private final Supplier<? extends ProvenTimes> current;
  private final LongSupplier clock;
  private final boolean rollups;
  private long firstRaw = Long.MAX_VALUE;
  private ProvenTimes last;

  HeldProof(
      String metric,
      List<QueryPlan.Piece> pieces,
      ProvenTimes planned,
      Supplier<? extends ProvenTimes> current,
      LongSupplier clock) {
    this.metric = metric;
    this.pieces = pieces;
    this.last = planned;
    this.current = current;
    this.clock = clock;
    boolean anyTable = false;
    for (QueryPlan.Piece piece : pieces) {
      if (piece.table() == null) {
        firstRaw = Math.min(firstRaw, piece.from());
      } else {
        anyTable = true;
      }
    }
    this.rollups = anyTable;
  }

  /** The proof of some of the pieces, from the last look on: what was read before is not used. */
  synchronized HeldProof of(List<QueryPlan.Piece> some) {
    return new HeldProof(metric, some, last, current, clock);
  }

  /**
   * Looks at the coverage of now.
   *
   * @throws NoLongerProvenException if something that was read until now may be gone
   */
  public synchronized void check() {
    ProvenTimes now = current.get();
    if (now != last) {
      if (firstRaw < now.rawFloor(metric)) {
        throw new NoLongerProvenException("raw data that was read may be gone");
      }
      if (rollups && now.began() - last.began() > Coverage.MAX_AGE) {
        throw new NoLongerProvenException("the coverage was not read for a minute");
      }
      QueryPlan.Piece missing = missing(now);
      if (missing != null) {
        throw new NoLongerProvenException("the coverage has changed, it lacks " + missing);
      }
      last = now;
    }
    if (rollups && clock.getAsLong() - last.began() > Coverage.MAX_AGE) {
      throw new NoLongerProvenException("the coverage is older than a minute");
    }
  }

  synchronized long rawFloor() {
    return last.rawFloor(metric);
  }

  private QueryPlan.@Nullable Piece missing(ProvenTimes now) {
    // There may be thousands of pieces, and thousands of windows that make these times.
    Map<String, TimeRanges> stored = new HashMap<>();
    for (QueryPlan.Piece piece : pieces) {
      QueryPlan.Table table = piece.table();
      if (table != null) {
        TimeRanges times = stored.get(table.interval());
        if (times == null) {
          times = now.stored(table.interval(), table.width(), metric);
          stored.put(table.interval(), times);
        }
        if (!times.contains(piece.from(), piece.to())) {
          return piece;
        }
      }
    }
    return null;
  }
}
