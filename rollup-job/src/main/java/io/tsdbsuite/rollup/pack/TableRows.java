package io.tsdbsuite.rollup.pack;

import io.tsdbsuite.hbase.read.CellVisitor;
import io.tsdbsuite.hbase.read.ReadSource;
import io.tsdbsuite.hbase.read.ReadTracker;
import io.tsdbsuite.hbase.read.RegionFiles;
import io.tsdbsuite.hbase.read.RowReader;
import io.tsdbsuite.hbase.read.RowReaders;
import io.tsdbsuite.hbase.read.UnreadableBlockException;
import io.tsdbsuite.job.JobException;
import io.tsdbsuite.rollup.plan.RegionPart;
import io.tsdbsuite.rollup.plan.RowWindow;
import java.io.Closeable;
import java.io.IOException;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The rows of a window in some parts of a snapshot, in key order. A corrupt block ends the work:
 * without its rows others would look wrong. For one thread.
 */
final class TableRows implements Closeable {
  private static final byte[] NONE = {};

  private final ReadSource source;
  private final Iterator<RegionPart> parts;
  private final RowWindow window;
  private @Nullable Opened opened;
  private byte[] key = NONE;

  private record Opened(RegionFiles files, RowReader rows) implements Closeable {
    @Override
    public void close() {
      rows.close();
      files.close();
    }
  }

  /**
   * @param parts in key order
   */
  TableRows(ReadSource source, List<RegionPart> parts, RowWindow window) {
    this.source = source;
    this.parts = parts.iterator();
    this.window = window;
  }

  /**
   * Finds the next row.
   *
   * @return false if there is none
   * @throws IOException when storage fails
   * @throws JobException bad input, when a block is corrupt
   */
  boolean next() throws IOException {
    try {
      while (opened != null || parts.hasNext()) {
        Opened open = opened == null ? open(parts.next()) : opened;
        opened = open;
        if (!open.rows.peek()) {
          close();
          continue;
        }
        byte[] array = open.rows.rowArray();
        int from = open.rows.rowOffset();
        int length = open.rows.rowLength();
        if (window.contains(array, from, length)) {
          key = Arrays.copyOfRange(array, from, from + length);
          return true;
        }
        byte[] after = window.nextAfter(array, from, length);
        if (after == null) {
          close();
        } else {
          open.rows.seek(after);
        }
      }
      return false;
    } catch (UnreadableBlockException e) {
      throw corrupt(e);
    }
  }

  private Opened open(RegionPart part) throws IOException {
    RegionFiles files = part.open(source, new ReadTracker());
    try {
      return new Opened(
          files,
          RowReaders.open(
              source, files, part.startRow(), part.stopRow(), false, window::endOfStretch));
    } catch (RuntimeException e) {
      files.close();
      throw e;
    }
  }

  private static JobException corrupt(UnreadableBlockException e) {
    return JobException.badInput(
        "nothing was written, because a block of a snapshot cannot be read: " + e.getMessage(), e);
  }

  /** The key of the row that was found. */
  byte[] key() {
    return key;
  }

  /** Reads its cells. */
  void read(CellVisitor visitor) throws IOException {
    Opened open = opened;
    if (open == null) {
      throw new IllegalStateException("no row was found");
    }
    try {
      int unused = open.rows.read(visitor);
    } catch (UnreadableBlockException e) {
      throw corrupt(e);
    }
  }

  @Override
  public void close() {
    if (opened != null) {
      opened.close();
      opened = null;
    }
  }
}
