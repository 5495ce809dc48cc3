package io.tsdbsuite.bulk.stored;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tsdbsuite.bulk.group.OnConflict;
import io.tsdbsuite.bulk.report.Count;
import io.tsdbsuite.bulk.report.Tally;
import io.tsdbsuite.bulk.row.EncodedRow;
import io.tsdbsuite.bulk.table.CellTimestamps;
import io.tsdbsuite.bulk.table.RowName;
import io.tsdbsuite.bulk.table.TableFacts;
import io.tsdbsuite.format.row.AppendCell;
import io.tsdbsuite.format.row.PointBuffer;
import io.tsdbsuite.format.row.RowKey;
import io.tsdbsuite.format.row.RowMerger;
import io.tsdbsuite.format.schema.StorageSchema;
import io.tsdbsuite.job.JobException;
import io.tsdbsuite.testkit.seed.Seed;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.SortedMap;
import java.util.TreeMap;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.KeyValue;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.RepetitionInfo;
import org.junit.jupiter.api.Test;

/** Random rows meet random stored rows; what a TSD then reads is what a simple model says. */
class ReconcilerTest {
  private static final long STAMP = 1_700_000_000_000L;
  private static final long BASE = 1_600_041_600L;
  private static final StorageSchema SCHEMA = StorageSchema.defaults();
  private static final RowName NAMES = new RowName(new RowKey(SCHEMA));
  private static final RowKey KEYS = new RowKey(SCHEMA);
  private static final byte[] KEY =
      KEYS.encode(new byte[] {0, 0, 1}, BASE, new byte[] {0, 0, 1, 0, 0, 1});
  private static final CellTimestamps STAMPS =
      CellTimestamps.of("now", SCHEMA, InstantSource.fixed(Instant.ofEpochMilli(STAMP)));

  private static PointBuffer buffer(SortedMap<Integer, Number> points) {
    PointBuffer buffer = new PointBuffer();
    points.forEach(
        (offset, number) -> {
          boolean millis = offset % 1000 != 0;
          if (number instanceof Double value) {
            buffer.addDouble(offset, millis, value);
          } else {
            buffer.addInteger(offset, millis, number.longValue());
          }
        });
    return buffer;
  }

  private static KeyValue cell(byte[] qualifier, byte[] value, long stamp) {
    return new KeyValue(KEY, TableFacts.FAMILY, qualifier, stamp, value);
  }

  private static SortedMap<Integer, Number> random(Random random, int max) {
    SortedMap<Integer, Number> points = new TreeMap<>();
    int n = 1 + random.nextInt(max);
    while (points.size() < n) {
      int offset = random.nextInt(12) * 500;
      points.put(
          offset,
          random.nextBoolean()
              ? (Number) (random.nextInt(5) * 100L)
              : (Number) (random.nextInt(5) * 0.5));
    }
    return points;
  }

  /** Stored points, spread over compacted and single cells and perhaps an append column. */
  private static List<Cell> store(Random random, SortedMap<Integer, Number> points) {
    int ways = 1 + random.nextInt(4);
    List<SortedMap<Integer, Number>> parts = new ArrayList<>();
    for (int i = 0; i < ways; i++) {
      parts.add(new TreeMap<>());
    }
    points.forEach((offset, value) -> parts.get(random.nextInt(ways)).put(offset, value));
    boolean append = random.nextInt(3) == 0;
    List<Cell> cells = new ArrayList<>();
    for (SortedMap<Integer, Number> part : parts) {
      if (part.isEmpty()) {
        continue;
      }
      long stamp = STAMP - 1 - random.nextInt(1000);
      if (append) {
        append = false;
        cells.add(cell(AppendCell.qualifier(), AppendCell.encode(buffer(part)), stamp));
      } else {
        EncodedRow row = Cells.compacted(KEY, BASE, buffer(part)).get(0);
        cells.add(cell(row.qualifier(), row.value(), stamp));
      }
    }
    if (random.nextBoolean()) {
      cells.add(cell(new byte[] {1, 0, 5}, Bytes.toBytes("{}"), STAMP - 5));
    }
    return cells;
  }

  private static Map<Integer, Number> read(List<Cell> cells) throws Exception {
    RowMerger merger = new RowMerger(SCHEMA);
    for (Cell cell : cells) {
      merger.add(
          cell.getQualifierArray(),
          cell.getQualifierOffset(),
          cell.getQualifierLength(),
          cell.getValueArray(),
          cell.getValueOffset(),
          cell.getValueLength(),
          cell.getTimestamp());
    }
    PointBuffer points = merger.merge();
    Map<Integer, Number> read = new HashMap<>();
    for (int i = 0; i < points.size(); i++) {
      read.put(
          points.offsetMillis(i),
          points.isFloat(i) ? (Number) points.doubleValue(i) : (Number) points.longValue(i));
    }
    return read;
  }

  private static List<Cell> apply(List<Cell> stored, Reconciler.Change change) {
    List<Cell> after = new ArrayList<>(stored);
    List<EncodedRow> added = change.cells();
    if (change.rewrite() != null) {
      after.removeAll(change.rewrite().old());
      added = change.rewrite().cells();
    }
    for (EncodedRow row : added) {
      after.removeIf(old -> CellUtil.matchingQualifier(old, row.qualifier()));
      after.add(cell(row.qualifier(), row.value(), STAMP));
    }
    return after;
  }

  @RepeatedTest(200)
  void readersFindWhatTheModelSays(RepetitionInfo repetition) throws Exception {
    long seed = Seed.VALUE + repetition.getCurrentRepetition();
    Random random = new Random(seed);
    SortedMap<Integer, Number> old = random(random, 8);
    SortedMap<Integer, Number> incoming = random(random, 8);
    OnConflict policy =
        List.of(OnConflict.FIRST, OnConflict.LAST, OnConflict.MAX).get(random.nextInt(3));
    List<Cell> stored = store(random, old);
    SortedMap<Integer, Number> expected = new TreeMap<>(old);
    incoming.forEach(
        (offset, value) ->
            expected.merge(offset, value, (first, last) -> winner(policy, first, last)));

    Tally tally = new Tally();
    Reconciler.Change change =
        new Reconciler(SCHEMA, NAMES, policy, STAMPS, true, false)
            .reconcile(
                Cells.compacted(KEY, BASE, buffer(incoming)),
                new StoredRow(stored, List.of()),
                tally);

    List<Cell> after = apply(stored, change);
    assertThat(read(after)).as("seed %d", seed).isEqualTo(expected);
    assertThat(after)
        .filteredOn(c -> c.getQualifierArray()[c.getQualifierOffset()] == 1)
        .hasSameSizeAs(
            stored.stream()
                .filter(c -> c.getQualifierArray()[c.getQualifierOffset()] == 1)
                .toList());
    long added = change.cells().stream().mapToLong(EncodedRow::points).sum();
    assertThat(
            added
                + tally.get(Count.POINTS_WRITTEN)
                + tally.get(Count.ALREADY_STORED)
                + tally.get(Count.SUPERSEDED_BY_STORED))
        .as("seed %d", seed)
        .isEqualTo(incoming.size());

    Reconciler.Change again =
        new Reconciler(SCHEMA, NAMES, policy, STAMPS, true, false)
            .reconcile(
                Cells.compacted(KEY, BASE, buffer(incoming)),
                new StoredRow(after, List.of()),
                new Tally());
    assertThat(again).as("seed %d", seed).isEqualTo(Reconciler.Change.none());
  }

  private static Number winner(OnConflict policy, Number first, Number last) {
    if (first.equals(last)) {
      return first;
    }
    return switch (policy) {
      case FIRST -> first;
      case LAST -> last;
      default -> last.doubleValue() > first.doubleValue() ? last : first;
    };
  }

  @Test
  void manyPointsBecomeSeveralCells() {
    PointBuffer points = new PointBuffer();
    for (int i = 0; i < Cells.MAX_POINTS + 10; i++) {
      points.addInteger(i, true, i);
    }
    List<EncodedRow> rows = Cells.compacted(KEY, BASE, points);
    assertThat(rows).hasSize(2);
    assertThat(rows.get(0).points()).isEqualTo(Cells.MAX_POINTS);
    assertThat(rows.get(1).points()).isEqualTo(10);
    assertThat(rows.get(1).newestMillis()).isEqualTo(BASE * 1000 + Cells.MAX_POINTS + 9);
    PointBuffer back = new PointBuffer();
    rows.forEach(row -> Cells.decode(row, back));
    assertThat(back.size()).isEqualTo(points.size());
  }

  @Test
  void namesAnEmptyValue() {
    StoredRow row = new StoredRow(List.of(cell(new byte[] {0, 0}, new byte[0], 1)), List.of());
    List<EncodedRow> incoming =
        Cells.compacted(KEY, BASE, buffer(new TreeMap<>(Map.of(5000, (Number) 5L))));
    Reconciler reconciler = new Reconciler(SCHEMA, NAMES, OnConflict.LAST, STAMPS, true, false);
    assertThatThrownBy(() -> reconciler.reconcile(incoming, row, new Tally()))
        .isInstanceOf(JobException.class)
        .hasMessageContaining("series 000001000001000001, hour 2020-09-14T00:00:00Z")
        .hasMessageContaining("must have a value");
  }
}
