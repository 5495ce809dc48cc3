package io.tsdbsuite.rollup.job;

import io.tsdbsuite.hbase.snapshot.Snapshot;
import io.tsdbsuite.rollup.report.Books;
import java.util.Optional;

/**
 * Runs that had something to read and made nothing of it. That is what a configuration looks like
 * which is not the table's, so it does not pass as good.
 */
final class EmptyRuns {
  private EmptyRuns() {}

  /**
   * Why a run that made nothing must not be trusted; empty when it may be.
   *
   * @param made what it emitted or compared
   * @param verb what it should have done, as a participle
   */
  static Optional<String> finding(
      RollupOptions options, Snapshot data, Books books, long made, String verb) {
    if (made > 0
        || options.tolerance().empty()
        || options.from() == options.to()
        || !hasData(data)) {
      return Optional.empty();
    }
    return Optional.of(
        "nothing was "
            + verb
            + " though table "
            + data.table()
            + " has data ("
            + books.rowsRead()
            + " rows read, "
            + books.rowsSkipped()
            + " skipped, "
            + books.rowsFailed()
            + " failed): the window, --metrics, and the UID widths and salt of --tsd-config must be"
            + " those of the table; --allow-empty where this is right");
  }

  private static boolean hasData(Snapshot data) {
    return data.regions().stream().anyMatch(region -> !region.storeFiles().isEmpty());
  }
}
