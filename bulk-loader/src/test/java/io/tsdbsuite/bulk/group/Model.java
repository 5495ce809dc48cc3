package io.tsdbsuite.bulk.group;

import io.tsdbsuite.bulk.row.EncodedRow;
import io.tsdbsuite.format.row.CompactedCell;
import io.tsdbsuite.format.row.PointBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** What a load must come to, the simple way. */
final class Model {
  private final TreeMap<byte[], TreeMap<Integer, ModelPoint>> rows =
      new TreeMap<>(Arrays::compareUnsigned);
  private final TestSeries series;
  private final OnConflict onConflict;
  long added;
  long dropped;
  boolean conflict;

  Model(TestSeries series, OnConflict onConflict) {
    this.series = series;
    this.onConflict = onConflict;
  }

  void add(String metric, List<String> tags, ModelPoint point) {
    added++;
    byte[] key = series.rowKey(metric, tags, point.baseTime());
    rows.computeIfAbsent(key, k -> new TreeMap<>()).merge(point.offset(), point, this::winner);
  }

  private ModelPoint winner(ModelPoint earlier, ModelPoint later) {
    dropped++;
    conflict |= !earlier.sameValue(later);
    return switch (onConflict) {
      case FAIL, FIRST -> earlier;
      case LAST -> later;
      case MAX -> later.isLarger(earlier) ? later : earlier;
    };
  }

  List<EncodedRow> rows() {
    List<EncodedRow> encoded = new ArrayList<>();
    for (Map.Entry<byte[], TreeMap<Integer, ModelPoint>> row : rows.entrySet()) {
      PointBuffer points = new PointBuffer();
      row.getValue().values().forEach(point -> point.addTo(points));
      CompactedCell cell = CompactedCell.encode(points);
      encoded.add(
          new EncodedRow(
              row.getKey(),
              cell.qualifier(),
              cell.value(),
              points.size(),
              row.getValue().lastEntry().getValue().millis()));
    }
    return encoded;
  }
}
