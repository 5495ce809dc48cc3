package io.tsdbsuite.hbase.read;

import io.tsdbsuite.hbase.snapshot.SnapshotFile;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.PrivateCellUtil;
import org.apache.hadoop.hbase.io.hfile.DataBlockIndex;
import org.apache.hadoop.hbase.regionserver.StoreFileScanner;

/** A sample of the row keys of an HFile. */
public final class KeySample {
  private KeySample() {}

  /**
   * Reads keys at positions spread over the file.
   *
   * @param count approximate number of positions in the file, and of rows read at each
   * @throws IOException when storage fails or a block is corrupt; see {@link ReadTracker}
   */
  public static List<byte[]> read(
      ReadSource source, SnapshotFile file, int count, ReadTracker tracker) throws IOException {
    List<byte[]> rows = new ArrayList<>();
    try (RegionFiles files = RegionFiles.open(source, List.of(file), false, tracker)) {
      OpenFile open = files.open().get(0);
      DataBlockIndex index = new DataBlockIndex(open.reader());
      int step = Math.max(1, index.rootCount() / count);
      StoreFileScanner scanner = scanner(open);
      try {
        for (int i = 0; i < index.rootCount(); i += step) {
          read(scanner, CellUtil.cloneRow(index.rootKey(i)), count, rows);
        }
      } finally {
        scanner.close();
      }
    }
    return rows;
  }

  /**
   * The first row of an open file that is {@code from} or after it.
   *
   * @throws IOException when storage fails, the block is corrupt, or there is none
   */
  static byte[] firstFrom(OpenFile file, byte[] from) throws IOException {
    List<byte[]> rows = new ArrayList<>();
    StoreFileScanner scanner = scanner(file);
    try {
      read(scanner, from, 1, rows);
    } finally {
      scanner.close();
    }
    if (rows.isEmpty()) {
      throw new IOException("the index names a block without a row");
    }
    return rows.get(0);
  }

  private static StoreFileScanner scanner(OpenFile file) throws IOException {
    return StoreFileScanner.getScannersForStoreFiles(
            List.of(file.store()), false, true, false, false, Long.MAX_VALUE)
        .get(0);
  }

  private static void read(StoreFileScanner scanner, byte[] from, int count, List<byte[]> rows)
      throws IOException {
    byte[] next = from;
    for (int i = 0; i < count; i++) {
      if (!scanner.seek(PrivateCellUtil.createFirstOnRow(next)) || scanner.peek() == null) {
        return;
      }
      byte[] row = CellUtil.cloneRow(scanner.peek());
      rows.add(row);
      next = Arrays.copyOf(row, row.length + 1);
    }
  }
}
