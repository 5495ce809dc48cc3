package io.tsdbsuite.job.coverage;

import static io.tsdbsuite.job.coverage.CoverageTable.bytes;

import io.tsdbsuite.coverage.CoverageCell;
import io.tsdbsuite.coverage.CoverageRows;
import io.tsdbsuite.coverage.CoverageWindow;
import java.io.Closeable;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;

/**
 * Removes windows of the coverage table. It reads row by row, so it also works where {@link
 * io.tsdbsuite.coverage.CoverageReader} refuses the table because it has too many rows or a broken
 * one.
 */
public final class CoverageCleaner implements Closeable {
  private static final byte[] FAMILY = bytes(CoverageRows.FAMILY);

  private final Table table;
  private final Set<String> broken = new LinkedHashSet<>();

  /**
   * @param connection stays open
   * @param name with its namespace
   * @throws IOException when HBase fails
   */
  public CoverageCleaner(Connection connection, String name) throws IOException {
    this.table = connection.getTable(TableName.valueOf(name));
  }

  /**
   * A window.
   *
   * @param row what it says
   * @param written when it was written last, by HBase's clock, milliseconds since the epoch
   */
  public record Found(CoverageWindow row, long written) {}

  /** What is wrong with the rows that {@link #windows} could not read. */
  public List<String> broken() {
    return List.copyOf(broken);
  }

  /**
   * The windows, those that do not count too.
   *
   * @throws IOException when HBase fails
   */
  public List<Found> windows() throws IOException {
    List<Found> found = new ArrayList<>();
    Scan scan =
        new Scan()
            .setStartStopRowForPrefixScan(bytes(CoverageRows.WINDOW_PREFIX))
            .addFamily(FAMILY);
    try (ResultScanner rows = table.getScanner(scan)) {
      for (Result row = rows.next(); row != null; row = rows.next()) {
        List<CoverageCell> cells = new ArrayList<>();
        long written = 0;
        for (Cell cell : row.rawCells()) {
          written = Math.max(written, cell.getTimestamp());
          cells.add(
              new CoverageCell(
                  row.getRow(),
                  CellUtil.cloneQualifier(cell),
                  CellUtil.cloneValue(cell),
                  cell.getTimestamp()));
        }
        try {
          found.add(new Found(CoverageRows.window(cells), written));
        } catch (IllegalArgumentException e) {
          broken.add(String.valueOf(e.getMessage()));
        }
      }
    }
    return found;
  }

  /**
   * Removes a window as it was read; one that was written again since stays.
   *
   * @throws IOException when HBase fails
   */
  public void remove(Found found) throws IOException {
    CoverageWindow window = found.row();
    byte[] key = bytes(CoverageRows.windowRow(window.interval(), window.from(), window.writer()));
    table.delete(new Delete(key).addFamily(FAMILY, found.written()));
  }

  @Override
  public void close() throws IOException {
    table.close();
  }
}
