package io.tsdbsuite.ingest.mask;

import com.stumbleupon.async.Callback;
import com.stumbleupon.async.Deferred;
import io.tsdbsuite.coverage.Coverage;
import io.tsdbsuite.coverage.CoverageCell;
import io.tsdbsuite.coverage.CoverageMask;
import io.tsdbsuite.coverage.CoverageReader;
import io.tsdbsuite.coverage.CoverageRows;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.hbase.async.DeleteRequest;
import org.hbase.async.GetRequest;
import org.hbase.async.HBaseClient;
import org.hbase.async.KeyOnlyFilter;
import org.hbase.async.KeyValue;
import org.hbase.async.NoSuchColumnFamilyException;
import org.hbase.async.PutRequest;
import org.hbase.async.RegionLocation;
import org.hbase.async.Scanner;
import org.jspecify.annotations.Nullable;

/**
 * The masks and floors in the coverage table, through a TSD's HBase client. No method blocks.
 * Thread-safe.
 */
public class MaskTable {
  private static final byte[] FAMILY = bytes(CoverageRows.FAMILY);
  private static final int ROWS_PER_CALL = 1000;

  /** How much of masks the table has. */
  static final class Size {
    int rows;
    int cells;
  }

  private final HBaseClient client;
  private final String name;
  private final byte[] table;
  private volatile boolean seen;

  /**
   * @param name of the coverage table, with its namespace
   */
  public MaskTable(HBaseClient client, String name) {
    this.client = client;
    this.name = CoverageRows.tableName(name);
    this.table = bytes(this.name);
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  /** Name of the table, with its namespace. */
  String name() {
    return name;
  }

  /**
   * Whether the table exists, with the family of masks. The client does not distinguish a missing
   * table from a region that is not found for long: so hbase:meta is asked, which has the regions
   * of each table. A table that has answered once is never taken for missing.
   *
   * @return fails if it is not known
   */
  public Deferred<Boolean> exists() {
    return client
        .get(new GetRequest(table, bytes(CoverageRows.FORMAT_ROW), FAMILY))
        .addCallback(
            (Callback<Optional<Exception>, @Nullable ArrayList<KeyValue>>)
                cells -> {
                  seen = true;
                  return Optional.empty();
                })
        .addErrback((Callback<Optional<Exception>, Exception>) Optional::of)
        .addCallbackDeferring(
            (Callback<Deferred<Boolean>, Optional<Exception>>)
                failure ->
                    failure.isPresent() ? existsAfter(failure.get()) : Deferred.fromResult(true));
  }

  private Deferred<Boolean> existsAfter(Exception failure) {
    if (seen) {
      return Deferred.fromError(failure);
    }
    if (failure instanceof NoSuchColumnFamilyException) {
      return Deferred.fromResult(false);
    }
    return client
        .locateRegions(table)
        .addCallback(
            (Callback<Boolean, List<RegionLocation>>)
                regions -> {
                  if (regions.isEmpty()) {
                    return false;
                  }
                  throw failure;
                });
  }

  /**
   * Writes masks with the time of HBase.
   *
   * @param rows the columns of each row
   * @return called back when HBase has acknowledged all of them, or with a failure
   */
  Deferred<Object> put(Map<String, List<String>> rows) {
    List<Deferred<Object>> answers = new ArrayList<>();
    rows.forEach(
        (row, columns) -> {
          byte[][] qualifiers = new byte[columns.size()][];
          byte[][] values = new byte[columns.size()][0];
          Arrays.setAll(qualifiers, i -> bytes(columns.get(i)));
          PutRequest put = new PutRequest(table, bytes(row), FAMILY, qualifiers, values);
          // Points wait for it, and a flush of the client would send those of the TSD, too.
          put.setBufferable(false);
          answers.add(client.put(put));
        });
    return Deferred.group(answers).addCallback((Callback<Object, ArrayList<Object>>) all -> "");
  }

  /** Counts the masks. */
  Deferred<Size> size() {
    Scanner scanner = client.newScanner(table);
    scanner.setFamily(FAMILY);
    scanner.setStartKey(bytes(CoverageRows.MASK_PREFIX));
    scanner.setStopKey(bytes("mask0"));
    scanner.setFilter(new KeyOnlyFilter());
    scanner.setMaxNumRows(ROWS_PER_CALL);
    scanner.setMaxNumKeyValues(-1);
    return add(scanner, new Size());
  }

  private static Deferred<Size> add(Scanner scanner, Size size) {
    return scanner
        .nextRows()
        .addCallbackDeferring(
            (Callback<Deferred<Size>, @Nullable ArrayList<ArrayList<KeyValue>>>)
                rows -> {
                  if (rows == null) {
                    return Deferred.fromResult(size);
                  }
                  size.rows += rows.size();
                  rows.forEach(row -> size.cells += row.size());
                  return add(scanner, size);
                });
  }

  /**
   * Reads the floors, and no other rows but the version and, if it has them, the windows of levels.
   *
   * @param now milliseconds since the epoch
   * @return a coverage with these alone; fails if HBase does, but for the windows alone it is one
   *     that knows the floors
   */
  Deferred<Coverage> floors(long now) {
    return exists()
        .addCallbackDeferring(
            (Callback<Deferred<Coverage>, Boolean>)
                there -> {
                  if (!there) {
                    return Deferred.fromResult(Coverage.nothing("", Collections.emptyList()));
                  }
                  String end = CoverageRows.FORMAT_ROW + '\0';
                  return rows(CoverageRows.FLOOR_PREFIX, end, "", new CoverageReader())
                      .addCallbackDeferring(
                          (Callback<Deferred<CoverageReader>, CoverageReader>)
                              reader ->
                                  reader.mayHaveLevels()
                                      ? levels(reader)
                                      : Deferred.fromResult(reader))
                      .addCallback(
                          (Callback<Coverage, CoverageReader>)
                              all ->
                                  all.coverage(
                                      Collections.emptyMap(), Collections.emptyMap(), now));
                });
  }

  private Deferred<CoverageReader> levels(CoverageReader reader) {
    return rows(CoverageRows.WINDOW_PREFIX, "window0", "^window/[^/]*[.]", reader)
        .addErrback(
            (Callback<CoverageReader, Exception>)
                failure -> {
                  reader.failed(failure.toString());
                  return reader;
                });
  }

  /**
   * Reads the rows of a range.
   *
   * @param keys regular expression; empty for all
   */
  Deferred<CoverageReader> rows(String start, String stop, String keys, CoverageReader reader) {
    Scanner scanner = client.newScanner(table);
    scanner.setFamily(FAMILY);
    scanner.setStartKey(bytes(start));
    scanner.setStopKey(bytes(stop));
    // Otherwise a long row would come in parts.
    scanner.setMaxNumKeyValues(-1);
    if (!keys.isEmpty()) {
      scanner.setKeyRegexp(keys, StandardCharsets.UTF_8);
    }
    return add(scanner, reader);
  }

  private static Deferred<CoverageReader> add(Scanner scanner, CoverageReader reader) {
    return scanner
        .nextRows()
        .addCallbackDeferring(
            (Callback<Deferred<CoverageReader>, @Nullable ArrayList<ArrayList<KeyValue>>>)
                rows -> {
                  if (rows == null) {
                    return Deferred.fromResult(reader);
                  }
                  // It says what is wrong with a row in the end; there are few.
                  rows.forEach(row -> reader.row(cells(row)));
                  return add(scanner, reader);
                });
  }

  private static List<CoverageCell> cells(List<KeyValue> row) {
    List<CoverageCell> cells = new ArrayList<>();
    for (KeyValue cell : row) {
      cells.add(new CoverageCell(cell.key(), cell.qualifier(), cell.value(), cell.timestamp()));
    }
    return cells;
  }

  /**
   * Reads the masks of a series' hour.
   *
   * @param hour its start, seconds since the epoch
   * @param tsuid in hex, upper case
   * @return the times of the cells, milliseconds since the epoch, by column
   */
  Deferred<Map<String, Long>> read(long hour, String metric, String tsuid) {
    if (!CoverageRows.canMask(metric)) {
      return Deferred.fromResult(Collections.emptyMap());
    }
    GetRequest get =
        new GetRequest(table, bytes(CoverageRows.maskRow(hour, metric)), FAMILY)
            .qualifiers(
                new byte[][] {
                  bytes(CoverageRows.maskColumn(CoverageMask.Kind.LATE, tsuid)),
                  bytes(CoverageRows.maskColumn(CoverageMask.Kind.LOST, tsuid))
                });
    return client
        .get(get)
        .addCallback(
            (Callback<Map<String, Long>, @Nullable ArrayList<KeyValue>>)
                cells -> {
                  Map<String, Long> times = new LinkedHashMap<>();
                  if (cells != null) {
                    for (KeyValue cell : cells) {
                      times.put(
                          new String(cell.qualifier(), StandardCharsets.UTF_8), cell.timestamp());
                    }
                  }
                  return times;
                });
  }

  /**
   * Deletes cells of an hour's masks, up to the times that were read: one that was written again
   * since stays.
   */
  Deferred<Object> delete(long hour, String metric, Map<String, Long> cells) {
    List<Deferred<Object>> answers = new ArrayList<>();
    byte[] row = bytes(CoverageRows.maskRow(hour, metric));
    cells.forEach(
        (column, time) -> {
          DeleteRequest delete = new DeleteRequest(table, row, FAMILY, bytes(column), time);
          delete.setBufferable(false);
          answers.add(client.delete(delete));
        });
    return Deferred.group(answers).addCallback((Callback<Object, ArrayList<Object>>) all -> "");
  }
}
