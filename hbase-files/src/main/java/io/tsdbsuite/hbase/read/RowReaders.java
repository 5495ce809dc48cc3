package io.tsdbsuite.hbase.read;

import io.tsdbsuite.hbase.StorageException;
import io.tsdbsuite.hbase.snapshot.SnapshotFile.Half;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import org.apache.hadoop.hbase.io.hfile.DataBlocks;

/**
 * Chooses the reader of the rows of a part of a region: directly from the blocks if the result must
 * equal HBase's merge, else HBase's merge. A corrupt block is read a second time.
 */
public final class RowReaders {
  /**
   * Key in Hadoop's configuration: {@code auto}, or {@code merge} to read every row by HBase's
   * merge, for tests and for comparison with the fast path.
   */
  public static final String CHOICE = "tsdbsuite.rollup.reader";

  private static final String AUTO = "auto";
  private static final String MERGE = "merge";

  private RowReaders() {}

  /**
   * Opens a reader.
   *
   * @param files open files of the region, which the caller closes
   * @param startRow first row, inclusive; empty for the first of the table
   * @param stopRow last row, exclusive; empty for the last of the table
   * @param sequential whether most of the rows will be read
   * @param ranges rows that will be read together
   * @throws StorageException configuration, when {@link #CHOICE} is set to something unknown
   */
  public static RowReader open(
      ReadSource source,
      RegionFiles files,
      byte[] startRow,
      byte[] stopRow,
      boolean sequential,
      ReadRanges ranges) {
    return new RereadRows(
        files, row -> once(source, files, row, stopRow, sequential, ranges), startRow);
  }

  private static RowReader once(
      ReadSource source,
      RegionFiles files,
      byte[] startRow,
      byte[] stopRow,
      boolean sequential,
      ReadRanges ranges) {
    String choice = source.conf().get(CHOICE, AUTO);
    if (!choice.equals(AUTO) && !choice.equals(MERGE)) {
      throw StorageException.configuration(
          CHOICE + " must be " + AUTO + " or " + MERGE + ", found " + choice, null);
    }
    List<OpenFile> ordered = choice.equals(MERGE) ? List.of() : inOrder(source, files);
    if (ordered.isEmpty()) {
      return new MergedRows(source, files, startRow, stopRow, sequential, ranges);
    }
    List<DirectRows> direct = new ArrayList<>();
    for (OpenFile file : ordered) {
      direct.add(new DirectRows(source, files, file, startRow, stopRow, ranges));
    }
    // The merge reads only single rows, so its blocks are not streamed.
    MergedRows merged = new MergedRows(source, files, startRow, stopRow, false, ranges);
    return new PlainRows(direct, merged, startRow, stopRow);
  }

  /**
   * The files in the order of their rows, if all are plain and no row is in two files; else none.
   */
  private static List<OpenFile> inOrder(ReadSource source, RegionFiles files) {
    List<OpenFile> ordered = new ArrayList<>();
    for (OpenFile file : files.open()) {
      if (!isPlain(source, file)) {
        return List.of();
      }
      if (file.reader().getEntries() > 0) {
        ordered.add(file);
      }
    }
    ordered.sort(Comparator.comparing(RowReaders::firstRow, Arrays::compareUnsigned));
    for (int i = 1; i < ordered.size(); i++) {
      if (Arrays.compareUnsigned(lastRow(ordered.get(i - 1)), firstRow(ordered.get(i))) >= 0) {
        return List.of();
      }
    }
    return ordered;
  }

  private static byte[] firstRow(OpenFile file) {
    return file.reader().getFirstRowKey().orElseThrow();
  }

  private static byte[] lastRow(OpenFile file) {
    return file.reader().getLastRowKey().orElseThrow();
  }

  /**
   * Whether only a newer put of the column or a delete in the same file can hide a put: the file is
   * whole, and no cell in it has expired.
   */
  private static boolean isPlain(ReadSource source, OpenFile file) {
    if (file.file().half() != Half.WHOLE
        || source.family().isNewVersionBehavior()
        || !DataBlocks.isReadable(file.reader())) {
      return false;
    }
    long oldest = source.oldestTimestamp();
    return oldest == 0 || file.store().getMinimumTimestamp().orElse(Long.MIN_VALUE) >= oldest;
  }
}
