package io.tsdbsuite.ingest.store;

import io.tsdbsuite.format.rollup.RollupCell;
import java.util.Collections;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What a look at the rollup tables has found of cells whose width is not ours: a TSD wrote them
 * itself, or opentsdb-rpc-kafka did. The same value stored once more by us is a duplicate, and an
 * error for every query. Thread-safe.
 *
 * @see RollupTableLook
 */
public final class OtherWidths {
  private static final Logger LOG = LoggerFactory.getLogger(OtherWidths.class);

  private final int countId;
  private final CountDownLatch open;
  private final Map<String, Table> tables = Collections.synchronizedMap(new TreeMap<>());

  /**
   * Starts with nothing found.
   *
   * @param tables to be looked at
   * @param countId the number of the aggregator whose values are integers on 8 bytes
   */
  OtherWidths(int tables, int countId) {
    this.open = new CountDownLatch(tables);
    this.countId = countId;
  }

  /** There is no table to look at. */
  public static OtherWidths none() {
    return new OtherWidths(0, -1);
  }

  /** What was seen of one table. Used by one thread after another. */
  static final class Table {
    private long cells;
    private long others;
    private String example;

    /** Why the look ended too early; null if it did not. */
    private String failure;
  }

  /** Takes a cell into account; anything that is no rollup cell of 2.4 is none. */
  void see(Table table, byte[] row, byte[] qualifier) {
    if (!RollupCell.is(qualifier, 0, qualifier.length)) {
      return;
    }
    table.cells++;
    boolean count = RollupCell.aggregatorId(qualifier, 0) == countId;
    if (RollupCell.isFloat(qualifier, 0) == count
        || RollupCell.valueLength(qualifier, 0) != RollupCell.VALUE_LENGTH) {
      table.others++;
      if (table.example == null) {
        table.example = "row " + hex(row) + " qualifier " + hex(qualifier);
      }
    }
  }

  private static String hex(byte[] bytes) {
    StringBuilder hex = new StringBuilder();
    for (byte each : bytes) {
      hex.append(String.format("%02x", each));
    }
    return hex.toString();
  }

  /** A table has been looked at; nothing more comes of it. */
  void done(String name, Table table) {
    tables.put(name, table);
    if (table.others > 0) {
      LOG.error(
          "table {} holds cells that a TSD or opentsdb-rpc-kafka wrote, on other widths than this"
              + " plugin does: {} of {} that were looked at, as in {}. A value that is stored on"
              + " two widths fails the queries for it; docs/kafka-ingest.md, Cells of other widths",
          name,
          table.others,
          table.cells,
          table.example);
    }
    open.countDown();
  }

  /** A table could not be looked at to the end: it is not known what it has. */
  void failed(String name, Exception failure) {
    Table unknown = new Table();
    unknown.failure = failure.toString();
    tables.put(name, unknown);
    open.countDown();
  }

  /**
   * Waits until all tables have been looked at; false when the time is up before, since HBase need
   * not be there yet.
   */
  public boolean await(long millis) throws InterruptedException {
    return open.await(millis, TimeUnit.MILLISECONDS);
  }

  /** Cells of another width, of those that were looked at. */
  public long cells() {
    synchronized (tables) {
      return tables.values().stream().mapToLong(table -> table.others).sum();
    }
  }

  /**
   * The tables with such cells, how many, and one of them each, and the tables of which it is not
   * known, in words; null if there are none.
   */
  public String found() {
    StringBuilder found = new StringBuilder();
    synchronized (tables) {
      tables.forEach(
          (name, table) -> {
            if (table.others > 0) {
              found
                  .append(found.length() == 0 ? "" : "; ")
                  .append(table.others)
                  .append(" of ")
                  .append(table.cells)
                  .append(" cells in ")
                  .append(name)
                  .append(", as in ")
                  .append(table.example);
            } else if (table.failure != null) {
              found
                  .append(found.length() == 0 ? "" : "; ")
                  .append(name)
                  .append(" could not be looked at: ")
                  .append(table.failure);
            }
          });
    }
    return found.length() == 0 ? null : found.toString();
  }
}
