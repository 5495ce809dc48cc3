package io.tsdbsuite.rollup.pack;

import io.tsdbsuite.format.packed.CorruptPartException;
import io.tsdbsuite.format.packed.PackedRow;
import io.tsdbsuite.format.packed.PlainRow;
import io.tsdbsuite.format.rollup.RollupConfig;
import io.tsdbsuite.format.rollup.RollupInterval;
import io.tsdbsuite.format.rollup.SuiteConfig;
import io.tsdbsuite.format.row.RowKey;
import io.tsdbsuite.hbase.read.CellVisitor;
import io.tsdbsuite.rollup.pack.PackBooks.Count;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellComparator;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.KeyValue;
import org.jspecify.annotations.Nullable;

/**
 * Decides what is written and deleted of one packed row, by its parts and the plain row of its key.
 * The parts were read first: what is newer in a plain row has come since. No part is stored before
 * its plain cells: what a plain row lacks was deleted.
 *
 * <pre>
 *   plain       packed                    then
 *   values      equal, of any asOf        nothing
 *   values      none, or an older asOf    the values, as of the plain cells
 *   values      the same asOf             the values, a millisecond later: plain rows are the truth
 *   values      a newer asOf              undecided: one of the two is not stored yet, or gone
 *   none        values                    taken back, as of these values: what comes is newer
 * </pre>
 *
 * <p>A row that gets an entry, or has more than {@link #MAX_PARTS} parts of a kind, gets one part
 * with all its entries. Then each part that was read and adds nothing is deleted, by its column and
 * timestamp. Of a part that cannot be read neither its slots are known nor is it deleted, unless
 * the user asks for it. Reusable, not thread-safe.
 */
final class RowFold {
  /** Of a kind, without being made one. */
  static final int MAX_PARTS = 4;

  /** Parts of a row that are deleted at once: more stay until the next time. */
  static final int MAX_DELETED = 65_536;

  private static final byte[] FAMILY = RowKey.family();
  private static final String NO_PART = "a qualifier of a packed cell must begin with a kind";
  private static final byte[] NONE = {};

  /**
   * A cell of the packed row.
   *
   * @param value empty if it is not needed any more
   */
  private record Part(byte[] qualifier, long timestamp, byte[] value) {}

  /** The rollups of one kind. */
  private static final class Kind {
    private final boolean isFour;
    private final PackedRow packed;
    private final PackedRow plain;

    /** For a view of some of the parts. */
    private final PackedRow some;

    private final List<Part> parts = new ArrayList<>();

    /** Those beyond {@link #MAX_DELETED}. */
    private long more;

    Kind(int kind, int slots, boolean isFour) {
      this.isFour = isFour;
      this.packed = new PackedRow(kind, slots);
      this.plain = new PackedRow(kind, slots);
      this.some = new PackedRow(kind, slots);
    }

    void clear() {
      packed.clear();
      parts.clear();
      more = 0;
    }

    /** Adds the values of the plain row. */
    void put(int slot, long asOf) {
      if (isFour) {
        packed.put(
            slot,
            asOf,
            plain.value(PackedRow.SUM, slot),
            plain.value(PackedRow.MIN, slot),
            plain.value(PackedRow.MAX, slot),
            plain.count(slot));
      } else {
        packed.put(slot, asOf, plain.value(PackedRow.FURTHER, slot));
      }
    }
  }

  private final RollupInterval interval;
  private final PlainRow plainRow;
  private final boolean deleteCorrupt;
  private final PackBooks books;

  /** By the first byte of qualifiers; null of none of the interval. */
  private final @Nullable Kind[] kinds = new Kind[2 + SuiteConfig.NAMES.size()];

  private final List<Part> corrupt = new ArrayList<>();
  private final List<Cell> cells = new ArrayList<>();

  /** Columns of the parts with which the row is as the plain one. */
  private final List<byte[]> proof = new ArrayList<>();

  private byte[] key = NONE;
  private long other;
  private long unreadable;
  private String problem = "";

  /**
   * @param config with the interval
   * @param deleteCorrupt whether parts that cannot be read are deleted
   * @param books receive the counts
   */
  RowFold(RollupConfig config, RollupInterval interval, boolean deleteCorrupt, PackBooks books) {
    this.interval = interval;
    this.plainRow = new PlainRow(config, interval);
    this.deleteCorrupt = deleteCorrupt;
    this.books = books;
    for (String name : plainRow.kinds()) {
      int kind = PackedRow.kind(name);
      kinds[kind] = new Kind(kind, interval.intervalsPerRow(), name.isEmpty());
    }
  }

  /** Begins a row. */
  void begin(byte[] rowKey) {
    key = rowKey;
    plainRow.clear();
    clearParts();
  }

  private void clearParts() {
    for (Kind kind : kinds) {
      if (kind != null) {
        kind.clear();
      }
    }
    corrupt.clear();
    other = 0;
    unreadable = 0;
    problem = "";
  }

  /** Takes the cells of the plain row. */
  final CellVisitor plain =
      new CellVisitor() {
        @Override
        public void restart() {
          plainRow.clear();
        }

        @Override
        public void cell(
            byte[] q, int qOff, int qLen, byte[] value, int vOff, int vLen, long timestamp) {
          boolean unused = plainRow.cell(q, qOff, qLen, value, vOff, vLen, timestamp);
        }
      };

  /** Takes the cells of the packed row. */
  final CellVisitor packed =
      new CellVisitor() {
        @Override
        public void restart() {
          clearParts();
        }

        @Override
        public void cell(
            byte[] q, int qOff, int qLen, byte[] value, int vOff, int vLen, long timestamp) {
          part(q, qOff, qLen, value, vOff, vLen, timestamp);
        }
      };

  private void part(byte[] q, int qOff, int qLen, byte[] v, int vOff, int vLen, long timestamp) {
    int number = qLen > 0 ? q[qOff] : 0;
    boolean isKind = number > 0 && number < kinds.length;
    Kind kind = isKind ? kinds[number] : null;
    if (isKind && kind == null) {
      other++;
      return;
    }
    byte[] qualifier = Arrays.copyOfRange(q, qOff, qOff + qLen);
    String wrong = kind == null ? NO_PART : add(kind.packed, q, qOff, qLen, v, vOff, vLen);
    if (kind == null || !wrong.isEmpty()) {
      unreadable++;
      problem = problem.isEmpty() ? wrong : problem;
      if (corrupt.size() < MAX_DELETED) {
        corrupt.add(new Part(qualifier, timestamp, NONE));
      }
      return;
    }
    if (kind.parts.size() == MAX_DELETED) {
      kind.more++;
    } else {
      boolean isCompared = kind.parts.size() <= MAX_PARTS;
      byte[] value = isCompared ? Arrays.copyOfRange(v, vOff, vOff + vLen) : NONE;
      kind.parts.add(new Part(qualifier, timestamp, value));
    }
  }

  /** Adds a part; returns why it cannot be read, empty if it can. */
  private String add(PackedRow row, byte[] q, int qOff, int qLen, byte[] v, int vOff, int vLen) {
    try {
      row.add(key, 0, key.length, q, qOff, qLen, v, vOff, vLen);
      return "";
    } catch (CorruptPartException e) {
      return String.valueOf(e.getMessage());
    }
  }

  /**
   * Ends the row.
   *
   * @param baseTime of its key
   * @return the cells to write, puts and delete markers in HBase's order; reused
   */
  List<Cell> end(long baseTime) {
    cells.clear();
    proof.clear();
    for (Kind kind : kinds) {
      if (kind != null) {
        kind.plain.clear();
        plainRow.addTo(kind.plain);
      }
    }
    int unpackable = plainRow.leftOut();
    boolean isOpen = unpackable > 0;
    for (Kind kind : kinds) {
      if (kind != null) {
        isOpen |= fold(kind, unpackable > 0, baseTime);
      }
    }
    books.add(Count.PARTS_READ, other + unreadable);
    books.add(Count.PARTS_OTHER, other);
    books.add(Count.PARTS_CORRUPT, unreadable);
    books.add(Count.SLOTS_UNPACKABLE, unpackable);
    if (unpackable > 0) {
      sample("plain row", plainRow.problem());
    }
    if (unreadable > 0) {
      sample("packed row", problem);
    }
    int replaced = replaced();
    books.add(Count.PARTS_DELETED, replaced);
    long left = unreadable - replaced;
    if (deleteCorrupt) {
      corrupt.forEach(this::delete);
      left -= corrupt.size();
    }
    books.add(Count.PARTS_KEPT, left);
    isOpen |= left > 0;
    if (isOpen) {
      books.open(baseTime);
      proof.clear();
    }
    cells.sort(CellComparator.getInstance());
    return cells;
  }

  /**
   * The columns of the parts of the row that was ended; none if not all slots are equal; reused.
   */
  List<byte[]> proof() {
    return proof;
  }

  /**
   * Removes from {@link #corrupt} what a new part of the same column and timestamp replaces, which
   * a delete marker would hide; returns their number.
   */
  private int replaced() {
    int before = corrupt.size();
    corrupt.removeIf(
        part ->
            cells.stream()
                .anyMatch(
                    cell ->
                        cell.getType() == Cell.Type.Put
                            && cell.getTimestamp() == part.timestamp
                            && CellUtil.matchingQualifier(cell, part.qualifier)));
    return before - corrupt.size();
  }

  private void sample(String row, String what) {
    books.sample(row + " " + HexFormat.of().formatHex(key) + ": " + what);
  }

  /**
   * Folds the parts of a kind.
   *
   * @param isPartial whether the plain row has slots that cannot be packed
   * @return whether slots stay that are not equal
   */
  private boolean fold(Kind kind, boolean isPartial, long baseTime) {
    long equal = 0;
    long added = 0;
    long takenBack = 0;
    long undecided = 0;
    PackedRow view = kind.packed;
    for (int slot = 0; slot < interval.intervalsPerRow(); slot++) {
      boolean has = kind.plain.has(slot);
      long asOf = kind.plain.asOf(slot);
      long old = view.asOf(slot);
      if (view.isEqual(slot, kind.plain)) {
        equal += has ? 1 : 0;
      } else if (has && (asOf > old || (asOf == old && asOf < PackedRow.MAX_ASOF))) {
        // An entry of the same time would not always be replaced.
        kind.put(slot, asOf == old ? asOf + 1 : asOf);
        added++;
      } else if (has || isPartial) {
        if (undecided++ == 0) {
          long time = baseTime + slot * interval.seconds();
          String plain = has ? "of " + asOf : "without it, or with a part of it";
          sample("packed row", "rollup of " + time + " is as of " + old + ", plain row " + plain);
        }
      } else {
        view.takeBack(slot, old);
        takenBack++;
      }
      if (view.asOf(slot) >= 0) {
        books.entry(view.asOf(slot));
      }
    }
    books.add(Count.SLOTS_EQUAL, equal);
    books.add(Count.SLOTS_ADDED, added);
    books.add(Count.SLOTS_TAKEN_BACK, takenBack);
    books.add(Count.SLOTS_UNDECIDED, undecided);
    long parts = kind.parts.size() + kind.more;
    books.add(Count.PARTS_READ, parts);
    long kept = added + takenBack > 0 || parts > MAX_PARTS ? write(kind) : needed(kind);
    books.add(Count.PARTS_KEPT, kept + kind.more);
    return undecided > 0;
  }

  /** Writes one part with all entries; returns the number of parts that stay. */
  private long write(Kind kind) {
    byte[] value = kind.packed.value();
    byte[] qualifier = kind.packed.qualifier(key, 0, key.length, value);
    proof.add(qualifier);
    long asOf = kind.packed.asOf();
    long kept = 0;
    for (Part part : kind.parts) {
      if (part.timestamp == asOf && Arrays.equals(part.qualifier, qualifier)) {
        kept++;
      } else {
        delete(part);
      }
    }
    if (kept == 0) {
      cells.add(new KeyValue(key, FAMILY, qualifier, asOf, KeyValue.Type.Put, value));
      books.add(Count.PARTS_WRITTEN, 1);
    }
    return kept;
  }

  /** Deletes each part without which the view is the same; returns the number of others. */
  private int needed(Kind kind) {
    if (kind.parts.size() < 2) {
      kind.parts.forEach(part -> proof.add(part.qualifier));
      return kind.parts.size();
    }
    byte[] whole = kind.packed.value();
    int dropped = 0;
    for (int i = 0; i < kind.parts.size(); i++) {
      int others = dropped | 1 << i;
      kind.some.clear();
      for (int j = 0; j < kind.parts.size(); j++) {
        if ((others >> j & 1) == 0) {
          Part each = kind.parts.get(j);
          byte[] q = each.qualifier;
          String unused = add(kind.some, q, 0, q.length, each.value, 0, each.value.length);
        }
      }
      if (!kind.some.isEmpty() && Arrays.equals(kind.some.value(), whole)) {
        dropped = others;
        delete(kind.parts.get(i));
      } else {
        proof.add(kind.parts.get(i).qualifier);
      }
    }
    return kind.parts.size() - Integer.bitCount(dropped);
  }

  private void delete(Part part) {
    cells.add(new KeyValue(key, FAMILY, part.qualifier, part.timestamp, KeyValue.Type.Delete));
    books.add(Count.PARTS_DELETED, 1);
  }
}
