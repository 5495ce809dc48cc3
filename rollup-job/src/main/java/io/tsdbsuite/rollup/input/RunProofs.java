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

/**
 * Decides what a finished run proves. In doubt nothing: the books tell how many rows failed, and
 * not of which hours.
 */
public final class RunProofs {
  private static final long DAY = 86400;

  /** Region servers stamp a change by their own clocks, which may differ by 30 s each way. */
  private static final Duration CLOCK_SKEW = Duration.ofSeconds(60);

  private static final String NAMELESS =
      ("more than %s metrics have no name in the UID snapshot, so suite of rollup_config.json could"
              + " not select their aggregators; --uid-snapshot must not be older than"
              + " --data-snapshot")
          .formatted(Books.ODD_METRICS);

  private RunProofs() {}

  /**
   * The proof of a run that is done.
   *
   * @param books of the run, with those of the search for changed rows
   * @param earlier whether the search has found all rows of {@link ChangedSince#earlier}
   */
  public static RunProof of(RollupOptions options, Snapshot data, Books books, boolean earlier) {
    return new RunProof(
        Instant.ofEpochMilli(data.creationTime()),
        gaps(options, data, books),
        namesOddMetrics(books) ? books.oddMetrics() : List.of(),
        books.oddHistograms(),
        refreshes(options, data, books, earlier),
        List.of(),
        null);
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
      if (!books.oddMetrics().isEmpty()
          && books.count(Count.POINTS_NOT_A_NUMBER) + books.count(Count.AMBIGUOUS_DUPLICATES)
              == 0) {
        gaps.add(NAMELESS);
      }
    }
    if (options.asOf() == AsOf.NOW) {
      gaps.add("the rollups may hide repairs that came after the data snapshot (--as-of now)");
    }
    if (!data.flushed()) {
      gaps.add(RunProof.SKIPS_FLUSH);
    }
    if (CompleteInput.isExpired(data, options)) {
      gaps.add(RunProof.EXPIRED);
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
   * older puts. Without {@code since} the time of the earlier snapshot is not known.
   */
  private static List<RunProof.Refresh> refreshes(
      RollupOptions options, Snapshot data, Books books, boolean earlier) {
    ChangedSince since = options.changedSince();
    if (since == null
        || since.files() == null
        || since.taken() == null
        || since.allowLost()
        || data.family().getScope() != HConstants.REPLICATION_SCOPE_LOCAL
        || books.count(Count.OLD_TIMESTAMPS) > 0) {
      return List.of();
    }
    // Rows that the data table's TTL may have bitten keep their rollups.
    long oldest = Math.max(0, CompleteInput.firstWholeHour(data));
    long unit = options.intervals().needsDays() ? DAY : 1;
    long from = -Math.floorDiv(-oldest, unit) * unit;
    List<RunProof.Refresh> refreshes = new ArrayList<>();
    add(refreshes, data, from, options.from(), since.time(), since.taken());
    ChangedSince.Earlier rows = since.earlier();
    if (rows != null && earlier) {
      add(refreshes, data, from, Math.min(rows.until(), options.from()), rows.time(), rows.taken());
    }
    return refreshes;
  }

  private static void add(
      List<RunProof.Refresh> refreshes,
      Snapshot data,
      long from,
      long to,
      Instant time,
      Instant taken) {
    if (from < to
        && !time.plus(CLOCK_SKEW).isAfter(taken)
        && taken.toEpochMilli() <= data.creationTime()) {
      refreshes.add(
          new RunProof.Refresh(Instant.ofEpochSecond(from), Instant.ofEpochSecond(to), taken));
    }
  }
}
