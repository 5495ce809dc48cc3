package io.tsdbsuite.rollup.input;

import io.tsdbsuite.hbase.snapshot.Snapshot;
import io.tsdbsuite.job.JobException;
import io.tsdbsuite.rollup.report.Books;
import io.tsdbsuite.rollup.report.Count;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.apache.hadoop.hbase.HConstants;

/**
 * Refuses snapshots that lack points of the window, and runs that find no points in them, unless
 * the user allows it.
 */
public final class CompleteInput {
  private static final long HOUR = 3600;
  private static final long DAY = 86400;

  private CompleteInput() {}

  /**
   * Checks that the snapshot includes the memstores of the region servers.
   *
   * @throws JobException usage, when the memstores were not flushed
   */
  public static void requireFlushed(Snapshot snapshot, Tolerance tolerance) {
    if (!snapshot.flushed() && !tolerance.skipFlush()) {
      throw JobException.usage(unflushed(snapshot) + "; --allow-skip-flush reads it anyway");
    }
  }

  private static String unflushed(Snapshot snapshot) {
    return "snapshot '"
        + snapshot.name()
        + "' was taken with SKIP_FLUSH: it lacks the data that were only in memory";
  }

  /**
   * Checks that the table's TTL has removed no points of the window. Points are written at their
   * own time or later. One day of margin covers clock differences and the time that a snapshot
   * takes.
   *
   * @throws JobException usage, when the TTL may have removed points
   */
  static void requireUnexpired(Snapshot data, RollupOptions options) {
    if (isExpired(data, options) && !options.tolerance().expired()) {
      throw JobException.usage(
          expired(data, options) + "; --allow-expired rolls up the remaining points");
    }
  }

  /** Start of the first hour that the TTL has left complete, seconds since the epoch. */
  public static long firstWholeHour(Snapshot data) {
    return firstWhole(data, HOUR);
  }

  /** Whether the table's TTL may have removed points of the window. */
  static boolean isExpired(Snapshot data, RollupOptions options) {
    return options.from() < options.to() && options.from() < firstWholeHour(data);
  }

  /** Start of the first complete hour or day, seconds since the epoch. */
  private static long firstWhole(Snapshot data, long span) {
    int ttl = data.family().getTimeToLive();
    if (ttl == HConstants.FOREVER || data.family().getMinVersions() > 0) {
      return Long.MIN_VALUE;
    }
    long first = data.creationTime() / 1000 - ttl + DAY;
    return -Math.floorDiv(-first, span) * span;
  }

  private static String expired(Snapshot data, RollupOptions options) {
    return ("the window begins at %s, but the TTL of table %s (%s s) may have removed its"
            + " first points before the snapshot was taken (%s); the first complete %s, with a"
            + " margin of one day, is --from %s")
        .formatted(
            Instant.ofEpochSecond(options.from()),
            data.table(),
            data.family().getTimeToLive(),
            Instant.ofEpochMilli(data.creationTime()),
            options.intervals().needsDays() ? "day" : "hour",
            Instant.ofEpochSecond(firstWhole(data, options.intervals().needsDays() ? DAY : HOUR)));
  }

  /**
   * Warns of points that the snapshot may lack: of hours after it, of memstores that were not
   * flushed, and of those that the TTL has removed.
   *
   * @param warnings receives the warnings
   */
  public static void warn(Snapshot data, RollupOptions options, List<String> warnings) {
    if (data.creationTime() < options.to() * 1000) {
      warnings.add(
          "the window ends after the snapshot was taken (%s): its last hours are incomplete"
              .formatted(Instant.ofEpochMilli(data.creationTime())));
    }
    if (!data.flushed()) {
      warnings.add(unflushed(data));
    }
    if (isExpired(data, options)) {
      warnings.add(expired(data, options));
    }
  }

  /**
   * Explains why a run that read input and made nothing counts as failed: usually the configuration
   * does not match the table. Empty when the result is plausible.
   *
   * @param made number of rollups emitted or compared
   * @param verb the expected action as a participle, for the message
   */
  public static Optional<String> nothingMade(
      RollupOptions options, Snapshot data, Books books, long made, String verb) {
    if (made > 0
        || options.tolerance().empty()
        || options.from() == options.to()
        || !hasData(data)) {
      return Optional.empty();
    }
    return Optional.of(
        ("nothing was %s though table %s has data (%s rows read, %s skipped, %s failed):"
                + " the window, --metrics, and the UID widths and salt of --tsd-config must be"
                + " those of the table; --allow-empty where this is right")
            .formatted(
                verb,
                data.table(),
                books.count(Count.ROWS_READ),
                books.rowsSkipped(),
                books.rowsFailed()));
  }

  private static boolean hasData(Snapshot data) {
    return data.regions().stream().anyMatch(region -> !region.storeFiles().isEmpty());
  }
}
