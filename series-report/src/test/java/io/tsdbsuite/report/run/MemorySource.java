package io.tsdbsuite.report.run;

import io.tsdbsuite.format.meta.TsuidLayout;
import io.tsdbsuite.format.uid.UidKind;
import io.tsdbsuite.report.model.MetaRow;
import io.tsdbsuite.report.model.MetaSource;
import io.tsdbsuite.report.model.UidNames;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;

/** Rows and names in memory. It forgets names at every load, as a source may. */
final class MemorySource implements MetaSource, UidNames {
  static final TsuidLayout LAYOUT = new TsuidLayout(3, 2, 4);

  private static final int BATCH = 2;

  private final SortedMap<byte[], MetaRow> rows = new TreeMap<>(Arrays::compareUnsigned);
  private final Map<UidKind, Map<String, Long>> uids = new EnumMap<>(UidKind.class);
  private final Map<UidKind, Map<Long, String>> loaded = new EnumMap<>(UidKind.class);

  private long offset;

  MemorySource() {
    for (UidKind kind : UidKind.values()) {
      uids.put(kind, new TreeMap<>());
      loaded.put(kind, new TreeMap<>());
    }
  }

  /** Makes the rows older than now, as those of a snapshot are. */
  MemorySource taken(long millisAgo) {
    offset = -millisAgo;
    return this;
  }

  /** A series with a counter and no TSMeta. */
  MemorySource tracked(long lastReceived, long points, String metric, String... tags) {
    byte[] tsuid = tsuid(metric, tags);
    return row(tsuid, ByteBuffer.allocate(8).putLong(points).array(), lastReceived, null);
  }

  MemorySource row(byte[] tsuid, byte[] counter, long timestamp, String tsMeta) {
    byte[] json = tsMeta == null ? null : tsMeta.getBytes(StandardCharsets.UTF_8);
    rows.put(tsuid, new MetaRow(tsuid, counter, timestamp, json));
    return this;
  }

  /** Names that begin with a question mark get a UID and no name. */
  byte[] tsuid(String metric, String... tags) {
    ByteArrayOutputStream tsuid = new ByteArrayOutputStream();
    tsuid.writeBytes(LAYOUT.bytes(UidKind.METRIC, assign(UidKind.METRIC, metric)));
    for (int i = 0; i < tags.length; i += 2) {
      tsuid.writeBytes(LAYOUT.bytes(UidKind.TAGK, assign(UidKind.TAGK, tags[i])));
      tsuid.writeBytes(LAYOUT.bytes(UidKind.TAGV, assign(UidKind.TAGV, tags[i + 1])));
    }
    return tsuid.toByteArray();
  }

  private long assign(UidKind kind, String name) {
    Map<String, Long> known = uids.get(kind);
    return known.computeIfAbsent(name, unused -> known.size() + 1L);
  }

  @Override
  public UidNames names() {
    return this;
  }

  @Override
  public long time(long now) {
    return now + offset;
  }

  @Override
  public void scan(byte[] start, byte[] stop, Batch batch) throws IOException {
    List<MetaRow> next = new ArrayList<>();
    for (MetaRow row : rows.values()) {
      if (Arrays.compareUnsigned(row.tsuid(), start) < 0
          || (stop.length > 0 && Arrays.compareUnsigned(row.tsuid(), stop) >= 0)) {
        continue;
      }
      next.add(row);
      if (next.size() == BATCH) {
        batch.rows(next);
        next = new ArrayList<>();
      }
    }
    batch.rows(next);
  }

  @Override
  public void load(UidKind kind, Set<Long> wanted) {
    Map<Long, String> names = loaded.get(kind);
    names.clear();
    uids.get(kind)
        .forEach(
            (name, uid) -> {
              if (wanted.contains(uid) && !name.startsWith("?")) {
                names.put(uid, name);
              }
            });
  }

  @Override
  public String name(UidKind kind, long uid) {
    return loaded.get(kind).get(uid);
  }

  @Override
  public Long uid(UidKind kind, String name) {
    return uids.get(kind).get(name);
  }

  @Override
  public void close() {}
}
