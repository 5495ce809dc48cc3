package io.tsdbsuite.report.snapshot;

import io.tsdbsuite.format.meta.TsuidLayout;
import io.tsdbsuite.format.row.Uids;
import io.tsdbsuite.format.uid.UidKind;
import io.tsdbsuite.format.uid.UidName;
import io.tsdbsuite.format.uid.UidRow;
import io.tsdbsuite.report.model.ReportException;
import io.tsdbsuite.report.model.UidNames;
import io.tsdbsuite.report.model.UidWords;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import org.apache.hadoop.hbase.client.Result;

/** All names of a tsdb-uid snapshot, in memory: a snapshot has no random access to rows. */
final class SnapshotNames implements UidNames {
  private static final byte[] FAMILY = UidRow.nameFamily();

  private final Map<UidKind, Map<Long, String>> names = new EnumMap<>(UidKind.class);
  private final Map<UidKind, byte[]> qualifiers = new EnumMap<>(UidKind.class);

  private SnapshotNames() {
    for (UidKind kind : UidKind.values()) {
      names.put(kind, new HashMap<>());
      qualifiers.put(kind, kind.qualifierBytes());
    }
  }

  /**
   * Reads all names of a snapshot.
   *
   * @throws ReportException wrong use, when the UID widths of the snapshot differ from the layout
   */
  static SnapshotNames read(SnapshotReader snapshots, String snapshot, TsuidLayout layout) {
    SnapshotNames all = new SnapshotNames();
    byte[][] qualifiers = all.qualifiers.values().toArray(new byte[0][]);
    byte[] allKeys = {};
    try (SnapshotRows rows = snapshots.open(snapshot, allKeys, allKeys, FAMILY, qualifiers)) {
      for (Result row = rows.next(); row != null; row = rows.next()) {
        all.add(snapshot, row, layout);
      }
    }
    return all;
  }

  private void add(String snapshot, Result row, TsuidLayout layout) {
    byte[] key = row.getRow();
    for (UidKind kind : UidKind.values()) {
      byte[] name = row.getValue(FAMILY, qualifiers.get(kind));
      if (name == null) {
        continue;
      }
      if (key.length != layout.width(kind)) {
        throw ReportException.wrongUse(
            "the UID width of a "
                + UidWords.of(kind)
                + " must be that of snapshot "
                + snapshot
                + ", "
                + key.length
                + " bytes, found: "
                + layout.width(kind)
                + " (--uid-widths or --tsd-config)");
      }
      names.get(kind).put(Uids.read(key, 0, key.length), UidName.decode(name, 0, name.length));
    }
  }

  @Override
  public void load(UidKind kind, Set<Long> uids) {}

  @Override
  public String name(UidKind kind, long uid) {
    return names.get(kind).get(uid);
  }

  @Override
  public Long uid(UidKind kind, String name) {
    for (Map.Entry<Long, String> entry : names.get(kind).entrySet()) {
      if (entry.getValue().equals(name)) {
        return entry.getKey();
      }
    }
    return null;
  }
}
