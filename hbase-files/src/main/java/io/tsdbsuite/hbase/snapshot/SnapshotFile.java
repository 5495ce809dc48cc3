package io.tsdbsuite.hbase.snapshot;

import java.io.Serializable;
import java.util.Objects;

/**
 * One store file of a region as the snapshot's manifest names it, with the place where its bytes
 * are. A plain HFile and an HFileLink are read whole; a reference, left by a region split, is read
 * from or up to its split row.
 *
 * @param name the name in the manifest, link and reference suffixes included
 * @param path where the HFile is, fully qualified
 * @param length bytes of the HFile
 * @param half which half of the HFile belongs to the region
 * @param splitRow the first row of the top half; null when whole
 * @param movedTo where a live HBase may have moved the HFile meanwhile, fully qualified; null if it
 *     does not move
 */
public record SnapshotFile(
    String name, String path, long length, Half half, byte[] splitRow, String movedTo)
    implements Serializable {

  /** The part of an HFile that a region owns. */
  public enum Half {
    /** All of it. */
    WHOLE,
    /** The rows before the split row. */
    BOTTOM,
    /** The split row and the rows after it. */
    TOP
  }

  /** Checks that a half has its split row. */
  public SnapshotFile {
    Objects.requireNonNull(name);
    Objects.requireNonNull(path);
    if ((half == Half.WHOLE) != (splitRow == null)) {
      throw new IllegalArgumentException(
          name + ": a half needs a split row, a whole file has none");
    }
  }

  /** A file that does not move. */
  public SnapshotFile(String name, String path, long length, Half half, byte[] splitRow) {
    this(name, path, length, half, splitRow, null);
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof SnapshotFile file
        && name.equals(file.name)
        && path.equals(file.path)
        && half == file.half;
  }

  @Override
  public int hashCode() {
    return Objects.hash(name, path, half);
  }
}
