package io.tsdbsuite.bulk.run;

import io.tsdbsuite.bulk.journal.Journal;
import io.tsdbsuite.bulk.journal.JournalEvent;
import io.tsdbsuite.bulk.journal.LoadState;
import io.tsdbsuite.bulk.progress.ProgressTracker;
import io.tsdbsuite.bulk.report.Count;
import io.tsdbsuite.bulk.report.Tally;
import io.tsdbsuite.bulk.row.RowSource;
import io.tsdbsuite.bulk.row.Rows;
import io.tsdbsuite.bulk.write.ParallelRowSource;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/** Writes rows, range by range, from the last checkpoint. */
final class WritePhase {
  private static final byte[] NONE = {};
  private static final int PARTS_PER_THREAD = 32;

  private final Rows rows;
  private final Journal journal;
  private final LoadState before;
  private final ProgressTracker progress;
  private final Tally written = new Tally();

  WritePhase(Rows rows, Journal journal, LoadState before, ProgressTracker progress) {
    this.rows = rows;
    this.journal = journal;
    this.before = before;
    this.progress = progress;
  }

  /** Writes the rows of one range. Not thread-safe. */
  interface RangeWriter extends AutoCloseable {
    /**
     * Writes a range.
     *
     * @param range its number
     * @param acknowledged receives acknowledged rows
     */
    void write(int range, RowSource rows, Acknowledged acknowledged) throws IOException;

    @Override
    void close() throws IOException;
  }

  /** Creates the writer of a thread. */
  interface RangeWriters {
    RangeWriter open() throws IOException;
  }

  /** Receives the progress of a range. */
  interface Acknowledged {
    /**
     * Reports that all rows up to a key are written durably.
     *
     * @param lastKey the last written row key; empty if there was no row
     */
    void upTo(byte[] lastKey, Tally since, boolean done);
  }

  /**
   * The rest of a range.
   *
   * @param from first key, inclusive; empty for the beginning
   * @param to last key, exclusive; empty for the end
   */
  private record Range(int number, byte[] from, byte[] to) {}

  /** Counters of this process. */
  Tally written() {
    return written;
  }

  /**
   * Writes all rows.
   *
   * @param cuts first row keys of all ranges except the first, ascending; ignored if the journal
   *     already has the cuts
   * @param makers threads that build rows ahead of the thread that writes a range, used when there
   *     are fewer ranges than threads; null if each thread writes a different range
   */
  void run(int threads, List<byte[]> cuts, @Nullable ExecutorService makers, RangeWriters writers) {
    if (!before.cut()) {
      journal.append(new JournalEvent.RangesCut(cuts));
    }
    List<Range> left = left(before.cut() ? before.cuts() : cuts);
    AtomicInteger next = new AtomicInteger();
    Workers workers = new Workers("writing", Math.max(1, Math.min(threads, left.size())));
    workers.run(
        () -> {
          try (RangeWriter writer = writers.open()) {
            int i = next.getAndIncrement();
            while (i < left.size() && workers.goesOn()) {
              Range range = left.get(i);
              try (RowSource source = open(range, makers, threads)) {
                writer.write(
                    range.number(),
                    source,
                    (key, since, done) -> acknowledge(range, key, since, done));
              }
              i = next.getAndIncrement();
            }
          }
        });
  }

  private List<Range> left(List<byte[]> cuts) {
    List<Range> left = new ArrayList<>();
    for (int i = 0; i <= cuts.size(); i++) {
      LoadState.RangeProgress done = before.range(i);
      if (!done.done()) {
        byte[] from = i == 0 ? NONE : cuts.get(i - 1);
        byte[] to = i == cuts.size() ? NONE : cuts.get(i);
        boolean begun = done.lastKey().length > 0;
        left.add(new Range(i, begun ? after(done.lastKey()) : from, to));
      }
    }
    return left;
  }

  /** The smallest key above this one. */
  private static byte[] after(byte[] key) {
    return Arrays.copyOf(key, key.length + 1);
  }

  private synchronized void acknowledge(Range range, byte[] lastKey, Tally since, boolean done) {
    journal.append(new JournalEvent.RowsAcknowledged(range.number(), lastKey, since, done));
    written.add(since);
    progress.advance(
        since.get(Count.ROWS_WRITTEN),
        since.get(Count.POINTS_WRITTEN),
        since.get(Count.BYTES_WRITTEN));
  }

  private RowSource open(Range range, @Nullable ExecutorService makers, int threads)
      throws IOException {
    if (makers == null) {
      return rows.open(range.from(), range.to());
    }
    List<byte[]> inside = new ArrayList<>();
    for (byte[] cut : rows.cuts(threads * PARTS_PER_THREAD)) {
      boolean above = Arrays.compareUnsigned(cut, range.from()) > 0;
      boolean below = range.to().length == 0 || Arrays.compareUnsigned(cut, range.to()) < 0;
      if (above && below) {
        inside.add(cut);
      }
    }
    return new ParallelRowSource(rows, range.from(), inside, range.to(), makers, threads);
  }
}
