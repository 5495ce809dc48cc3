package io.tsdbsuite.rollup.uid;

import io.tsdbsuite.message.write.ByteSlice;
import java.io.Serializable;
import java.util.Arrays;
import java.util.List;
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
}
