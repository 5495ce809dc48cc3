package io.tsdbsuite.rollup.changed;

import io.tsdbsuite.format.schema.StorageSchema;
import io.tsdbsuite.rollup.plan.ChangedRowSetBuilder;
import io.tsdbsuite.rollup.report.Books;
import java.util.TreeSet;

/**
 * Collects the results of the search tasks on the driver. When the number of rows exceeds the
 * limit, it drops all rows, which bounds its memory.
 */
final class ChangedRowsCollector {
  private final int maxRows;
  private final Runnable tooMany;
  private final Books books = new Books();
  private final TreeSet<String> bulkLoadsCompacted = new TreeSet<>();
  private ChangedRowSetBuilder rows;
  private ChangedRowSetBuilder expired;
  private final StorageSchema schema;
  private final boolean wholeDays;
  private int older;
  private int searched;
  private int whole;
  private int compacted;
  private boolean stopped;

  /**
   * @param maxRows limit for the number of rows, expired rows included
   * @param tooMany called once, when the limit is exceeded
   */
  ChangedRowsCollector(StorageSchema schema, boolean wholeDays, int maxRows, Runnable tooMany) {
    this.schema = schema;
    this.wholeDays = wholeDays;
    this.maxRows = maxRows;
    this.tooMany = tooMany;
    forget();
  }

  private void forget() {
    rows = new ChangedRowSetBuilder(schema, wholeDays);
    expired = new ChangedRowSetBuilder(schema, wholeDays);
  }

  /** Adds the result of a task. */
  synchronized void add(ChangedRowsTask.Found found) {
    books.add(found.books());
    older += found.older();
    searched += found.searched();
    whole += found.whole();
    compacted += found.compacted();
    bulkLoadsCompacted.addAll(found.bulkLoadsCompacted());
    if (stopped) {
      return;
    }
    rows.addAll(found.rows());
    expired.addAll(found.expired());
    if (found.tooMany() || rows.size() + expired.size() > maxRows) {
      stopped = true;
      forget();
      tooMany.run();
    }
  }

  /** Whether the limit was exceeded; then there are no rows. */
  synchronized boolean isStopped() {
    return stopped;
  }

  /** All results as one. */
  synchronized ChangedRowsTask.Found found() {
    return new ChangedRowsTask.Found(
        rows.build(),
        expired.build(),
        stopped,
        books,
        older,
        searched,
        whole,
        compacted,
        bulkLoadsCompacted);
  }
}
