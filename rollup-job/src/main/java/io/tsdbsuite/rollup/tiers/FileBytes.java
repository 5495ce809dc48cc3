package io.tsdbsuite.rollup.tiers;

import io.tsdbsuite.format.row.RowKey;
import io.tsdbsuite.format.row.Uids;
import io.tsdbsuite.hbase.read.HFileIndex;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The bytes of an HFile's data blocks by metric and day, from the keys of its index. For one file
 * and one thread.
 *
 * <p>Between two blocks HBase writes the shortest key that is after the last row of one and not
 * after the first row of the next:
 *
 * <pre>
 *   salt | metric | time | tags   both rows have this salt, metric and time
 *   salt | metric | ti            both have this salt and metric; the next row is of this time or
 *                                 later, the last row before it
 *   salt | me                     no more is known: the next row is read
 * </pre>
 */
final class FileBytes implements HFileIndex.BlockVisitor {
  /** The rows of a region, or of the half of an HFile that it owns; an empty end is that of all. */
  record Range(byte[] from, byte[] to) {
    /** Whether blocks from a key up to another one, or to the end, may have rows of the range. */
    private boolean hasSome(byte[] key, byte @Nullable [] next) {
      return (to.length == 0 || Arrays.compareUnsigned(key, to) < 0)
          && (next == null || Arrays.compareUnsigned(next, from) > 0);
    }
  }

  /** What a plan knows of metrics. */
  interface Metrics {
    /** Whether a metric has a name. */
    boolean isKnown(long uid);

    /** Whether a day of some metric may go. */
    boolean someGo();

    /** Whether a day of a metric would go. */
    boolean goes(long uid, int day);
  }

  /**
   * A row without its tags.
   *
   * @param prefix salt and metric
   * @param day of its start, days since the epoch
   */
  private record Row(byte[] prefix, long metric, int day) {}

  private final Tier tier;
  private final RowKey keys;
  private final List<Range> ranges;
  private final Metrics metrics;
  private final TableBytes books;

  private byte @Nullable [] key;
  private @Nullable Row first;
  private long size;

  /**
   * @param ranges the parts of the file that count
   * @param books receives the bytes of the file alone
   */
  FileBytes(Tier tier, RowKey keys, List<Range> ranges, Metrics metrics, TableBytes books) {
    this.tier = tier;
    this.keys = keys;
    this.ranges = ranges;
    this.metrics = metrics;
    this.books = books;
  }

  @Override
  public void block(byte[] next, long bytes, HFileIndex.RowSource rows) throws IOException {
    end(next, lastBefore(next));
    key = next;
    size = bytes;
    first = next.length > keys.timeOffset() ? from(next) : row(rows.first());
  }

  /** Ends the last block; {@code row} is the last of the file. */
  void end(byte @Nullable [] row) {
    end(null, row == null ? null : row(row));
  }

  /** The row of a whole key; null when it is too short to be one of a series. */
  private @Nullable Row row(byte[] row) {
    return row.length < keys.tagsOffset() ? null : row(row, keys.baseTime(row, 0));
  }

  private Row row(byte[] start, long time) {
    return new Row(
        Arrays.copyOf(start, keys.timeOffset()),
        Uids.read(start, keys.metricOffset(), keys.timeOffset() - keys.metricOffset()),
        (int) (time / Tier.DAY));
  }

  /** The first row that a block with this key can have. */
  private Row from(byte[] next) {
    long time = time(next);
    return row(next, next.length > keys.tagsOffset() ? time : tier.rowFrom(time));
  }

  /** The last row that the block before this key can have; null if the key does not tell. */
  private @Nullable Row lastBefore(byte[] next) {
    if (next.length <= keys.timeOffset()) {
      return null;
    }
    long time = time(next);
    if (next.length > keys.tagsOffset()) {
      return row(next, time);
    }
    return time == 0 ? null : row(next, tier.rowOf(time - 1));
  }

  /** The time of a key that may be cut off behind a byte of it. */
  private long time(byte[] next) {
    return keys.baseTime(Arrays.copyOf(next, keys.tagsOffset()), 0);
  }

  private void end(byte @Nullable [] next, @Nullable Row last) {
    byte[] begin = key;
    if (begin == null) {
      return;
    }
    books.blocks += size;
    Optional<Range> owner = ranges.stream().filter(range -> range.hasSome(begin, next)).findFirst();
    if (owner.isEmpty()) {
      books.outside += size;
      return;
    }
    Row row = first;
    TiersPlan.Amount region = books.region(ByteBuffer.wrap(owner.get().from));
    region.bytes += size;
    region.goes += row != null && metrics.goes(row.metric, row.day) ? size : 0;
    boolean straddles = true;
    boolean uncertain = metrics.someGo();
    if (row != null && last != null && Arrays.equals(row.prefix, last.prefix)) {
      straddles = row.day != last.day;
      // Between two days of one metric are only days of it, and the older ones go first.
      uncertain = metrics.goes(row.metric, row.day) != metrics.goes(row.metric, last.day);
    }
    books.straddling += straddles ? size : 0;
    books.uncertain += straddles && uncertain ? size : 0;
    if (row == null || !metrics.isKnown(row.metric)) {
      books.unknown += size;
    } else {
      books.stored.add(row.metric, row.day, StoredBytes.BYTES, size);
      if (straddles) {
        books.stored.add(row.metric, row.day, StoredBytes.MAYBE_LESS, size);
      }
    }
    if (straddles && last != null && metrics.isKnown(last.metric)) {
      books.stored.add(last.metric, last.day, StoredBytes.MAYBE_MORE, size);
    }
  }
}
