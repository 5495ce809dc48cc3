package io.tsdbsuite.query.read;

import io.tsdbsuite.query.run.QueryContext;

/** The heap that the reading of one sub-query holds, so that it can be given back as a whole. */
final class HeldMemory {
  private final QueryContext context;
  private long cells;
  private long bytes;
  private boolean over;

  HeldMemory(QueryContext context) {
    this.context = context;
  }

  /**
   * Counts what has just been read.
   *
   * @throws io.tsdbsuite.query.run.QueryAbortedException if the query must stop
   */
  void add(long newCells, long moreBytes) {
    synchronized (this) {
      if (over) {
        context.check();
        return;
      }
      cells += newCells;
      bytes += moreBytes;
    }
    context.used(newCells, moreBytes);
  }

  /** Counts what is no longer kept. */
  void free(long lessBytes) {
    synchronized (this) {
      if (over) {
        return;
      }
      bytes -= lessBytes;
    }
    context.freed(lessBytes);
  }

  /** The reading has failed: nothing of it is kept. */
  void freeAll() {
    long all;
    synchronized (this) {
      if (over) {
        return;
      }
      over = true;
      all = bytes;
    }
    context.freed(all);
  }

  /** After {@link #freeAll}: other tables are read in place of all that was read. */
  void forgive() {
    long all;
    synchronized (this) {
      all = cells;
      cells = 0;
    }
    context.forgiven(all);
  }
}
