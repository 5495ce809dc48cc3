package io.tsdbsuite.ingest.store;

import io.tsdbsuite.format.row.RowKey;
import java.util.ArrayList;
import java.util.Arrays;
import org.hbase.async.HBaseClient;
import org.hbase.async.KeyOnlyFilter;
import org.hbase.async.KeyValue;
import org.hbase.async.NoSuchColumnFamilyException;
import org.hbase.async.Scanner;
import org.hbase.async.TableNotFoundException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Samples the keys of one rollup table: the first cells of the oldest rows of the first metrics. It
 * is cheap and not exhaustive.
 *
 * <p>It runs on the threads of HBase's client, one small scan after the other. If HBase is not
 * available yet, the first scan waits in the client.
 */
final class RollupTableScan {
  private static final Logger LOG = LoggerFactory.getLogger(RollupTableScan.class);

  /** Maximum of metrics; in a salted table a metric counts once for each bucket. */
  static final int METRICS = 64;

  static final int ROWS_OF_A_METRIC = 4;
  static final int CELLS_OF_A_SCAN = 1024;

  private final HBaseClient client;
  private final String name;
  private final int prefixLength;
  private final OtherWidths found;
  private final OtherWidths.Table table = new OtherWidths.Table();
  private byte[] start = new byte[0];
  private int metrics;

  /**
   * Creates a scan; {@link #start} starts it.
   *
   * @param prefixLength length of salt and metric UID in a row key, bytes
   */
  RollupTableScan(HBaseClient client, String name, int prefixLength, OtherWidths found) {
    this.client = client;
    this.name = name;
    this.prefixLength = prefixLength;
    this.found = found;
  }

  void start() {
    Scanner scanner = client.newScanner(name);
    scanner.setFamily(RowKey.family());
    scanner.setStartKey(start);
    scanner.setMaxNumRows(ROWS_OF_A_METRIC);
    scanner.setMaxNumKeyValues(CELLS_OF_A_SCAN);
    scanner.setServerBlockCache(false);
    scanner.setFilter(new KeyOnlyFilter());
    // The errback also gets exceptions of the callback; otherwise the scan would never end.
    scanner
        .nextRows()
        .addCallback(rows -> scanned(scanner, rows))
        .addErrback((Exception failure) -> failed(scanner, failure));
  }

  @SuppressWarnings("NonApiType") // The type that asynchbase answers with.
  private @Nullable Object scanned(Scanner scanner, @Nullable ArrayList<ArrayList<KeyValue>> rows) {
    scanner.close();
    byte[] last = null;
    if (rows != null) {
      for (ArrayList<KeyValue> row : rows) {
        for (KeyValue cell : row) {
          found.count(table, cell.key(), cell.qualifier());
          last = cell.key();
        }
      }
    }
    byte[] next = last == null || last.length < prefixLength ? null : after(last);
    if (next == null || ++metrics == METRICS) {
      found.done(name, table);
    } else {
      start = next;
      start();
    }
    return null;
  }

  /** The first key behind the rows of the metric; null if there is none. */
  private byte @Nullable [] after(byte[] key) {
    byte[] next = Arrays.copyOf(key, prefixLength);
    for (int i = prefixLength - 1; i >= 0; i--) {
      if (++next[i] != 0) {
        return next;
      }
    }
    return null;
  }

  /**
   * A table that does not exist, or lacks the column family, has no cells. After any other failure
   * its cells are unknown.
   */
  private @Nullable Object failed(Scanner scanner, Exception failure) {
    scanner.close();
    if (failure instanceof TableNotFoundException
        || failure instanceof NoSuchColumnFamilyException) {
      found.done(name, table);
    } else {
      LOG.error("table {} could not be scanned for cells of other widths", name, failure);
      found.failed(name, failure);
    }
    return null;
  }
}
