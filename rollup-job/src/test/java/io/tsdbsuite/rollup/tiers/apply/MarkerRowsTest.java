package io.tsdbsuite.rollup.tiers.apply;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tsdbsuite.format.histogram.HistogramCodecs;
import io.tsdbsuite.format.histogram.Sketch;
import io.tsdbsuite.format.rollup.RollupCell;
import io.tsdbsuite.format.rollup.RollupConfig;
import io.tsdbsuite.format.rollup.RollupInterval;
import io.tsdbsuite.format.row.Qualifier;
import io.tsdbsuite.format.row.RowKey;
import io.tsdbsuite.format.schema.StorageSchema;
import io.tsdbsuite.format.schema.TsdConfig;
import io.tsdbsuite.job.JobException;
import io.tsdbsuite.rollup.report.MetricRows.Kept;
import io.tsdbsuite.rollup.tiers.proof.IdleSeries;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellComparator;
import org.apache.hadoop.hbase.CellUtil;
import org.junit.jupiter.api.Test;

class MarkerRowsTest {
  private static final HexFormat HEX = HexFormat.of();
  private static final long HOUR = 3600;
  private static final long FROM = 1763424000;
  private static final long TO = FROM + 24 * HOUR;
  private static final long STAMP = 1_763_600_000_123L;
  private static final byte[] ANNOTATION = HEX.parseHex("01001e");
  private static final byte[] HISTOGRAM = HEX.parseHex("06001e");
  private static final byte[] UNKNOWN = HEX.parseHex("07001e");
  private static final byte[] PAIR = HEX.parseHex("000001000001");

  private static final String ROLLUPS =
      """
      {"aggregationIds":{"sum":0,"count":2,"min":3,"max":4,"avg":7},"intervals":[
      {"table":"tsdb","preAggregationTable":"tsdb","interval":"1m","rowSpan":"1h",\
      "defaultInterval":true},
      {"table":"r1h","preAggregationTable":"r1h","interval":"1h","rowSpan":"1d"},
      {"table":"r1d","preAggregationTable":"r1d","interval":"1d","rowSpan":"1n"}]}
      """;

  private final TestRows rows = new TestRows();
  private String level = "raw";
  private StorageSchema schema = StorageSchema.defaults();
  private boolean anyBucket;
  private Map<ByteBuffer, Kept> staying = Map.of();

  private byte[] row(int metric, long time, byte[]... tags) {
    byte[] uid = {0, 0, (byte) metric};
    return new RowKey(schema).encode(uid, time, tags.length == 0 ? new byte[][] {PAIR} : tags);
  }

  private static byte[] seconds(int offset) {
    return Qualifier.ofSeconds(offset, false, 1);
  }

  private void point(byte[] row, int offset) {
    rows.put(row, seconds(offset), (byte) 7);
  }

  private void number(byte[] row, int offset, double value) {
    rows.put(
        row, Qualifier.ofSeconds(offset, true, 8), ByteBuffer.allocate(8).putDouble(value).array());
  }

  private MarkerRows markers(Long... metrics) {
    TierTable table =
        TierTable.of(level, schema, RollupConfig.parse(ROLLUPS), HistogramCodecs.NONE);
    return new MarkerRows(
        rows,
        table,
        FROM,
        TO,
        Set.of(metrics)::contains,
        uid -> false,
        null,
        anyBucket,
        STAMP,
        staying);
  }

  /** Each marker as type, row, column. */
  private static List<String> all(MarkerRows markers) throws IOException {
    List<String> all = new ArrayList<>();
    List<Cell> cells = new ArrayList<>();
    while (markers.next()) {
      for (Cell cell : markers.markers()) {
        assertThat(CellUtil.cloneRow(cell)).isEqualTo(markers.row());
        assertThat(cell.getTimestamp()).isEqualTo(STAMP);
        assertThat(CellUtil.cloneFamily(cell)).isEqualTo(RowKey.family());
        assertThat(cell.getValueLength()).isZero();
        cells.add(cell);
        all.add(
            "%s %s %s"
                .formatted(
                    cell.getType(),
                    HEX.formatHex(CellUtil.cloneRow(cell)),
                    HEX.formatHex(CellUtil.cloneQualifier(cell)))
                .strip());
      }
    }
    assertThat(cells).as("the order of an HFile").isSortedAccordingTo(CellComparator.getInstance());
    return all;
  }

  private static String family(byte[] row) {
    return "DeleteFamily " + HEX.formatHex(row);
  }

  @Test
  void onlyRowsOfTheDayAndItsMetricsGetOne() throws Exception {
    for (int metric = 1; metric <= 4; metric++) {
      point(row(metric, FROM - HOUR), 0);
      point(row(metric, FROM), 0);
      point(row(metric, FROM), 5);
      point(row(metric, TO - HOUR), 3599);
      point(row(metric, TO), 0);
    }
    MarkerRows markers = markers(2L, 4L);
    assertThat(all(markers))
        .containsExactly(
            family(row(2, FROM)),
            family(row(2, TO - HOUR)),
            family(row(4, FROM)),
            family(row(4, TO - HOUR)));
    assertThat(markers.counts())
        .isEqualTo(Map.of(2L, new MarkerRows.Count(2, 0, 3), 4L, new MarkerRows.Count(2, 0, 3)));
    assertThat(markers.kept()).isEmpty();
    // One row of each other metric is met, and passed by a seek.
    assertThat(rows.met.stream().filter(row -> row[2] == 1 || row[2] == 3)).hasSize(3);
  }

  @Test
  void aRowThatIsNotThereGetsNone() throws Exception {
    assertThat(all(markers(1L))).isEmpty();
    point(row(2, FROM), 0);
    assertThat(all(markers(1L))).isEmpty();
  }

  /** The last metric that a table can have, whose day no row can follow. */
  @Test
  void theLastMetric() throws Exception {
    byte[] last = row(0, TO);
    Arrays.fill(last, 0, 3, (byte) 0xff);
    byte[] inDay = last.clone();
    new RowKey(schema).writeBaseTime(inDay, FROM);
    point(inDay, 1);
    point(last, 1);
    assertThat(all(markers(0xffffffL))).containsExactly(family(inDay));
  }

  @Test
  void pointsBesideAnnotationsGoByColumn() throws Exception {
    byte[] row = row(1, FROM);
    point(row, 900);
    rows.put(row, ANNOTATION, (byte) '{');
    point(row, 3);
    rows.put(row, HEX.parseHex("050000"), HEX.parseHex("0a0007"));
    byte[] alone = row(1, FROM + HOUR);
    rows.put(alone, ANNOTATION, (byte) '{');
    MarkerRows markers = markers(1L);
    String column = "DeleteColumn " + HEX.formatHex(row) + " ";
    List<String> found = all(markers);
    assertThat(found).isNotEmpty().allMatch(text -> text.startsWith("DeleteColumn"));
    assertThat(found)
        .contains(column + "0030", column + "050000", column + "3840")
        .doesNotContain(column + "01001e");
    assertThat(markers.counts().get(1L).annotatedRows()).isOne();
    assertThat(markers.counts().get(1L).rows()).isZero();
    assertThat(markers.kept()).isEqualTo(Map.of(Kept.ANNOTATIONS, 1L));
  }

  @Test
  void theCellsThatMarkersHideAreThoseOfTheSnapshot() throws Exception {
    byte[] row = row(1, FROM);
    point(row, 900);
    rows.put(row, ANNOTATION, (byte) '{');
    point(row, 3);
    byte[] next = row(1, FROM + HOUR);
    point(next, 4);
    MarkerRows markers = markers(1L);
    assertThat(markers.next()).isTrue();
    assertThat(cells(markers))
        .containsExactly(
            "Put " + HEX.formatHex(row) + " 0030 @1 07",
            "Put " + HEX.formatHex(row) + " 3840 @1 07");
    assertThat(markers.next()).isTrue();
    assertThat(cells(markers)).containsExactly("Put " + HEX.formatHex(next) + " 0040 @1 07");
  }

  private static List<String> cells(MarkerRows markers) {
    List<String> all = new ArrayList<>();
    for (Cell cell : markers.cells()) {
      all.add(
          "%s %s %s @%s %s"
              .formatted(
                  cell.getType(),
                  HEX.formatHex(CellUtil.cloneRow(cell)),
                  HEX.formatHex(CellUtil.cloneQualifier(cell)),
                  cell.getTimestamp(),
                  HEX.formatHex(CellUtil.cloneValue(cell))));
    }
    return all;
  }

  @Test
  void whatNoRollupProvesStays() throws Exception {
    byte[] histogram = row(1, FROM);
    point(histogram, 0);
    rows.put(histogram, HISTOGRAM, (byte) 0);
    byte[] unknown = row(1, FROM + HOUR);
    point(unknown, 0);
    rows.put(unknown, UNKNOWN, (byte) 0);
    number(row(1, FROM + 2 * HOUR), 0, Double.NaN);
    rows.put(row(1, FROM + 3 * HOUR), seconds(0));
    byte[] infinite = row(1, FROM + 4 * HOUR);
    number(infinite, 0, Double.MAX_VALUE);
    number(infinite, 1, Double.MAX_VALUE);
    byte[] conflict = row(1, FROM + 5 * HOUR);
    rows.put(conflict, seconds(0), (byte) 1);
    rows.put(conflict, Qualifier.ofSeconds(0, false, 2), (byte) 0, (byte) 2);
    byte[] corrupt = row(1, FROM + 6 * HOUR);
    point(corrupt, 0);
    rows.put(corrupt, HEX.parseHex("f000"), (byte) 1);
    point(row(1, FROM + 7 * HOUR + 1), 0);
    point(Arrays.copyOf(row(1, FROM + 8 * HOUR), 9), 0);
    point(Arrays.copyOf(row(1, FROM + 9 * HOUR), 5), 0);
    byte[] some = row(1, FROM + 10 * HOUR);
    number(some, 0, Double.NaN);
    number(some, 1, 1.5);
    // Two types of one value at one instant, written at one time.
    byte[] ambiguous = row(1, FROM + 11 * HOUR);
    point(ambiguous, 0);
    number(ambiguous, 0, 7);
    byte[] whole = row(1, FROM + 12 * HOUR);
    point(whole, 0);
    rows.put(whole, seconds(9));
    schema = StorageSchema.from(TsdConfig.parse("tsd.storage.fix_duplicates=true"));
    MarkerRows fixed = markers(1L);
    assertThat(all(fixed)).as("an empty value beside a number").containsExactly(family(whole));
    assertThat(fixed.kept())
        .isEqualTo(
            Map.of(
                Kept.HISTOGRAMS, 1L,
                Kept.UNKNOWN_COLUMNS, 1L,
                Kept.NOT_A_NUMBER, 2L,
                Kept.EMPTY, 1L,
                Kept.AMBIGUOUS_DUPLICATES, 2L,
                Kept.FAILED, 4L));
    assertThat(fixed.counts()).isEqualTo(Map.of(1L, new MarkerRows.Count(1, 0, 1)));
    schema = StorageSchema.defaults();
    rows.rewind();
    MarkerRows markers = markers(1L);
    assertThat(all(markers)).containsExactly(family(whole));
    assertThat(markers.kept())
        .as("duplicates that contradict each other fail")
        .containsEntry(Kept.FAILED, 6L)
        .doesNotContainKey(Kept.AMBIGUOUS_DUPLICATES);
  }

  private void rollup(byte[] row, int id, int offset, double value) {
    rows.put(row, RollupCell.doubleQualifier(id, offset), RollupCell.doubleValue(value));
  }

  /** Of hours; a row is a day. */
  @Test
  void rollupRowsGoIfTheyHaveNothingElse() throws Exception {
    level = "1h";
    byte[] good = row(1, FROM);
    for (int hour = 0; hour < 24; hour++) {
      rollup(good, 0, hour, 7.5);
      rows.put(good, RollupCell.countQualifier(2, hour), RollupCell.countValue(3));
      rollup(good, 3, hour, 1);
      rollup(good, 4, hour, 4);
    }
    rollup(row(1, FROM - 24 * HOUR), 0, 0, 7);
    rollup(row(1, TO), 0, 0, 7);
    rollup(row(2, FROM), 0, 0, 7);
    // A value of another width, as a TSD writes it.
    byte[] narrow = row(1, FROM, HEX.parseHex("000001000002"));
    rows.put(narrow, RollupCell.of(2, 23, false, 1), (byte) 3);
    MarkerRows markers = markers(1L);
    assertThat(all(markers)).containsExactly(family(good), family(narrow));
    assertThat(markers.counts()).isEqualTo(Map.of(1L, new MarkerRows.Count(2, 0, 97)));
    assertThat(markers.kept()).isEmpty();
    rows.rewind();
    MarkerRows again = markers(1L);
    assertThat(again.next()).isTrue();
    assertThat(again.cells()).hasSize(96);
  }

  @Test
  void aRollupRowWithAnythingElseStays() throws Exception {
    level = "1h";
    int tag = 1;
    for (byte[] other :
        List.of(
            // Of avg, with the name of its aggregator, beyond the day, as a raw point.
            RollupCell.doubleQualifier(7, 0),
            HEX.parseHex("73756d3a000f"),
            RollupCell.doubleQualifier(0, 24),
            seconds(0))) {
      byte[] row = row(1, FROM, new byte[] {0, 0, 1, 0, 0, (byte) tag++});
      rollup(row, 0, 0, 7);
      rows.put(row, other, RollupCell.doubleValue(1));
    }
    byte[] length = row(1, FROM, new byte[] {0, 0, 1, 0, 0, (byte) tag++});
    rollup(length, 0, 0, 7);
    rows.put(length, RollupCell.doubleQualifier(0, 1), (byte) 1);
    byte[] twice = row(1, FROM, new byte[] {0, 0, 1, 0, 0, (byte) tag++});
    rollup(twice, 0, 5, 7);
    rows.put(twice, RollupCell.of(0, 5, false, 1), (byte) 7);
    rollup(row(1, FROM, new byte[] {0, 0, 1, 0, 0, (byte) tag}), 0, 0, Double.NaN);
    rollup(row(1, FROM + HOUR), 0, 0, 7);
    MarkerRows markers = markers(1L);
    assertThat(all(markers)).isEmpty();
    assertThat(markers.kept())
        .isEqualTo(
            Map.of(
                Kept.UNKNOWN_COLUMNS, 4L,
                Kept.FAILED, 2L,
                Kept.NOT_A_NUMBER, 1L,
                Kept.AMBIGUOUS_DUPLICATES, 1L));
  }

  /** What the suite names for the interval is a rollup like sum. */
  @Test
  void rollupsOfTheSuiteGo() throws Exception {
    level = "1h";
    rollup(row(1, FROM), 0, 3, 7);
    rollup(row(1, FROM), 8, 3, 7);
    rollup(row(1, FROM, HEX.parseHex("000001000002")), 9, 3, 7);
    String suite =
        ROLLUPS
            .replace("\"avg\":7", "\"p99\":8,\"first\":9")
            .replace(
                "]}",
                "],\"suite\":{\"values\":["
                    + "{\"metrics\":\"a\",\"intervals\":\"1h\",\"aggregators\":\"p99\"},"
                    + "{\"metrics\":\"b\",\"intervals\":\"1d\",\"aggregators\":\"first\"}]}}");
    TierTable table = TierTable.of(level, schema, RollupConfig.parse(suite), HistogramCodecs.NONE);
    MarkerRows markers =
        new MarkerRows(
            rows,
            table,
            FROM,
            TO,
            Set.of(1L)::contains,
            uid -> false,
            null,
            anyBucket,
            STAMP,
            staying);
    assertThat(all(markers)).containsExactly(family(row(1, FROM)));
    assertThat(markers.kept()).isEqualTo(Map.of(Kept.UNKNOWN_COLUMNS, 1L));
    assertThat(markers.counts()).isEqualTo(Map.of(1L, new MarkerRows.Count(1, 0, 2)));
  }

  private static byte[] sketch(double... values) {
    Sketch sketch = new Sketch();
    sketch.addAll(values, 0, values.length);
    byte[] bytes = sketch.bytes();
    return ByteBuffer.allocate(1 + bytes.length).put((byte) 5).put(bytes).array();
  }

  /** Of metric 1 rollups have the histograms, of metric 2 they have none. */
  @Test
  void histogramsOfRollupsGoWithTheirRows() throws Exception {
    byte[] second = HEX.parseHex("060020");
    byte[] other = HEX.parseHex("000001000002");
    byte[] annotated = row(1, FROM);
    point(annotated, 0);
    rows.put(annotated, ANNOTATION, (byte) 1);
    rows.put(annotated, HISTOGRAM, sketch(1, 2));
    byte[] alone = row(1, FROM, other);
    rows.put(alone, HISTOGRAM, sketch(3));
    rows.put(alone, second, sketch(4));
    byte[] unknownCodec = row(1, FROM + HOUR);
    rows.put(unknownCodec, HISTOGRAM, (byte) 6, (byte) 0);
    byte[] noSketch = row(1, FROM + HOUR, other);
    point(noSketch, 0);
    rows.put(noSketch, HISTOGRAM, (byte) 5, (byte) 9);
    byte[] twice = row(1, FROM + 2 * HOUR);
    rows.put(twice, HISTOGRAM, sketch(1));
    rows.put(twice, HEX.parseHex("0600007530"), sketch(1));
    byte[] notSelected = row(2, FROM);
    point(notSelected, 0);
    rows.put(notSelected, HISTOGRAM, sketch(1));
    TierTable table =
        TierTable.of(
            level,
            schema,
            RollupConfig.parse(
                ROLLUPS.replace(
                    "]}",
                    "],\"suite\":{\"histograms\":[{\"metrics\":\"a\",\"intervals\":\"1h\"}],"
                        + "\"histogramTables\":{\"1h\":\"h1h\"}}}")),
            HistogramCodecs.load("{\"io.tsdbsuite.histogram.SketchCodec\":5}"));
    MarkerRows markers =
        new MarkerRows(
            rows,
            table,
            FROM,
            TO,
            Set.of(1L, 2L)::contains,
            uid -> uid == 1,
            null,
            anyBucket,
            STAMP,
            staying);
    String column = "DeleteColumn " + HEX.formatHex(annotated) + " ";
    assertThat(all(markers))
        .containsExactly(
            column + HEX.formatHex(seconds(0)), column + HEX.formatHex(HISTOGRAM), family(alone));
    assertThat(markers.counts()).isEqualTo(Map.of(1L, new MarkerRows.Count(1, 1, 4)));
    assertThat(markers.kept()).isEqualTo(Map.of(Kept.FAILED, 3L, Kept.HISTOGRAMS, 1L));
    assertThat(table.isOfProof(HISTOGRAM, 0, HISTOGRAM.length)).isTrue();
    TierTable without =
        TierTable.of(level, schema, RollupConfig.parse(ROLLUPS), HistogramCodecs.NONE);
    assertThat(without.isOfProof(HISTOGRAM, 0, HISTOGRAM.length)).isFalse();
    assertThat(without.isOfProof(seconds(0), 0, 2)).isTrue();
  }

  /** Of days; a row is a month, here of 30. */
  @Test
  void aRowOfAMonthGoesAsAWhole() throws Exception {
    level = "1d";
    long begin = FROM - 17 * 24 * HOUR;
    TierTable table =
        TierTable.of(level, schema, RollupConfig.parse(ROLLUPS), HistogramCodecs.NONE);
    assertThat(table.name()).isEqualTo("r1d");
    assertThat(table.coarser()).isEmpty();
    assertThat(table.begins(begin)).isTrue();
    assertThat(table.begins(FROM)).isFalse();
    assertThat(table.end(begin)).isEqualTo(begin + 30 * 24 * HOUR);
    assertThat(
            TierTable.of("raw", schema, RollupConfig.parse(ROLLUPS), HistogramCodecs.NONE)
                .coarser())
        .extracting(RollupInterval::interval)
        .containsExactly("1h", "1d");
    rollup(row(1, begin), 0, 29, 7);
    byte[] beyond = row(1, begin, HEX.parseHex("000001000002"));
    rollup(beyond, 0, 30, 7);
    MarkerRows markers =
        new MarkerRows(
            rows,
            table,
            begin,
            table.end(begin),
            Set.of(1L)::contains,
            uid -> false,
            null,
            false,
            STAMP,
            staying);
    assertThat(all(markers)).containsExactly(family(row(1, begin)));
    assertThat(markers.kept()).isEqualTo(Map.of(Kept.UNKNOWN_COLUMNS, 1L));
  }

  @Test
  void markersHaveTheStoredKeyOfASaltBucket() throws Exception {
    schema =
        StorageSchema.from(
            TsdConfig.parse("")
                .with(StorageSchema.SALT_WIDTH, "1")
                .with(StorageSchema.SALT_BUCKETS, "5"));
    List<byte[]> good = new ArrayList<>();
    for (int i = 0; i < 20; i++) {
      byte[] row = row(1, FROM, HEX.parseHex("0000010000" + HEX.toHexDigits((byte) i)));
      good.add(row);
      point(row, 0);
    }
    byte[] misplaced = row(1, FROM, HEX.parseHex("000001000099"));
    misplaced[0] = (byte) ((misplaced[0] + 1) % 5);
    point(misplaced, 0);
    good.sort(Arrays::compareUnsigned);
    assertThat(good.stream().map(row -> row[0]).distinct()).hasSizeGreaterThan(2);
    MarkerRows markers = markers(1L);
    assertThat(all(markers)).isEqualTo(good.stream().map(MarkerRowsTest::family).toList());
    assertThat(markers.kept()).isEqualTo(Map.of(Kept.FAILED, 1L));
    rows.rewind();
    anyBucket = true;
    assertThat(all(markers(1L))).hasSize(21).contains(family(misplaced));
  }

  /** A TSD merges the rows of all buckets: of one that stays all parts do. */
  @Test
  void aRowThatStaysInOneBucketStaysInAll() throws Exception {
    schema =
        StorageSchema.from(
            TsdConfig.parse("")
                .with(StorageSchema.SALT_WIDTH, "1")
                .with(StorageSchema.SALT_BUCKETS, "5"));
    anyBucket = true;
    byte[] here = row(1, FROM);
    point(here, 0);
    rows.put(here, HISTOGRAM, (byte) 0);
    byte[] there = here.clone();
    there[0] = (byte) ((there[0] + 1) % 5);
    point(there, 7);
    // What has nothing of points lets the rest go.
    byte[] annotated = row(1, FROM + HOUR);
    rows.put(annotated, ANNOTATION, (byte) '{');
    byte[] other = annotated.clone();
    other[0] = (byte) ((other[0] + 1) % 5);
    point(other, 0);
    staying = new HashMap<>();
    markers(1L).staying(staying, 1);
    assertThat(staying.values()).containsExactly(Kept.HISTOGRAMS);
    rows.rewind();
    MarkerRows markers = markers(1L);
    assertThat(all(markers)).containsExactly(family(other));
    assertThat(markers.kept()).isEqualTo(Map.of(Kept.HISTOGRAMS, 2L, Kept.ANNOTATIONS, 1L));
    assertThat(markers.counts()).isEqualTo(Map.of(1L, new MarkerRows.Count(1, 0, 1)));
    rows.rewind();
    Map<ByteBuffer, Kept> none = new HashMap<>();
    assertThatThrownBy(() -> markers(1L).staying(none, 0))
        .isInstanceOf(JobException.class)
        .hasMessageContaining("--any-bucket at most 0 rows of a day may stay");
  }

  /** Of a metric with live series. */
  @Test
  void ofIdleSeriesOnlyTheirRowsGo() throws Exception {
    byte[] other = HEX.parseHex("000001000002");
    byte[] third = HEX.parseHex("000001000003");
    for (long hour = 0; hour < 3; hour++) {
      point(row(1, FROM + hour * HOUR), 0);
      point(row(1, FROM + hour * HOUR, other), 0);
      rows.put(row(1, FROM + hour * HOUR, third), HISTOGRAM, (byte) 0);
    }
    byte[] key = row(1, FROM, other);
    IdleSeries.Builder series = new IdleSeries.Builder();
    assertThat(series.add(new RowKey(schema).tsuid(key, 0, key.length))).isTrue();
    TierTable table =
        TierTable.of(level, schema, RollupConfig.parse(ROLLUPS), HistogramCodecs.NONE);
    MarkerRows markers =
        new MarkerRows(
            rows,
            table,
            0,
            TO,
            Set.of(1L)::contains,
            uid -> false,
            series.build(),
            anyBucket,
            STAMP,
            staying);
    assertThat(all(markers))
        .containsExactly(
            family(row(1, FROM, other)),
            family(row(1, FROM + HOUR, other)),
            family(row(1, FROM + 2 * HOUR, other)));
    assertThat(markers.kept()).isEmpty();
  }

  /** The window of idle series is longer than a row. */
  @Test
  void beyondAShortMonthNothingGoes() throws Exception {
    level = "1d";
    long begin = FROM - 17 * 24 * HOUR;
    rollup(row(1, begin), 0, 30, 7);
    TierTable table =
        TierTable.of(level, schema, RollupConfig.parse(ROLLUPS), HistogramCodecs.NONE);
    MarkerRows markers =
        new MarkerRows(
            rows,
            table,
            0,
            TO + 90 * 24 * HOUR,
            Set.of(1L)::contains,
            uid -> false,
            null,
            false,
            STAMP,
            staying);
    assertThat(all(markers)).isEmpty();
    assertThat(markers.kept()).isEqualTo(Map.of(Kept.UNKNOWN_COLUMNS, 1L));
  }
}
