package io.tsdbsuite.rollup.input;

import io.tsdbsuite.hbase.snapshot.Snapshot;
import io.tsdbsuite.rollup.report.Books;
import io.tsdbsuite.rollup.report.Count;
import io.tsdbsuite.rollup.report.FailReason;
import io.tsdbsuite.rollup.report.RunProof;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.hbase.HConstants;
import org.jspecify.annotations.Nullable;

/**
 * Decides what a finished run proves. In doubt nothing: the books tell how many rows failed, and
 * not of which hours.
 */
public final class RunProofs {
  private static final long DAY = 86400;

  /** Region servers stamp a change by their own clocks, which may differ by 30 s each way. */
  private static final Duration CLOCK_SKEW = Duration.ofSeconds(60);

  private RunProofs() {}

  /**
   * The proof of a run that is done.
   *
   * @param books of the run, with those of the search for changed rows
   */
  public static RunProof of(RollupOptions options, Snapshot data, Books books) {
    return new RunProof(
        Instant.ofEpochMilli(data.creationTime()),
        gaps(options, data, books),
        namesOddMetrics(books) ? books.oddMetrics() : List.of(),
        refresh(options, data, books));
  }

  private static List<String> gaps(RollupOptions options, Snapshot data, Books books) {
    List<String> gaps = new ArrayList<>();
    for (FailReason reason : FailReason.values()) {
      long failed = books.failed(reason);
      if (failed > 0) {
        gaps.add(failed + " rows or days failed (" + reason.text() + ")");
      }
    }
    gap(gaps, books, Count.ROWS_VANISHED, "changed rows have stored rollups of deleted points");
    if (!namesOddMetrics(books)) {
      gap(gaps, books, Count.POINTS_NOT_A_NUMBER, "points are NaN, which raw data answers as such");
      gap(
          gaps,
          books,
          Count.AMBIGUOUS_DUPLICATES,
          "points have several values, and their timestamps do not tell which a TSD answers");
    }
    if (options.asOf() == AsOf.NOW) {
      gaps.add("the rollups may hide repairs that came after the data snapshot (--as-of now)");
    }
    if (!data.flushed()) {
      gaps.add("the data snapshot was taken with SKIP_FLUSH");
    }
    if (CompleteInput.isExpired(data, options)) {
      gaps.add("the TTL of the data table may have removed points of the window (--allow-expired)");
    }
    if (options.to() * 1000 > data.creationTime()) {
      gaps.add("the window ends after the data snapshot was taken (--allow-incomplete)");
    }
    return gaps;
  }

  /** Whether such points cost their metrics alone. */
  private static boolean namesOddMetrics(Books books) {
    return !books.oddMetrics().isEmpty() && books.oddMetrics().size() <= Books.ODD_METRICS;
  }

  private static void gap(List<String> gaps, Books books, Count count, String text) {
    if (books.count(count) > 0) {
      gaps.add(books.count(count) + " " + text);
    }
  }

  /**
   * What the search has found: all rows that changed between two snapshots. Only with the files of
   * the earlier one does it find bulk loads. It goes by timestamps where a compaction has merged
   * new cells with old ones, so each cell must have the time at which it was stored: not in a table
   * that is replicated (the cells keep the time of the other cluster), or whose new files have
   * older cells. Without {@code since} the time of the earlier snapshot is not known.
   */
  private static RunProof.@Nullable Refresh refresh(
      RollupOptions options, Snapshot data, Books books) {
    ChangedSince since = options.changedSince();
    if (since == null
        || since.files() == null
        || since.taken() == null
        || since.allowLost()
        || since.time().plus(CLOCK_SKEW).isAfter(since.taken())
        || data.family().getScope() != HConstants.REPLICATION_SCOPE_LOCAL
        || books.count(Count.OLD_TIMESTAMPS) > 0) {
      return null;
    }
    // Rows that the data table's TTL may have bitten keep their rollups.
    long oldest = Math.max(0, CompleteInput.firstWholeHour(data));
    long unit = options.intervals().needsDays() ? DAY : 1;
    Instant from = Instant.ofEpochSecond(-Math.floorDiv(-oldest, unit) * unit);
    return from.getEpochSecond() < options.from()
            && since.taken().toEpochMilli() <= data.creationTime()
        ? new RunProof.Refresh(from, since.taken())
        : null;
  }
}
