package io.tsdbsuite.ingest.consume;

import io.tsdbsuite.ingest.store.CellIds;

/**
 * Cells with a write in flight: two writes to one cell are never in flight together. Thread-safe.
 * All threads of a group share it, so cells are acquired and released for many elements at once.
 *
 * <p>asynchbase sends a batch before the previous one is answered, and region servers process the
 * batches of a connection concurrently: of two writes in flight, the older one may be applied last.
 *
 * <pre>
 *   id of the row and instant  | bits: a cell each   |
 *   ---------------------------+---------------------+
 *   cpu{host=a} 1h 10:00       | sum min max count   |    in flight
 *   cpu{host=a} 1h 10:00       | max                 |    waits: a bit is set
 *   cpu{host=a} 1h 11:00       | sum min max count   |    goes
 * </pre>
 *
 * <ol>
 *   <li>A message acquires its elements from the first on, up to one with a cell in flight: all
 *       cells of an element, or none.
 *   <li>For that element the writing thread waits until answers have released its cells.
 *   <li>HBase's answer releases the elements that were acquired together.
 * </ol>
 */
final class PendingCells {
  private final LongBitsMap pending = new LongBitsMap();
  private int waiting;

  /**
   * Acquires the cells of elements, up to the first element with a cell in flight. Returns the
   * index of that element, or the number of elements.
   */
  synchronized int acquire(CellIds cells, int from) {
    for (int i = from; i < cells.elements(); i++) {
      if (!add(cells, i)) {
        return i;
      }
    }
    return cells.elements();
  }

  /** Waits for the cells of one element and acquires them; returns false on a timeout. */
  synchronized boolean acquire(CellIds cells, int element, long millis)
      throws InterruptedException {
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

  /** Acquires all cells of an element, or none. */
  private boolean add(CellIds cells, int element) {
    return pending.add(cells.id(element), cells.bits(element));
  }

  /** Releases the cells of the elements {@code from} (inclusive) to {@code to} (exclusive). */
  synchronized void release(CellIds cells, int from, int to) {
    for (int i = from; i < to; i++) {
      pending.remove(cells.id(i), cells.bits(i));
    }
    if (waiting > 0) {
      notifyAll();
    }
  }
}
