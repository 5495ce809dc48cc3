package io.tsdbsuite.hbase.read;

import java.io.IOException;
import org.apache.hadoop.hbase.util.Bytes;

/**
 * A block of an HFile is corrupt. Rows that may have cells in the block are incomplete; reading can
 * continue at {@link #resumeRow()}.
 */
public final class UnreadableBlockException extends IOException {
  private static final long serialVersionUID = 1L;

  private final String file;
  private final long offset;
  private final byte[] firstRow;
  private final byte[] resumeRow;

  UnreadableBlockException(
      String file, long offset, byte[] firstRow, byte[] resumeRow, Throwable cause) {
    super(
        ("HFile %s: the block near offset %s is corrupt (%s); rows from %s up to %s"
                + " cannot be rolled up")
            .formatted(
                file,
                offset,
                rootMessage(cause),
                Bytes.toStringBinary(firstRow),
                resumeRow.length == 0
                    ? "the end of the partition"
                    : Bytes.toStringBinary(resumeRow)),
        cause);
    this.file = file;
    this.offset = offset;
    this.firstRow = firstRow;
    this.resumeRow = resumeRow;
  }

  /** The same failure and message, for other rows. */
  UnreadableBlockException(UnreadableBlockException e, byte[] firstRow, byte[] resumeRow) {
    super(e.getMessage(), e);
    this.file = e.file;
    this.offset = e.offset;
    this.firstRow = firstRow;
    this.resumeRow = resumeRow;
  }

  private static String rootMessage(Throwable cause) {
    Throwable root = cause;
    while (root.getCause() != null) {
      root = root.getCause();
    }
    return root.getMessage() == null ? root.getClass().getSimpleName() : root.getMessage();
  }

  /** The HFile. */
  public String file() {
    return file;
  }

  /** Bytes from the start of the HFile to the block. */
  public long offset() {
    return offset;
  }

  /** The first row that may be incomplete. */
  public byte[] firstRow() {
    return firstRow;
  }

  /** The first row after the rows that may be incomplete; empty when no row is left. */
  public byte[] resumeRow() {
    return resumeRow;
  }
}
