package io.tsdbsuite.ingest.store;

import com.stumbleupon.async.Callback;
import java.util.ArrayList;
import java.util.Arrays;
import org.hbase.async.HBaseClient;
import org.hbase.async.KeyOnlyFilter;
import org.hbase.async.KeyValue;
import org.hbase.async.NoSuchColumnFamilyException;
import org.hbase.async.Scanner;
import org.hbase.async.TableNotFoundException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A look at one rollup table, without its values: at the oldest rows of the first metrics, in each
 * of which the first cells. It is cheap, and no proof that there is nothing else.
 *
 * <p>It runs on the threads of HBase's client, one small scan after the other, and waits there for
 * an HBase that is not up yet.
 */
final class RollupTableLook implements Callback<Object, ArrayList<ArrayList<KeyValue>>> {
  private static final Logger LOG = LoggerFactory.getLogger(RollupTableLook.class);

  /** Metrics of a table; of a salted one, metrics of buckets. */
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
  private Scanner scanner;

  /**
   * Prepares a look; {@link #start} begins it.
   *
   * @param prefixLength of a row key up to the end of the metric's UID, bytes
   */
  RollupTableLook(HBaseClient client, String name, int prefixLength, OtherWidths found) {
    this.client = client;
    this.name = name;
    this.prefixLength = prefixLength;
    this.found = found;
  }

  void start() {
    scanner = client.newScanner(name);
    scanner.setFamily(new byte[] {'t'});
    scanner.setStartKey(start);
    scanner.setMaxNumRows(ROWS_OF_A_METRIC);
    scanner.setMaxNumKeyValues(CELLS_OF_A_SCAN);
    scanner.setServerBlockCache(false);
    scanner.setFilter(new KeyOnlyFilter());
    // The callback's own exceptions, too: else the look would never end.
    scanner.nextRows().addCallback(this).addErrback(this::failed);
  }

  @SuppressWarnings("NonApiType") // The type that asynchbase answers with.
  @Override
  public Object call(ArrayList<ArrayList<KeyValue>> rows) {
    scanner.close();
    byte[] last = null;
    if (rows != null) {
      for (ArrayList<KeyValue> row : rows) {
        for (KeyValue cell : row) {
          found.see(table, cell.key(), cell.qualifier());
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

  /** The key behind all rows of the metric; null if there is none. */
  private byte[] after(byte[] key) {
    byte[] next = Arrays.copyOf(key, prefixLength);
    for (int i = prefixLength - 1; i >= 0; i--) {
      if (++next[i] != 0) {
        return next;
      }
    }
    return null;
  }

  /**
   * A table that is not there, or not with the family, has no cells; of any other failure it is not
   * known which it has.
   */
  private Object failed(Exception failure) {
    scanner.close();
    if (failure instanceof TableNotFoundException
        || failure instanceof NoSuchColumnFamilyException) {
      found.done(name, table);
    } else {
      LOG.error("table {} could not be looked at for cells of other widths", name, failure);
      found.failed(name, failure);
    }
    return null;
  }
}
