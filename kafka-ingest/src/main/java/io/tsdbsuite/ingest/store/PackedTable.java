package io.tsdbsuite.ingest.store;

import io.tsdbsuite.format.packed.PackedRow;
import io.tsdbsuite.format.rollup.RollupCell;
import io.tsdbsuite.format.rollup.RollupConfig;
import io.tsdbsuite.format.rollup.RollupInterval;
import io.tsdbsuite.message.read.BadMessageException;
import io.tsdbsuite.message.read.Reason;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import org.hbase.async.Bytes;

/** The packed rollups of one interval: which cells of its rollups they have. Immutable. */
final class PackedTable {
  /** The names of the columns of {@link PackedRow}, in their order. */
  private static final List<String> FOUR = Arrays.asList("sum", "min", "max", "count");

  private static final int ALL_FOUR = 0xf;
  private static final int MAX_ID = 127;

  /** Bits of an asOf: docs/storage.md 7. */
  private static final int AS_OF_BITS = 48;

  /** Heap of a put: its object, that of its answer, its row key. Bytes. */
  private static final int PUT = 400;

  /** Heap of a part beside its numbers: arrays of qualifier and value, head, run. Bytes. */
  private static final int PART = 120;

  /** The table's name; must not be changed. */
  final byte[] name;

  private final String interval;
  private final int slots;

  /** The further aggregators, each of which is a kind of parts. */
  private final List<String> further;

  /** Of each id: the column of the four values, or {@code FOUR.size()} and the further one. */
  private final int[] places = new int[MAX_ID + 1];

  /**
   * Creates it.
   *
   * @param config that has a packed table for the interval
   * @param table its name
   */
  PackedTable(RollupConfig config, RollupInterval interval, String table) {
    this.name = table.getBytes(StandardCharsets.ISO_8859_1);
    this.interval = interval.interval();
    this.slots = interval.intervalsPerRow();
    this.further = config.suite().aggregators(this.interval);
    Arrays.fill(places, -1);
    config
        .aggregatorIds()
        .forEach(
            (aggregator, id) -> {
              int of = further.indexOf(aggregator);
              places[id] = of < 0 ? FOUR.indexOf(aggregator) : FOUR.size() + of;
            });
  }

  /** Empty rows, one of each kind: first that of the four values. */
  PackedRow[] rows() {
    PackedRow[] rows = new PackedRow[1 + further.size()];
    rows[0] = new PackedRow(PackedRow.kind(""), slots);
    for (int i = 0; i < further.size(); i++) {
      rows[1 + i] = new PackedRow(PackedRow.kind(further.get(i)), slots);
    }
    return rows;
  }

  /**
   * Refuses a rollup that no part can have.
   *
   * @param qualifiers of its cells
   * @param asOf timestamp of its cells
   */
  void require(byte[][] qualifiers, long asOf) throws BadMessageException {
    requireAsOf(asOf);
    int found = 0;
    for (byte[] qualifier : qualifiers) {
      int place = place(qualifier);
      found |= place < 0 ? 0 : 1 << place;
    }
    if ((found & ALL_FOUR) != ALL_FOUR) {
      throw refused("found others");
    }
  }

  /** Refuses a time that no part can have, milliseconds since the epoch. */
  static void requireAsOf(long asOf) throws BadMessageException {
    if (asOf >>> AS_OF_BITS != 0) {
      throw new BadMessageException(
          Reason.BAD_TIMESTAMP,
          "asOf must be milliseconds since the epoch on 48 bits for a packed table, found " + asOf);
    }
  }

  /** Why no {@code Aggregate} of the interval is stored. */
  BadMessageException refuseAggregate() {
    return refused("found an Aggregate, which has one of them");
  }

  private BadMessageException refused(String found) {
    return new BadMessageException(
        Reason.REFUSED,
        String.format(
            "a rollup of %s, which has a table in suite.packed of rollup_config.json, must have"
                + " sum, min, max and count in one message of type Rollup, %s",
            interval, found));
  }

  private int place(byte[] qualifier) {
    return places[RollupCell.aggregatorId(qualifier, 0)];
  }

  /**
   * Adds a rollup.
   *
   * @param rows as {@link #rows}
   * @param qualifiers of the cells of one slot, which {@link #require} accepts
   * @param values of the cells, 8 bytes each
   */
  void add(PackedRow[] rows, long asOf, byte[][] qualifiers, byte[][] values) {
    int slot = RollupCell.offset(qualifiers[0], 0);
    double sum = 0;
    double min = 0;
    double max = 0;
    long count = 0;
    for (int i = 0; i < qualifiers.length; i++) {
      int place = place(qualifiers[i]);
      long bits = Bytes.getLong(values[i]);
      double value = Double.longBitsToDouble(bits);
      switch (place) {
        case -1:
          break;
        case PackedRow.SUM:
          sum = value;
          break;
        case PackedRow.MIN:
          min = value;
          break;
        case PackedRow.MAX:
          max = value;
          break;
        case PackedRow.COUNT:
          count = bits;
          break;
        default:
          rows[1 + place - FOUR.size()].put(slot, asOf, value);
      }
    }
    rows[0].put(slot, asOf, sum, min, max, count);
  }

  /**
   * The heap that the parts of a rollup take until HBase has acknowledged them, at most, bytes.
   *
   * @param values its number of values; 0 if it is taken back
   */
  int bytes(int values) {
    int kinds = values == 0 ? 1 + further.size() : Math.max(1, values - FOUR.size() + 1);
    return PUT + kinds * PART + values * Double.BYTES;
  }
}
