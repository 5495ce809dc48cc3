package io.tsdbsuite.job.coverage;

import static io.tsdbsuite.job.coverage.CoverageTable.bytes;

import io.tsdbsuite.coverage.CoverageCell;
import io.tsdbsuite.coverage.CoverageMask;
import io.tsdbsuite.coverage.CoverageRows;
import io.tsdbsuite.coverage.CoverageWindow;
import java.io.Closeable;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
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
 * Removes rows of the coverage table. It reads row by row, so it also works where {@link
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
   * A row.
   *
   * @param row what it says
   * @param written when it was written last, by HBase's clock, milliseconds since the epoch
   */
  public record Found<T>(T row, long written) {}

  /**
   * The windows, those that do not count too.
   *
   * @throws IOException when HBase fails
   */
  public List<Found<CoverageWindow>> windows() throws IOException {
    return rows(CoverageRows.WINDOW_PREFIX, CoverageRows::window);
  }

  /**
   * The masks, by row.
   *
   * @throws IOException when HBase fails
   */
  public List<Found<List<CoverageMask>>> masks() throws IOException {
    return rows(CoverageRows.MASK_PREFIX, CoverageRows::masks);
  }

  /** What is wrong with the rows that {@link #windows} and {@link #masks} could not read. */
  public List<String> broken() {
    return List.copyOf(broken);
  }

  private <T> List<Found<T>> rows(String prefix, Function<List<CoverageCell>, T> kind)
      throws IOException {
    List<Found<T>> found = new ArrayList<>();
    Scan scan = new Scan().setStartStopRowForPrefixScan(bytes(prefix)).addFamily(FAMILY);
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
          found.add(new Found<>(kind.apply(cells), written));
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
  public void removeWindow(Found<CoverageWindow> found) throws IOException {
    CoverageWindow window = found.row();
    remove(CoverageRows.windowRow(window.interval(), window.from(), window.writer()), found);
  }

  /**
   * Removes the masks of a row as they were read; what was masked since stays.
   *
   * @throws IOException when HBase fails
   */
  public void removeMasks(Found<List<CoverageMask>> found) throws IOException {
    CoverageMask any = found.row().get(0);
    remove(CoverageRows.maskRow(any.from(), any.metric()), found);
  }

  private void remove(String key, Found<?> found) throws IOException {
    table.delete(new Delete(bytes(key)).addFamily(FAMILY, found.written()));
  }

  @Override
  public void close() throws IOException {
    table.close();
  }
}
