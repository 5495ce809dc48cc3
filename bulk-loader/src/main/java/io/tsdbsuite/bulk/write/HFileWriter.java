package io.tsdbsuite.bulk.write;

import io.tsdbsuite.bulk.row.EncodedRow;
import io.tsdbsuite.bulk.table.TableFacts;
import io.tsdbsuite.hbase.StorageFailures;
import io.tsdbsuite.hbase.load.HFileDir;
import io.tsdbsuite.hbase.load.RegionHFiles;
import io.tsdbsuite.job.JobException;
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

/**
 * Writes rows to HFiles, as {@link RegionHFiles} does. Checkpoints end the files, so there is one
 * of them, at the end ({@link RangeLoader#NO_CHECKPOINTS}).
 */
public final class HFileWriter implements RowWriter {
  /** Size below which a cell is copied, bytes. */
  private static final int COPIED_BYTES = 1024;

  private final HFileDir dir;
  private final RegionHFiles files;
  private final List<Cell> row = new ArrayList<>();

  /**
   * @param label names the rows within the load, for example a number of their range; the same when
   *     it is tried again
   * @param maxBytes size at which a file is ended within a region
   * @throws JobException when the directory fails
   */
  public HFileWriter(
      HFileDir dir, String label, TableFacts table, long maxBytes, InstantSource clock) {
    this.dir = dir;
    try {
      this.files = new RegionHFiles(dir, label, table.layout(), maxBytes, clock);
    } catch (IOException e) {
      throw failure(e);
    }
  }

  /** The size at which HBase splits a region of this table, bytes: the size limit of an HFile. */
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
      files.append(row);
    } catch (IOException e) {
      throw failure(e);
    }
    row.clear();
  }

  /** Names of the files that are finished, in their order. */
  public List<String> finished() {
    return files.finished();
  }

  @Override
  public void checkpoint() {
    appendRow();
    try {
      files.end();
    } catch (IOException e) {
      throw failure(e);
    }
  }

  private JobException failure(IOException e) {
    return JobException.outside("HFiles in " + dir.path() + ": " + StorageFailures.reason(e), e);
  }

  @Override
  public void close() throws IOException {
    files.close();
  }
}
