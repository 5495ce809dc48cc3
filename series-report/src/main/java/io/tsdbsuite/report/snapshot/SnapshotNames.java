package io.tsdbsuite.report.snapshot;

import io.tsdbsuite.format.meta.TsuidLayout;
import io.tsdbsuite.format.row.Uids;
import io.tsdbsuite.format.uid.UidKind;
import io.tsdbsuite.format.uid.UidName;
import io.tsdbsuite.hbase.snapshot.Snapshot;
import io.tsdbsuite.job.JobException;
import io.tsdbsuite.report.model.UidNames;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** All names of a tsdb-uid snapshot, in memory: a snapshot has no random access to rows. */
final class SnapshotNames implements UidNames {
  private static final List<UidKind> KINDS = List.of(UidKind.values());

  private final Map<UidKind, Map<Long, String>> names = new EnumMap<>(UidKind.class);

  private SnapshotNames() {}

  private Map<Long, String> names(UidKind kind) {
    return names.computeIfAbsent(kind, unused -> new HashMap<>());
  }

  /**
   * Reads all names of a snapshot, without those that belong to another UID.
   *
   * @param snapshot names of UIDs
   * @param uids UIDs of names, of the same snapshot
   * @throws JobException usage, when the UID widths of the snapshot differ from the layout; bad
   *     input, when a file is missing or corrupt; outside, when storage fails
   */
  static SnapshotNames read(Snapshot snapshot, Snapshot uids, TsuidLayout layout) {
    SnapshotNames all = new SnapshotNames();
    byte[] allKeys = {};
    List<byte[]> columns = KINDS.stream().map(UidKind::qualifierBytes).toList();
    try (ColumnRows rows = new ColumnRows(snapshot, allKeys, allKeys, columns)) {
      while (rows.next()) {
        all.add(snapshot.name(), rows, layout);
      }
    }
    Map<UidKind, Set<Long>> own = new EnumMap<>(UidKind.class);
    try (ColumnRows rows = new ColumnRows(uids, allKeys, allKeys, columns)) {
      while (rows.next()) {
        all.addOwn(rows, layout, own);
      }
    }
    all.names.forEach((kind, known) -> known.keySet().retainAll(own.getOrDefault(kind, Set.of())));
    return all;
  }

  /** Adds the UIDs whose name is that of the row. */
  private void addOwn(ColumnRows row, TsuidLayout layout, Map<UidKind, Set<Long>> own) {
    byte[] key = row.key();
    String name = UidName.decode(key, 0, key.length);
    for (int column = 0; column < KINDS.size(); column++) {
      UidKind kind = KINDS.get(column);
      byte[] value = row.value(column);
      if (value != null && value.length == layout.width(kind)) {
        long uid = Uids.read(value, 0, value.length);
        if (name.equals(names(kind).get(uid))) {
          own.computeIfAbsent(kind, unused -> new HashSet<>()).add(uid);
        }
      }
    }
  }

  private void add(String snapshot, ColumnRows row, TsuidLayout layout) {
    byte[] key = row.key();
    for (int column = 0; column < KINDS.size(); column++) {
      UidKind kind = KINDS.get(column);
      byte[] name = row.value(column);
      if (name == null) {
        continue;
      }
      if (key.length != layout.width(kind)) {
        throw JobException.usage(
            ("the UID width of a %s must be that of snapshot %s, %s bytes, found: %s"
                    + " (--uid-widths or --tsd-config)")
                .formatted(UidNames.word(kind), snapshot, key.length, layout.width(kind)));
      }
      names(kind).put(Uids.read(key, 0, key.length), UidName.decode(name, 0, name.length));
    }
  }

  @Override
  public void load(UidKind kind, Set<Long> uids) {}

  @Override
  public @Nullable String name(UidKind kind, long uid) {
    return names(kind).get(uid);
  }

  @Override
  public @Nullable Long uid(UidKind kind, String name) {
    for (Map.Entry<Long, String> entry : names(kind).entrySet()) {
      if (entry.getValue().equals(name)) {
        return entry.getKey();
      }
    }
    return null;
  }
}
