package io.tsdbsuite.bulk.parallel;

import io.tsdbsuite.bulk.parse.PointHandler;
import io.tsdbsuite.bulk.parse.Position;
import io.tsdbsuite.bulk.parse.SeriesText;
import io.tsdbsuite.bulk.parse.TextBlock;
import io.tsdbsuite.bulk.report.Count;
import io.tsdbsuite.bulk.report.RejectReason;
import io.tsdbsuite.bulk.report.SkipKind;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Keeps the points and rejects of a block until it is their turn. Names stay where they are if they
 * are in the block's text, else they are copied.
 *
 * <pre>
 *   event   | line | time | value | metric: offset, length | tags: offset, length |      5 longs
 *   line    | kind: 3 bits | names are copied: 1 bit | line: 60 bits |
 * </pre>
 */
final class PointBatch implements PointHandler {
  private static final int LONGS = 5;
  private static final int KIND_SHIFT = 61;
  private static final long COPIED = 1L << 60;
  private static final long LINE_MASK = COPIED - 1;
  private static final int INTEGER = 0;
  private static final int FLOATING = 1;
  private static final int REJECTED = 2;
  private static final int SKIPPED_POINT = 3;
  private static final int WITHOUT_POINT = 4;
  private static final int SKIPPED = 5;

  /** Memory of a batch, bytes; a block of short lines needs half of it. */
  private static final int MOST_BYTES = 4 << 20;

  /** Copied names beyond which they are not kept for the next block, bytes. */
  private static final int MOST_KEPT = 1 << 20;

  /** Heap of a reject without its text and detail, bytes. */
  private static final int REJECT_BYTES = 120;

  private final TextBlock block;
  private final SeriesText series = new SeriesText();
  private final List<Reject> rejects = new ArrayList<>();
  private final List<SkipKind> kinds = new ArrayList<>();
  private final List<Count> counts = new ArrayList<>();
  private long[] events = new long[LONGS << 10];
  private int end;
  private byte[] names = new byte[1 << 10];
  private int namesEnd;

  /** Heap of the rejects, bytes. */
  private long rejectBytes;

  /** Offset of the last names that were copied; they begin with the metric. */
  private int lastNames;

  private int lastMetric = -1;

  /**
   * A rejected line.
   *
   * @param copy its text, a copy
   */
  private record Reject(RejectReason reason, String detail, byte[] copy) {}

  /**
   * A batch of the points of a block.
   *
   * @param block whose text stays until they are handed over
   */
  PointBatch(TextBlock block) {
    this.block = block;
  }

  /** Forgets all. */
  void clear() {
    end = 0;
    namesEnd = 0;
    rejectBytes = 0;
    lastMetric = -1;
    rejects.clear();
    kinds.clear();
    counts.clear();
    if (names.length > MOST_KEPT) {
      names = new byte[MOST_KEPT];
    }
  }

  @Override
  public void integer(SeriesText text, long timestamp, long value) {
    point(INTEGER, text, timestamp, value);
  }

  @Override
  public void floating(SeriesText text, long timestamp, double value) {
    point(FLOATING, text, timestamp, Double.doubleToRawLongBits(value));
  }

  private void point(int kind, SeriesText text, long timestamp, long value) {
    int at = end;
    long[] to = room();
    to[at + 1] = timestamp;
    to[at + 2] = value;
    long line = ((long) kind << KIND_SHIFT) | text.line;
    if (text.bytes == block.array()) {
      to[at] = line;
      to[at + 3] = pair(text.metricOff, text.metricLen);
      to[at + 4] = pair(text.tagsOff, text.tagsLen);
    } else {
      to[at] = line | COPIED;
      copy(text);
      to[at + 3] = pair(lastNames, text.metricLen);
      to[at + 4] = pair(lastNames + text.metricLen, text.tagsLen);
    }
    // Last, so that an exception before it leaves no half of an event.
    end = at + LONGS;
  }

  /** The events, with room for one more. */
  private long[] room() {
    if (end == events.length) {
      require(2L * end * Long.BYTES + names.length + rejectBytes);
      events = Arrays.copyOf(events, 2 * end);
    }
    return events;
  }

  private static void require(long bytes) {
    if (bytes > MOST_BYTES) {
      throw new BatchFullException();
    }
  }

  private static long pair(int off, int len) {
    return ((long) off << 32) | len;
  }

  /** Copies names, unless they are those of the point before. */
  private void copy(SeriesText text) {
    int length = text.metricLen + text.tagsLen;
    if (lastMetric == text.metricLen
        && namesEnd - lastNames == length
        && same(text, text.metricOff, text.metricLen, lastNames)
        && same(text, text.tagsOff, text.tagsLen, lastNames + text.metricLen)) {
      return;
    }
    if (namesEnd + length > names.length) {
      require((long) events.length * Long.BYTES + 2L * (namesEnd + length) + rejectBytes);
      names = Arrays.copyOf(names, Math.max(2 * names.length, namesEnd + length));
    }
    lastNames = namesEnd;
    lastMetric = text.metricLen;
    System.arraycopy(text.bytes, text.metricOff, names, namesEnd, text.metricLen);
    System.arraycopy(text.bytes, text.tagsOff, names, namesEnd + text.metricLen, text.tagsLen);
    namesEnd += length;
  }

  private boolean same(SeriesText text, int off, int len, int at) {
    return Arrays.equals(text.bytes, off, off + len, names, at, at + len);
  }

  @Override
  public void rejected(
      RejectReason reason, long line, String detail, byte[] text, int off, int len) {
    rejectBytes += REJECT_BYTES + len + 2L * detail.length();
    require((long) events.length * Long.BYTES + names.length + rejectBytes);
    rejects.add(new Reject(reason, detail, Arrays.copyOfRange(text, off, off + len)));
    event(REJECTED, line, rejects.size() - 1);
  }

  @Override
  public void skippedPoint(SkipKind kind) {
    kinds.add(kind);
    event(SKIPPED_POINT, 0, kinds.size() - 1);
  }

  @Override
  public void withoutPoint() {
    event(WITHOUT_POINT, 0, 0);
  }

  @Override
  public void skipped(Count reason) {
    counts.add(reason);
    event(SKIPPED, 0, counts.size() - 1);
  }

  private void event(int kind, long line, long value) {
    long[] to = room();
    to[end] = ((long) kind << KIND_SHIFT) | line;
    to[end + 2] = value;
    end += LONGS;
  }

  @Override
  public boolean at(Position position) {
    throw new IllegalStateException("a block has no positions");
  }

  /**
   * Hands everything over.
   *
   * @param lines added to each line
   */
  void replay(PointHandler to, long lines) throws IOException {
    byte[] text = block.array();
    for (int at = 0; at < end; at += LONGS) {
      long head = events[at];
      long value = events[at + 2];
      int kind = (int) (head >>> KIND_SHIFT);
      long line = lines + (head & LINE_MASK);
      if (kind <= FLOATING) {
        long metric = events[at + 3];
        long tags = events[at + 4];
        series.bytes = (head & COPIED) == 0 ? text : names;
        series.metricOff = (int) (metric >>> 32);
        series.metricLen = (int) metric;
        series.tagsOff = (int) (tags >>> 32);
        series.tagsLen = (int) tags;
        series.line = line;
        if (kind == INTEGER) {
          to.integer(series, events[at + 1], value);
        } else {
          to.floating(series, events[at + 1], Double.longBitsToDouble(value));
        }
      } else {
        rare(to, kind, line, (int) value);
      }
    }
  }

  private void rare(PointHandler to, int kind, long line, int value) throws IOException {
    switch (kind) {
      case REJECTED -> {
        Reject reject = rejects.get(value);
        byte[] copy = reject.copy();
        to.rejected(reject.reason(), line, reject.detail(), copy, 0, copy.length);
      }
      case SKIPPED_POINT -> to.skippedPoint(kinds.get(value));
      case WITHOUT_POINT -> to.withoutPoint();
      default -> to.skipped(counts.get(value));
    }
  }
}
