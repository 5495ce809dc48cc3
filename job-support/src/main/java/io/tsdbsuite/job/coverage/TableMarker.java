package io.tsdbsuite.job.coverage;

import static io.tsdbsuite.job.coverage.CoverageTable.bytes;

import io.tsdbsuite.coverage.CoverageRows;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.client.CheckAndMutate;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.RowMutations;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.jspecify.annotations.Nullable;

/**
 * The marker of a rollup table: an id that stands in the coverage and in the rollup table. It
 * changes with each window that is written, so a rollup table that was truncated, made again, or
 * restored from an older snapshot has none or another one.
 *
 * <pre>
 *   coverage  marker/TABLE   id A          id A next B     id A next B     id B
 *   TABLE     first row      A             A               B               B
 *                               1. announce    2. change       3. confirm
 * </pre>
 *
 * <p>Readers accept both ids of the coverage, so they see a matching pair at each step. Each step
 * is a compare-and-set, so several writers can work at the same time, and a later writer completes
 * the steps of one that has died.
 */
final class TableMarker {
  private static final int MAX_ATTEMPTS = 100;

  private static final byte[] FAMILY = bytes(CoverageRows.FAMILY);
  private static final byte[] ID = bytes(CoverageRows.ID_COLUMN);
  private static final byte[] NEXT = bytes(CoverageRows.NEXT_COLUMN);
  private static final byte[] TABLE_FAMILY = bytes(CoverageRows.TABLE_FAMILY);
  private static final byte[] TABLE_COLUMN = bytes(CoverageRows.TABLE_COLUMN);

  private final Table coverage;
  private final Table rollups;
  private final String name;
  private final byte[] row;

  /**
   * @param name of the rollup table
   */
  TableMarker(Table coverage, Table rollups, String name) {
    this.coverage = coverage;
    this.rollups = rollups;
    this.name = CoverageRows.tableName(name);
    this.row = bytes(CoverageRows.markerRow(name));
  }

  /** The id in a rollup table; empty if it has none. */
  static String id(Table rollups) throws IOException {
    return text(
        rollups
            .get(new Get(CoverageRows.tableMarkerRow()).addColumn(TABLE_FAMILY, TABLE_COLUMN))
            .getValue(TABLE_FAMILY, TABLE_COLUMN));
  }

  private static String text(byte @Nullable [] value) {
    return value == null ? "" : new String(value, StandardCharsets.UTF_8);
  }

  /**
   * Gives the table an id that it never had.
   *
   * @return the id, which no other call has given
   * @throws IOException when HBase fails
   */
  String change() throws IOException {
    for (int i = 0; i < MAX_ATTEMPTS; i++) {
      String given = attempt();
      if (!given.isEmpty()) {
        return given;
      }
    }
    throw new IOException(
        "the marker of table " + name + " was changed by others " + MAX_ATTEMPTS + " times");
  }

  /** One change; returns the new id, empty if another writer came between. */
  private String attempt() throws IOException {
    // The windows first: all of them were written before the ids that are read then.
    List<Delete> windows = windows();
    Result marker = coverage.get(new Get(row).addFamily(FAMILY));
    String id = text(marker.getValue(FAMILY, ID));
    String begun = text(marker.getValue(FAMILY, NEXT));
    String found = id(rollups);
    boolean matches = !found.isEmpty() && (found.equals(id) || found.equals(begun));
    if (!matches) {
      Result again = coverage.get(new Get(row).addFamily(FAMILY));
      if (!id.equals(text(again.getValue(FAMILY, ID)))
          || !begun.equals(text(again.getValue(FAMILY, NEXT)))) {
        // Another writer changed both between the readings: the table may be the same.
        return "";
      }
      coverage.delete(windows);
    } else if (!begun.isEmpty()) {
      // What another writer has begun is ended first.
      return (found.equals(begun) || put(found, begun)) && confirm(begun) ? attempt() : "";
    }
    String next = UUID.randomUUID().toString().replace("-", "");
    return announce(begun, next) && put(found, next) && confirm(next) ? next : "";
  }

  private boolean announce(String begun, String next) throws IOException {
    CheckAndMutate.Builder check = CheckAndMutate.newBuilder(row);
    check =
        begun.isEmpty()
            ? check.ifNotExists(FAMILY, NEXT)
            : check.ifEquals(FAMILY, NEXT, bytes(begun));
    return coverage
        .checkAndMutate(check.build(new Put(row).addColumn(FAMILY, NEXT, bytes(next))))
        .isSuccess();
  }

  private boolean put(String found, String next) throws IOException {
    byte[] key = CoverageRows.tableMarkerRow();
    CheckAndMutate.Builder check = CheckAndMutate.newBuilder(key);
    check =
        found.isEmpty()
            ? check.ifNotExists(TABLE_FAMILY, TABLE_COLUMN)
            : check.ifEquals(TABLE_FAMILY, TABLE_COLUMN, bytes(found));
    return rollups
        .checkAndMutate(
            check.build(new Put(key).addColumn(TABLE_FAMILY, TABLE_COLUMN, bytes(next))))
        .isSuccess();
  }

  private boolean confirm(String next) throws IOException {
    RowMutations change =
        RowMutations.of(
            List.of(
                new Put(row).addColumn(FAMILY, ID, bytes(next)),
                new Delete(row).addColumns(FAMILY, NEXT)));
    return coverage
        .checkAndMutate(
            CheckAndMutate.newBuilder(row).ifEquals(FAMILY, NEXT, bytes(next)).build(change))
        .isSuccess();
  }

  /** Deletions of all windows of the table that are there now, and of no later ones. */
  private List<Delete> windows() throws IOException {
    List<Delete> deletions = new ArrayList<>();
    byte[] column = bytes("table");
    Scan scan =
        new Scan()
            .setStartStopRowForPrefixScan(bytes(CoverageRows.WINDOW_PREFIX))
            .addFamily(FAMILY);
    try (ResultScanner rows = coverage.getScanner(scan)) {
      for (Result window = rows.next(); window != null; window = rows.next()) {
        if (CoverageRows.tableName(text(window.getValue(FAMILY, column))).equals(name)) {
          long newest = 0;
          for (Cell cell : window.rawCells()) {
            newest = Math.max(newest, cell.getTimestamp());
          }
          deletions.add(new Delete(window.getRow()).addFamily(FAMILY, newest));
        }
      }
    }
    return deletions;
  }
}
