package io.tsdbsuite.system;

import io.tsdbsuite.testkit.HBaseServer;
import io.tsdbsuite.testkit.RawCell;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.Map;
import java.util.TreeMap;

/** The cells of one metric in all rollup tables. */
final class StoredCells {
  /**
   * One cell.
   *
   * @param timestamp milliseconds since the epoch
   * @param value hexadecimal
   */
  record Cell(long timestamp, String value) {}

  private StoredCells() {}

  /** The cells by table, row and qualifier. */
  static Map<String, Cell> of(String metric) throws IOException {
    HBaseServer hbase = SystemStack.get().hbase();
    byte[] uid = uid(hbase, metric);
    HexFormat hex = HexFormat.of();
    Map<String, Cell> cells = new TreeMap<>();
    for (String interval : SystemStack.INTERVALS) {
      for (RawCell cell : hbase.cells(SystemStack.table(interval))) {
        if (Arrays.equals(cell.row(), 0, uid.length, uid, 0, uid.length)) {
          cells.put(
              interval + " " + hex.formatHex(cell.row()) + " " + hex.formatHex(cell.qualifier()),
              new Cell(cell.timestamp(), hex.formatHex(cell.value())));
        }
      }
    }
    return cells;
  }

  private static byte[] uid(HBaseServer hbase, String metric) throws IOException {
    byte[] name = metric.getBytes(StandardCharsets.ISO_8859_1);
    byte[] kind = "metrics".getBytes(StandardCharsets.ISO_8859_1);
    return hbase.cells(SystemStack.UID_TABLE).stream()
        .filter(cell -> cell.family().equals("id"))
        .filter(cell -> Arrays.equals(cell.row(), name) && Arrays.equals(cell.qualifier(), kind))
        .map(RawCell::value)
        .findFirst()
        .orElseThrow(() -> new AssertionError("no UID of " + metric));
  }
}
