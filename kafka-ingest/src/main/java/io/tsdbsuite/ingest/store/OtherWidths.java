package io.tsdbsuite.ingest.store;

import io.tsdbsuite.format.rollup.RollupCell;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Cells of rollup tables with other widths than the plugin writes, from a TSD's own writes or from
 * opentsdb-rpc-kafka. If the plugin stores the same value again, it is a duplicate, and queries
 * fail. Thread-safe.
 *
 * @see RollupTableScan
 */
public final class OtherWidths {
  private static final Logger LOG = LoggerFactory.getLogger(OtherWidths.class);

  private final int countId;
  private final CountDownLatch open;
  private final Map<String, Table> tables = Collections.synchronizedMap(new TreeMap<>());

  /**
   * Creates an empty result.
   *
   * @param tables number of tables to scan
   * @param countId id of the aggregator whose values are integers of 8 bytes
   */
  OtherWidths(int tables, int countId) {
    this.open = new CountDownLatch(tables);
    this.countId = countId;
  }

  /** The result for no table. */
  public static OtherWidths none() {
    return new OtherWidths(0, -1);
  }

  /** Result for one table. Used by one thread after another. */
  static final class Table {
    private long cells;
    private long others;
    private @Nullable String example;

    /** Why the scan failed; null if it did not. */
    private @Nullable String failure;
  }

  /** Counts a cell; ignores qualifiers that OpenTSDB 2.4's rollup cells cannot have. */
  void count(Table table, byte[] row, byte[] qualifier) {
    if (!RollupCell.is(qualifier, 0, qualifier.length)) {
      return;
    }
    table.cells++;
    boolean isCount = RollupCell.aggregatorId(qualifier, 0) == countId;
    if (RollupCell.isFloat(qualifier, 0) == isCount
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

  /** Records the result of a finished scan. */
  void done(String name, Table table) {
    tables.put(name, table);
    if (table.others > 0) {
      LOG.error(
          "table {} holds cells that a TSD or opentsdb-rpc-kafka wrote, on other widths than this"
              + " plugin does: {} of {} scanned cells, for example {}. A value that is stored on"
              + " two widths fails the queries for it; docs/kafka-ingest.md, Cells of other widths",
          name,
          table.others,
          table.cells,
          table.example);
    }
    open.countDown();
  }

  /** Records a failed scan: the cells of the table are unknown. */
  void failed(String name, Exception failure) {
    Table unknown = new Table();
    unknown.failure = failure.toString();
    tables.put(name, unknown);
    open.countDown();
  }

  /**
   * Waits until all tables are scanned; returns false on a timeout. HBase need not be available
   * yet.
   */
  public boolean await(long millis) throws InterruptedException {
    return open.await(millis, TimeUnit.MILLISECONDS);
  }

  /** Scanned cells of other widths. */
  public long cells() {
    synchronized (tables) {
      return tables.values().stream().mapToLong(table -> table.others).sum();
    }
  }

  /**
   * Describes the tables with such cells (number and an example), and the tables whose scan failed;
   * null if there are none.
   */
  public @Nullable String found() {
    List<String> found = new ArrayList<>();
    synchronized (tables) {
      tables.forEach(
          (name, table) -> {
            if (table.others > 0) {
              found.add(
                  String.format(
                      "%s of %s cells in %s, for example %s",
                      table.others, table.cells, name, table.example));
            } else if (table.failure != null) {
              found.add(name + " could not be scanned: " + table.failure);
            }
          });
    }
    return found.isEmpty() ? null : String.join("; ", found);
  }
}
