package io.tsdbsuite.hbase.snapshot;

import java.io.Serializable;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A store file of a region in a snapshot's manifest, with the location of its HFile. A plain HFile
 * and an HFileLink are read completely; a reference, left by a region split, is read from or up to
 * its split row.
 *
 * @param name the name in the manifest, link and reference suffixes included
 * @param path path of the HFile, fully qualified
 * @param length bytes of the HFile
 * @param half the half of the HFile that belongs to the region
 * @param splitRow the first row of the top half; null when whole
 * @param movedTo path to which a live HBase may move the HFile, fully qualified; null if it does
 *     not move
 */
public record SnapshotFile(
    String name,
    String path,
    long length,
    Half half,
    byte @Nullable [] splitRow,
    @Nullable String movedTo)
    implements Serializable {

  /** The part of an HFile that a region owns. */
  public enum Half {
    /** All rows. */
    WHOLE,
    /** The rows before the split row. */
    BOTTOM,
    /** The split row and the rows after it. */
    TOP
  }

  /** Checks that a half has a split row. */
  public SnapshotFile(
      String name,
      String path,
      long length,
      Half half,
      byte @Nullable [] splitRow,
      @Nullable String movedTo) {
    this.name = Objects.requireNonNull(name);
    this.path = Objects.requireNonNull(path);
    this.length = length;
    this.half = half;
    this.splitRow = splitRow;
    this.movedTo = movedTo;
    if ((half == Half.WHOLE) != (splitRow == null)) {
      throw new IllegalArgumentException(
          name + ": a half needs a split row, a whole file has none");
    }
  }

  /** A file that does not move. */
  public SnapshotFile(
      String name, String path, long length, Half half, byte @Nullable [] splitRow) {
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
