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
 * @param confirmed whether storage has confirmed path and length; if not, its reader refuses a file
 *     that is at another path or has another length
 */
public record SnapshotFile(
    String name,
    String path,
    long length,
    Half half,
    byte @Nullable [] splitRow,
    @Nullable String movedTo,
    boolean confirmed)
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
      @Nullable String movedTo,
      boolean confirmed) {
    this.name = Objects.requireNonNull(name);
    this.path = Objects.requireNonNull(path);
    this.length = length;
    this.half = half;
    this.splitRow = splitRow;
    this.movedTo = movedTo;
    this.confirmed = confirmed;
    if ((half == Half.WHOLE) != (splitRow == null)) {
      throw new IllegalArgumentException(
          name + ": a half needs a split row, a whole file has none");
    }
  }

  /** A file that storage has confirmed. */
  public SnapshotFile(
      String name,
      String path,
      long length,
      Half half,
      byte @Nullable [] splitRow,
      @Nullable String movedTo) {
    this(name, path, length, half, splitRow, movedTo, true);
  }

  /** A file that does not move. */
  public SnapshotFile(
      String name, String path, long length, Half half, byte @Nullable [] splitRow) {
    this(name, path, length, half, splitRow, null);
  }

  /** The same file after storage has confirmed path and length. */
  public SnapshotFile confirm() {
    return new SnapshotFile(name, path, length, half, splitRow, movedTo);
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
