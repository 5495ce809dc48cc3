package io.tsdbsuite.job.coverage;

import io.tsdbsuite.coverage.Coverage;
import io.tsdbsuite.coverage.CoverageCell;
import io.tsdbsuite.coverage.CoverageReader;
import io.tsdbsuite.coverage.CoverageRows;
import io.tsdbsuite.coverage.CoverageWindow;
import java.io.Closeable;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.TableNotFoundException;
import org.apache.hadoop.hbase.client.CheckAndMutate;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;

/**
 * The coverage table of an HBase cluster.
 *
 * <p>A window is written in this order, so that at no time it claims too much: the marker of its
 * rollup table is changed ({@link TableMarker}), then the writer looks whether the rollups are
 * there, then the window is put if the marker is still the same.
 */
public final class CoverageTable implements Closeable {
  private static final int ROWS_PER_CALL = 1000;

  /** Not before any window: whether their times are right is for readers. */
  private static final long ANY_TIME = Long.MAX_VALUE / 2;

  private static final byte[] FAMILY = bytes(CoverageRows.FAMILY);

  private final Connection connection;
  private final Table table;

  /**
   * @param connection stays open
   * @param name with its namespace
   * @throws IOException when HBase fails
   */
  public CoverageTable(Connection connection, String name) throws IOException {
    this.connection = connection;
    this.table = connection.getTable(TableName.valueOf(name));
  }

  /**
   * Reads the coverage.
   *
   * @param tables the rollup table of each interval, as rollup_config.json writes them
   * @param now milliseconds since the epoch
   * @throws IOException when HBase fails
   */
  public Coverage read(Map<String, String> tables, long now) throws IOException {
    CoverageReader reader = rows();
    Map<String, String> ids = new HashMap<>();
    for (String name : tables.values()) {
      String id = id(name);
      if (!id.isEmpty()) {
        ids.put(name, id);
      }
    }
    return reader.coverage(tables, ids, now);
  }

  private CoverageReader rows() throws IOException {
    CoverageReader reader = new CoverageReader();
    Scan scan = new Scan().addFamily(FAMILY).setCaching(ROWS_PER_CALL);
    try (ResultScanner rows = table.getScanner(scan)) {
      Result row = rows.next();
      while (row != null && reader.row(cells(row))) {
        row = rows.next();
      }
    }
    return reader;
  }

  private static List<CoverageCell> cells(Result row) {
    List<CoverageCell> cells = new ArrayList<>();
    for (Cell cell : row.rawCells()) {
      cells.add(
          new CoverageCell(
              row.getRow(),
              CellUtil.cloneQualifier(cell),
              CellUtil.cloneValue(cell),
              cell.getTimestamp()));
    }
    return cells;
  }

  /** The id in a rollup table; empty if it has none. */
  private String id(String name) throws IOException {
    try (Table rollups = connection.getTable(TableName.valueOf(name))) {
      return TableMarker.id(rollups);
    } catch (TableNotFoundException e) {
      return "";
    }
  }

  /**
   * The windows of the table, also those that do not count.
   *
   * @throws IOException when HBase fails
   * @throws CoverageRefusedException when no reader takes the table
   */
  public List<CoverageWindow> windows() throws IOException, CoverageRefusedException {
    requireVersion();
    return taken(rows()).windows();
  }

  private Coverage taken(CoverageReader reader) throws CoverageRefusedException {
    Coverage all = reader.coverage(Map.of(), Map.of(), ANY_TIME);
    if (!all.reason().isEmpty()) {
      throw new CoverageRefusedException(
          "table " + table.getName() + " would prove nothing: " + all.reason());
    }
    return all;
  }

  /**
   * Gives a rollup table another id: after all rollups of windows to be added can be read, and
   * before the writer looks whether they are there ({@link #add(List, Map, long)}). Old windows of
   * a table that was truncated or made again since they were written are removed.
   *
   * @param rollupTable with its namespace
   * @return the id
   * @throws IOException when HBase fails
   * @throws CoverageRefusedException when the coverage table has another version
   */
  public String mark(String rollupTable) throws IOException, CoverageRefusedException {
    requireVersion();
    try (Table rollups = connection.getTable(TableName.valueOf(rollupTable))) {
      return new TableMarker(table, rollups, rollupTable).change();
    }
  }

  /**
   * Adds windows whose rollups can be read already, without a look whether they are there.
   * Otherwise as {@link #add(List, Map, long)}.
   */
  public void add(List<CoverageWindow> windows, long now)
      throws IOException, CoverageRefusedException {
    Map<String, String> marks = new LinkedHashMap<>();
    for (CoverageWindow window : windows) {
      if (!marks.containsKey(window.table())) {
        marks.put(window.table(), mark(window.table()));
      }
    }
    add(windows, marks, now);
  }

  /**
   * Adds windows whose rollups were found in tables that are still the same. Windows that say
   * nothing any more beside them are removed.
   *
   * @param marks the id that {@link #mark} gave each rollup table before its rollups were looked
   *     for, by the table of the windows
   * @param now milliseconds since the epoch
   * @throws IOException when HBase fails, then some of the windows may be there; when a rollup
   *     table has another id by now, because it was truncated, made again or restored, or because
   *     another program adds windows: look again
   * @throws CoverageRefusedException when no reader would take the table with these windows, or one
   *     is older than {@link Coverage#MAX_PROOF_AGE}
   */
  public void add(List<CoverageWindow> windows, Map<String, String> marks, long now)
      throws IOException, CoverageRefusedException {
    requireVersion();
    for (CoverageWindow window : windows) {
      requireMasks(window, now);
    }
    CoverageReader reader = rows();
    List<CoverageWindow> before = taken(reader).windows();
    windows.forEach(window -> reader.row(cells(window)));
    Coverage unused = taken(reader);
    for (CoverageWindow window : windows) {
      String mark = marks.getOrDefault(window.table(), "");
      String found = id(window.table());
      if (mark.isEmpty() || !mark.equals(found)) {
        throw new IOException(
            "table "
                + window.table()
                + " must have the marker of this load, "
                + mark
                + ", found "
                + (found.isEmpty() ? "none" : found)
                + ": it was truncated, made again or restored, or another load has ended");
      }
      put(window);
    }
    for (CoverageWindow old : before) {
      boolean idle = false;
      for (CoverageWindow window : windows) {
        idle |= window.replaces(old) || old.expires() < window.asOf();
      }
      if (idle) {
        remove(old);
      }
    }
  }

  private static void requireMasks(CoverageWindow window, long now)
      throws CoverageRefusedException {
    if (window.asOf() < now - Coverage.MAX_PROOF_AGE) {
      throw new CoverageRefusedException(
          "the data snapshot must be at most "
              + Duration.ofMillis(Coverage.MAX_PROOF_AGE).toDays()
              + " days old, found one of "
              + Instant.ofEpochMilli(window.asOf())
              + ": masks of points that were late since may have been deleted");
    }
  }

  /**
   * Removes a window. Readers use it for {@link Coverage#MAX_AGE} longer.
   *
   * @throws IOException when HBase fails
   */
  public void remove(CoverageWindow window) throws IOException {
    table.delete(new Delete(key(window)).addFamily(FAMILY));
  }

  /**
   * Deletes the masks that no window needs any more; for who has written windows.
   *
   * @param tables the rollup table of each interval, as rollup_config.json writes them
   * @param widths of the same intervals, milliseconds
   * @param now milliseconds since the epoch
   * @return the number of deleted rows
   * @throws IOException when HBase fails; then some of them may be deleted
   */
  public int deleteVoidMasks(Map<String, String> tables, Map<String, Long> widths, long now)
      throws IOException {
    List<Delete> deletes = new ArrayList<>();
    read(tables, now)
        .voidMasks(widths, now)
        .forEach((row, time) -> deletes.add(new Delete(bytes(row)).addFamily(FAMILY, time)));
    int rows = deletes.size();
    // The list loses what is deleted.
    table.delete(deletes);
    return rows;
  }

  /** Whether a window is there, as it would be written now, and its rollup table is the same. */
  public boolean counts(CoverageWindow window) throws IOException {
    return has(window) && hasMarker(window.table());
  }

  private boolean hasMarker(String name) throws IOException {
    try (Table rollups = connection.getTable(TableName.valueOf(name))) {
      return new TableMarker(table, rollups, name).matches();
    } catch (TableNotFoundException e) {
      return false;
    }
  }

  private boolean has(CoverageWindow window) throws IOException {
    Result row = table.get(new Get(key(window)).addFamily(FAMILY));
    Map<String, String> wanted = CoverageRows.columns(window);
    Map<String, String> found = new LinkedHashMap<>();
    for (Cell cell : row.rawCells()) {
      found.put(
          new String(CellUtil.cloneQualifier(cell), StandardCharsets.UTF_8),
          new String(CellUtil.cloneValue(cell), StandardCharsets.UTF_8));
    }
    return found.equals(wanted);
  }

  private static List<CoverageCell> cells(CoverageWindow window) {
    List<CoverageCell> cells = new ArrayList<>();
    CoverageRows.columns(window)
        .forEach(
            (column, value) ->
                cells.add(new CoverageCell(key(window), bytes(column), bytes(value), 0)));
    return cells;
  }

  private void put(CoverageWindow window) throws IOException {
    Put put = new Put(key(window));
    CoverageRows.columns(window)
        .forEach((column, value) -> put.addColumn(FAMILY, bytes(column), bytes(value)));
    table.put(put);
  }

  private static byte[] key(CoverageWindow window) {
    return bytes(CoverageRows.windowRow(window.interval(), window.from(), window.writer()));
  }

  /** Writes the version if the table has none. */
  private void requireVersion() throws IOException, CoverageRefusedException {
    byte[] row = bytes(CoverageRows.FORMAT_ROW);
    byte[] column = bytes(CoverageRows.VERSION_COLUMN);
    byte[] version = bytes(CoverageRows.VERSION);
    table.checkAndMutate(
        CheckAndMutate.newBuilder(row)
            .ifNotExists(FAMILY, column)
            .build(new Put(row).addColumn(FAMILY, column, version)));
    byte[] found = table.get(new Get(row).addColumn(FAMILY, column)).getValue(FAMILY, column);
    String text = found == null ? "none" : new String(found, StandardCharsets.UTF_8);
    if (!text.equals(CoverageRows.VERSION)) {
      throw new CoverageRefusedException(
          "table "
              + table.getName()
              + " must have the version "
              + CoverageRows.VERSION
              + ", found "
              + text);
    }
  }

  @Override
  public void close() throws IOException {
    table.close();
  }

  static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }
}
