package io.tsdbsuite.report.it;

import io.tsdbsuite.testkit.HBaseServer;
import io.tsdbsuite.testkit.RawCell;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/** Synthetic series with names: every metric on every host, one tag, with a TSMeta object each. */
final class ManyRows {
  /** UIDs of 3 bytes that a TSD of a test does not come to. */
  private static final int FIRST_METRIC = 0x100000;

  private static final int FIRST_HOST = 0x200000;

  private static final int BATCH = 20_000;

  /** As a TSD stores it. */
  private static final String TS_META =
      "{\"tsuid\":\"1000001FFFFF200000\",\"displayName\":\"\",\"description\":\"\",\"notes\":\"\","
          + "\"created\":1763510400,\"custom\":null,\"units\":\"\",\"dataType\":\"\",\"retention\":0,"
          + "\"max\":\"NaN\",\"min\":\"NaN\"}";

  private ManyRows() {}

  /**
   * Writes the rows, and flushes them.
   *
   * @param tagk the UID of the tag's key, 3 bytes
   * @param millis cell timestamp of all counters
   */
  static void write(
      HBaseServer hbase, String table, byte[] tagk, int metrics, int hosts, long millis)
      throws IOException {
    List<RawCell> names = new ArrayList<>();
    for (int i = 0; i < metrics; i++) {
      name(names, "metrics", FIRST_METRIC + i, "many.metric" + i);
    }
    for (int i = 0; i < hosts; i++) {
      name(names, "tagv", FIRST_HOST + i, "host-" + i + ".example.org");
    }
    hbase.putCells("tsdb-uid", names);
    List<RawCell> cells = new ArrayList<>();
    for (int i = 0; i < metrics * hosts; i++) {
      byte[] row = new byte[9];
      uid(row, 0, FIRST_METRIC + i / hosts);
      System.arraycopy(tagk, 0, row, 3, tagk.length);
      uid(row, 6, FIRST_HOST + i % hosts);
      byte[] counter = ByteBuffer.allocate(8).putLong(i).array();
      cells.add(new RawCell(row, "name", bytes("ts_ctr"), millis, counter));
      cells.add(new RawCell(row, "name", bytes("ts_meta"), millis, bytes(TS_META)));
      if (cells.size() == BATCH) {
        hbase.putCells(table, cells);
        cells.clear();
      }
    }
    hbase.putCells(table, cells);
    hbase.flush(table);
  }

  /** Both ways, as in tsdb-uid. */
  private static void name(List<RawCell> names, String kind, int uid, String name) {
    byte[] row = new byte[3];
    uid(row, 0, uid);
    names.add(new RawCell(row, "name", bytes(kind), 1, bytes(name)));
    names.add(new RawCell(bytes(name), "id", bytes(kind), 1, row));
  }

  private static void uid(byte[] row, int offset, int uid) {
    row[offset] = (byte) (uid >> 16);
    row[offset + 1] = (byte) (uid >> 8);
    row[offset + 2] = (byte) uid;
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }
}
