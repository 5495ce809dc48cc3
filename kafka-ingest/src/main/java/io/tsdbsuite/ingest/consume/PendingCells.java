package io.tsdbsuite.ingest.consume;

import io.tsdbsuite.ingest.message.AggregatePoint;
import io.tsdbsuite.ingest.message.Element;
import io.tsdbsuite.ingest.message.RollupPoint;
import java.util.List;

/**
 * What HBase owes an answer for, so that two writes to one cell are never out together.
 * Thread-safe; entered and left once for many elements, since all threads of a group share it.
 *
 * <p>asynchbase sends the next batch before the last one is answered, and region servers work on
 * the batches of a connection side by side: of two that are out, the older one may come last, and
 * stay. Source: HBaseOutageIT.
 */
final class PendingCells {
  private final LongSet pending = new LongSet();
  private int waiting;

  /**
   * Equal for elements that go to the same cells. Others may be equal by chance, and wait for each
   * other without need.
   */
  static long id(Element element) {
    long id = mix(1, element.metric() == null ? 0 : element.metric().hashCode());
    id = mix(id, element.tags() == null ? 0 : element.tags().hashCode());
    id = mix(id, element.timestamp());
    if (element instanceof RollupPoint) {
      id = mix(id, ((RollupPoint) element).interval().hashCode());
    } else if (element instanceof AggregatePoint) {
      AggregatePoint point = (AggregatePoint) element;
      id = mix(id, String.valueOf(point.interval()).hashCode());
      id = mix(id, String.valueOf(point.aggregator()).hashCode());
      id = mix(id, String.valueOf(point.groupByAggregator()).hashCode());
    }
    return id;
  }

  /** The ids of all elements, in their order. */
  static long[] ids(List<Element> elements) {
    long[] ids = new long[elements.size()];
    for (int i = 0; i < ids.length; i++) {
      ids[i] = id(elements.get(i));
    }
    return ids;
  }

  private static long mix(long id, long more) {
    long mixed = (id ^ more) * 0x9E3779B97F4A7C15L;
    return mixed ^ (mixed >>> 32);
  }

  /** Takes elements in, up to the first whose id is out; answers that one's index, or the end. */
  synchronized int enter(long[] ids, int from) {
    for (int i = from; i < ids.length; i++) {
      if (!pending.add(ids[i])) {
        return i;
      }
    }
    return ids.length;
  }

  /** Takes an element in, at most so long after; false when the time is up before. */
  synchronized boolean enter(long id, long millis) throws InterruptedException {
    long until = System.nanoTime() + millis * 1_000_000;
    waiting++;
    try {
      while (!pending.add(id)) {
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

  /** HBase has answered for all of these. */
  synchronized void leave(long[] ids, int from, int to) {
    for (int i = from; i < to; i++) {
      pending.remove(ids[i]);
    }
    if (waiting > 0) {
      notifyAll();
    }
  }
}
