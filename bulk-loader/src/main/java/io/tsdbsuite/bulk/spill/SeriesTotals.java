package io.tsdbsuite.bulk.spill;

import java.io.Closeable;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.PriorityQueue;
import org.jspecify.annotations.Nullable;

/** The series of all runs by TSUID, each once. */
public final class SeriesTotals implements Closeable {
  private final List<SeriesCursor> cursors = new ArrayList<>();
  private final PriorityQueue<SeriesCursor> queue =
      new PriorityQueue<>((a, b) -> Arrays.compareUnsigned(a.total.tsuid(), b.total.tsuid()));

  /** Opens runs. */
  SeriesTotals(List<RunFile> runs) throws IOException {
    BlockScratch scratch = new BlockScratch();
    boolean opened = false;
    try {
      for (RunFile run : runs) {
        SeriesCursor cursor = new SeriesCursor(run, scratch);
        cursors.add(cursor);
        requeue(cursor);
      }
      opened = true;
    } finally {
      if (!opened) {
        close();
      }
    }
  }

  private void requeue(SeriesCursor cursor) throws IOException {
    if (cursor.advance()) {
      queue.add(cursor);
    }
  }

  /** The next series, null at the end. */
  public @Nullable SeriesTotal next() throws IOException {
    SeriesCursor first = queue.poll();
    if (first == null) {
      return null;
    }
    SeriesTotal sum = first.total;
    requeue(first);
    SeriesCursor next = queue.peek();
    while (next != null && Arrays.equals(next.total.tsuid(), sum.tsuid())) {
      queue.remove();
      sum = sum.plus(next.total);
      requeue(next);
      next = queue.peek();
    }
    return sum;
  }

  @Override
  public void close() throws IOException {
    for (SeriesCursor cursor : cursors) {
      cursor.close();
    }
  }
}
