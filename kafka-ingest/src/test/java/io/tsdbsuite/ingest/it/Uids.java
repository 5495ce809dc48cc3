package io.tsdbsuite.ingest.it;

import io.tsdbsuite.format.uid.UidRow;
import io.tsdbsuite.testkit.RawCell;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;

/** The names that HBase has UIDs for, as of the making of the object. */
final class Uids {
  private final Map<String, byte[]> uids = new HashMap<>();

  Uids() throws IOException {
    this("tsdb-uid");
  }

  Uids(String table) throws IOException {
    for (RawCell cell : IngestStack.get().hbase().cells(table)) {
      if (cell.family().equals(UidRow.ID_FAMILY)) {
        String kind = new String(cell.qualifier(), StandardCharsets.ISO_8859_1);
        uids.put(kind + " " + new String(cell.row(), StandardCharsets.ISO_8859_1), cell.value());
      }
    }
  }

  boolean has(String kind, String name) {
    return uids.containsKey(kind + " " + name);
  }

  byte[] metric(String name) {
    return get("metrics", name);
  }

  byte[] tagk(String name) {
    return get("tagk", name);
  }

  byte[] tagv(String name) {
    return get("tagv", name);
  }

  private byte[] get(String kind, String name) {
    byte[] uid = uids.get(kind + " " + name);
    if (uid == null) {
      throw new AssertionError("no UID of kind " + kind + " for " + name);
    }
    return uid;
  }
}
