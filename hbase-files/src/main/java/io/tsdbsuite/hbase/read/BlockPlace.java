package io.tsdbsuite.hbase.read;

import org.apache.hadoop.hbase.HConstants;

/** The position of a block in its HFile; reusable. */
final class BlockPlace {
  static final int HEADER_BYTES = HConstants.HFILEBLOCK_HEADER_SIZE;

  private long offset;
  private long onDiskSize;

  void set(long bytesFromStart, long bytes) {
    offset = bytesFromStart;
    onDiskSize = bytes;
  }

  /** Bytes from the start of the HFile. */
  long offset() {
    return offset;
  }

  /** Its bytes, header included; negative if not known. */
  long onDiskSize() {
    return onDiskSize;
  }

  /** Offset of its end; of its start if the size is not known. */
  long end() {
    return offset + Math.max(0, onDiskSize);
  }
}
