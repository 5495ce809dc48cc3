package io.tsdbsuite.query.read;

import io.tsdbsuite.query.run.QueryContext;

/** The heap that the reading of one sub-query holds, so that it can be given back as a whole. */
final class HeldMemory {
  private final QueryContext context;
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
  void add(long cells, long moreBytes) {
    synchronized (this) {
      if (over) {
        context.check();
        return;
      }
      bytes += moreBytes;
    }
    context.used(cells, moreBytes);
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
}
