package io.tsdbsuite.format.row;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.sun.management.ThreadMXBean;
import io.tsdbsuite.format.schema.StorageSchema;
import java.lang.management.ManagementFactory;
import org.junit.jupiter.api.Test;

/** Decoding a row must not allocate, for any kind of cell: jobs read millions of rows. */
class RowAllocationTest {
  private static final int ROWS = 20_000;

  private final RowMerger merger = new RowMerger(StorageSchema.defaults());
  private final PointSummary summary = new PointSummary();
  private double sink;

  @Test
  void aCompactedRowAllocatesNothing() throws Exception {
    byte[][] row = {compacted(0, 1, 60)};
    assertNothingAllocated(row);
  }

  @Test
  void cellsToBeSortedAllocateNothing() throws Exception {
    byte[][] row = {compacted(1, 2, 30), compacted(0, 2, 30), compacted(0, 1, 60)};
    assertNothingAllocated(row);
  }

  /** Qualifier and value in one array: 2 bytes for each point, 1 for its value, 1 at the end. */
  private static byte[] compacted(int first, int step, int n) {
    PointBuffer points = new PointBuffer();
    for (int i = 0; i < n; i++) {
      points.addInteger((first + i * step) * 60_000 % 3_600_000, false, first + i * step);
    }
    CompactedCell cell = CompactedCell.encode(points);
    byte[] joined = new byte[cell.qualifier().length + cell.value().length];
    System.arraycopy(cell.qualifier(), 0, joined, 0, cell.qualifier().length);
    System.arraycopy(cell.value(), 0, joined, cell.qualifier().length, cell.value().length);
    return joined;
  }

  private void assertNothingAllocated(byte[][] row) throws Exception {
    ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    assumeTrue(threads.isThreadAllocatedMemorySupported());
    threads.setThreadAllocatedMemoryEnabled(true);
    long id = Thread.currentThread().getId();
    read(row, ROWS);

    // The JIT compiler may allocate too, so the best of several rounds counts.
    long least = Long.MAX_VALUE;
    for (int round = 0; round < 5; round++) {
      long before = threads.getThreadAllocatedBytes(id);
      read(row, ROWS);
      least = Math.min(least, threads.getThreadAllocatedBytes(id) - before);
    }

    assertThat(sink).isNotZero();
    assertThat(least).as("bytes for " + ROWS + " rows").isLessThan(ROWS);
  }

  private void read(byte[][] row, int times) throws Exception {
    for (int t = 0; t < times; t++) {
      merger.reset();
      for (int stamp = 0; stamp < row.length; stamp++) {
        byte[] cell = row[stamp];
        int n = (cell.length - 1) / 3;
        merger.add(cell, 0, 2 * n, cell, 2 * n, n + 1, stamp);
      }
      PointBuffer points = merger.merge();
      summary.clear();
      summary.addAll(points, 0, points.size());
      sink += summary.sum();
    }
  }
}
