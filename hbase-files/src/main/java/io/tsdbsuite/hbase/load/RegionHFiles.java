package io.tsdbsuite.hbase.load;

import io.tsdbsuite.hbase.Codecs;
import java.io.Closeable;
import java.io.IOException;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.util.Bytes;
import org.jspecify.annotations.Nullable;

/**
 * Writes rows to HFiles: one file for each region of the rows, more only above the size limit. If
 * one writer gets all rows of a region, in order, a store has one file from the load. A new writer
 * with the same label removes all files of an earlier one, finished or not.
 */
public final class RegionHFiles implements Closeable {
  private final HFileDir dir;
  private final String label;
  private final TableLayout table;
  private final long maxBytes;
  private final InstantSource clock;
  private final List<String> finished = new ArrayList<>();
  private int region = -1;
  private int number;
  private @Nullable RegionHFile file;

  /**
   * @param label names the rows within the load, for example by the number of their range; a retry
   *     has the same label
   * @param maxBytes size at which a new file begins within a region
   * @param clock gives the creation time of the files
   * @throws IOException when the directory fails
   */
  public RegionHFiles(
      HFileDir dir, String label, TableLayout table, long maxBytes, InstantSource clock)
      throws IOException {
    Codecs.install();
    this.dir = dir;
    this.label = label;
    this.table = table;
    this.maxBytes = maxBytes;
    this.clock = clock;
    dir.clear(label);
  }

  /**
   * Appends the cells of a row.
   *
   * @param row at least one cell, in HBase's order; after the previous row
   * @throws IOException when a file cannot be written
   */
  public void append(List<Cell> row) throws IOException {
    RegionHFile open = fileOf(row.get(0));
    for (int i = 0; i < row.size(); i++) {
      open.append(row.get(i));
    }
  }

  /** Begins a new file if the next row is in another region, or the file has reached its limit. */
  private RegionHFile fileOf(Cell first) throws IOException {
    List<Region> regions = table.regions();
    if (region < 0 || isBeyond(first, regions.get(region))) {
      end();
      do {
        region++;
      } while (isBeyond(first, regions.get(region)));
    } else if (file != null && file.size() >= maxBytes) {
      end();
    }
    if (file == null) {
      file = new RegionHFile(dir, dir.name(label, number++), table, clock.millis());
    }
    return file;
  }

  private static boolean isBeyond(Cell cell, Region region) {
    byte[] end = region.end();
    return end.length > 0
        && Bytes.compareTo(
                cell.getRowArray(), cell.getRowOffset(), cell.getRowLength(), end, 0, end.length)
            >= 0;
  }

  /**
   * Closes the current file, if any, and moves it to the finished files.
   *
   * @throws IOException when the file system fails
   */
  public void end() throws IOException {
    if (file != null) {
      RegionHFile ended = file;
      file = null;
      finished.add(ended.finish().getName());
    }
  }

  /** Names of the finished files, in the order of their rows. */
  public List<String> finished() {
    return List.copyOf(finished);
  }

  /** Removes the unfinished file. */
  @Override
  public void close() throws IOException {
    if (file != null) {
      RegionHFile open = file;
      file = null;
      open.abandon();
    }
  }
}
