package io.tsdbsuite.bulk.spill;

import java.io.Closeable;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.PriorityQueue;
import org.jspecify.annotations.Nullable;

/** The series of all runs by TSUID, each once. */
public final class SeriesTotals implements Closeable {
  private final List<Cursor> cursors = new ArrayList<>();
  private final PriorityQueue<Cursor> queue =
      new PriorityQueue<>((a, b) -> Arrays.compareUnsigned(a.total.tsuid(), b.total.tsuid()));

  /** Opens runs. */
  SeriesTotals(List<RunFile> runs) throws IOException {
    RunBlocks.Scratch scratch = new RunBlocks.Scratch();
    boolean opened = false;
    try {
      for (RunFile run : runs) {
        Cursor cursor = new Cursor(run, scratch);
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

  /** Metric and tags of a series in text, for messages; the TSUID in hex if no run has it. */
  static String names(List<RunFile> runs, byte[] tsuid) throws IOException {
    for (RunFile run : runs) {
      try (SeriesTotals totals = new SeriesTotals(List.of(run))) {
        for (SeriesTotal next = totals.next(); next != null; next = totals.next()) {
          if (Arrays.equals(next.tsuid(), tsuid)) {
            return next.names();
          }
        }
      }
    }
    return "TSUID " + HexFormat.of().withUpperCase().formatHex(tsuid);
  }

  private void requeue(Cursor cursor) throws IOException {
    if (cursor.advance()) {
      queue.add(cursor);
    }
  }

  /** The next series, null at the end. */
  public @Nullable SeriesTotal next() throws IOException {
    Cursor first = queue.poll();
    if (first == null) {
      return null;
    }
    SeriesTotal sum = first.total;
    requeue(first);
    Cursor next = queue.peek();
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
    for (Cursor cursor : cursors) {
      cursor.close();
    }
  }

  /** Goes through the series of a run. */
  private static final class Cursor implements Closeable {
    private final RunFile run;
    private final RunBlocks blocks;
    private final RunBlocks.Scratch scratch;
    private final RunBlocks.Block block = new RunBlocks.Block();
    private long next;

    /** The series it is at; empty before the first. */
    SeriesTotal total = new SeriesTotal(new byte[0], "", 0, 0, 0);

    Cursor(RunFile run, RunBlocks.Scratch scratch) throws IOException {
      this.run = run;
      this.scratch = scratch;
      this.blocks = new RunBlocks(run.path());
      this.next = run.seriesAt();
    }

    /** Goes to the next series; false at the end. */
    boolean advance() throws IOException {
      Bytes in = block.bytes;
      if (in.done()) {
        if (next >= run.indexAt()) {
          return false;
        }
        blocks.read(next, scratch, block);
        next = block.next;
      }
      byte[] tsuid = in.sized();
      String names = new String(in.sized(), StandardCharsets.UTF_8);
      long accepted = in.number();
      long points = in.number();
      long newestMillis = in.number();
      total = new SeriesTotal(tsuid, names, accepted, points, newestMillis);
      return true;
    }

    @Override
    public void close() throws IOException {
      blocks.close();
    }
  }
}
