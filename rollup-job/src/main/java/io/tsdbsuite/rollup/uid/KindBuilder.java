package io.tsdbsuite.rollup.uid;

import io.tsdbsuite.format.uid.UidKind;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/** Collects the segments of one kind of UIDs, which arrive in ascending order. For one thread. */
final class KindBuilder {
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
    if (count == SEGMENT_ENTRIES || (count > 0 && nameBytes + (long) length > SEGMENT_NAME_BYTES)) {
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
