package io.tsdbsuite.format.packed;

import io.tsdbsuite.format.rollup.RollupCell;
import io.tsdbsuite.format.rollup.RollupConfig;
import io.tsdbsuite.format.rollup.RollupInterval;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;

/**
 * The rollups of one row of a plain rollup table, as queries see them, for the packed row of the
 * same key. Cells come in any order. A value has one cell for each width with which it was written:
 * the newest counts, of equally new ones the widest. OpenTSDB 2.4.0 and older wrote the name of the
 * aggregator and a colon where later cells have its id; these count, too.
 *
 * <p>Slots that no packed row can have are left out and counted: a cell that cannot be read, one
 * outside the row, some of the four values without the others. Allocates nothing for a value;
 * reusable, not thread-safe. Source: docs/storage.md 6.3 and 7.
 */
public final class PlainRow {
  /** Columns of the sum, minimum, maximum and count are the first ones, those of PackedRow. */
  private static final List<String> FOUR =
      Collections.unmodifiableList(Arrays.asList("sum", "min", "max", "count"));

  private static final byte UNREADABLE = -1;

  private final List<String> aggregators = new ArrayList<>();
  private final List<byte[]> prefixes = new ArrayList<>();

  /** The column of each id; -1 if it is of none. */
  private final int[] columns = new int[128];

  // By column and slot: the widest cell, UNREADABLE or 0 if there is none, of the newest.
  private final byte[][] widths;
  private final long[][] stamps;
  private final double[][] values;

  private final int slots;

  /** Slots from here on have no cell. */
  private int end;

  private int leftOut;
  private String problem = "";

  /**
   * Creates an empty row.
   *
   * @param config with the ids of the aggregators, and the further ones of the interval
   * @throws IllegalArgumentException when the configuration has no id of one of the four values
   */
  public PlainRow(RollupConfig config, RollupInterval interval) {
    this.slots = interval.intervalsPerRow();
    aggregators.addAll(FOUR);
    aggregators.addAll(config.suite().aggregators(interval.interval()));
    Arrays.fill(columns, -1);
    for (String aggregator : aggregators) {
      Integer id = config.aggregatorId(aggregator);
      if (id == null) {
        throw new IllegalArgumentException("aggregationIds must have " + aggregator);
      }
      columns[id] = prefixes.size();
      prefixes.add((aggregator + ':').getBytes(StandardCharsets.ISO_8859_1));
    }
    this.widths = new byte[aggregators.size()][slots];
    this.stamps = new long[aggregators.size()][slots];
    this.values = new double[aggregators.size()][slots];
  }

  /** The names of the packed rows of a key, as {@link PackedRow#kind} takes them. */
  public List<String> kinds() {
    List<String> kinds = new ArrayList<>(aggregators.subList(PackedRow.COUNT, aggregators.size()));
    kinds.set(0, "");
    return kinds;
  }

  /** Removes all cells. */
  public void clear() {
    for (byte[] each : widths) {
      Arrays.fill(each, 0, end, (byte) 0);
    }
    end = 0;
    leftOut = 0;
    problem = "";
  }

  /**
   * Takes a cell.
   *
   * @param timestamp milliseconds since the epoch
   * @return false if it is of none of the aggregators
   */
  public boolean cell(byte[] q, int qOff, int qLen, byte[] v, int vOff, int vLen, long timestamp) {
    int column;
    int at = qOff;
    if (qLen == RollupCell.QUALIFIER_LENGTH) {
      column = q[qOff] < 0 ? -1 : columns[q[qOff]];
    } else {
      column = named(q, qOff, qLen);
      // Behind the name two bytes are as behind an id.
      at += qLen - RollupCell.QUALIFIER_LENGTH;
    }
    if (column < 0) {
      return false;
    }
    int slot = RollupCell.offset(q, at);
    if (slot >= slots) {
      leaveOut(slot, "must be below " + slots);
      return true;
    }
    end = Math.max(end, slot + 1);
    int width = widths[column][slot];
    if (width == UNREADABLE) {
      return true;
    }
    double value;
    try {
      value = RollupCell.decode(q, at, v, vOff, vLen);
    } catch (IllegalArgumentException e) {
      widths[column][slot] = UNREADABLE;
      leaveOut(slot, aggregators.get(column) + ": " + e.getMessage());
      return true;
    }
    long old = stamps[column][slot];
    if (width == 0 || timestamp > old || (timestamp == old && vLen > width)) {
      widths[column][slot] = (byte) vLen;
      stamps[column][slot] = timestamp;
      values[column][slot] = value;
    }
    return true;
  }

  /** The column whose name the qualifier has; -1 if there is none. */
  private int named(byte[] q, int off, int len) {
    for (int column = 0; column < prefixes.size(); column++) {
      byte[] prefix = prefixes.get(column);
      if (len == prefix.length + RollupCell.QUALIFIER_LENGTH - 1 && startsWith(q, off, prefix)) {
        return column;
      }
    }
    return -1;
  }

  private static boolean startsWith(byte[] q, int off, byte[] prefix) {
    for (int i = 0; i < prefix.length; i++) {
      if (q[off + i] != prefix[i]) {
        return false;
      }
    }
    return true;
  }

  private void leaveOut(int slot, String rule) {
    if (leftOut == 0) {
      problem = "slot " + slot + " " + rule;
    }
    leftOut++;
  }

  /**
   * Adds the slots of one kind to a packed row, each as of the newest timestamp of its cells.
   *
   * @param row of the same interval and a kind of {@link #kinds}
   */
  public void addTo(PackedRow row) {
    boolean isFour = row.columns() == FOUR.size();
    int first = isFour ? 0 : column(row.kind());
    int last = first + row.columns();
    for (int slot = 0; slot < end; slot++) {
      int present = 0;
      boolean isReadable = true;
      long asOf = Long.MIN_VALUE;
      for (int column = first; column < last; column++) {
        if (widths[column][slot] != 0) {
          present++;
          isReadable &= widths[column][slot] != UNREADABLE;
          asOf = Math.max(asOf, stamps[column][slot]);
        }
      }
      if (present == 0 || !isReadable) {
        continue;
      }
      if (present < row.columns()) {
        leaveOut(slot, "must have all of sum, min, max and count, found " + present);
      } else if (asOf < 0 || asOf > PackedPart.MAX_ASOF) {
        leaveOut(slot, "must have a timestamp of 48 bits, found " + asOf);
      } else if (isFour) {
        row.put(
            slot,
            asOf,
            values[PackedRow.SUM][slot],
            values[PackedRow.MIN][slot],
            values[PackedRow.MAX][slot],
            (long) values[PackedRow.COUNT][slot]);
      } else {
        row.put(slot, asOf, values[first][slot]);
      }
    }
  }

  private int column(int kind) {
    for (int column = FOUR.size(); column < aggregators.size(); column++) {
      if (PackedRow.kind(aggregators.get(column)) == kind) {
        return column;
      }
    }
    throw new IllegalArgumentException("the interval has no aggregator of kind " + kind);
  }

  /** How often a slot was left out. */
  public int leftOut() {
    return leftOut;
  }

  /** Why the first slot was left out; empty if none was. */
  public String problem() {
    return problem;
  }
}
