package io.tsdbsuite.bulk.stored;

import static org.assertj.core.api.Assertions.assertThat;

import io.tsdbsuite.bulk.group.OnConflict;
import io.tsdbsuite.bulk.report.Count;
import io.tsdbsuite.bulk.report.Tally;
import io.tsdbsuite.bulk.row.EncodedRow;
import io.tsdbsuite.bulk.table.CellTimestamps;
import io.tsdbsuite.bulk.table.RowName;
import io.tsdbsuite.bulk.table.TableFacts;
import io.tsdbsuite.format.row.PointBuffer;
import io.tsdbsuite.format.row.RowKey;
import io.tsdbsuite.format.schema.StorageSchema;
import java.io.IOException;
import java.lang.reflect.Proxy;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.KeyValue;
import org.apache.hadoop.hbase.client.Durability;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.Table;
import org.junit.jupiter.api.Test;

class BatchReconcilerTest {
  private static final StorageSchema SCHEMA = StorageSchema.defaults();
  private static final RowKey KEYS = new RowKey(SCHEMA);
  private static final long BASE = 1_600_041_600L;
  private static final byte[] KEY =
      KEYS.encode(new byte[] {0, 0, 1}, BASE, new byte[] {0, 0, 1, 0, 0, 1});

  private static EncodedRow row(long... values) {
    PointBuffer points = new PointBuffer();
    for (int second = 0; second < values.length; second++) {
      points.addInteger(second * 1000, false, values[second]);
    }
    return Cells.compacted(KEY, BASE, points).get(0);
  }

  /** The row is there, is rewritten, and then others delete it: all of it is written again. */
  @Test
  void pointsThatArePassedOnAreInNoOtherCount() throws IOException {
    List<List<Cell>> answers = new ArrayList<>();
    EncodedRow old = row(1);
    answers.add(List.of(new KeyValue(KEY, TableFacts.FAMILY, old.qualifier(), 1, old.value())));
    answers.add(List.of());
    Table table =
        (Table)
            Proxy.newProxyInstance(
                Table.class.getClassLoader(),
                new Class<?>[] {Table.class},
                (self, method, arguments) ->
                    method.getName().equals("get")
                        ? new Result[] {Result.create(answers.remove(0))}
                        : null);
    RowName names = new RowName(KEYS);
    CellTimestamps stamps =
        CellTimestamps.of("now", SCHEMA, InstantSource.fixed(Instant.ofEpochSecond(BASE)));
    Reconciler reconciler = new Reconciler(SCHEMA, names, OnConflict.LAST, stamps, true, false);
    Tally tally = new Tally();
    List<EncodedRow> passed = new ArrayList<>();
    try (BatchReconciler batches =
        new BatchReconciler(table, names, reconciler, false, Durability.USE_DEFAULT)) {
      batches.reconcile(List.of(row(2, 3)), tally, passed::add);
    }
    assertThat(answers).isEmpty();
    assertThat(passed).hasSize(1);
    assertThat(passed.get(0).points()).isEqualTo(2);
    assertThat(tally.get(Count.POINTS_WRITTEN)).isZero();
  }
}
