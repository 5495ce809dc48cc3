package io.tsdbsuite.meta.it;

import io.tsdbsuite.testkit.RawCell;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** A meta table as it was when the object was made. */
final class MetaRows {
  private static final byte[] COUNTER = "ts_ctr".getBytes(StandardCharsets.ISO_8859_1);

  /** A counter. */
  record Counter(long value, long timestamp) {}

  private final Map<String, Counter> counters = new TreeMap<>();
  private final Map<String, String> tsMetas = new TreeMap<>();

  private MetaRows() {}

  static MetaRows of(String test) throws IOException {
    MetaRows rows = new MetaRows();
    for (RawCell cell : MetaStack.hbase().cells(test + "-meta")) {
      String tsuid = hex(cell.row());
      String qualifier = new String(cell.qualifier(), StandardCharsets.ISO_8859_1);
      if (qualifier.equals("ts_ctr")) {
        rows.counters.put(
            tsuid, new Counter(ByteBuffer.wrap(cell.value()).getLong(), cell.timestamp()));
      } else if (qualifier.equals("ts_meta")) {
        rows.tsMetas.put(tsuid, new String(cell.value(), StandardCharsets.UTF_8));
      }
    }
    return rows;
  }

  /** Writes a counter; the newest timestamp counts, milliseconds. */
  static void put(String test, byte[] tsuid, long value, long timestamp) throws IOException {
    MetaStack.hbase()
        .putCells(
            test + "-meta",
            List.of(
                new RawCell(
                    tsuid,
                    "name",
                    COUNTER,
                    timestamp,
                    ByteBuffer.allocate(8).putLong(value).array())));
  }

  /** By TSUID in hex. */
  Map<String, Counter> counters() {
    return counters;
  }

  /** JSON as stored, by TSUID in hex. */
  Map<String, String> tsMetas() {
    return tsMetas;
  }

  long sum() {
    return counters.values().stream().mapToLong(Counter::value).sum();
  }

  static String hex(byte[] bytes) {
    StringBuilder text = new StringBuilder();
    for (byte each : bytes) {
      text.append(String.format("%02X", each));
    }
    return text.toString();
  }
}
