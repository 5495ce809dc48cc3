package io.tsdbsuite.report.it;

import com.fasterxml.jackson.databind.JsonNode;
import io.tsdbsuite.testkit.HBaseServer;
import io.tsdbsuite.testkit.RawCell;
import io.tsdbsuite.testkit.TsdClient;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;

/** Writes rows of tsdb-meta with times of its own, for names that the TSD has given UIDs. */
final class MetaTable {
  static final String TABLE = "tsdb-meta";

  private final HBaseServer hbase;
  private final TsdClient tsd;
  private final Map<String, byte[]> uids = new HashMap<>();
  private final List<RawCell> cells = new ArrayList<>();

  MetaTable(HBaseServer hbase, TsdClient tsd) {
    this.hbase = hbase;
    this.tsd = tsd;
  }

  /** A TSUID; names must be new to the TSD or to this object. Tags must be in order. */
  byte[] tsuid(String metric, String... tags) {
    ByteArrayOutputStream tsuid = new ByteArrayOutputStream();
    tsuid.writeBytes(uid("metric", metric));
    for (int i = 0; i < tags.length; i += 2) {
      tsuid.writeBytes(uid("tagk", tags[i]));
      tsuid.writeBytes(uid("tagv", tags[i + 1]));
    }
    return tsuid.toByteArray();
  }

  private byte[] uid(String kind, String name) {
    return uids.computeIfAbsent(
        kind + "=" + name,
        asked -> {
          JsonNode answer = tsd.get("api/uid/assign?" + asked);
          return HexFormat.of().parseHex(answer.get(kind).get(name).asText());
        });
  }

  void counter(byte[] row, long timestamp, long points) {
    counter(row, timestamp, ByteBuffer.allocate(8).putLong(points).array());
  }

  void counter(byte[] row, long timestamp, byte[] value) {
    cells.add(new RawCell(row, "name", bytes("ts_ctr"), timestamp, value));
  }

  void tsMeta(byte[] row, String json) {
    cells.add(new RawCell(row, "name", bytes("ts_meta"), 1, bytes(json)));
  }

  /** Writes what was added since the last call. */
  void write() throws IOException {
    hbase.putCells(TABLE, cells);
    cells.clear();
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }
}
