package io.tsdbsuite.rollup.uid;

import io.tsdbsuite.message.write.ByteSlice;
import java.io.Serializable;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Consecutive UIDs of one kind with their names, in packed arrays.
 *
 * <p>UIDs assigned by a counter have few holes. The search range within a segment is the number of
 * its holes, and a segment without holes needs no list of UIDs:
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
 * <p>Immutable.
 */
final class UidSegment implements Serializable {
  private static final long serialVersionUID = 1L;

  /** Approximate header and padding of an array or object, for {@link #bytes}. */
  static final int OBJECT_BYTES = 16;

  final long first;

  /** Unsigned, like every difference of UIDs here. */
  private final long holes;

  /** Null if there are no holes. */
  private final long @Nullable [] uids;

  private final int[] ends;
  private final byte[] names;

  UidSegment(long[] uids, int[] ends, int count, byte[] names) {
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
  int find(long uid) {
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

  /** Number of UIDs. */
  int size() {
    return ends.length;
  }

  /** Heap size in bytes, except for some object headers. */
  long bytes() {
    return 5L * OBJECT_BYTES
        + 16
        + (uids == null ? 0 : 8L * uids.length)
        + 4L * ends.length
        + names.length;
  }
}
