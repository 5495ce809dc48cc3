package io.tsdbsuite.query.limit;

import java.util.concurrent.atomic.AtomicLong;

/**
 * Work of a query that waits for a thread or for its turn. That of the query which has read the
 * fewest cells comes first, so that a small query does not wait for the rows of large ones; of
 * equal ones that which has waited longest.
 *
 * <p>A second of waiting counts like a million cells fewer. So each batch of a query that has read
 * n million cells is overtaken only by tasks of the n seconds after its own: small queries that
 * never end slow a large one down, and do not stop it.
 */
public final class WaitingTask implements Runnable, Comparable<WaitingTask> {
  private static final AtomicLong NUMBERS = new AtomicLong();

  private static final long NANOS_PER_CELL = 1_000;

  private final long rank;
  private final long number = NUMBERS.getAndIncrement();
  private final Runnable work;

  /**
   * @param cells that the query has read
   */
  public WaitingTask(long cells, Runnable work) {
    this(cells, System.nanoTime(), work);
  }

  WaitingTask(long cells, long nanoTime, Runnable work) {
    this.rank = cells + nanoTime / NANOS_PER_CELL;
    this.work = work;
  }

  @Override
  public void run() {
    work.run();
  }

  @Override
  public int compareTo(WaitingTask other) {
    int byRank = Long.compare(rank, other.rank);
    return byRank != 0 ? byRank : Long.compare(number, other.number);
  }
}
