package io.tsdbsuite.rollup.tiers.apply;

import io.tsdbsuite.hbase.read.CellVisitor;
import io.tsdbsuite.hbase.read.RowReader;
import io.tsdbsuite.hbase.read.UnreadableBlockException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Rows in memory, in the order of their keys. */
final class TestRows implements RowReader {
  private final TreeMap<byte[], TreeMap<byte[], byte[]>> rows =
      new TreeMap<>(Arrays::compareUnsigned);
  private byte[] next = {};
  private byte[] current = {};

  /** Rows that were read or found, and not passed by a seek. */
  final List<byte[]> met = new ArrayList<>();

  void put(byte[] row, byte[] qualifier, byte... value) {
    rows.computeIfAbsent(row, any -> new TreeMap<>(Arrays::compareUnsigned)).put(qualifier, value);
  }

  /** Begins again. */
  void rewind() {
    next = new byte[0];
  }

  @Override
  public boolean peek() {
    Map.Entry<byte[], TreeMap<byte[], byte[]>> found = rows.ceilingEntry(next);
    if (found == null) {
      return false;
    }
    current = found.getKey();
    met.add(current);
    return true;
  }

  @Override
  public byte[] rowArray() {
    byte[] array = new byte[current.length + 2];
    System.arraycopy(current, 0, array, 1, current.length);
    return array;
  }

  @Override
  public int rowOffset() {
    return 1;
  }

  @Override
  public int rowLength() {
    return current.length;
  }

  @Override
  public int read(CellVisitor visitor) {
    Map<byte[], byte[]> cells = rows.get(current);
    cells.forEach(
        (qualifier, value) ->
            visitor.cell(qualifier, 0, qualifier.length, value, 0, value.length, 1));
    next = Arrays.copyOf(current, current.length + 1);
    return cells.size();
  }

  @Override
  public void seek(byte[] row) {
    if (Arrays.compareUnsigned(row, current) <= 0) {
      throw new IllegalArgumentException("a seek must go on");
    }
    next = row;
  }

  @Override
  public boolean resumeAfter(UnreadableBlockException failure) {
    throw new IllegalStateException(failure);
  }

  @Override
  public void close() {}
}
