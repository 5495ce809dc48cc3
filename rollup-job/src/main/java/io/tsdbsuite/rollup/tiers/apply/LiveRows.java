package io.tsdbsuite.rollup.tiers.apply;

import io.tsdbsuite.format.row.RowKey;
import io.tsdbsuite.rollup.plan.RowWindow;
import java.io.Closeable;
import java.io.IOException;
import java.util.Arrays;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.client.RegionLocator;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.filter.KeyOnlyFilter;
import org.jspecify.annotations.Nullable;

/**
 * What a table has of rows, as queries see them or with all that is hidden: a scan of each metric
 * of a salt bucket beside their ascending keys. For one thread.
 */
final class LiveRows implements Closeable {
  private static final int ROWS_PER_CALL = 1000;

  /** What a table shows of a row. */
  enum State {
    /** No data of a proof. */
    GONE,
    /** Some, all newer than the marker. */
    NEWER,
    /** Some that the marker hides, once it is loaded. */
    OLD
  }

  private final Table table;
  private final TierTable tier;
  private final RowWindow window;
  private final int prefix;
  private final long stamp;
  private final boolean raw;
  private byte[] stretch = {};
  private @Nullable ResultScanner scanner;
  private @Nullable Result next;

  /**
   * @param table stays open
   * @param tier the same
   * @param from start of the day, seconds since the epoch
   * @param to its end, exclusive
   * @param stamp timestamp of the markers, milliseconds since the epoch
   * @throws IOException when HBase fails
   */
  LiveRows(Table table, TierTable tier, long from, long to, long stamp) throws IOException {
    this(table, tier, from, to, stamp, false);
  }

  private LiveRows(Table table, TierTable tier, long from, long to, long stamp, boolean raw)
      throws IOException {
    this.table = table;
    this.tier = tier;
    this.window = new RowWindow(tier.schema(), from, to);
    this.prefix = new RowKey(tier.schema()).timeOffset();
    this.stamp = stamp;
    this.raw = raw;
    // HBase's client does not look a region up again that a server says has moved. For two minutes
    // two servers may send it to each other: a region went to one and back, then it was split.
    try (RegionLocator locator = table.getRegionLocator()) {
      locator.clearRegionLocationCache();
    }
  }

  /** All cells of rows, with values, hidden ones and markers, for {@link #find}. */
  static LiveRows raw(Table table, TierTable tier, long from, long to) throws IOException {
    return new LiveRows(table, tier, from, to, 0, true);
  }

  /**
   * Looks at a row.
   *
   * @param row after the one before
   * @throws IOException when HBase fails
   */
  State of(byte[] row) throws IOException {
    Result found = find(row);
    return found == null ? State.GONE : state(found);
  }

  /**
   * Finds a row; null if the table does not have it.
   *
   * @param row after the one before
   * @throws IOException when HBase fails
   */
  @Nullable Result find(byte[] row) throws IOException {
    if (!Arrays.equals(stretch, 0, stretch.length, row, 0, prefix)) {
      begin(row);
    }
    while (next != null && Arrays.compareUnsigned(next.getRow(), row) < 0) {
      advance();
    }
    return next != null && Arrays.equals(next.getRow(), row) ? next : null;
  }

  private void begin(byte[] row) throws IOException {
    close();
    stretch = Arrays.copyOf(row, prefix);
    Scan scan =
        new Scan()
            .withStartRow(row, true)
            .addFamily(RowKey.family())
            .setCaching(ROWS_PER_CALL)
            .setCacheBlocks(false);
    scan = raw ? scan.setRaw(true).readAllVersions() : scan.setFilter(new KeyOnlyFilter());
    byte[] end = window.endOfStretch(row);
    scanner = table.getScanner(end == null ? scan : scan.withStopRow(end, false));
    advance();
  }

  private void advance() throws IOException {
    next = scanner == null ? null : scanner.next();
  }

  private State state(Result row) {
    State state = State.GONE;
    for (Cell cell : row.rawCells()) {
      // A rollup row that goes has nothing else.
      if (tier.isOfProof(
          cell.getQualifierArray(), cell.getQualifierOffset(), cell.getQualifierLength())) {
        if (cell.getTimestamp() <= stamp) {
          return State.OLD;
        }
        state = State.NEWER;
      }
    }
    return state;
  }

  @Override
  public void close() {
    if (scanner != null) {
      scanner.close();
      scanner = null;
    }
  }
}
