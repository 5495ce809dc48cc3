package io.tsdbsuite.bulk.uid;

import io.tsdbsuite.format.schema.StorageSchema;
import io.tsdbsuite.format.uid.UidKind;
import io.tsdbsuite.format.uid.UidName;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Connection;

/** Names of a TSUID, for messages. */
public final class TsuidNames {
  private static final HexFormat HEX = HexFormat.of().withUpperCase();

  private TsuidNames() {}

  /**
   * Metric and tags in text; UIDs without a name in hex.
   *
   * @param tsuid metric UID and tag pairs
   * @throws io.tsdbsuite.job.JobException outside, when HBase fails
   */
  public static String of(Connection connection, StorageSchema schema, byte[] tsuid) {
    try (UidTable table = new UidTable(connection, TableName.valueOf(schema.uidTable()))) {
      int at = schema.width(UidKind.METRIC);
      StringBuilder text = new StringBuilder(name(table, UidKind.METRIC, tsuid, 0, at));
      while (at < tsuid.length) {
        int value = at + schema.width(UidKind.TAGK);
        int end = value + schema.width(UidKind.TAGV);
        text.append(' ').append(name(table, UidKind.TAGK, tsuid, at, value));
        text.append('=').append(name(table, UidKind.TAGV, tsuid, value, end));
        at = end;
      }
      return text.toString();
    }
  }

  private static String name(UidTable table, UidKind kind, byte[] tsuid, int from, int to) {
    byte[] uid = Arrays.copyOfRange(tsuid, from, to);
    byte[] name = table.names(kind, List.of(uid)).get(0);
    return name == null ? HEX.formatHex(uid) : UidName.decode(name, 0, name.length);
  }
}
