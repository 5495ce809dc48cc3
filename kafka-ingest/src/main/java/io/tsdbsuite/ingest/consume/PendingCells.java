package io.tsdbsuite.ingest.consume;

import io.tsdbsuite.ingest.store.CellIds;

/**
 * Cells that HBase owes an answer for, so that two writes to one of them are never out together.
 * Thread-safe; entered and left once for many elements, since all threads of a group share it.
 *
 * <p>asynchbase sends the next batch before the last one is answered, and region servers work on
 * the batches of a connection side by side: of two that are out, the older one may come last, and
 * stay. Source: HBaseOutageIT.
 */
final class PendingCells {
  private final LongBits pending = new LongBits();
  private int waiting;

  /**
   * Takes elements in, up to the first of which a cell is out; answers that one's index, or the
   * end.
   */
  synchronized int enter(CellIds cells, int from) {
    for (int i = from; i < cells.elements(); i++) {
      if (!add(cells, i)) {
        return i;
      }
    }
    return cells.elements();
  }

  /** Takes an element in, at most so long after; false when the time is up before. */
  synchronized boolean enter(CellIds cells, int element, long millis) throws InterruptedException {
    long until = System.nanoTime() + millis * 1_000_000;
    waiting++;
    try {
      while (!add(cells, element)) {
        long left = (until - System.nanoTime()) / 1_000_000;
        if (left <= 0) {
          return false;
        }
        wait(left);
      }
      return true;
    } finally {
      waiting--;
    }
  }

  /** All cells of an element, or none. */
  private boolean add(CellIds cells, int element) {
    return pending.add(cells.id(element), cells.bits(element));
  }

  /** HBase has answered for all elements from the one to before the other. */
  synchronized void leave(CellIds cells, int from, int to) {
    for (int i = from; i < to; i++) {
      pending.remove(cells.id(i), cells.bits(i));
    }
    if (waiting > 0) {
      notifyAll();
    }
  }
}
