package io.tsdbsuite.rollup.pack;

import io.tsdbsuite.format.row.RowKey;
import io.tsdbsuite.rollup.load.PackedLook;
import io.tsdbsuite.rollup.pack.PackBooks.Count;
import io.tsdbsuite.rollup.threads.Workers;
import io.tsdbsuite.rollup.verify.SeriesText;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Consumer;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Table;

/**
 * Looks whether queries see the parts with which rows are as in the plain table, in HBase itself: a
 * delete marker may hide what was written. It reads the columns of the packed rows of the window,
 * without values, and nothing of the plain table; a row that lacks a part is compared with the
 * plain one, because another pack may have folded it.
 */
record PackLook(Connection connection, Configuration hadoop, PackOptions options) {
  /** Regions at the same time: enough for some servers, and few for one. */
  private static final int THREADS = 8;

  /** Rows of a region that are compared; those after them count as they were found. */
  private static final int MAX_COMPARED = 1000;

  /** What was seen of a region. */
  private record Seen(PackedLook compared, PackBooks books) {}

  /**
   * Looks at all rows.
   *
   * @param lists files of {@link PartList}
   * @param books receive the rows that are not equal, as open ones
   * @return the first slots that differ
   * @throws IOException when HBase or storage fails
   */
  String look(List<Path> lists, PackBooks books, SeriesText names) throws IOException {
    PackedLook all = nothing();
    try (Workers workers = new Workers("look", THREADS)) {
      for (Seen seen : workers.mapUntilFailure(lists, this::region)) {
        all.add(seen.compared);
        books.add(seen.books);
      }
    }
    return all.text(options.level(), names);
  }

  private PackedLook nothing() {
    return new PackedLook(
        new RowKey(options.schema()),
        options.rollups(),
        options.interval(),
        options.window().from(),
        options.window().to(),
        uid -> false);
  }

  private Seen region(Path list) throws IOException {
    PackedLook compared = nothing();
    PackBooks books = new PackBooks();
    List<byte[]> again = new ArrayList<>();
    try (Table plain = connection.getTable(TableName.valueOf(options.interval().table()));
        Table packed = connection.getTable(TableName.valueOf(options.level().table()));
        PartList.Reader parts = new PartList.Reader(list.getFileSystem(hadoop).open(list))) {
      if (parts.next()) {
        try (ResultScanner rows = packed.getScanner(compared.columns(parts.key()))) {
          lacking(
              parts,
              rows,
              key -> {
                if (again.size() < MAX_COMPARED) {
                  again.add(key);
                } else {
                  unseen(key, books);
                }
              });
        }
      }
      for (byte[] key : again) {
        if (!compared.isEqual(plain, packed, key)) {
          unseen(key, books);
        }
      }
    }
    return new Seen(compared, books);
  }

  private void unseen(byte[] key, PackBooks books) {
    books.add(Count.UNSEEN_ROWS, 1);
    books.open(new RowKey(options.schema()).baseTime(key, 0));
  }

  /**
   * Finds the rows that lack a part of a list.
   *
   * @param parts at its first row
   * @param rows of the packed table, from this row on
   * @param lacking receives their keys: they may be all
   */
  static void lacking(PartList.Reader parts, ResultScanner rows, Consumer<byte[]> lacking)
      throws IOException {
    Result row = rows.next();
    boolean hasNext = true;
    while (hasNext) {
      while (row != null && Arrays.compareUnsigned(row.getRow(), parts.key()) < 0) {
        row = rows.next();
      }
      if (row == null
          || !Arrays.equals(row.getRow(), parts.key())
          || !hasAll(row, parts.qualifiers())) {
        lacking.accept(parts.key());
      }
      hasNext = parts.next();
    }
  }

  private static boolean hasAll(Result row, List<byte[]> qualifiers) {
    return qualifiers.stream().allMatch(each -> row.containsColumn(RowKey.family(), each));
  }
}
