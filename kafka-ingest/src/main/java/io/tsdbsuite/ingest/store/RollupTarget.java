package io.tsdbsuite.ingest.store;

import io.tsdbsuite.format.rollup.RollupCell;
import io.tsdbsuite.format.rollup.RollupInterval;
import io.tsdbsuite.format.row.HistogramColumn;
import io.tsdbsuite.message.read.BadMessageException;
import io.tsdbsuite.message.read.Reason;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import net.opentsdb.core.SeriesRowKeys;
import org.jspecify.annotations.Nullable;

/** Tables and time arithmetic of one rollup interval. Immutable. */
final class RollupTarget {
  /** Latest timestamp of a rollup, seconds since the epoch: base times have 32 bits. */
  static final long MAX_SECONDS = 0xFFFF_FFFFL;

  final RollupInterval interval;
  private final byte[] table;
  private final byte[] preAggregationTable;
  private final int tableHash;
  private final int preAggregationTableHash;

  /** The table of its histograms, which must not be changed; null if it has none. */
  final byte @Nullable [] histogramTable;

  /** The table of its packed rollups; null if it has none. */
  final @Nullable PackedTable packed;

  RollupTarget(
      RollupInterval interval, @Nullable String histogramTable, @Nullable PackedTable packed) {
    this.packed = packed;
    this.histogramTable =
        histogramTable == null ? null : histogramTable.getBytes(StandardCharsets.ISO_8859_1);
    this.interval = interval;
    this.table = interval.table().getBytes(StandardCharsets.ISO_8859_1);
    this.preAggregationTable = interval.preAggregationTable().getBytes(StandardCharsets.ISO_8859_1);
    this.tableHash = Arrays.hashCode(table);
    this.preAggregationTableHash = Arrays.hashCode(preAggregationTable);
  }

  /** The table's name; must not be changed. */
  byte[] table(boolean preAggregate) {
    return preAggregate ? preAggregationTable : table;
  }

  /** Whether the packed table has copies of what is in that table. */
  boolean packs(boolean preAggregate) {
    return packed != null && (!preAggregate || Arrays.equals(table, preAggregationTable));
  }

  /** Hash of the table's name. */
  int tableHash(boolean preAggregate) {
    return preAggregate ? preAggregationTableHash : tableHash;
  }

  /**
   * The row of a histogram: that of raw points of the hour in which the bucket begins.
   *
   * @param row of the series, with any base time
   * @param start of the bucket, seconds since the epoch
   */
  static byte[] histogramRow(byte[] row, long start) {
    return SeriesRowKeys.at(row, start - start % RepairPlan.HOUR);
  }

  /** The column of a histogram in {@link #histogramRow}. */
  static byte[][] histogramColumn(long start) {
    return new byte[][] {HistogramColumn.of((int) (start % RepairPlan.HOUR))};
  }

  /** Start of the interval of a timestamp; both in seconds since the epoch. */
  long start(long timestamp) {
    return timestamp - (timestamp - interval.baseTime(timestamp)) % interval.seconds();
  }

  /** Number of intervals between base time and timestamp. */
  int offset(long baseTime, long timestamp) throws BadMessageException {
    int offset = RollupCell.offset(interval, baseTime, timestamp);
    if (offset > RollupCell.MAX_OFFSET) {
      throw new BadMessageException(
          Reason.BAD_TIMESTAMP,
          String.format(
              "timestamp must be in the first %s intervals of its row, since a TSD cannot read"
                  + " the others, found %s",
              RollupCell.MAX_OFFSET + 1, timestamp));
    }
    return offset;
  }

  /** Rejects a timestamp that is not the start of an interval. */
  void requireStart(long baseTime, long timestamp) throws BadMessageException {
    if ((timestamp - baseTime) % interval.seconds() != 0) {
      throw new BadMessageException(
          Reason.BAD_TIMESTAMP,
          String.format(
              "timestamp must be the start of an interval of %s, found %s",
              interval.interval(), timestamp));
    }
  }
}
