package io.tsdbsuite.query.read;

import io.tsdbsuite.coverage.TimeRanges;
import io.tsdbsuite.format.packed.PackedRow;
import io.tsdbsuite.format.packed.PlainRow;
import io.tsdbsuite.format.rollup.RollupConfig;
import io.tsdbsuite.format.rollup.RollupInterval;
import io.tsdbsuite.format.row.RowKey;
import io.tsdbsuite.testkit.RawCell;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;

/**
 * Random packed rows of plain ones: as queries see them they are equal inside some times, and wrong
 * outside. A row has up to four parts of a kind, with older entries and those that were taken back.
 */
final class PackedParts {
  private static final int MAX_PARTS = 4;

  /** How much older or newer an entry of a slot is, milliseconds. */
  private static final long LATER = 1000;

  private final Random random;
  private final RowKey keys;
  private final RollupInterval interval;
  private final PlainRow plain;
  private final TimeRanges equal;

  /**
   * @param equal times of equal rollups, whole intervals
   */
  PackedParts(
      Random random, RowKey keys, RollupConfig config, RollupInterval interval, TimeRanges equal) {
    this.random = random;
    this.keys = keys;
    this.interval = interval;
    this.plain = new PlainRow(config, interval);
    this.equal = equal;
  }

  /** The cells of the packed table. */
  List<RawCell> of(List<RawCell> plainCells) {
    Map<byte[], List<RawCell>> rows = new TreeMap<>(Arrays::compareUnsigned);
    for (RawCell cell : plainCells) {
      rows.computeIfAbsent(cell.row(), key -> new ArrayList<>()).add(cell);
    }
    List<RawCell> cells = new ArrayList<>();
    rows.forEach((key, row) -> add(key, row, cells));
    return cells;
  }

  private void add(byte[] key, List<RawCell> row, List<RawCell> cells) {
    plain.clear();
    for (RawCell cell : row) {
      byte[] q = cell.qualifier();
      byte[] v = cell.value();
      plain.cell(q, 0, q.length, v, 0, v.length, cell.timestamp());
    }
    for (String kind : plain.kinds()) {
      PackedRow all = new PackedRow(PackedRow.kind(kind), interval.intervalsPerRow());
      plain.addTo(all);
      for (PackedRow part : parts(keys.baseTime(key, 0) * 1000, kind, all)) {
        if (!part.isEmpty()) {
          byte[] value = part.value();
          byte[] qualifier = part.qualifier(key, 0, key.length, value);
          cells.add(new RawCell(key, "t", qualifier, part.asOf(), value));
        }
      }
    }
  }

  private List<PackedRow> parts(long base, String kind, PackedRow all) {
    List<PackedRow> parts = new ArrayList<>();
    for (int i = 1 + random.nextInt(MAX_PARTS); i > 0; i--) {
      parts.add(new PackedRow(PackedRow.kind(kind), interval.intervalsPerRow()));
    }
    long width = interval.seconds() * 1000;
    int slots = (int) ((interval.rowEnd(base / 1000) * 1000 - base) / width);
    for (int slot = 0; slot < slots; slot++) {
      long time = base + slot * width;
      boolean isEqual = equal.contains(time, time + width);
      boolean has = all.has(slot);
      long asOf = has ? all.asOf(slot) : time + width;
      if (isEqual && has) {
        put(pick(parts), slot, asOf, kind, all);
      } else if (isEqual) {
        if (random.nextInt(3) > 0) {
          pick(parts).takeBack(slot, asOf);
        } else {
          continue;
        }
      } else if (random.nextBoolean()) {
        wrong(pick(parts), slot, asOf + LATER, kind);
      }
      switch (random.nextInt(6)) {
        case 0 -> wrong(pick(parts), slot, asOf - LATER, kind);
        case 1 -> pick(parts).takeBack(slot, asOf - LATER);
        default -> {
          // The slot has one entry.
        }
      }
    }
    return parts;
  }

  private PackedRow pick(List<PackedRow> parts) {
    return parts.get(random.nextInt(parts.size()));
  }

  private static void put(PackedRow part, int slot, long asOf, String kind, PackedRow of) {
    if (kind.isEmpty()) {
      part.put(
          slot,
          asOf,
          of.value(PackedRow.SUM, slot),
          of.value(PackedRow.MIN, slot),
          of.value(PackedRow.MAX, slot),
          of.count(slot));
    } else {
      part.put(slot, asOf, of.value(PackedRow.FURTHER, slot));
    }
  }

  private void wrong(PackedRow part, int slot, long asOf, String kind) {
    double value = 1e9 * random.nextDouble();
    if (kind.isEmpty()) {
      part.put(slot, asOf, value, -value, value, 1 + random.nextInt(9));
    } else {
      part.put(slot, asOf, value);
    }
  }
}
