package io.tsdbsuite.rollup.plan;

import io.tsdbsuite.hbase.snapshot.SnapshotFile;
import io.tsdbsuite.hbase.snapshot.SnapshotRegion;
import io.tsdbsuite.rollup.plan.FileExtent.Stretch;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import org.apache.hadoop.hbase.HConstants;

/**
 * The part of a region's files that is in the window.
 *
 * @param region the region
 * @param files all of its store files
 */
record RegionExtent(SnapshotRegion region, List<FileExtent> files) {
  private static final double SEQUENTIAL_FROM = 0.5;

  /** Whether no file can contain a row of the window. */
  boolean isEmpty() {
    return files.stream().allMatch(file -> file.stretches().isEmpty());
  }

  /** The blocks of all files in the window, sorted by first row. */
  List<Stretch> stretches() {
    return files.stream()
        .flatMap(file -> file.stretches().stream())
        .sorted(Comparator.comparing(Stretch::row, Arrays::compareUnsigned))
        .toList();
  }

  /** A range of the region's rows, read from all files with rows of the window. */
  RegionPart part(byte[] startRow, byte[] stopRow) {
    return part(startRow, stopRow, HConstants.EMPTY_END_ROW);
  }

  /** The region's first rows, read from the files that can contain some of them. */
  RegionPart head(byte[] stopRow) {
    return part(region.startKey(), stopRow, stopRow);
  }

  /**
   * A range of the region's rows.
   *
   * @param before read from the files that can contain rows of the window before it
   */
  RegionPart part(byte[] startRow, byte[] stopRow, byte[] before) {
    List<SnapshotFile> some =
        files.stream().filter(file -> file.hasRowsBefore(before)).map(FileExtent::file).toList();
    return new RegionPart(region.encodedName(), startRow, stopRow, some, sequential());
  }

  private boolean sequential() {
    List<FileExtent> inWindow = files.stream().filter(file -> !file.stretches().isEmpty()).toList();
    long total = inWindow.stream().mapToLong(FileExtent::totalBytes).sum();
    long bytes = inWindow.stream().mapToLong(FileExtent::windowBytes).sum();
    return bytes >= total * SEQUENTIAL_FROM;
  }
}
