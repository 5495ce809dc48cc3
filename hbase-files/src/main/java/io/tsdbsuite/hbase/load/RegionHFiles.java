package io.tsdbsuite.hbase.load;

import io.tsdbsuite.hbase.Codecs;
import java.io.Closeable;
import java.io.IOException;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.util.Bytes;

/**
 * Writes rows to HFiles: one for each region that the rows meet, more only above the size limit. So
 * a region gets one file from each writer; feed all rows of a region to one writer, in order, and
 * no store has more than one file from the load. A writer of the same label begins anew: what a
 * former one left is removed.
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
  private RegionHFile file;

  /**
   * @param label names the rows within the load, for example a number of their range; the same when
   *     it is tried again
   * @param maxBytes size at which a file is ended within a region
   * @param clock for the files' own time of creation
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
   * Takes the cells of a row.
   *
   * @param row at least one cell, in HBase's order; behind the row before
   * @throws IOException when a file cannot be written
   */
  public void append(List<Cell> row) throws IOException {
    cut(row.get(0));
    for (int i = 0; i < row.size(); i++) {
      file.append(row.get(i));
    }
  }

  /** Makes sure that the file is the right one for the next row. */
  private void cut(Cell first) throws IOException {
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
  }

  private static boolean isBeyond(Cell cell, Region region) {
    byte[] end = region.end();
    return end.length > 0
        && Bytes.compareTo(
                cell.getRowArray(), cell.getRowOffset(), cell.getRowLength(), end, 0, end.length)
            >= 0;
  }

  /**
   * Ends the file, if there is one, and gives it its place.
   *
   * @throws IOException when that fails
   */
  public void end() throws IOException {
    if (file != null) {
      RegionHFile ended = file;
      file = null;
      finished.add(ended.finish().getName());
    }
  }

  /** Names of the files that are finished, in their order. */
  public List<String> finished() {
    return List.copyOf(finished);
  }

  /** Removes a file that is not finished. */
  @Override
  public void close() throws IOException {
    if (file != null) {
      RegionHFile open = file;
      file = null;
      open.abandon();
    }
  }
}
