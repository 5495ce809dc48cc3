package io.tsdbsuite.bulk.write;

import io.tsdbsuite.bulk.error.LoadException;
import io.tsdbsuite.bulk.row.EncodedRow;
import io.tsdbsuite.bulk.table.Region;
import io.tsdbsuite.bulk.table.TableFacts;
import io.tsdbsuite.hbase.Codecs;
import java.io.IOException;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellComparator;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.IndividualBytesFieldCell;
import org.apache.hadoop.hbase.KeyValue;
import org.apache.hadoop.hbase.util.Bytes;

/**
 * Writes rows to HFiles: one for each region that the rows meet, more only above the size limit. So
 * a region gets one file from each writer; feed all rows of a region to one writer, in order, and
 * no store has more than one file from the load.
 *
 * <p>Checkpoints end the files, so there is one of them, at the end ({@link
 * RangeLoader#NO_CHECKPOINTS}). A writer of the same label begins anew: what a former one left is
 * removed.
 */
public final class HFileWriter implements RowWriter {
  /** Size below which a cell is copied, bytes. */
  private static final int COPIED_BYTES = 1024;

  private final HFileDir dir;
  private final String label;
  private final TableFacts table;
  private final long maxBytes;
  private final InstantSource clock;
  private final List<Cell> row = new ArrayList<>();
  private final List<String> finished = new ArrayList<>();
  private int region = -1;
  private int number;
  private RegionHFile file;

  /**
   * @param label names the rows within the load, for example a number of their range; the same when
   *     it is tried again
   * @param maxBytes size at which a file is ended within a region
   * @throws LoadException when the directory fails
   */
  public HFileWriter(
      HFileDir dir, String label, TableFacts table, long maxBytes, InstantSource clock) {
    Codecs.install();
    this.dir = dir;
    this.label = label;
    this.table = table;
    this.maxBytes = maxBytes;
    this.clock = clock;
    try {
      dir.clear(label);
    } catch (IOException e) {
      throw failure(e);
    }
  }

  /** The size limit that HBase gives: where it would split a region of this table. */
  public static long maxBytes(Configuration conf, TableFacts table) {
    return table.maxFileSize() > 0
        ? table.maxFileSize()
        : conf.getLong(HConstants.HREGION_MAX_FILESIZE, HConstants.DEFAULT_MAX_FILE_SIZE);
  }

  /** {@inheritDoc} Two cells of one row may come in any order. */
  @Override
  public void write(EncodedRow cell, long stamp) {
    Cell next = cell(cell, stamp);
    if (!row.isEmpty() && !isSameRow(row.get(0), cell.key())) {
      appendRow();
    }
    row.add(next);
  }

  /** Small cells in one array, which HBase writes at once; large ones without a copy. */
  private static Cell cell(EncodedRow cell, long stamp) {
    return cell.size() < COPIED_BYTES
        ? new KeyValue(cell.key(), TableFacts.FAMILY, cell.qualifier(), stamp, cell.value())
        : new IndividualBytesFieldCell(
            cell.key(),
            TableFacts.FAMILY,
            cell.qualifier(),
            stamp,
            KeyValue.Type.Put,
            cell.value());
  }

  private static boolean isSameRow(Cell cell, byte[] key) {
    return Arrays.equals(
        cell.getRowArray(),
        cell.getRowOffset(),
        cell.getRowOffset() + cell.getRowLength(),
        key,
        0,
        key.length);
  }

  private void appendRow() {
    if (row.isEmpty()) {
      return;
    }
    if (row.size() > 1) {
      row.sort(CellComparator.getInstance());
    }
    try {
      cut(row.get(0));
      for (int i = 0; i < row.size(); i++) {
        file.append(row.get(i));
      }
    } catch (IOException e) {
      throw failure(e);
    }
    row.clear();
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

  private void end() throws IOException {
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

  @Override
  public void checkpoint() {
    appendRow();
    try {
      end();
    } catch (IOException e) {
      throw failure(e);
    }
  }

  private LoadException failure(IOException e) {
    return LoadException.outside("HFiles in " + dir.path() + ": " + e.getMessage(), e);
  }

  @Override
  public void close() throws IOException {
    if (file != null) {
      RegionHFile open = file;
      file = null;
      open.abandon();
    }
  }
}
