package io.tsdbsuite.rollup.job;

import io.tsdbsuite.format.row.RowKey;
import io.tsdbsuite.format.uid.UidKind;
import io.tsdbsuite.rollup.message.RollupPoint;
import io.tsdbsuite.rollup.uid.UidNames;

/** Names the series of a row. For one thread. */
final class SeriesNames {
  private final RowKey rowKey;
  private final UidNames names;

  SeriesNames(RowKey rowKey, UidNames names) {
    this.rowKey = rowKey;
    this.names = names;
  }

  /**
   * Fills in metric and tags of a point.
   *
   * @param key the array with a row key, whose base time does not matter
   * @return which UID has no name; null when all have one
   */
  String resolve(byte[] key, int off, int len, RollupPoint point) {
    point.clear();
    long metric = rowKey.metricUid(key, off);
    if (!names.lookup(UidKind.METRIC, metric, point.metric())) {
      return nameless(UidKind.METRIC, metric);
    }
    int pairs = rowKey.tagPairs(len);
    for (int i = 0; i < pairs; i++) {
      int tag = point.addTag();
      long tagk = rowKey.tagkUid(key, off, i);
      if (!names.lookup(UidKind.TAGK, tagk, point.tagKey(tag))) {
        return nameless(UidKind.TAGK, tagk);
      }
      long tagv = rowKey.tagvUid(key, off, i);
      if (!names.lookup(UidKind.TAGV, tagv, point.tagValue(tag))) {
        return nameless(UidKind.TAGV, tagv);
      }
    }
    point.sortTags();
    return null;
  }

  private static String nameless(UidKind kind, long uid) {
    return "the UID table has no name for " + kind.qualifier() + " UID " + Long.toHexString(uid);
  }
}
