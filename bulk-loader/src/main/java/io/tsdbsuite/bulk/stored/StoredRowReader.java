package io.tsdbsuite.bulk.stored;

import io.tsdbsuite.bulk.hbase.HBaseFailures;
import io.tsdbsuite.bulk.table.TableFacts;
import io.tsdbsuite.job.JobException;
import java.io.Closeable;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.filter.Filter;
import org.apache.hadoop.hbase.filter.FilterList;
import org.apache.hadoop.hbase.filter.FirstKeyOnlyFilter;
import org.apache.hadoop.hbase.filter.KeyOnlyFilter;
import org.apache.hadoop.hbase.filter.MultiRowRangeFilter;
import org.apache.hadoop.hbase.util.Bytes;
import org.jspecify.annotations.Nullable;

/**
 * Reads the stored rows for a batch of rows to write. Not thread-safe.
 *
 * <p>Usually the table has none of these rows; one scan of first keys over the range of the batch
 * detects this. The reader then reads all cells of the rows that it has found. A range that holds
 * many rows of other series is not scanned to its end: the rest of the batch, and the whole of the
 * next ones, are read by gets, which need no read of a block if a Bloom filter excludes the row.
 *
 * <p>If cells are written with timestamps of the past, delete markers matter too: then the scan is
 * a raw one, and jumps from row to row of the batch.
 */
public final class StoredRowReader implements Closeable {
  /**
   * Maximum number of rows of other series in a scan, in addition to the number of rows in the
   * batch.
   */
  private static final int OTHERS = 64;

  /** Number of batches without a scan, after a scan with too many rows of other series. */
  private static final int REST = 32;

  private final Table table;
  private final boolean withMarkers;
  private final long sinceMillis;
  private int rest;

  /**
   * @param table the table, closed by {@link #close}
   * @param withMarkers whether delete markers are read too
   */
  public StoredRowReader(Table table, boolean withMarkers) {
    this(table, withMarkers, 0);
  }

  private StoredRowReader(Table table, boolean withMarkers, long sinceMillis) {
    this.table = table;
    this.withMarkers = withMarkers;
    this.sinceMillis = sinceMillis;
  }

  /**
   * Reads only cells with new timestamps: HBase leaves out files that have none.
   *
   * @param table closed with this
   * @param sinceMillis the oldest timestamp, since the epoch, UTC; 0 for all
   */
  public static StoredRowReader since(Table table, long sinceMillis) {
    return new StoredRowReader(table, false, sinceMillis);
  }

  /**
   * The stored rows, in the order of the keys; null for an absent row.
   *
   * @param keys row keys, ascending, without duplicates
   * @throws JobException when HBase fails
   */
  public List<@Nullable StoredRow> read(List<byte[]> keys) {
    try {
      return withMarkers ? readWithMarkers(keys) : readCells(keys);
    } catch (IOException e) {
      throw failed(e);
    }
  }

  /**
   * Whether the table has a cell in a range of rows.
   *
   * @param firstRow key of the first row
   * @param lastRow key of the last row, which is part of the range
   * @throws JobException when HBase fails
   */
  boolean hasAny(byte[] firstRow, byte[] lastRow) {
    try {
      Scan scan =
          range(
                  List.of(firstRow, lastRow),
                  new FilterList(new FirstKeyOnlyFilter(), new KeyOnlyFilter()))
              .setLimit(1);
      try (ResultScanner scanner = table.getScanner(scan)) {
        return scanner.next() != null;
      }
    } catch (IOException e) {
      throw failed(e);
    }
  }

  private List<@Nullable StoredRow> readCells(List<byte[]> keys) throws IOException {
    boolean[] wanted = new boolean[keys.size()];
    int unknownFrom = 0;
    if (rest > 0) {
      rest--;
    } else if (keys.size() > 1) {
      unknownFrom = scan(keys, wanted);
      rest = unknownFrom < keys.size() ? REST : 0;
    }
    for (int i = unknownFrom; i < wanted.length; i++) {
      wanted[i] = true;
    }
    return get(keys, wanted, Collections.nCopies(keys.size(), List.of()));
  }

  /** Marks the rows that are stored; returns the index of the first row that is unknown. */
  private int scan(List<byte[]> keys, boolean[] wanted) throws IOException {
    int limit = keys.size() + OTHERS;
    Scan scan =
        range(keys, new FilterList(new FirstKeyOnlyFilter(), new KeyOnlyFilter()))
            .setLimit(limit)
            .setCaching(limit);
    int at = 0;
    int met = 0;
    try (ResultScanner scanner = table.getScanner(scan)) {
      for (Result found = scanner.next(); found != null; found = scanner.next()) {
        met++;
        byte[] row = found.getRow();
        int order = -1;
        while (at < wanted.length && (order = Bytes.compareTo(keys.get(at), row)) < 0) {
          at++;
        }
        if (order == 0) {
          wanted[at++] = true;
        }
      }
    }
    return met < limit ? wanted.length : at;
  }

  private List<@Nullable StoredRow> readWithMarkers(List<byte[]> keys) throws IOException {
    List<MultiRowRangeFilter.RowRange> ranges = new ArrayList<>(keys.size());
    for (byte[] key : keys) {
      ranges.add(new MultiRowRangeFilter.RowRange(key, true, key, true));
    }
    Scan scan =
        range(keys, new FilterList(new MultiRowRangeFilter(ranges), new KeyOnlyFilter()))
            .setCaching(keys.size())
            .setRaw(true)
            .readAllVersions();
    boolean[] wanted = new boolean[keys.size()];
    List<List<Cell>> markers = new ArrayList<>(keys.size());
    int at = 0;
    try (ResultScanner scanner = table.getScanner(scan)) {
      for (Result found = scanner.next(); found != null; found = scanner.next()) {
        while (!Bytes.equals(keys.get(at), found.getRow())) {
          at++;
          markers.add(List.of());
        }
        wanted[at++] = true;
        markers.add(markers(found));
      }
    }
    return get(keys, wanted, markers);
  }

  private JobException failed(IOException e) {
    return JobException.outside(
        "table %s: HBase did not return the stored rows: %s"
            .formatted(table.getName(), HBaseFailures.reason(e)),
        e);
  }

  private static List<Cell> markers(Result found) {
    List<Cell> markers = new ArrayList<>();
    for (Cell cell : found.rawCells()) {
      if (CellUtil.isDelete(cell)) {
        markers.add(cell);
      }
    }
    return markers;
  }

  private Scan range(List<byte[]> keys, Filter filter) throws IOException {
    return new Scan()
        .setTimeRange(sinceMillis, Long.MAX_VALUE)
        .withStartRow(keys.get(0))
        .withStopRow(keys.get(keys.size() - 1), true)
        .addFamily(TableFacts.FAMILY)
        .setReadType(Scan.ReadType.PREAD)
        .setFilter(filter);
  }

  private List<@Nullable StoredRow> get(
      List<byte[]> keys, boolean[] wanted, List<List<Cell>> markers) throws IOException {
    List<Get> gets = new ArrayList<>();
    for (int i = 0; i < wanted.length; i++) {
      if (wanted[i]) {
        gets.add(get(keys.get(i)));
      }
    }
    Result[] results = gets.isEmpty() ? new Result[0] : table.get(gets);
    List<@Nullable StoredRow> rows = new ArrayList<>(wanted.length);
    int next = 0;
    for (int i = 0; i < wanted.length; i++) {
      rows.add(wanted[i] ? row(results[next++], markers.get(i)) : null);
    }
    return rows;
  }

  private Get get(byte[] key) throws IOException {
    return new Get(key).addFamily(TableFacts.FAMILY).setTimeRange(sinceMillis, Long.MAX_VALUE);
  }

  private static @Nullable StoredRow row(Result found, List<Cell> markers) {
    return found.isEmpty() && markers.isEmpty()
        ? null
        : new StoredRow(found.isEmpty() ? List.of() : found.listCells(), markers);
  }

  @Override
  public void close() throws IOException {
    table.close();
  }
}
