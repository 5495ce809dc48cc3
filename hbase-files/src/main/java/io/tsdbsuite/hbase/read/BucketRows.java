package io.tsdbsuite.hbase.read;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The rows of several salt buckets as one sequence, as a TSD reads them: in the order of their keys
 * without salt. Rows of different buckets whose keys differ only in the salt are one row, whose
 * cells come bucket by bucket. All keys of this interface are without salt. For one thread.
 *
 * <pre>
 *   bucket 0    00|m1 t1 a   00|m1 t2 a
 *   bucket 1    01|m1 t1 a              01|m1 t2 b
 *   rows           m1 t1 a      m1 t2 a    m1 t2 b
 * </pre>
 *
 * <p>Where a block of one bucket is corrupt, the rows of the other buckets come with {@link
 * #corruptPart}: what remains of them would look complete.
 */
public final class BucketRows implements RowReader {
  private static final byte[] END = {};

  /**
   * A range of rows of one bucket, in one region.
   *
   * @param stopRow end of the range, exclusive; empty for the end of the table
   * @param close closes the rows and their files
   */
  public record Part(RowReader rows, byte[] stopRow, Runnable close) {}

  /** Opens the parts of a bucket, in row order. */
  @FunctionalInterface
  public interface Parts {
    /**
     * Opens the next part.
     *
     * @return null if there is none
     * @throws IOException when storage fails
     */
    @Nullable Part next() throws IOException;
  }

  private final List<Bucket> buckets = new ArrayList<>();
  private final CellBuffer cells = new CellBuffer();

  /** Rows before it are left out. */
  private byte[] floor = {};

  /** Of the corrupt blocks that were met, the one whose rows end last. */
  private @Nullable UnreadableBlockException lost;

  private @Nullable Bucket current;

  private @Nullable UnreadableBlockException failure;
  private @Nullable Bucket failed;

  /** Reads nothing yet. */
  public BucketRows() {}

  /**
   * Adds a bucket, before the first call of {@link #peek}.
   *
   * @param salt first bytes of all its keys
   */
  public void add(byte[] salt, Parts parts) {
    buckets.add(new Bucket(salt, parts));
  }

  /** The rows of one bucket. */
  private final class Bucket {
    private final byte[] salt;
    private final Parts parts;
    private @Nullable Part part;
    private boolean found;
    private boolean done;

    /** Of the block that comes next; null if that can be read. */
    private @Nullable UnreadableBlockException corrupt;

    Bucket(byte[] salt, Parts parts) {
      this.salt = salt;
      this.parts = parts;
    }

    /** Finds the next row, or corrupt block, at or after {@link #floor}. */
    boolean peek() throws IOException {
      try {
        while (!found && corrupt == null && !done) {
          find();
        }
      } catch (UnreadableBlockException e) {
        corrupt = e;
      }
      return !done;
    }

    private void find() throws IOException {
      Part open = part == null ? parts.next() : part;
      part = open;
      if (open == null) {
        done = true;
      } else if (!open.rows().peek()) {
        closePart();
      } else if (compareTo(floor) < 0) {
        open.rows().seek(salted(floor));
      } else {
        found = true;
      }
    }

    RowReader rows() {
      if (part == null) {
        throw new IllegalStateException("no row was found");
      }
      return part.rows();
    }

    /** Compares what comes next in two buckets; a corrupt block is before its first row. */
    int compareTo(Bucket other) {
      UnreadableBlockException a = corrupt;
      UnreadableBlockException b = other.corrupt;
      if (a != null) {
        byte[] row = unsalted(a.firstRow());
        int order =
            b == null
                ? -other.compareTo(row)
                : Arrays.compareUnsigned(row, other.unsalted(b.firstRow()));
        return order == 0 ? -1 : order;
      }
      if (b != null) {
        int order = compareTo(other.unsalted(b.firstRow()));
        return order == 0 ? 1 : order;
      }
      RowReader rows = other.rows();
      int from = rows.rowOffset() + salt.length;
      return compareTo(rows.rowArray(), from, rows.rowOffset() + rows.rowLength());
    }

    private int compareTo(byte[] row) {
      return compareTo(row, 0, row.length);
    }

    private int compareTo(byte[] row, int rowFrom, int rowTo) {
      RowReader rows = rows();
      int from = rows.rowOffset() + salt.length;
      int to = rows.rowOffset() + rows.rowLength();
      return Arrays.compareUnsigned(rows.rowArray(), from, to, row, rowFrom, rowTo);
    }

    private byte[] salted(byte[] row) {
      byte[] key = Arrays.copyOf(salt, salt.length + row.length);
      System.arraycopy(row, 0, key, salt.length, row.length);
      return key;
    }

    /** A row of this bucket without salt; {@link #END} for a row of another one. */
    private byte[] unsalted(byte[] row) {
      return row.length > salt.length && Arrays.equals(salt, 0, salt.length, row, 0, salt.length)
          ? Arrays.copyOfRange(row, salt.length, row.length)
          : END;
    }

    /** The same failure, in rows without salt; its message names the rows of the file. */
    private UnreadableBlockException unsalted(UnreadableBlockException e) {
      byte[] resume = e.resumeRow();
      byte[] stop = part == null ? END : part.stopRow();
      boolean toTheEnd =
          resume.length == 0 || (stop.length > 0 && Arrays.compareUnsigned(resume, stop) > 0);
      return new UnreadableBlockException(
          e, unsalted(e.firstRow()), unsalted(toTheEnd ? stop : resume));
    }

    private void closePart() {
      if (part != null) {
        part.close().run();
        part = null;
      }
    }
  }

  private UnreadableBlockException failed(Bucket bucket, UnreadableBlockException e) {
    bucket.found = false;
    failed = bucket;
    failure = e;
    return bucket.unsalted(e);
  }

  @Override
  public boolean peek() throws IOException {
    Bucket first = null;
    for (Bucket bucket : buckets) {
      if (bucket.peek() && (first == null || bucket.compareTo(first) < 0)) {
        first = bucket;
      }
    }
    if (first != null && first.corrupt != null) {
      UnreadableBlockException e = first.corrupt;
      first.corrupt = null;
      throw failed(first, e);
    }
    current = first;
    return first != null;
  }

  private Bucket current() {
    if (current == null) {
      throw new IllegalStateException("no row was found");
    }
    return current;
  }

  @Override
  public byte[] rowArray() {
    return current().rows().rowArray();
  }

  @Override
  public int rowOffset() {
    return current().rows().rowOffset() + current().salt.length;
  }

  @Override
  public int rowLength() {
    return current().rows().rowLength() - current().salt.length;
  }

  @Override
  public @Nullable UnreadableBlockException corruptPart() {
    UnreadableBlockException block = lost;
    if (block != null
        && block.resumeRow().length > 0
        && current().compareTo(block.resumeRow()) >= 0) {
      lost = null;
    }
    return lost;
  }

  @Override
  public int read(CellVisitor visitor) throws IOException {
    Bucket first = current();
    List<Bucket> same = new ArrayList<>(1);
    for (Bucket bucket : buckets) {
      if (bucket.found && (bucket == first || bucket.compareTo(first) == 0)) {
        same.add(bucket);
      }
    }
    byte[] next = same.size() == 1 ? floor : nextRow();
    int read = 0;
    for (Bucket bucket : same) {
      bucket.found = false;
      try {
        if (same.size() == 1) {
          return bucket.rows().read(visitor);
        }
        // A bucket that reads its row again discards its own cells only.
        cells.restart();
        read += bucket.rows().read(cells);
        cells.replay(visitor);
      } catch (UnreadableBlockException e) {
        // The failure stands for the row's cells in the other buckets too.
        seek(next);
        throw failed(bucket, e);
      }
    }
    return read;
  }

  /** The least row after the current one. */
  private byte[] nextRow() {
    int from = rowOffset();
    return Arrays.copyOf(Arrays.copyOfRange(rowArray(), from, from + rowLength()), rowLength() + 1);
  }

  @Override
  public void seek(byte[] row) {
    floor = row.clone();
    for (Bucket bucket : buckets) {
      bucket.found = false;
    }
  }

  /** {@inheritDoc} The other buckets continue where they are. */
  @Override
  public boolean resumeAfter(UnreadableBlockException unsalted) {
    Bucket bucket = failed;
    UnreadableBlockException own = failure;
    if (bucket == null || own == null) {
      throw new IllegalStateException("no block has failed");
    }
    if (!bucket.rows().resumeAfter(own)) {
      bucket.closePart();
    }
    if (lost == null || isAfter(unsalted.resumeRow(), lost.resumeRow())) {
      lost = unsalted;
    }
    return true;
  }

  /** Whether an end of rows is after another, where empty is the end of the table. */
  private static boolean isAfter(byte[] a, byte[] b) {
    return b.length > 0 && (a.length == 0 || Arrays.compareUnsigned(a, b) > 0);
  }

  @Override
  public void close() {
    buckets.forEach(Bucket::closePart);
  }

  /** Copies of the cells of a row. */
  private static final class CellBuffer implements CellVisitor {
    private record Cell(byte[] qualifier, byte[] value, long timestamp) {}

    private final List<Cell> cells = new ArrayList<>();

    @Override
    public void restart() {
      cells.clear();
    }

    @Override
    public void cell(
        byte[] qualifier,
        int qualifierOffset,
        int qualifierLength,
        byte[] value,
        int valueOffset,
        int valueLength,
        long timestamp) {
      cells.add(
          new Cell(
              Arrays.copyOfRange(qualifier, qualifierOffset, qualifierOffset + qualifierLength),
              Arrays.copyOfRange(value, valueOffset, valueOffset + valueLength),
              timestamp));
    }

    void replay(CellVisitor visitor) {
      for (Cell cell : cells) {
        visitor.cell(
            cell.qualifier(),
            0,
            cell.qualifier().length,
            cell.value(),
            0,
            cell.value().length,
            cell.timestamp());
      }
    }
  }
}
