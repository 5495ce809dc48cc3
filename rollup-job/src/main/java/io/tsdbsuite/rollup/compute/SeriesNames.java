package io.tsdbsuite.rollup.compute;

import io.tsdbsuite.format.row.RowKey;
import io.tsdbsuite.format.uid.UidKind;
import io.tsdbsuite.message.write.RollupPoint;
import io.tsdbsuite.rollup.report.FailReason;
import io.tsdbsuite.rollup.uid.UidNames;
import org.jspecify.annotations.Nullable;

/** Names the series of a row. For one thread. */
final class SeriesNames {
  private final RowKey rowKey;
  private final UidNames names;
  private FailReason reason = FailReason.UNRESOLVED_UID;

  SeriesNames(RowKey rowKey, UidNames names) {
    this.rowKey = rowKey;
    this.names = names;
  }

  /**
   * Fills in metric and tags of a point.
   *
   * @param key the array with a row key; its base time is ignored
   * @return description of the UID without a name of its own; null when all have one
   */
  @Nullable String resolve(byte[] key, int off, int len, RollupPoint point) {
    point.clear();
    long metric = rowKey.metricUid(key, off);
    if (!names.lookup(UidKind.METRIC, metric, point.metric())) {
      return problem(UidKind.METRIC, metric);
    }
    int pairs = rowKey.tagPairs(len);
    for (int i = 0; i < pairs; i++) {
      int tag = point.addTag();
      long tagk = rowKey.tagkUid(key, off, i);
      if (!names.lookup(UidKind.TAGK, tagk, point.tagKey(tag))) {
        return problem(UidKind.TAGK, tagk);
      }
      long tagv = rowKey.tagvUid(key, off, i);
      if (!names.lookup(UidKind.TAGV, tagv, point.tagValue(tag))) {
        return problem(UidKind.TAGV, tagv);
      }
    }
    point.sortTags();
    return null;
  }

  /** Why the last series without names had none; of no meaning before there was one. */
  FailReason reason() {
    return reason;
  }

  private String problem(UidKind kind, long uid) {
    String foreign = names.foreignName(kind, uid);
    String which = kind.qualifier() + " UID " + Long.toHexString(uid);
    if (foreign == null) {
      reason = FailReason.UNRESOLVED_UID;
      return "the UID table has no name for " + which;
    }
    reason = FailReason.FOREIGN_NAME;
    return "the UID table has name '"
        + foreign
        + "' for "
        + which
        + ", but maps that name to another UID or to none";
  }
}
