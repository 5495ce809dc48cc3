package io.tsdbsuite.rollup.uid;

import io.tsdbsuite.format.row.Uids;
import io.tsdbsuite.format.uid.UidKind;
import io.tsdbsuite.message.write.ByteSlice;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** The names of one kind of UIDs, in segments. Immutable. */
final class KindNames implements Serializable {
  private static final long serialVersionUID = 1L;

  private final UidSegment[] segments;

  /** The first UID of each segment. */
  private final long[] firsts;

  /** Number of UIDs before each segment. */
  private final long[] starts;

  private final long size;

  /** UIDs whose name maps to another UID, sorted; nearly always empty. */
  private final long[] foreign;

  KindNames(List<UidSegment> list) {
    this(list.toArray(new UidSegment[0]), new long[0]);
  }

  private KindNames(UidSegment[] segments, long[] foreign) {
    this.segments = segments;
    this.foreign = foreign;
    firsts = new long[segments.length];
    starts = new long[segments.length];
    long entries = 0;
    for (int i = 0; i < segments.length; i++) {
      firsts[i] = segments[i].first;
      starts[i] = entries;
      entries += segments[i].size();
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

  @Nullable String foreignName(long uid) {
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

  /** Number of names. */
  long size() {
    return size;
  }

  /** Heap size in bytes, except for some object headers. */
  long bytes() {
    long bytes = 0;
    for (UidSegment segment : segments) {
      bytes += segment.bytes();
    }
    bytes += 2 * (UidSegment.OBJECT_BYTES + 8L * firsts.length);
    return bytes + UidSegment.OBJECT_BYTES + 8L * foreign.length;
  }

  /** Passes every UID with its name to the consumer, in unsigned order of the UIDs. */
  void forEach(UidConsumer consumer) {
    for (UidSegment segment : segments) {
      segment.forEach(consumer);
    }
  }

  /** Collects the segments of one kind of UIDs, which arrive in ascending order. For one thread. */
  static final class Builder {
    /**
     * Entries of a full segment: small enough to grow cheaply, large enough to limit the number of
     * segments.
     */
    private static final int SEGMENT_ENTRIES = 1 << 16;

    /** A segment is closed when its names reach this size, far below the limit of an array. */
    private static final int SEGMENT_NAME_BYTES = 1 << 26;

    private final UidKind kind;
    private final int width;
    private final List<UidSegment> segments = new ArrayList<>();
    private long[] uids = new long[64];
    private int[] ends = new int[64];
    private byte[] names = new byte[4096];
    private int count;
    private int nameBytes;
    private long previous;
    private boolean any;

    Builder(UidKind kind, int width) {
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
      long value = Uids.read(uid, uidOffset, uidLength);
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
      segments.add(new UidSegment(uids, ends, count, names));
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
