package io.tsdbsuite.bulk.uid;

import io.tsdbsuite.bulk.series.SeriesRefusal;
import io.tsdbsuite.format.schema.StorageSchema;
import io.tsdbsuite.format.uid.UidKind;
import io.tsdbsuite.format.uid.UidName;
import io.tsdbsuite.job.JobException;
import java.io.Closeable;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Connection;

/**
 * Looks up the UIDs of names and assigns missing ones, safe beside TSDs and other loaders that do
 * the same. Known UIDs stay in the cache: less than 40 bytes for a name of 20.
 *
 * <p>Thread-safe; one thread works at a time, so that no name is assigned twice from one process.
 * Only {@code create} determines whether unknown names get UIDs: {@code
 * tsd.core.auto_create_metrics}, the similar settings and UID filter plugins apply only to points
 * that a TSD receives.
 */
public final class UidAssigner implements Closeable {
  /** Names assigned at once. */
  private static final int BATCH = 1000;

  /**
   * Size of the first batch; it is small because its numbers are wasted if another process assigns
   * the same names.
   */
  private static final int FIRST_BATCH = 100;

  /** Batch size while another process assigns the same names. */
  private static final int RACED_BATCH = 250;

  private static final int MAX_RANDOM_WIDTH = 7;

  private final UidTable table;
  private final StorageSchema schema;
  private final UidProblems problems;
  private final boolean create;
  private final Random order = new Random();
  private boolean raced;
  private final Map<UidKind, UidCache> caches = new EnumMap<>(UidKind.class);
  private final Map<UidKind, Long> assigned = new EnumMap<>(UidKind.class);
  private final Map<UidKind, UidProtocol> protocols = new EnumMap<>(UidKind.class);

  /**
   * An assigner for one installation.
   *
   * @param connection connection to HBase; {@link #close} leaves it open
   * @param create whether to assign UIDs to names without a UID; false with {@code --no-create}
   * @throws JobException usage, when metrics get random UIDs of 8 bytes, as no TSD can
   */
  public UidAssigner(Connection connection, StorageSchema schema, boolean create) {
    this.problems = new UidProblems(schema);
    if (schema.randomMetrics() && schema.width(UidKind.METRIC) > MAX_RANDOM_WIDTH) {
      throw problems.tooWideForRandom(MAX_RANDOM_WIDTH);
    }
    this.schema = schema;
    this.create = create;
    this.table = new UidTable(connection, TableName.valueOf(schema.uidTable()));
    for (UidKind kind : UidKind.values()) {
      int width = schema.width(kind);
      UidNumbers numbers =
          problems.isRandom(kind)
              ? UidNumbers.random(new SecureRandom(), width)
              : UidNumbers.counted(table, kind, width);
      caches.put(kind, new UidCache(width));
      protocols.put(kind, new UidProtocol(table, kind, width, numbers));
    }
  }

  /**
   * Looks up or assigns the UIDs of names; {@link #uid} returns them.
   *
   * @param names names in any order; a name may occur several times
   * @return the names without a UID that get none, with the reasons; empty if each name has a UID
   * @throws JobException outside, when HBase fails, or the table contradicts itself; usage, when
   *     the table's UIDs and the schema differ in width
   */
  public synchronized Map<String, SeriesRefusal> resolve(UidKind kind, Collection<String> names) {
    Map<String, SeriesRefusal> refused = new HashMap<>();
    List<NewName> unknown = lookUp(kind, notCached(kind, names, refused), refused);
    if (create) {
      assign(kind, unknown, refused);
    } else {
      for (NewName name : unknown) {
        refused.put(name.text(), problems.withoutUid(kind, name));
      }
    }
    return refused;
  }

  /**
   * Returns the names that have no UID; assigns none.
   *
   * @param names names in any order; names that can have no UID, and names whose UID is of another
   *     name, are left out of the result
   * @return distinct names, in the order given
   * @throws JobException as {@link #resolve}
   */
  public synchronized List<String> unknown(UidKind kind, Collection<String> names) {
    Map<String, SeriesRefusal> refused = new HashMap<>();
    return lookUp(kind, notCached(kind, names, refused), refused).stream()
        .map(NewName::text)
        .toList();
  }

  /**
   * The UID of a name that was resolved, in a new array.
   *
   * @throws IllegalStateException when the name has none
   */
  public synchronized byte[] uid(UidKind kind, String name) {
    byte[] uid = cache(kind).get(UidName.encode(name));
    if (uid == null) {
      throw new IllegalStateException(kind + " '" + name + "' was not resolved");
    }
    return uid;
  }

  private UidCache cache(UidKind kind) {
    return Objects.requireNonNull(caches.get(kind));
  }

  /** UIDs that this has assigned. */
  public synchronized long assigned(UidKind kind) {
    return assigned.getOrDefault(kind, 0L);
  }

  private List<NewName> notCached(
      UidKind kind, Collection<String> names, Map<String, SeriesRefusal> refused) {
    List<NewName> missing = new ArrayList<>();
    for (String name : new LinkedHashSet<>(names)) {
      byte[] bytes;
      try {
        bytes = UidName.encode(name);
      } catch (IllegalArgumentException e) {
        refused.put(name, problems.illegal(kind, e));
        continue;
      }
      if (cache(kind).get(bytes) == null) {
        missing.add(new NewName(name, bytes));
      }
    }
    return missing;
  }

  /**
   * Looks up the names that are not cached; returns those without a UID. A name is refused unless
   * its UID has this name in the table, too: two names of one UID would be stored as one.
   */
  private List<NewName> lookUp(
      UidKind kind, List<NewName> names, Map<String, SeriesRefusal> refused) {
    List<NewName> unknown = new ArrayList<>();
    List<NewName> found = new ArrayList<>();
    List<byte[]> uids = new ArrayList<>();
    List<byte[]> all = table.uids(kind, names.stream().map(NewName::bytes).toList());
    for (int i = 0; i < all.size(); i++) {
      byte[] uid = all.get(i);
      if (uid == null) {
        unknown.add(names.get(i));
      } else {
        requireWidth(kind, names.get(i), uid);
        found.add(names.get(i));
        uids.add(uid);
      }
    }
    List<byte[]> owners = table.names(kind, uids);
    for (int i = 0; i < owners.size(); i++) {
      NewName name = found.get(i);
      if (Arrays.equals(owners.get(i), name.bytes())) {
        cache(kind).put(name.bytes(), uids.get(i));
      } else {
        refused.put(name.text(), problems.foreign(kind, name, uids.get(i), owners.get(i)));
      }
    }
    return unknown;
  }

  private void remember(UidKind kind, NewName name, byte[] uid) {
    requireWidth(kind, name, uid);
    cache(kind).put(name.bytes(), uid);
  }

  private void requireWidth(UidKind kind, NewName name, byte[] uid) {
    if (uid.length != schema.width(kind)) {
      throw problems.wrongWidth(kind, name, uid);
    }
  }

  /**
   * Assigns in the order of the names, so that a load alone assigns the same UIDs each time. Once
   * another process turns out to assign the same names, the order is random: the two then rarely
   * collide.
   */
  private void assign(UidKind kind, List<NewName> names, Map<String, SeriesRefusal> refused) {
    boolean shuffled = false;
    int from = 0;
    while (from < names.size()) {
      if (raced && !shuffled) {
        Collections.shuffle(names.subList(from, names.size()), order);
        shuffled = true;
      }
      int size = raced ? RACED_BATCH : from == 0 ? FIRST_BATCH : BATCH;
      int to = Math.min(names.size(), from + size);
      List<NewName> batch = names.subList(from, to);
      List<NewName> unknown = raced ? lookUp(kind, batch, refused) : batch;
      int before = refused.size();
      UidProtocol.Outcome outcome =
          Objects.requireNonNull(protocols.get(kind))
              .assign(unknown, (name, uid) -> remember(kind, name, uid));
      for (NewName name : outcome.exhausted()) {
        refused.put(name.text(), problems.exhausted(kind, name));
      }
      refuseTaken(kind, outcome.taken(), refused);
      List<NewName> theirs = outcome.raced();
      long given = (long) unknown.size() - theirs.size() - (refused.size() - before);
      assigned.merge(kind, given, Long::sum);
      raced |= !theirs.isEmpty();
      // Their UIDs are checked like those that were there before.
      assign(kind, lookUp(kind, theirs, refused), refused);
      from = to;
    }
  }

  private void refuseTaken(UidKind kind, List<NewName> taken, Map<String, SeriesRefusal> refused) {
    if (!taken.isEmpty() && !problems.isRandom(kind)) {
      throw problems.taken(kind, taken.get(0));
    }
    for (NewName name : taken) {
      refused.put(name.text(), problems.exhausted(kind, name));
    }
  }

  /** Ends its threads; the connection stays open. */
  @Override
  public void close() {
    table.close();
  }
}
