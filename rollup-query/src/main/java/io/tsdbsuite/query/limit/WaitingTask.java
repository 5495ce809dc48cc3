package io.tsdbsuite.query.limit;

import java.util.concurrent.atomic.AtomicLong;

/**
 * Work of a query that waits for a thread or for its turn. That of the query which has read the
 * fewest cells comes first, so that a small query does not wait for the rows of large ones; of
 * equal ones that which has waited longest.
 */
public final class WaitingTask implements Runnable, Comparable<WaitingTask> {
  private static final AtomicLong NUMBERS = new AtomicLong();

  private final long cells;
  private final long number = NUMBERS.getAndIncrement();
  private final Runnable work;

  /**
   * @param cells that the query has read
   */
  public WaitingTask(long cells, Runnable work) {
    this.cells = cells;
    this.work = work;
  }

  @Override
  public void run() {
    work.run();
  }

  @Override
  public int compareTo(WaitingTask other) {
    int byCells = Long.compare(cells, other.cells);
    return byCells != 0 ? byCells : Long.compare(number, other.number);
  }
}
