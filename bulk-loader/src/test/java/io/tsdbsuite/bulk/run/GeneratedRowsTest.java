package io.tsdbsuite.bulk.run;

import static org.assertj.core.api.Assertions.assertThat;

import io.tsdbsuite.bulk.report.Count;
import io.tsdbsuite.bulk.row.EncodedRow;
import io.tsdbsuite.bulk.row.RowSource;
import io.tsdbsuite.format.row.RowKey;
import io.tsdbsuite.format.row.Uids;
import io.tsdbsuite.format.schema.StorageSchema;
import io.tsdbsuite.synthetic.SyntheticShape;
import io.tsdbsuite.synthetic.ValueShape;
import io.tsdbsuite.synthetic.row.SyntheticRow;
import io.tsdbsuite.synthetic.row.SyntheticRows;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class GeneratedRowsTest {
  private static final byte[] ALL = {};

  private final RowKey rowKey = new RowKey(StorageSchema.defaults());
  private final SyntheticShape shape =
      new SyntheticShape(
          "m.",
          3,
          5,
          1,
          60_000,
          Instant.parse("2023-11-14T22:13:20Z"),
          Duration.ofHours(2),
          ValueShape.COUNTER,
          0,
          42);
  private final SyntheticRows synthetic = new SyntheticRows(shape, rowKey, templates());
  private final GeneratedRows rows = new GeneratedRows(synthetic);

  @Test
  void sourcesCountTheirPointsAsRead() throws Exception {
    try (RowSource source = rows.open(ALL, ALL)) {
      int first = source.next().points();
      assertThat(source.drain().get(Count.POINTS_READ)).isEqualTo(first);
      long rest = 0;
      for (EncodedRow row = source.next(); row != null; row = source.next()) {
        rest += row.points();
      }
      assertThat(source.drain().get(Count.POINTS_READ)).isEqualTo(rest);
      assertThat(first + rest).isEqualTo(shape.points());
      assertThat(source.drain().get(Count.POINTS_READ)).isZero();
    }
  }

  @Test
  void rowsAreTheSyntheticOnes() throws Exception {
    byte[] cut = rows.cuts(2).get(0);
    assertThat(cut).isEqualTo(synthetic.cuts(2).get(0));
    SyntheticRows.Source expected = synthetic.open(cut, ALL);
    try (RowSource source = rows.open(cut, ALL)) {
      for (EncodedRow row = source.next(); row != null; row = source.next()) {
        SyntheticRow same = expected.next();
        assertThat(row.key()).isEqualTo(same.key());
        assertThat(row.qualifier()).isEqualTo(same.qualifier());
        assertThat(row.value()).isEqualTo(same.value());
        assertThat(row.points()).isEqualTo(same.points());
        assertThat(row.newestMillis()).isEqualTo(same.newestMillis());
      }
    }
    assertThat(expected.next()).isNull();
  }

  private List<byte[]> templates() {
    return IntStream.range(0, shape.series())
        .mapToObj(
            series -> {
              byte[] pair = new byte[rowKey.pairWidth()];
              Uids.write(series + 1, pair, 3, 3);
              return rowKey.encode(new byte[] {0, 0, (byte) shape.metrics()}, 0, pair);
            })
        .toList();
  }
}
