package io.tsdbsuite.hbase.read;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;

/** The cells that a reader gave for a row, as text. */
final class RowLog implements CellVisitor {
  private final List<String> cells = new ArrayList<>();

  @Override
  public void restart() {
    cells.clear();
  }

  @Override
  public void cell(byte[] q, int qOff, int qLen, byte[] v, int vOff, int vLen, long timestamp) {
    HexFormat hex = HexFormat.of();
    cells.add(
        hex.formatHex(q, qOff, qOff + qLen)
            + "="
            + hex.formatHex(v, vOff, vOff + vLen)
            + "@"
            + timestamp);
  }

  /** Reads the row that {@code reader} has found. */
  static String read(RowReader reader) throws java.io.IOException {
    RowLog log = new RowLog();
    byte[] row =
        Arrays.copyOfRange(
            reader.rowArray(), reader.rowOffset(), reader.rowOffset() + reader.rowLength());
    int count = reader.read(log);
    if (count != log.cells.size()) {
      throw new AssertionError("the reader says " + count + " cells, and gave " + log.cells);
    }
    return new String(row, java.nio.charset.StandardCharsets.ISO_8859_1) + " " + log.cells;
  }
}
