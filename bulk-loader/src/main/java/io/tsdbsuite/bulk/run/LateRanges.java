package io.tsdbsuite.bulk.run;

import io.tsdbsuite.bulk.stored.LateWrites;
import io.tsdbsuite.hbase.load.HFileCells;
import io.tsdbsuite.hbase.load.HFileDir;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.client.Table;
import org.jspecify.annotations.Nullable;

/**
 * Second check of the table, just before the bulk load: finds HFiles with rows that other writers
 * have changed since the first check.
 */
public final class LateRanges {
  private static final int BATCH_ROWS = 1024;
  private static final long BATCH_BYTES = 4L << 20;

  /** The clocks of TSDs and region servers may be behind the one of this machine. */
  private static final Duration CLOCKS = Duration.ofHours(1);

  private final TargetTable target;
  private final long sinceMillis;

  /**
   * @param began when the load began: all first looks were later
   */
  public LateRanges(TargetTable target, Instant began) {
    this.target = target;
    // Where TSDs stamp cells with the time of their points, these timestamps are not the times of
    // the writes.
    this.sinceMillis =
        target.schema().useOtsdbTimestamp() ? 0 : Math.max(0, began.minus(CLOCKS).toEpochMilli());
  }

  /**
   * The message about such rows.
   *
   * @param row one of them
   */
  public static String why(String row) {
    return "other writers have written points since the table was checked, for example " + row;
  }

  /**
   * Searches finished HFiles.
   *
   * @param dir files of which have been finished, with labels of a letter and a number
   * @return ranges with such rows, each with the first of them, for messages
   */
  SortedMap<Integer, String> find(HFileDir dir, int threads) throws IOException {
    List<FileStatus> files = dir.waiting();
    SortedMap<Integer, String> found = new ConcurrentSkipListMap<>();
    AtomicInteger next = new AtomicInteger();
    Workers workers = new Workers("comparing", Math.max(1, Math.min(threads, files.size())));
    workers.run(
        () -> {
          int i = next.getAndIncrement();
          while (i < files.size() && workers.goesOn()) {
            int range = Integer.parseInt(dir.label(files.get(i)).substring(1));
            String row = found.containsKey(range) ? null : first(dir, files.get(i));
            if (row != null) {
              found.putIfAbsent(range, row);
            }
            i = next.getAndIncrement();
          }
        });
    return found;
  }

  /**
   * The first row of a file that other writers have changed; null if there is none.
   *
   * @throws io.tsdbsuite.job.JobException outside, when HBase fails
   */
  public @Nullable String first(HFileDir dir, FileStatus file) throws IOException {
    try (HFileCells cells = new HFileCells(dir, file);
        LateWrites late = new LateWrites(table(), sinceMillis)) {
      Optional<byte[]> firstRow = cells.firstRow();
      Optional<byte[]> lastRow = cells.lastRow();
      // Without writes to this range the file need not be read.
      if (firstRow.isEmpty() || lastRow.isEmpty() || !late.hasAny(firstRow.get(), lastRow.get())) {
        return null;
      }
      List<Cell> batch = new ArrayList<>();
      long bytes = 0;
      for (Cell cell = cells.next(); cell != null; cell = cells.next()) {
        boolean full = batch.size() >= BATCH_ROWS || bytes >= BATCH_BYTES;
        if (full && !CellUtil.matchingRows(cell, batch.get(batch.size() - 1))) {
          byte[] row = late.first(batch);
          if (row != null) {
            return target.names().row(row);
          }
          batch.clear();
          bytes = 0;
        }
        batch.add(cell);
        bytes += cell.getSerializedSize();
      }
      byte[] row = batch.isEmpty() ? null : late.first(batch);
      return row == null ? null : target.names().row(row);
    }
  }

  private Table table() throws IOException {
    return target.hbase().connection().getTable(target.table().name());
  }
}
