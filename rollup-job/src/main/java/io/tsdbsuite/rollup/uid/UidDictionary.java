package io.tsdbsuite.rollup.uid;

import io.tsdbsuite.format.uid.UidKind;
import io.tsdbsuite.message.write.ByteSlice;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * All names of a UID table in packed arrays, to be broadcast once per executor.
 *
 * <p>The UIDs of a kind are divided into segments of consecutive UIDs. UIDs assigned by a counter
 * have few holes. The search range within a segment is the number of its holes, and a segment
 * without holes needs no list of UIDs:
 *
 * <pre>
 *   segment   first ........ last        count entries, holes = last - first + 1 - count
 *   uids      [u0][u1]...[uN-1]          8 bytes each, sorted unsigned; absent when holes = 0
 *   ends      [e0][e1]...[eN-1]          4 bytes each: where the name ends in names
 *   names     name0 name1 ... nameN-1    ISO-8859-1, nothing between them
 *
 *   index of u:  u - first - holes  &lt;=  index  &lt;=  u - first
 * </pre>
 *
 * <p>Immutable; may be used by many threads.
 */
public final class UidDictionary implements UidNames {
  private static final long serialVersionUID = 1L;

  /**
   * Entries of a full segment: small enough to grow cheaply, large enough to limit the number of
   * segments.
   */
  private static final int SEGMENT_ENTRIES = 1 << 16;

  /** A segment is closed when its names reach this size, far below the limit of an array. */
  private static final int SEGMENT_NAME_BYTES = 1 << 26;

  /** Approximate header and padding of an array or object, for {@link #bytes()}. */
  private static final int OBJECT_BYTES = 16;

  private final KindNames metrics;
  private final KindNames tagks;
  private final KindNames tagvs;

  private UidDictionary(KindNames metrics, KindNames tagks, KindNames tagvs) {
    this.metrics = metrics;
    this.tagks = tagks;
    this.tagvs = tagvs;
  }

  private KindNames names(UidKind kind) {
    return switch (kind) {
      case METRIC -> metrics;
      case TAGK -> tagks;
      case TAGV -> tagvs;
    };
  }

  @Override
  public boolean lookup(UidKind kind, long uid, ByteSlice out) {
    return names(kind).lookup(uid, out);
  }

  @Override
  public String foreignName(UidKind kind, long uid) {
    return names(kind).foreignName(uid);
  }

  /**
   * Returns the same names, some of them marked as foreign.
   *
   * @param foreign UIDs whose name maps to another UID, by kind, in any order
   */
  UidDictionary withForeign(Map<UidKind, long[]> foreign) {
    return new UidDictionary(
        metrics.withForeign(foreign.get(UidKind.METRIC)),
        tagks.withForeign(foreign.get(UidKind.TAGK)),
        tagvs.withForeign(foreign.get(UidKind.TAGV)));
  }

  /** Returns the index of a UID's name within its kind, from 0; negative if it has none. */
  long index(UidKind kind, long uid) {
    return names(kind).index(uid);
  }

  /** Number of names of a kind. */
  public long size(UidKind kind) {
    return names(kind).size;
  }

  /** Heap size of all names in bytes, except for some object headers. */
  public long bytes() {
    long bytes = 0;
    for (UidKind kind : UidKind.values()) {
      for (Segment segment : names(kind).segments) {
        bytes += segment.bytes();
      }
      bytes += 2 * (OBJECT_BYTES + 8L * names(kind).firsts.length);
      bytes += OBJECT_BYTES + 8L * names(kind).foreign.length;
    }
    return bytes;
  }

  /** Passes every UID of a kind with its name to the consumer, in unsigned order of the UIDs. */
  public void forEach(UidKind kind, UidConsumer consumer) {
    for (Segment segment : names(kind).segments) {
      segment.forEach(consumer);
    }
  }

  /** Receives UIDs with their names. */
  @FunctionalInterface
  public interface UidConsumer {
    /**
     * Receives one UID.
     *
     * @param uid the unsigned value
     * @param name array that contains the name in ISO-8859-1; read-only
     * @param offset start of the name
     * @param length bytes of the name
     */
    void accept(long uid, byte[] name, int offset, int length);
  }

  /** The names of one kind. */
  private static final class KindNames implements Serializable {
    private static final long serialVersionUID = 1L;

    private final Segment[] segments;

    /** The first UID of each segment. */
    private final long[] firsts;

    /** Number of UIDs before each segment. */
    private final long[] starts;

    private final long size;

    /** UIDs whose name maps to another UID, sorted; nearly always empty. */
    private final long[] foreign;

    KindNames(List<Segment> list) {
      this(list.toArray(new Segment[0]), new long[0]);
    }

    private KindNames(Segment[] segments, long[] foreign) {
      this.segments = segments;
      this.foreign = foreign;
      firsts = new long[segments.length];
      starts = new long[segments.length];
      long entries = 0;
      for (int i = 0; i < segments.length; i++) {
        firsts[i] = segments[i].first;
        starts[i] = entries;
        entries += segments[i].ends.length;
      }
      size = entries;
    }

    KindNames withForeign(long[] uids) {
      long[] sorted = uids.clone();
      Arrays.sort(sorted);
      return new KindNames(segments, sorted);
    }

    boolean lookup(long uid, ByteSlice out) {
      return !isForeign(uid) && any(uid, out);
    }

    private boolean isForeign(long uid) {
      return foreign.length > 0 && Arrays.binarySearch(foreign, uid) >= 0;
    }

    String foreignName(long uid) {
      ByteSlice name = new ByteSlice();
      return isForeign(uid) && any(uid, name) ? name.toString() : null;
    }

    long index(long uid) {
      int segment = segment(uid);
      int index = segment < 0 ? -1 : segments[segment].find(uid);
      return index < 0 ? -1 : starts[segment] + index;
    }

    private boolean any(long uid, ByteSlice out) {
      int segment = segment(uid);
      return segment >= 0 && segments[segment].lookup(uid, out);
    }

    /** The last segment that begins at or before a UID; negative when there is none. */
    private int segment(long uid) {
      int low = 0;
      int high = firsts.length - 1;
      while (low <= high) {
        int middle = (low + high) >>> 1;
        if (Long.compareUnsigned(firsts[middle], uid) <= 0) {
          low = middle + 1;
        } else {
          high = middle - 1;
        }
      }
      return high;
    }
  }

  /** Consecutive UIDs; see the diagram of the class. */
  private static final class Segment implements Serializable {
    private static final long serialVersionUID = 1L;

    private final long first;

    /** Unsigned, like every difference of UIDs here. */
    private final long holes;

    /** Null if there are no holes. */
    private final long[] uids;

    private final int[] ends;
    private final byte[] names;

    Segment(long[] uids, int[] ends, int count, byte[] names) {
      this.first = uids[0];
      // With count <= 2^16, last - first + 1 overflows only if it is 2^64, and the difference is
      // right all the same.
      this.holes = uids[count - 1] - uids[0] + 1 - count;
      this.uids = holes == 0 ? null : Arrays.copyOf(uids, count);
      this.ends = Arrays.copyOf(ends, count);
      this.names = Arrays.copyOf(names, ends[count - 1]);
    }

    boolean lookup(long uid, ByteSlice out) {
      int index = find(uid);
      if (index < 0) {
        return false;
      }
      int start = start(index);
      out.set(names, start, ends[index] - start);
      return true;
    }

    /** Returns the index of a UID at or above {@link #first}; negative if the segment lacks it. */
    private int find(long uid) {
      int last = ends.length - 1;
      long distance = uid - first;
      if (uids == null) {
        return Long.compareUnsigned(distance, last) <= 0 ? (int) distance : -1;
      }
      int low = Long.compareUnsigned(distance, holes) <= 0 ? 0 : clamp(distance - holes, last);
      int high = clamp(distance, last);
      while (low <= high) {
        int middle = (low + high) >>> 1;
        int order = Long.compareUnsigned(uids[middle], uid);
        if (order == 0) {
          return middle;
        }
        if (order < 0) {
          low = middle + 1;
        } else {
          high = middle - 1;
        }
      }
      return -1;
    }

    private static int clamp(long unsigned, int max) {
      return Long.compareUnsigned(unsigned, max) <= 0 ? (int) unsigned : max;
    }

    private int start(int index) {
      return index == 0 ? 0 : ends[index - 1];
    }

    void forEach(UidConsumer consumer) {
      for (int i = 0; i < ends.length; i++) {
        int start = start(i);
        consumer.accept(uids == null ? first + i : uids[i], names, start, ends[i] - start);
      }
    }

    long bytes() {
      return 5L * OBJECT_BYTES
          + 16
          + (uids == null ? 0 : 8L * uids.length)
          + 4L * ends.length
          + names.length;
    }
  }

  /**
   * Fills a dictionary from rows of the UID table.
   *
   * <p>The UIDs of a kind must be added in unsigned ascending order, as in a scan; kinds may be
   * mixed. A UID that is not above the previous one is an error, because it means that regions were
   * read in the wrong order or twice. For one thread.
   */
  public static final class Builder {
    private final Map<UidKind, KindBuilder> kinds = new EnumMap<>(UidKind.class);

    /**
     * Creates an empty builder.
     *
     * @param metricWidth width of metric UIDs in bytes, 1 to 8, as the schema says
     * @param tagkWidth width of tag key UIDs
     * @param tagvWidth width of tag value UIDs
     * @throws IllegalArgumentException if a width is not 1 to 8
     */
    public Builder(int metricWidth, int tagkWidth, int tagvWidth) {
      kinds.put(UidKind.METRIC, new KindBuilder(UidKind.METRIC, metricWidth));
      kinds.put(UidKind.TAGK, new KindBuilder(UidKind.TAGK, tagkWidth));
      kinds.put(UidKind.TAGV, new KindBuilder(UidKind.TAGV, tagvWidth));
    }

    /**
     * Adds one UID; copies from both arrays.
     *
     * @param name ISO-8859-1
     * @throws UidWidthException if the width of the UID differs from the schema
     * @throws IllegalArgumentException if the UID is not above the previous one
     */
    public Builder add(
        UidKind kind,
        byte[] uid,
        int uidOffset,
        int uidLength,
        byte[] name,
        int nameOffset,
        int nameLength) {
      kinds.get(kind).add(uid, uidOffset, uidLength, name, nameOffset, nameLength);
      return this;
    }

    /** Returns the dictionary; the builder must not be used afterwards. */
    public UidDictionary build() {
      return new UidDictionary(
          kinds.remove(UidKind.METRIC).build(),
          kinds.remove(UidKind.TAGK).build(),
          kinds.remove(UidKind.TAGV).build());
    }
  }

  /** Collects the segments of one kind. */
  private static final class KindBuilder {
    private final UidKind kind;
    private final int width;
    private final List<Segment> segments = new ArrayList<>();
    private long[] uids = new long[64];
    private int[] ends = new int[64];
    private byte[] names = new byte[4096];
    private int count;
    private int nameBytes;
    private long previous;
    private boolean any;

    KindBuilder(UidKind kind, int width) {
      if (width < 1 || width > 8) {
        throw new IllegalArgumentException(
            "UID width of " + kind.qualifier() + " must be 1 to 8 bytes, found " + width);
      }
      this.kind = kind;
      this.width = width;
    }

    void add(byte[] uid, int uidOffset, int uidLength, byte[] name, int offset, int length) {
      if (uidLength != width) {
        throw new UidWidthException(kind, width, uid, uidOffset, uidLength);
      }
      long value = UidNames.uid(uid, uidOffset, uidLength);
      if (any && Long.compareUnsigned(value, previous) <= 0) {
        throw new IllegalArgumentException(
            String.format(
                Locale.ROOT,
                "UIDs of %s must ascend: 0x%x comes after 0x%x",
                kind.qualifier(),
                value,
                previous));
      }
      any = true;
      previous = value;
      if (count == SEGMENT_ENTRIES
          || (count > 0 && nameBytes + (long) length > SEGMENT_NAME_BYTES)) {
        closeSegment();
      }
      if (count == uids.length) {
        uids = Arrays.copyOf(uids, 2 * count);
        ends = Arrays.copyOf(ends, 2 * count);
      }
      if (names.length - nameBytes < length) {
        names = Arrays.copyOf(names, Math.max(nameBytes + length, 2 * names.length));
      }
      System.arraycopy(name, offset, names, nameBytes, length);
      nameBytes += length;
      uids[count] = value;
      ends[count] = nameBytes;
      count++;
    }

    private void closeSegment() {
      segments.add(new Segment(uids, ends, count, names));
      count = 0;
      nameBytes = 0;
    }

    KindNames build() {
      if (count > 0) {
        closeSegment();
      }
      return new KindNames(segments);
    }
  }
}
