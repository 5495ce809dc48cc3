package io.tsdbsuite.rollup.uid;

import io.tsdbsuite.format.row.Uids;
import io.tsdbsuite.format.schema.StorageSchema;
import io.tsdbsuite.format.uid.UidKind;
import io.tsdbsuite.message.write.ByteSlice;
import java.util.Arrays;
import java.util.BitSet;
import java.util.EnumMap;
import java.util.Map;
import java.util.Objects;

/**
 * Finds UIDs whose name maps to another UID. A UID table maps UIDs to names and names to UIDs
 * (docs/storage.md 4). If the name of a UID does not map back to it, TSDs do not find its rows by
 * that name, and rollups identified by names would go to another series.
 *
 * <p>Uses one bit for each name while mappings are added. For one thread.
 */
public final class ForwardMappings {
  private final UidDictionary names;
  private final StorageSchema schema;
  private final Map<UidKind, BitSet> own = new EnumMap<>(UidKind.class);
  private final ByteSlice name = new ByteSlice();

  /**
   * @param names the reverse mappings, UID to name
   */
  public ForwardMappings(UidDictionary names, StorageSchema schema) {
    this.names = names;
    this.schema = schema;
    for (UidKind kind : UidKind.values()) {
      own.put(kind, new BitSet());
    }
  }

  /** Adds a forward mapping. Values of another width, such as the table's counters, are ignored. */
  public void add(
      UidKind kind,
      byte[] nameArray,
      int nameOffset,
      int nameLength,
      byte[] uid,
      int uidOffset,
      int uidLength) {
    if (uidLength != schema.width(kind)) {
      return;
    }
    long value = Uids.read(uid, uidOffset, uidLength);
    if (names.lookup(kind, value, name)
        && Arrays.equals(
            name.array,
            name.offset,
            name.offset + name.length,
            nameArray,
            nameOffset,
            nameOffset + nameLength)) {
      own(kind).set(Math.toIntExact(names.index(kind, value)));
    }
  }

  /** Returns the names; names without a forward mapping to their UID are marked as foreign. */
  public UidDictionary build() {
    return names.withForeign(this::foreign);
  }

  private BitSet own(UidKind kind) {
    return Objects.requireNonNull(own.get(kind));
  }

  private long[] foreign(UidKind kind) {
    BitSet good = own(kind);
    int count = Math.toIntExact(names.size(kind) - good.cardinality());
    if (count == 0) {
      return new long[0];
    }
    long[] foreign = new long[count];
    int[] at = new int[2];
    names.forEach(
        kind,
        (uid, array, offset, length) -> {
          if (!good.get(at[0]++)) {
            foreign[at[1]++] = uid;
          }
        });
    return foreign;
  }
}
