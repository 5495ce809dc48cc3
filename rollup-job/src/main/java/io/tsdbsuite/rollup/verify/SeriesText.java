package io.tsdbsuite.rollup.verify;

import io.tsdbsuite.format.row.RowKey;
import io.tsdbsuite.format.uid.UidKind;
import io.tsdbsuite.message.write.ByteSlice;
import io.tsdbsuite.rollup.uid.UidNames;
import java.util.HexFormat;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Formats series with their names, for messages and queries. For one thread. */
public final class SeriesText {
  private final RowKey rowKey;
  private final UidNames names;
  private final ByteSlice slice = new ByteSlice();

  /** Resolves series by the names of their UIDs. */
  public SeriesText(RowKey rowKey, UidNames names) {
    this.rowKey = rowKey;
    this.names = names;
  }

  /** The name of the metric; null if it has none. */
  public @Nullable String metric(byte[] tsuid) {
    return name(UidKind.METRIC, rowKey.metricUid(key(tsuid), 0));
  }

  /** The tag values by tag key; null if a tag has no name. */
  public @Nullable Map<String, String> tags(byte[] tsuid) {
    byte[] key = key(tsuid);
    Map<String, String> tags = new TreeMap<>();
    for (int i = 0; i < rowKey.tagPairs(key.length); i++) {
      String tagk = name(UidKind.TAGK, rowKey.tagkUid(key, 0, i));
      String tagv = name(UidKind.TAGV, rowKey.tagvUid(key, 0, i));
      if (tagk == null || tagv == null) {
        return null;
      }
      tags.put(tagk, tagv);
    }
    return tags;
  }

  /** {@code metric{tagk=tagv,...}}, or the TSUID if a name is missing. */
  public String text(byte[] tsuid) {
    String metric = metric(tsuid);
    Map<String, String> tags = metric == null ? null : tags(tsuid);
    if (tags == null) {
      return "TSUID " + HexFormat.of().formatHex(tsuid).toUpperCase(Locale.ROOT);
    }
    return metric + tags.toString().replace(", ", ",");
  }

  private @Nullable String name(UidKind kind, long uid) {
    return names.lookup(kind, uid, slice) ? slice.toString() : null;
  }

  /** A row key of the series, without salt and time. */
  private byte[] key(byte[] tsuid) {
    byte[] key = new byte[rowKey.metricOffset() + tsuid.length + RowKey.TIME_WIDTH];
    int metric = rowKey.timeOffset() - rowKey.metricOffset();
    System.arraycopy(tsuid, 0, key, rowKey.metricOffset(), metric);
    System.arraycopy(tsuid, metric, key, rowKey.tagsOffset(), tsuid.length - metric);
    return key;
  }
}
