package io.tsdbsuite.rollup.job;

import io.tsdbsuite.format.schema.StorageSchema;
import io.tsdbsuite.rollup.plan.ChangedRowSet;
import io.tsdbsuite.rollup.plan.ChangedRowSetBuilder;
import io.tsdbsuite.rollup.report.Books;
import java.util.Set;
import java.util.TreeSet;

/**
 * Adds up on the driver what the tasks of a search find, one after the other. Once there is more
 * than is allowed it keeps no row any more, so that it never holds many more than that.
 */
final class ChangedRowsCollector {
  private final int maxRows;
  private final Runnable tooMany;
  private final Books books = new Books();
  private final Set<String> hidden = new TreeSet<>();
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
   * @param maxRows how many rows are allowed, those that have expired included
   * @param tooMany called once, when there are more
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

  /** Takes what a task has found. */
  synchronized void add(ChangedRowsTask.Found found) {
    books.add(found.books());
    older += found.older();
    searched += found.searched();
    whole += found.whole();
    compacted += found.compacted();
    hidden.addAll(found.bulkLoadsCompacted());
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

  /** Whether there was more than is allowed; then there are no rows. */
  synchronized boolean isStopped() {
    return stopped;
  }

  /** Rows that have changed. */
  synchronized ChangedRowSet rows() {
    return rows.build();
  }

  /** Rows that have changed and are too old to be whole. */
  synchronized ChangedRowSet expired() {
    return expired.build();
  }

  /** What was read, and what could not be. */
  synchronized Books books() {
    return books;
  }

  /** Files that have nothing new. */
  synchronized int older() {
    return older;
  }

  /** The other files. */
  synchronized int searched() {
    return searched;
  }

  /** Of these, files of which every cell is new. */
  synchronized int whole() {
    return whole;
  }

  /** New files that HBase has made of others. */
  synchronized int compacted() {
    return compacted;
  }

  /** Names of bulk-loaded HFiles that are in them. */
  synchronized Set<String> bulkLoadsCompacted() {
    return Set.copyOf(hidden);
  }
}
