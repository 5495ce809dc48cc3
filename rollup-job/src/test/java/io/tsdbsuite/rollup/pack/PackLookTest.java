package io.tsdbsuite.rollup.pack;

import static org.assertj.core.api.Assertions.assertThat;

import io.tsdbsuite.format.row.RowKey;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.KeyValue;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.metrics.ScanMetrics;
import org.junit.jupiter.api.Test;

class PackLookTest {
  private final List<Result> stored = new ArrayList<>();
  private final ByteArrayOutputStream list = new ByteArrayOutputStream();

  private void store(int key, int... columns) {
    List<Cell> cells = new ArrayList<>();
    for (int column : columns) {
      cells.add(new KeyValue(row(key), RowKey.family(), row(column), 5, new byte[0]));
    }
    stored.add(Result.create(cells));
  }

  private static byte[] row(int number) {
    return new byte[] {(byte) number};
  }

  private List<Integer> lacking(int[]... rows) throws IOException {
    list.reset();
    try (PartList.Writer out = new PartList.Writer(list)) {
      for (int[] each : rows) {
        List<byte[]> columns = new ArrayList<>();
        for (int i = 1; i < each.length; i++) {
          columns.add(row(each[i]));
        }
        out.row(row(each[0]), columns);
      }
      out.end();
    }
    List<Integer> lacking = new ArrayList<>();
    try (PartList.Reader parts = new PartList.Reader(new ByteArrayInputStream(list.toByteArray()));
        Rows scanner = new Rows(stored.iterator())) {
      assertThat(parts.next()).isTrue();
      PackLook.lacking(parts, scanner, key -> lacking.add(key[0] & 0xff));
    }
    return lacking;
  }

  @Test
  void rowsThatLackAPartAreFound() throws IOException {
    store(3, 1);
    store(4, 1, 2);
    store(200, 2);
    int[] third = {3, 1};
    int[] fourth = {4, 1, 2};
    int[] last = {200, 2};
    assertThat(lacking(third, fourth, last)).isEmpty();
    // Further rows and columns came since.
    assertThat(lacking(fourth)).isEmpty();
    assertThat(lacking(new int[] {4, 2}, last)).isEmpty();
    int[] none = {5, 1};
    int[] later = {201, 1};
    assertThat(lacking(new int[] {1, 1}, new int[] {3, 2}, new int[] {4, 1, 3}, none, last, later))
        .containsExactly(1, 3, 4, 5, 201);
    stored.clear();
    assertThat(lacking(third, fourth)).containsExactly(3, 4);
  }

  /** A scan of these rows. */
  private record Rows(Iterator<Result> rows) implements ResultScanner {
    @Override
    public Result next() {
      return rows.hasNext() ? rows.next() : null;
    }

    @Override
    public void close() {}

    @Override
    public boolean renewLease() {
      return true;
    }

    @Override
    public ScanMetrics getScanMetrics() {
      return null;
    }
  }
}
