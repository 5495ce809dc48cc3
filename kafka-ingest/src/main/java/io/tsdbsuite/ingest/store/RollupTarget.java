package io.tsdbsuite.ingest.store;

import io.tsdbsuite.format.rollup.RollupCell;
import io.tsdbsuite.format.rollup.RollupInterval;
import io.tsdbsuite.message.read.BadMessageException;
import io.tsdbsuite.message.read.Reason;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** Tables and time arithmetic of one rollup interval. Immutable. */
final class RollupTarget {
  /** Latest timestamp of a rollup, seconds since the epoch: base times have 32 bits. */
  static final long MAX_SECONDS = 0xFFFF_FFFFL;

  final RollupInterval interval;
  private final byte[] table;
  private final byte[] preAggregationTable;
  private final int tableHash;
  private final int preAggregationTableHash;

  RollupTarget(RollupInterval interval) {
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

  /** Hash of the table's name. */
  int tableHash(boolean preAggregate) {
    return preAggregate ? preAggregationTableHash : tableHash;
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
