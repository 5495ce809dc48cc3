package io.tsdbsuite.report.live;

import com.stumbleupon.async.Deferred;
import io.tsdbsuite.format.meta.TsuidLayout;
import io.tsdbsuite.format.row.Uids;
import io.tsdbsuite.format.uid.UidKind;
import io.tsdbsuite.format.uid.UidName;
import io.tsdbsuite.format.uid.UidRow;
import io.tsdbsuite.job.JobException;
import io.tsdbsuite.report.model.UidNames;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.hbase.async.GetRequest;
import org.hbase.async.HBaseClient;
import org.hbase.async.KeyValue;
import org.jspecify.annotations.Nullable;

/** Reads names from tsdb-uid as needed, in batches, and caches them. */
final class LiveNames implements UidNames {
  /** In-flight limit of gets: below asynchbase's low watermark of 1000 for an offline region. */
  private static final int IN_FLIGHT = 512;

  /** Maximum of cached names per kind. */
  private static final int MAX_NAMES = 500_000;

  private final HBaseClient client;
  private final Answers answers;
  private final String table;
  private final TsuidLayout layout;
  private final Map<UidKind, Map<Long, String>> names = new EnumMap<>(UidKind.class);

  LiveNames(HBaseClient client, Answers answers, String table, TsuidLayout layout) {
    this.client = client;
    this.answers = answers;
    this.table = table;
    this.layout = layout;
  }

  private Map<Long, String> known(UidKind kind) {
    return names.computeIfAbsent(kind, unused -> new HashMap<>());
  }

  @Override
  public void load(UidKind kind, Set<Long> uids) {
    Map<Long, String> known = known(kind);
    if (known.size() + uids.size() > MAX_NAMES) {
      known.clear();
    }
    List<Long> asked = new ArrayList<>();
    for (Long uid : uids) {
      if (!known.containsKey(uid)) {
        asked.add(uid);
        if (asked.size() == IN_FLIGHT) {
          ask(kind, asked, known);
        }
      }
    }
    ask(kind, asked, known);
  }

  private void ask(UidKind kind, List<Long> asked, Map<Long, String> known) {
    List<Deferred<ArrayList<KeyValue>>> gets = new ArrayList<>(asked.size());
    for (Long uid : asked) {
      gets.add(client.get(get(layout.bytes(kind, uid), UidRow.nameFamily(), kind)));
    }
    List<ArrayList<KeyValue>> rows =
        answers.of(Deferred.groupInOrder(gets), "names in table " + table);
    Map<Long, byte[]> found = new LinkedHashMap<>();
    for (int i = 0; i < rows.size(); i++) {
      ArrayList<KeyValue> row = rows.get(i);
      known.put(asked.get(i), null);
      if (!row.isEmpty()) {
        found.put(asked.get(i), row.get(0).value());
      }
    }
    asked.clear();
    addOwn(kind, found, known);
  }

  /** Adds the names that tsdb-uid maps to their UID; other names belong to another UID. */
  private void addOwn(UidKind kind, Map<Long, byte[]> found, Map<Long, String> known) {
    List<Deferred<ArrayList<KeyValue>>> gets = new ArrayList<>(found.size());
    found.values().forEach(name -> gets.add(client.get(get(name, UidRow.idFamily(), kind))));
    List<ArrayList<KeyValue>> rows =
        answers.of(Deferred.groupInOrder(gets), "UIDs of names in table " + table);
    int i = 0;
    for (Map.Entry<Long, byte[]> each : found.entrySet()) {
      ArrayList<KeyValue> row = rows.get(i++);
      if (!row.isEmpty() && Arrays.equals(row.get(0).value(), layout.bytes(kind, each.getKey()))) {
        known.put(each.getKey(), name(each.getValue()));
      }
    }
  }

  private static String name(byte[] value) {
    return UidName.decode(value, 0, value.length);
  }

  @Override
  public @Nullable String name(UidKind kind, long uid) {
    return known(kind).get(uid);
  }

  @Override
  public @Nullable Long uid(UidKind kind, String name) {
    ArrayList<KeyValue> row =
        answers.of(
            client.get(get(name.getBytes(StandardCharsets.ISO_8859_1), UidRow.idFamily(), kind)),
            UidNames.word(kind) + " " + name + " in table " + table);
    if (row.isEmpty() || row.get(0).value().length != layout.width(kind)) {
      return null;
    }
    long uid = Uids.read(row.get(0).value(), 0, layout.width(kind));
    load(kind, Set.of(uid));
    String own = name(kind, uid);
    if (own != null && !own.equals(name)) {
      throw JobException.usage(
          "%s %s has UID %s in table %s, whose name is %s: its series are those of %s"
              .formatted(UidNames.word(kind), name, layout.hex(kind, uid), table, own, own));
    }
    return uid;
  }

  private GetRequest get(byte[] row, byte[] family, UidKind kind) {
    return new GetRequest(
        table.getBytes(StandardCharsets.ISO_8859_1), row, family, kind.qualifierBytes());
  }
}
