package io.tsdbsuite.rollup.input;

import io.tsdbsuite.hbase.snapshot.Snapshot;
import io.tsdbsuite.rollup.report.Books;
import io.tsdbsuite.rollup.report.Count;
import java.util.Optional;

/**
 * Detects runs that read input but produced no output. The usual cause is a configuration that does
 * not match the table, so such a run counts as failed.
 */
public final class EmptyRuns {
  private EmptyRuns() {}

  /**
   * Explains why an empty result is suspicious; empty when it is plausible.
   *
   * @param made number of rollups emitted or compared
   * @param verb the expected action as a participle, for the message
   */
  public static Optional<String> finding(
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
