package io.tsdbsuite.bulk.spill;

import io.tsdbsuite.bulk.group.ConflictException;
import io.tsdbsuite.bulk.group.OnConflict;
import io.tsdbsuite.bulk.group.PointDeduplicator;
import io.tsdbsuite.bulk.report.Tally;
import io.tsdbsuite.bulk.row.PackedPoints;
import io.tsdbsuite.format.row.RowKey;
import io.tsdbsuite.job.JobException;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.PriorityQueue;

/**
 * Merges runs: hours by key, the points of each in chunks that ascend, each instant once. An hour
 * of one run is passed through. An hour of several runs is merged in steps, each up to the instant
 * that all runs have reached, so memory does not depend on its size.
 */
final class HourMerger extends HourSource {
  private final List<RunFile> runs;
  private final RowKey rowKey;
  private final PointDeduplicator deduplicator;
  private final RunCursor[] cursors;
  private final PriorityQueue<RunCursor> heap;
  private final RunCursor[] same;
  private int sameSize;
  private boolean lent;
  private byte[] joined = new byte[1 << 12];

  /** Number of points of the chunk. */
  int points;

  /** Whether the hour has another chunk, of later points. */
  boolean more;

  /**
   * Opens runs.
   *
   * @param runs in their order
   * @param from first key, inclusive; empty for the beginning
   * @param to last key, exclusive; empty for the end
   */
  HourMerger(List<RunFile> runs, byte[] from, byte[] to, OnConflict onConflict, RowKey rowKey)
      throws IOException {
    this.runs = runs;
    this.rowKey = rowKey;
    this.deduplicator = new PointDeduplicator(onConflict);
    this.cursors = new RunCursor[runs.size()];
    this.heap = new PriorityQueue<>(Math.max(1, runs.size()));
    this.same = new RunCursor[runs.size()];
    boolean opened = false;
    try {
      open(from, to);
      opened = true;
    } finally {
      if (!opened) {
        close();
      }
    }
  }

  private void open(byte[] from, byte[] to) throws IOException {
    RunBlocks.Scratch scratch = new RunBlocks.Scratch();
    for (int i = 0; i < cursors.length; i++) {
      RunFile run = runs.get(i);
      if (misses(run, from, to)) {
        continue;
      }
      cursors[i] = new RunCursor(run, i, to, scratch);
      if (cursors[i].seek(from)) {
        heap.add(cursors[i]);
      }
    }
  }

  private static boolean misses(RunFile run, byte[] from, byte[] to) {
    return Arrays.compareUnsigned(run.lastKey(), from) < 0
        || (to.length > 0 && Arrays.compareUnsigned(run.firstKey(), to) >= 0);
  }

  @Override
  public boolean nextHour() {
    if (heap.isEmpty()) {
      return false;
    }
    RunCursor first = heap.remove();
    keyLength = first.keyLength;
    if (key.length < keyLength) {
      key = new byte[keyLength * 2];
    }
    System.arraycopy(first.key, 0, key, 0, keyLength);
    same[0] = first;
    sameSize = 1;
    while (!heap.isEmpty() && heap.element().compareKeys(first) == 0) {
      same[sameSize++] = heap.remove();
    }
    return true;
  }

  @Override
  public boolean nextChunk() throws IOException {
    if (lent) {
      lent = false;
      release();
    }
    if (sameSize == 0) {
      return false;
    }
    if (sameSize > 1) {
      join();
      return true;
    }
    RunCursor cursor = same[0];
    packed = cursor.packed();
    off = cursor.off;
    length = cursor.end - cursor.off;
    points = cursor.left;
    more = cursor.more;
    cursor.off = cursor.end;
    lent = true;
    return true;
  }

  private void join() throws IOException {
    int upTo = Integer.MAX_VALUE;
    for (int i = 0; i < sameSize; i++) {
      if (same[i].more) {
        upTo = Math.min(upTo, same[i].last);
      }
    }
    int at = 0;
    int count = 0;
    for (int i = 0; i < sameSize; i++) {
      RunCursor cursor = same[i];
      int before = cursor.left;
      int start = cursor.off;
      take(cursor, upTo);
      int taken = cursor.off - start;
      if (joined.length < at + taken + PackedPoints.PADDING) {
        joined = Arrays.copyOf(joined, (at + taken) * 3 / 2 + PackedPoints.PADDING);
      }
      System.arraycopy(cursor.packed(), start, joined, at, taken);
      at += taken;
      count += before - cursor.left;
    }
    release();
    try {
      deduplicator.deduplicate(joined, 0, at, count);
    } catch (ConflictException e) {
      throw JobException.badInput(conflict(e), e);
    }
    packed = deduplicator.packed();
    off = deduplicator.off();
    length = deduplicator.length();
    points = deduplicator.points();
    more = sameSize > 0;
  }

  private static void take(RunCursor cursor, int upTo) {
    if (upTo == Integer.MAX_VALUE || (cursor.more && cursor.last <= upTo)) {
      cursor.off = cursor.end;
      cursor.left = 0;
      return;
    }
    byte[] bytes = cursor.packed();
    while (cursor.off < cursor.end && PackedPoints.offsetMillis(bytes, cursor.off) <= upTo) {
      cursor.off += PackedPoints.length(bytes, cursor.off);
      cursor.left--;
    }
  }

  /** Advances the cursors whose piece was consumed; the others keep their order. */
  private void release() throws IOException {
    int kept = 0;
    for (int i = 0; i < sameSize; i++) {
      RunCursor cursor = same[i];
      if (cursor.off < cursor.end) {
        same[kept++] = cursor;
        continue;
      }
      boolean sameKey = cursor.more;
      boolean found = cursor.advance();
      if (sameKey) {
        same[kept++] = cursor;
      } else if (found) {
        heap.add(cursor);
      }
    }
    sameSize = kept;
  }

  private String conflict(ConflictException e) throws IOException {
    byte[] tsuid = rowKey.tsuid(key, 0, keyLength);
    StringBuilder sources = new StringBuilder();
    for (RunFile run : runs) {
      if (!run.source().isEmpty() && sources.indexOf(run.source()) < 0 && sources.length() < 200) {
        sources.append(sources.length() == 0 ? "" : ", ").append(run.source());
      }
    }
    return e.message(SeriesTotals.names(runs, tsuid), rowKey.baseTime(key, 0), sources.toString());
  }

  @Override
  public void drainTo(Tally tally) {
    deduplicator.drainTo(tally);
  }

  @Override
  public void close() throws IOException {
    for (RunCursor cursor : cursors) {
      if (cursor != null) {
        cursor.close();
      }
    }
  }
}
