package io.tsdbsuite.rollup.verify;

import io.tsdbsuite.format.rollup.RollupCell;
import io.tsdbsuite.hbase.read.CellVisitor;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;

/**
 * The cells of one row of a rollup table, by their offset and aggregate. Values may have any legal
 * width: kafka-ingest writes 8 bytes always, the stock TSD as few as hold the value. Two columns of
 * one instant are duplicates for the TSD, and here. Reused for every row; for one thread.
 */
final class StoredCells implements CellVisitor {
  private static final int AGGREGATES = Aggregate.values().length;

  /** By the aggregator's number, {@link Aggregate}'s place or -1. */
  private final int[] places = new int[128];

  private final boolean fixDuplicates;
  private final StoredBooks books;
  private final double[] values;
  private final long[] timestamps;
  private final byte[] present;
  private final boolean[] twice;
  private final String table;
  private final List<String> problems = new ArrayList<>();
  private byte[] key;
  private int count;
  private int others;

  /**
   * @param table for messages
   * @param ids the aggregators' numbers, in the order of {@link Aggregate}
   * @param perRow how many intervals a row can have
   */
  StoredCells(String table, int[] ids, int perRow, boolean fixDuplicates, StoredBooks books) {
    this.table = table;
    this.fixDuplicates = fixDuplicates;
    this.books = books;
    int offsets = Math.min(perRow, RollupCell.MAX_OFFSET + 1);
    this.values = new double[offsets * AGGREGATES];
    this.timestamps = new long[offsets * AGGREGATES];
    this.present = new byte[offsets];
    this.twice = new boolean[offsets];
    Arrays.fill(places, -1);
    for (int i = 0; i < ids.length; i++) {
      places[ids[i]] = i;
    }
  }

  /** Begins a row. */
  void begin(byte[] rowKey) {
    key = rowKey;
    restart();
  }

  /** The row has ended: enters it into the books. */
  void end() {
    books.row(count, others);
    problems.forEach(books::malformed);
  }

  @Override
  public void restart() {
    Arrays.fill(present, (byte) 0);
    Arrays.fill(twice, false);
    problems.clear();
    count = 0;
    others = 0;
  }

  @Override
  public void cell(
      byte[] qualifier,
      int qualifierOffset,
      int qualifierLength,
      byte[] value,
      int valueOffset,
      int valueLength,
      long timestamp) {
    count++;
    if (!RollupCell.is(qualifier, qualifierOffset, qualifierLength)) {
      malformed(qualifier, qualifierOffset, qualifierLength, "its qualifier is none of a rollup");
      return;
    }
    int place = places[RollupCell.aggregatorId(qualifier, qualifierOffset)];
    if (place < 0) {
      others++;
      return;
    }
    int offset = RollupCell.offset(qualifier, qualifierOffset);
    if (offset >= present.length) {
      malformed(
          qualifier,
          qualifierOffset,
          qualifierLength,
          "its offset must be less than " + present.length + ", found " + offset);
      return;
    }
    double number;
    try {
      number = RollupCell.decode(qualifier, qualifierOffset, value, valueOffset, valueLength);
    } catch (IllegalArgumentException e) {
      malformed(qualifier, qualifierOffset, qualifierLength, e.getMessage());
      return;
    }
    put(offset, place, number, timestamp);
  }

  /** Cells come in the order of their columns; of two that are equally new, the later one wins. */
  private void put(int offset, int place, double number, long timestamp) {
    int at = offset * AGGREGATES + place;
    if (((present[offset] >> place) & 1) != 0) {
      // Another column is another width or type, and so never the same bytes.
      twice[offset] |= !fixDuplicates;
      if (timestamp < timestamps[at]) {
        return;
      }
    }
    present[offset] |= (byte) (1 << place);
    values[at] = number;
    timestamps[at] = timestamp;
  }

  private void malformed(byte[] qualifier, int off, int len, String why) {
    problems.add(
        "table "
            + table
            + ", row "
            + HexFormat.of().formatHex(key)
            + ", column "
            + HexFormat.of().formatHex(qualifier, off, off + len)
            + ": "
            + why);
  }

  /** How many offsets there can be. */
  int offsets() {
    return present.length;
  }

  /** The record of what is stored at an offset; null when nothing is. */
  byte[] record(int offset) {
    return present[offset] == 0
        ? null
        : VerifyRecord.stored(present[offset], twice[offset], values, offset * AGGREGATES);
  }
}
