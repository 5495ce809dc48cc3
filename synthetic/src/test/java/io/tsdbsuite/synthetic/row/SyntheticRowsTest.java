package io.tsdbsuite.synthetic.row;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tsdbsuite.format.row.CompactedCell;
import io.tsdbsuite.format.row.PointBuffer;
import io.tsdbsuite.format.row.RowKey;
import io.tsdbsuite.format.row.RowMerger;
import io.tsdbsuite.format.schema.StorageSchema;
import io.tsdbsuite.synthetic.Shapes;
import io.tsdbsuite.synthetic.SyntheticPoints;
import io.tsdbsuite.synthetic.SyntheticShape;
import io.tsdbsuite.synthetic.ValueShape;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class SyntheticRowsTest {
  private static final byte[] ALL = {};

  static Stream<Arguments> shapes() {
    List<Arguments> shapes = new ArrayList<>();
    for (ValueShape values : ValueShape.values()) {
      shapes.add(Arguments.of(Shapes.of(values, 1000, Duration.ofHours(3), 0)));
      shapes.add(Arguments.of(Shapes.of(values, 60_000, Duration.ofDays(1), 0)));
      shapes.add(Arguments.of(Shapes.of(values, 7_000, Duration.ofHours(5), 0)));
      shapes.add(Arguments.of(Shapes.of(values, 1_500, Duration.ofHours(2), 0)));
      shapes.add(Arguments.of(Shapes.of(values, 15_000, Duration.ofHours(4), 14_999)));
      shapes.add(Arguments.of(Shapes.of(values, 5_000_000, Duration.ofDays(2), 0)));
    }
    return shapes.stream();
  }

  @ParameterizedTest
  @MethodSource("shapes")
  void areThePointsOneByOne(SyntheticShape shape) throws Exception {
    for (StorageSchema schema : List.of(StorageSchema.defaults(), Shapes.SALTED)) {
      RowKey rowKey = new RowKey(schema);
      List<byte[]> templates = Shapes.templates(shape, schema);
      Map<String, Integer> series = new HashMap<>();
      for (int i = 0; i < templates.size(); i++) {
        series.put(Arrays.toString(templates.get(i)), i);
      }
      SyntheticPoints points = new SyntheticPoints(shape);
      RowMerger merger = new RowMerger(schema);
      SyntheticRows rows = new SyntheticRows(shape, rowKey, templates);
      long[] next = new long[templates.size()];
      List<SyntheticRow> all = read(rows, ALL, ALL);
      byte[] before = ALL;
      for (SyntheticRow row : all) {
        assertThat(rowKey.check(row.key(), 0, row.key().length)).isNull();
        assertThat(Arrays.compareUnsigned(before, row.key())).isNegative();
        before = row.key();
        byte[] template = row.key().clone();
        Arrays.fill(template, rowKey.timeOffset(), rowKey.tagsOffset(), (byte) 0);
        int of = series.get(Arrays.toString(template));
        long base = rowKey.baseTime(row.key(), 0) * 1000;
        merger.reset();
        merger.add(
            row.qualifier(), 0, row.qualifier().length, row.value(), 0, row.value().length, 1);
        PointBuffer decoded = merger.merge();
        assertThat(decoded.size()).isEqualTo(row.points());
        PointBuffer canonical = new PointBuffer();
        for (int i = 0; i < decoded.size(); i++) {
          long point = next[of]++;
          assertThat(base + decoded.offsetMillis(i)).isEqualTo(points.millis(of, point));
          assertThat(points.pointAt(of, base + decoded.offsetMillis(i))).isEqualTo(point);
          assertThat(decoded.isMillis(i)).isEqualTo(shape.inMillis());
          add(points, of, point, (int) (points.millis(of, point) - base), canonical, shape);
        }
        assertThat(row.newestMillis()).isEqualTo(points.millis(of, next[of] - 1));
        CompactedCell cell = CompactedCell.encode(canonical);
        assertThat(row.qualifier()).isEqualTo(cell.qualifier());
        assertThat(row.value()).isEqualTo(cell.value());
      }
      assertThat(next).containsOnly(shape.pointsPerSeries());
      assertThat(rows.rows()).isEqualTo(all.size());
    }
  }

  private static void add(
      SyntheticPoints points,
      int series,
      long point,
      int offset,
      PointBuffer into,
      SyntheticShape shape) {
    boolean millis = shape.inMillis();
    if (points.isInteger(series, point)) {
      into.addInteger(offset, millis, points.longValue(series, point));
      return;
    }
    double value = points.doubleValue(series, point);
    if ((double) (float) value == value) {
      into.addFloat(offset, millis, (float) value);
    } else {
      into.addDouble(offset, millis, value);
    }
  }

  @Test
  void rangesHaveEachRowOnce() throws Exception {
    SyntheticShape shape = Shapes.of(ValueShape.COUNTER, 60_000, Duration.ofHours(20), 0);
    for (StorageSchema schema : List.of(StorageSchema.defaults(), Shapes.SALTED)) {
      SyntheticRows rows =
          new SyntheticRows(shape, new RowKey(schema), Shapes.templates(shape, schema));
      List<String> whole = keys(read(rows, ALL, ALL));
      for (int ranges : new int[] {1, 2, 3, 7, 16, 100, 1000}) {
        List<byte[]> cuts = rows.cuts(ranges);
        assertThat(cuts).hasSizeLessThan(ranges);
        List<String> pieces = new ArrayList<>();
        byte[] from = ALL;
        for (byte[] cut : cuts) {
          assertThat(Arrays.compareUnsigned(from, cut)).isNegative();
          pieces.addAll(keys(read(rows, from, cut)));
          from = cut;
        }
        pieces.addAll(keys(read(rows, from, ALL)));
        assertThat(pieces).isEqualTo(whole);
      }
      // After any key: where a resume begins.
      for (int i = 0; i < whole.size(); i += 13) {
        byte[] key = read(rows, ALL, ALL).get(i).key();
        byte[] after = Arrays.copyOf(key, key.length + 1);
        assertThat(keys(read(rows, after, ALL))).isEqualTo(whole.subList(i + 1, whole.size()));
      }
    }
  }

  @Test
  void wantsARowKeyForEachSeries() {
    SyntheticShape shape = Shapes.of(ValueShape.COUNTER, 60_000, Duration.ofHours(2), 0);
    StorageSchema schema = StorageSchema.defaults();
    RowKey rowKey = new RowKey(schema);
    List<byte[]> templates = Shapes.templates(shape, schema);
    assertThatThrownBy(() -> new SyntheticRows(shape, rowKey, templates.subList(1, 15)))
        .hasMessage("row keys must be given for 15 series, found 14");
    templates.set(3, templates.get(5));
    assertThatThrownBy(() -> new SyntheticRows(shape, rowKey, templates))
        .hasMessage("series 3 and 5 have the same row key");
  }

  private static List<SyntheticRow> read(SyntheticRows rows, byte[] from, byte[] to) {
    List<SyntheticRow> read = new ArrayList<>();
    SyntheticRows.Source source = rows.open(from, to);
    for (SyntheticRow row = source.next(); row != null; row = source.next()) {
      read.add(row);
    }
    return read;
  }

  private static List<String> keys(List<SyntheticRow> rows) {
    return rows.stream().map(row -> Arrays.toString(row.key())).toList();
  }
}
