package io.tsdbsuite.meta.report.snapshot;

import io.tsdbsuite.meta.report.model.ReportException;
import io.tsdbsuite.meta.report.model.TsuidLayout;
import io.tsdbsuite.meta.report.model.UidKind;
import io.tsdbsuite.meta.report.model.UidNames;
import java.nio.charset.StandardCharsets;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.util.Bytes;

/** All names of a snapshot of tsdb-uid, in memory: a snapshot cannot be asked for single rows. */
final class SnapshotNames implements UidNames {
  private static final byte[] FAMILY = Bytes.toBytes("name");

  private final Map<UidKind, Map<Long, String>> names = new EnumMap<>(UidKind.class);
  private final Map<UidKind, byte[]> qualifiers = new EnumMap<>(UidKind.class);

  private SnapshotNames() {
    for (UidKind kind : UidKind.values()) {
      names.put(kind, new HashMap<>());
      qualifiers.put(kind, Bytes.toBytes(kind.qualifier()));
    }
  }

  /**
   * Reads a snapshot.
   *
   * @throws ReportException wrong use, when its UIDs are not as wide as the layout says
   */
  static SnapshotNames read(Snapshots snapshots, String snapshot, TsuidLayout layout) {
    SnapshotNames all = new SnapshotNames();
    Scan scan = new Scan();
    for (byte[] qualifier : all.qualifiers.values()) {
      scan.addColumn(FAMILY, qualifier);
    }
    try (SnapshotRows rows = snapshots.open(snapshot, scan)) {
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
                + kind.word()
                + " must be that of snapshot "
                + snapshot
                + ", "
                + key.length
                + " bytes, found: "
                + layout.width(kind)
                + " (--uid-widths or --tsd-config)");
      }
      names
          .get(kind)
          .put(
              TsuidLayout.number(key, 0, key.length),
              new String(name, StandardCharsets.ISO_8859_1));
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
