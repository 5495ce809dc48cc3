package io.tsdbsuite.query.limit;

import java.util.ArrayList;
import java.util.List;
import java.util.PriorityQueue;
import java.util.Queue;

/**
 * Batches of rows that have come and are not decoded yet, of all queries. While there are many, the
 * scans wait before they ask for the next one; that of the query which has read the fewest cells
 * goes on first.
 *
 * <p>A batch that HBase has not sent does not count, so a region that does not answer holds no scan
 * up. Therefore there may be more batches than the limit, by those that were asked for at the same
 * time.
 *
 * <p>Thread-safe.
 */
public final class BatchQueue {
  private final int limit;
  private final Queue<WaitingTask> askers = new PriorityQueue<>();
  private int waiting;

  /**
   * @param limit batches from which on scans wait
   */
  public BatchQueue(int limit) {
    this.limit = limit;
  }

  /**
   * Asks for a batch: at once in this thread, or later in one that has decoded another batch.
   *
   * @param cells that the query has read
   */
  public void ask(long cells, Runnable request) {
    synchronized (this) {
      if (waiting >= limit) {
        askers.add(new WaitingTask(cells, request));
        return;
      }
    }
    request.run();
  }

  /** A batch has come. */
  public synchronized void arrived() {
    waiting++;
  }

  /** A batch was decoded, or is not wanted any more. */
  public void done() {
    List<Runnable> next = new ArrayList<>();
    synchronized (this) {
      waiting--;
      // Each batch that is decoded lets one scan go on. When none waits, all go on: if those that
      // went on last get no answer, nothing else would wake the others.
      do {
        Runnable request = askers.poll();
        if (request == null) {
          break;
        }
        next.add(request);
      } while (waiting == 0);
    }
    next.forEach(Runnable::run);
  }

  /** Batches that wait. */
  public synchronized int waiting() {
    return waiting;
  }
}
