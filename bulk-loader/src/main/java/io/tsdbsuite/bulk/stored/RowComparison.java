package io.tsdbsuite.bulk.stored;

import io.tsdbsuite.bulk.row.EncodedRow;
import io.tsdbsuite.bulk.table.RowName;
import io.tsdbsuite.format.row.PointBuffer;
import io.tsdbsuite.format.schema.StorageSchema;
import java.io.Closeable;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.apache.hadoop.hbase.client.Table;

/** Compares rows with the stored rows, as a TSD reads them. Not thread-safe. */
public final class RowComparison implements Closeable {
  private final StoredRowReader stored;
  private final StoredPoints points;
  private final RowName names;
  private final PointBuffer wanted = new PointBuffer();

  /**
   * @param table the data table; closed with this
   * @param names for the findings
   */
  public RowComparison(Table table, StorageSchema schema, RowName names) {
    this.stored = new StoredRowReader(table, false);
    this.names = names;
    this.points = new StoredPoints(schema, names);
  }

  /**
   * Compares rows.
   *
   * @param batch ascending by key; one in several cells is complete
   * @throws io.tsdbsuite.job.JobException when a TSD cannot read a stored row, or HBase fails
   */
  public void compare(List<EncodedRow> batch, Findings findings) {
    List<byte[]> keys = new ArrayList<>();
    for (EncodedRow row : batch) {
      if (keys.isEmpty() || !Arrays.equals(keys.get(keys.size() - 1), row.key())) {
        keys.add(row.key());
      }
    }
    List<StoredRow> found = stored.read(keys);
    int at = 0;
    for (int i = 0; i < keys.size(); i++) {
      wanted.clear();
      while (at < batch.size() && Arrays.equals(batch.get(at).key(), keys.get(i))) {
        Cells.decode(batch.get(at++), wanted);
      }
      compare(keys.get(i), found.get(i), findings);
    }
  }

  private void compare(byte[] key, StoredRow row, Findings findings) {
    points.decode(key, row == null ? List.of() : row.cells());
    PointBuffer have = points.points();
    long same = 0;
    int at = 0;
    for (int i = 0; i < wanted.size(); i++) {
      int offset = wanted.offsetMillis(i);
      while (at < have.size() && have.offsetMillis(at) < offset) {
        at++;
      }
      if (at == have.size() || have.offsetMillis(at) > offset) {
        int point = i;
        findings.missing(() -> names.point(key, offset) + ": " + PointValues.show(wanted, point));
      } else if (PointValues.same(wanted, i, have, at)) {
        same++;
      } else {
        int point = i;
        int stored = at;
        findings.different(
            () ->
                "%s: %s in the input, %s in the table"
                    .formatted(
                        names.point(key, offset),
                        PointValues.show(wanted, point),
                        PointValues.show(have, stored)));
      }
    }
    findings.same(same);
  }

  @Override
  public void close() throws IOException {
    stored.close();
  }
}
