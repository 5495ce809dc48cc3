package io.tsdbsuite.rollup.hfile;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tsdbsuite.format.histogram.HistogramCodecs;
import io.tsdbsuite.format.packed.PackedRow;
import io.tsdbsuite.format.rollup.RollupConfig;
import io.tsdbsuite.format.rollup.RollupInterval;
import io.tsdbsuite.format.row.RowKey;
import io.tsdbsuite.format.schema.StorageSchema;
import io.tsdbsuite.hbase.load.HFileDir;
import io.tsdbsuite.hbase.load.RegionHFiles;
import io.tsdbsuite.message.write.RollupPoint;
import java.io.IOException;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.HBaseConfiguration;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.io.hfile.CacheConfig;
import org.apache.hadoop.hbase.io.hfile.HFile;
import org.apache.hadoop.hbase.io.hfile.HFileScanner;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import scala.Tuple2;

/** Records of the shuffle: what is in them, where they go, and in what order. */
class RecordsTest {
  @TempDir java.nio.file.Path dir;

  private static final HexFormat HEX = HexFormat.of();
  private static final byte[] EDGE = {};

  /** 2025-11-19T00:00:00Z. */
  static final long DAY = 1763510400;

  private static final String CONFIG =
      "{\"aggregationIds\":{\"sum\":0,\"count\":2,\"min\":3,\"max\":4},\"intervals\":["
          + "{\"table\":\"tsdb\",\"preAggregationTable\":\"p\",\"interval\":\"1m\","
          + "\"rowSpan\":\"1h\",\"defaultInterval\":true},"
          + "{\"table\":\"r\",\"preAggregationTable\":\"q\",\"interval\":\"1h\","
          + "\"rowSpan\":\"1d\"},"
          + "{\"table\":\"d\",\"preAggregationTable\":\"e\",\"interval\":\"1d\","
          + "\"rowSpan\":\"1y\"}]}";

  static final RollupConfig ROLLUPS = RollupConfig.parse(CONFIG);

  static final RollupInterval HOURLY = ROLLUPS.interval("1h");

  private static Target target(String... starts) {
    List<byte[]> keys = new ArrayList<>(List.of(EDGE));
    for (String start : starts) {
      keys.add(HEX.parseHex(start));
    }
    return new Target(
        ROLLUPS.level("1h"),
        AggregatorIds.of(ROLLUPS, "1h"),
        new TargetTable("r", new byte[0], keys.toArray(byte[][]::new)));
  }

  static byte[] row(String metric, long base, String tags) {
    return HEX.parseHex(metric + String.format("%08x", base) + tags);
  }

  static RollupPoint point(byte[] row, long time, double sum) {
    RollupPoint point = new RollupPoint();
    point.row(row, 0, row.length, 3);
    point.set(time, "1h", sum, -0.0, 7.5, 3);
    return point;
  }

  private static RecordSink sink() {
    return new RecordSink(new RowKey(StorageSchema.defaults()), List.of(target()), 5, false);
  }

  @Test
  void aRecordHasTheRowOfTheRollupTable() {
    byte[] row = row("000001", DAY + 7 * 3600, "000001000002");
    RecordSink sink = sink();
    sink.emit(point(row, DAY + 7 * 3600, 1.25));
    Tuple2<byte[], byte[]> record = sink.poll();
    assertThat(RollupRecord.row(record._1())).isEqualTo(row("000001", DAY, "000001000002"));
    byte[] value = record._2();
    assertThat(value).hasSize(RollupRecord.size(0));
    assertThat(RollupRecord.offset(value, 0)).isEqualTo(7);
    assertThat(RollupRecord.number(value, RollupRecord.SUM)).isEqualTo(1.25);
    assertThat(Double.doubleToRawLongBits(RollupRecord.number(value, RollupRecord.MIN)))
        .isEqualTo(Double.doubleToRawLongBits(-0.0));
    assertThat(RollupRecord.number(value, RollupRecord.MAX)).isEqualTo(7.5);
    assertThat(RollupRecord.count(value, 0)).isEqualTo(3);
    assertThat(sink.poll()).isNull();
    assertThat(sink.finish().points()).isEqualTo(1);
  }

  @Test
  void anotherSeriesIsAnotherRecord() {
    RecordSink sink = sink();
    sink.emit(point(row("000001", DAY, "000001000002"), DAY, 1));
    sink.emit(point(row("000001", DAY, "000001000003"), DAY, 2));
    assertThat(RollupRecord.number(sink.poll()._2(), RollupRecord.SUM)).isEqualTo(1);
    assertThat(RollupRecord.number(sink.poll()._2(), RollupRecord.SUM)).isEqualTo(2);
    assertThat(sink.poll()).isNull();
  }

  @Test
  void anotherIntervalIsAnotherRecordOfAnotherTable() {
    Target days =
        new Target(
            ROLLUPS.level("1d"),
            AggregatorIds.of(ROLLUPS, "1h"),
            new TargetTable("d", new byte[0], new byte[][] {EDGE}));
    RecordSink sink =
        new RecordSink(new RowKey(StorageSchema.defaults()), List.of(target(), days), 5, false);
    byte[] row = row("000001", DAY, "000001000002");
    sink.emit(point(row, DAY, 1));
    RollupPoint day = new RollupPoint();
    day.row(row, 0, row.length, 3);
    day.set(DAY, "1d", 24, 0, 9, 72);
    sink.emit(day);
    assertThat(RollupRecord.table(sink.poll()._1())).isZero();
    Tuple2<byte[], byte[]> record = sink.poll();
    assertThat(RollupRecord.table(record._1())).isEqualTo(1);
    // 2025-01-01 and the 322 days behind it.
    assertThat(RollupRecord.row(record._1())).isEqualTo(row("000001", 1735689600, "000001000002"));
    assertThat(RollupRecord.offset(record._2(), 0)).isEqualTo(322);
    assertThat(sink.poll()).isNull();
  }

  /** The values of rollups come by aggregator, and only those with a p99 have its cell. */
  @Test
  void furtherAggregatorsAreCellsOfTheirRollups() throws IOException {
    RollupConfig config =
        RollupConfig.parse(
            CONFIG
                .replace("\"max\":4", "\"max\":4,\"p99\":1,\"first\":126,\"last\":5")
                .replaceFirst(
                    "}$",
                    ",\"suite\":{\"values\":["
                        + "{\"metrics\":\"a\",\"intervals\":\"1h\",\"aggregators\":\"first\"},"
                        + "{\"metrics\":\"b\",\"intervals\":\"1d\",\"aggregators\":\"last\"},"
                        + "{\"metrics\":\"c\",\"intervals\":\"1h\",\"aggregators\":\"p99\"}]}}"));
    Map<String, Integer> ids = AggregatorIds.of(config, "1h");
    assertThat(ids.keySet()).containsExactly("sum", "min", "max", "count", "p99", "first");
    RecordSink sink =
        new RecordSink(
            new RowKey(StorageSchema.defaults()),
            List.of(new Target(config.level("1h"), ids, target().table())),
            5,
            false);
    byte[] row = row("000001", DAY, "000001000002");
    RollupPoint point = point(row, DAY, 1);
    point.rollup().further(List.of("p99", "first"));
    point.rollup().further(0, 0.75);
    point.rollup().further(1, -2);
    sink.emit(point);
    sink.emit(point(row, DAY + 3600, 2));
    point.set(DAY + 2 * 3600, "1h", 3, 0, 1, 1);
    point.rollup().further(List.of("first"));
    point.rollup().further(0, 4);
    sink.emit(point);
    point.takeBack(DAY + 3 * 3600, "1h");
    sink.emit(point);
    Tuple2<byte[], byte[]> record = sink.poll();
    assertThat(sink.finish().due()).isEqualTo(6 + 4 + 5 + 6);

    List<String> cells = written(new Target(config.level("1h"), ids, target().table()), record);
    assertThat(cells).isSorted().hasSize(21);
    assertThat(cells)
        .contains(
            "01000f 3fe8000000000000",
            "7e000f c000000000000000",
            "7e002f 4010000000000000",
            "01003f deleted",
            "7e003f deleted")
        .noneMatch(cell -> cell.startsWith("01001f") || cell.startsWith("7e001f"));
    point.set(DAY, "1h", 1, 1, 1, 1);
    point.rollup().further(List.of("p50"));
    assertThatThrownBy(() -> sink.emit(point))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("interval 1h must have an id of p50");
  }

  /** A part of each kind, of whatever records its rollups come in. */
  @Test
  void aPackedRowHasOnePartOfEachKind() throws Exception {
    RollupConfig config = packed();
    Map<String, Integer> ids = AggregatorIds.of(config, "1h");
    Target plain = new Target(config.level("1h"), ids, target().table());
    Target packed = new Target(config.level("1h.packed"), ids, target().table());
    RecordSink sink =
        new RecordSink(new RowKey(StorageSchema.defaults()), List.of(plain, packed), 5, false);
    byte[] row = row("000001", DAY, "000001000002");
    RollupPoint point = point(row, DAY, 1);
    point.rollup().further(List.of("p99"));
    point.rollup().further(0, 0.75);
    sink.emit(point);
    List<Tuple2<byte[], byte[]>> records = new ArrayList<>();
    assertThat(RollupRecord.table(sink.poll()._1())).isZero();
    records.add(sink.poll());
    sink.emit(point(row, DAY + 3600, 2));
    point.takeBack(DAY + 2 * 3600, "1h");
    sink.emit(point);
    assertThat(RollupRecord.table(sink.poll()._1())).isZero();
    records.add(sink.poll());
    assertThat(sink.poll()).isNull();
    assertThat(sink.finish().due()).as("cells of the plain table alone").isEqualTo(5 + 4 + 5);

    assertThat(RollupRecord.table(records.get(1)._1())).isEqualTo(1);
    List<String> parts = written(packed, records);
    assertThat(parts).hasSize(2);
    PackedRow four = view("", row, parts.get(0));
    assertThat(four.asOf(0)).isEqualTo(42);
    assertThat(four.value(PackedRow.SUM, 0)).isEqualTo(1);
    assertThat(four.value(PackedRow.SUM, 1)).isEqualTo(2);
    assertThat(four.value(PackedRow.MIN, 1)).isEqualTo(-0.0);
    assertThat(four.value(PackedRow.MAX, 1)).isEqualTo(7.5);
    assertThat(four.count(1)).isEqualTo(3);
    assertThat(four.isTakenBack(2)).isTrue();
    assertThat(four.has(3) || four.isTakenBack(3)).isFalse();
    PackedRow p99 = view("p99", row, parts.get(1));
    assertThat(p99.value(PackedRow.FURTHER, 0)).isEqualTo(0.75);
    assertThat(p99.has(1) || p99.isTakenBack(1)).as("of no p99").isFalse();
    assertThat(p99.isTakenBack(2)).isTrue();
  }

  private static PackedRow view(String kind, byte[] row, String part) throws Exception {
    PackedRow view = new PackedRow(PackedRow.kind(kind), HOURLY.intervalsPerRow());
    byte[] q = HEX.parseHex(part.substring(0, part.indexOf(' ')));
    byte[] v = HEX.parseHex(part.substring(part.indexOf(' ') + 1));
    view.add(row, 0, row.length, q, 0, q.length, v, 0, v.length);
    return view;
  }

  /** The configuration with p99 and packed rows of 1h. */
  static RollupConfig packed() {
    return RollupConfig.parse(
        CONFIG
            .replace("\"max\":4", "\"max\":4,\"p99\":1")
            .replaceFirst(
                "}$",
                ",\"suite\":{\"values\":[{\"metrics\":\"*\",\"intervals\":\"1h\","
                    + "\"aggregators\":\"p99\"}],\"packed\":{\"1h\":\"x\"}}}"));
  }

  /** The configuration with histograms of 1h and 1d in tables of their own. */
  static RollupConfig histograms() {
    return RollupConfig.parse(
        CONFIG.replaceFirst(
            "}$",
            ",\"suite\":{\"histograms\":[{\"metrics\":\"*\",\"intervals\":\"1h,1d\"}],"
                + "\"histogramTables\":{\"1h\":\"h\",\"1d\":\"hd\"}}}"));
  }

  /** Codecs of sketches and of OpenTSDB. */
  static HistogramCodecs codecs() throws IOException {
    return HistogramCodecs.load(
        "{\"%s\":43,\"%s\":42}".formatted(HistogramCodecs.SKETCH, HistogramCodecs.SIMPLE));
  }

  /** Rows of histograms are in the raw format: of an hour, whatever the rows of the rollups. */
  @Test
  void histogramsAreCellsOfRawRowsInTheirOwnTable() throws IOException {
    RollupConfig config = histograms();
    Target hours = new Target(config.level("1h.histogram"), codecs().ids(), target().table());
    Target days = new Target(config.level("1d.histogram"), codecs().ids(), target().table());
    RecordSink sink =
        new RecordSink(
            new RowKey(StorageSchema.defaults()), List.of(target(), hours, days), 5, false);
    byte[] row = row("000001", DAY + 7200, "000001000002");
    RollupPoint point = point(row, DAY + 7200, 1);
    point.rollup().histogram(HistogramCodecs.SKETCH, new byte[] {1, 2, 3});
    sink.emit(point);
    point.set(DAY, "1d");
    point.rollup().set(0, 0, 0, 0);
    point.rollup().histogram(HistogramCodecs.SIMPLE, new byte[0]);
    sink.emit(point);
    Tuple2<byte[], byte[]> values = sink.poll();
    assertThat(RollupRecord.table(values._1())).isZero();
    assertThat(RollupRecord.row(values._1())).isEqualTo(row("000001", DAY, "000001000002"));
    Tuple2<byte[], byte[]> histogram = sink.poll();
    assertThat(RollupRecord.table(histogram._1())).isEqualTo(1);
    assertThat(RollupRecord.row(histogram._1())).isEqualTo(row);
    assertThat(histogram._2()).isEqualTo(HEX.parseHex("0000" + "00000004" + "2b010203"));
    assertThat(written(hours, histogram)).containsExactly("060000 2b010203");
    Tuple2<byte[], byte[]> ofDay = sink.poll();
    assertThat(RollupRecord.table(ofDay._1())).isEqualTo(2);
    assertThat(RollupRecord.row(ofDay._1())).isEqualTo(row("000001", DAY, "000001000002"));
    assertThat(written(days, ofDay)).containsExactly("060000 2a");
    assertThat(sink.poll()).as("no values of the histogram alone").isNull();
    assertThat(sink.finish().due()).isEqualTo(4 + 1 + 1);

    point.takeBack(DAY + 7200, "1h");
    sink.emit(point);
    assertThat(RollupRecord.table(sink.poll()._1())).isZero();
    assertThat(written(hours, sink.poll())).containsExactly("060000 deleted");
    assertThat(sink.finish().due()).isEqualTo(6 + 4 + 1);
    point.rollup().histogram("other.Codec", new byte[0]);
    assertThatThrownBy(() -> sink.emit(point)).hasMessageContaining("other.Codec must have an id");
    RecordSink without = sink();
    assertThatThrownBy(() -> without.emit(point))
        .hasMessageContaining("interval must have a table of histograms, found 1h");
  }

  /** Six buckets in one raw row are one record, beside that of their values. */
  @Test
  void histogramsOfAnHourAreInOrder() throws IOException {
    RollupConfig config =
        RollupConfig.parse(
            CONFIG
                .replace("\"1h\",\"rowSpan\":\"1d\"", "\"10m\",\"rowSpan\":\"1d\"")
                .replaceFirst(
                    "}$",
                    ",\"suite\":{\"histograms\":[{\"metrics\":\"*\",\"intervals\":\"10m\"}],"
                        + "\"histogramTables\":{\"10m\":\"h\"}}}"));
    Target values =
        new Target(config.level("10m"), AggregatorIds.of(config, "10m"), target().table());
    Target histograms = new Target(config.level("10m.histogram"), codecs().ids(), target().table());
    RecordSink sink =
        new RecordSink(new RowKey(StorageSchema.defaults()), List.of(values, histograms), 5, false);
    byte[] row = row("000001", DAY, "000001000002");
    RollupPoint point = point(row, DAY, 1);
    for (int i = 0; i < 6; i++) {
      point.set(DAY + i * 600L, "10m");
      point.rollup().set(1, 1, 1, 1);
      if (i == 4) {
        point.rollup().set(0, 0, 0, 0);
      } else {
        point.rollup().histogram(HistogramCodecs.SKETCH, new byte[i]);
      }
      sink.emit(point);
    }
    assertThat(RollupRecord.table(sink.poll()._1())).isZero();
    Tuple2<byte[], byte[]> record = sink.poll();
    assertThat(sink.poll()).isNull();
    assertThat(written(histograms, record))
        .containsExactly(
            "060000 2b",
            "060258 2b00",
            "0604b0 2b0000",
            "060708 2b000000",
            "060960 deleted",
            "060bb8 2b0000000000");
    List<Integer> offsets = new ArrayList<>();
    for (byte[] value : RowCells.inOrder(row, List.of(part(1800), part(600, 2400)), true)) {
      offsets.add(RollupRecord.offset(value, 0));
    }
    assertThat(offsets).containsExactly(600, 1800, 2400);
  }

  /**
   * Before the window the values of a bucket with a histogram alone are those of deleted points.
   */
  @Test
  void aLateHistogramAloneTakesTheValuesBack() throws IOException {
    for (boolean late : new boolean[] {false, true}) {
      RollupConfig config =
          RollupConfig.parse(
              CONFIG.replaceFirst(
                  "}$",
                  ",\"suite\":{\"histograms\":[{\"metrics\":\"*\",\"intervals\":\"1h\"}],"
                      + "\"histogramTables\":{\"1h\":\"h\"}}}"));
      Target histograms =
          new Target(config.level("1h.histogram"), codecs().ids(), target().table());
      RecordSink sink =
          new RecordSink(
              new RowKey(StorageSchema.defaults()), List.of(target(), histograms), 5, late);
      RollupPoint point = point(row("000001", DAY, "000001000002"), DAY + 3600, 1);
      point.rollup().histogram(HistogramCodecs.SKETCH, new byte[1]);
      sink.emit(point);
      point.takeBack(DAY + 2 * 3600, "1h");
      point.rollup().histogram(HistogramCodecs.SKETCH, new byte[2]);
      sink.emit(point);
      // Another row of the histogram table has ended the record of this one.
      assertThat(written(histograms, sink.poll())).containsExactly("060000 2b00");
      List<String> values = written(target(), sink.poll());
      assertThat(values).hasSize(late ? 8 : 4);
      assertThat(values.stream().filter(cell -> cell.endsWith(" deleted")))
          .hasSize(late ? 4 : 0)
          .allMatch(cell -> cell.matches("....2. deleted"));
      assertThat(written(histograms, sink.poll())).containsExactly("060000 2b0000");
      assertThat(sink.finish().messages()).isZero();
      assertThat(sink.finish().due()).isEqualTo(late ? 10 : 6);
    }
  }

  private static byte[] part(int... offsets) {
    byte[] value = new byte[offsets.length * (RollupRecord.HISTOGRAM + 1)];
    for (int i = 0; i < offsets.length; i++) {
      RollupRecord.put(value, i * (RollupRecord.HISTOGRAM + 1), offsets[i], 43, new byte[0]);
    }
    return value;
  }

  private List<String> written(Target target, Tuple2<byte[], byte[]> record) throws IOException {
    return written(target, List.of(record));
  }

  private List<String> written(Target target, List<Tuple2<byte[], byte[]>> records)
      throws IOException {
    Configuration conf = HBaseConfiguration.create();
    TargetTable table =
        new TargetTable(
            "r",
            ColumnFamilyDescriptorBuilder.toByteArray(ColumnFamilyDescriptorBuilder.of("t")),
            new byte[][] {EDGE});
    try (HFileDir files = new HFileDir(conf, dir.toUri().toString(), RowKey.FAMILY, "x");
        RegionHFiles hfiles =
            new RegionHFiles(files, "r0", table.layout(), Long.MAX_VALUE, InstantSource.system())) {
      new RowCells(target, 42).write(records.iterator(), hfiles);
      hfiles.end();
      Path file = new Path(files.family(), hfiles.finished().get(0));
      List<String> cells = new ArrayList<>();
      try (HFile.Reader reader =
              HFile.createReader(files.files(), file, CacheConfig.DISABLED, true, conf);
          HFileScanner scanner = reader.getScanner(conf, false, false)) {
        for (boolean more = scanner.seekTo(); more; more = scanner.next()) {
          Cell cell = scanner.getCell();
          String value = HEX.formatHex(CellUtil.cloneValue(cell));
          cells.add(
              HEX.formatHex(CellUtil.cloneQualifier(cell))
                  + (CellUtil.isDelete(cell) ? " deleted" : " " + value));
        }
      }
      return cells;
    }
  }

  /** 6h: the first, second and fourth bucket of a changed day have points, the third has none. */
  @Test
  void aRollupThatIsTakenBackBetweenOthersComesInOrder() {
    byte[] row = row("000001", DAY, "000001000002");
    RecordSink sink = sink();
    for (int hour : new int[] {0, 1, 3}) {
      sink.emit(point(row, DAY + hour * 3600L, hour));
    }
    byte[] written = sink.poll()._2();
    RollupPoint none = point(row, DAY, 0);
    none.takeBack(DAY + 2 * 3600, "1h");
    sink.emit(none);
    byte[] takenBack = sink.poll()._2();
    List<Integer> offsets = new ArrayList<>();
    for (byte[] value : RowCells.inOrder(row, List.of(written, takenBack), false)) {
      offsets.add(RollupRecord.offset(value, 0));
    }
    assertThat(offsets).containsExactly(0, 1, 2, 3);
    List<byte[]> ascending = List.of(written);
    assertThat(RowCells.inOrder(row, ascending, false)).isSameAs(ascending);
    assertThatThrownBy(() -> RowCells.inOrder(row, List.of(written, written), false))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("is there twice");
  }

  @Test
  void rowsSortAsInHBaseThoughOneBeginsAnother() {
    byte[] shorter = row("000001", DAY, "000001000002");
    byte[] longer = row("000001", DAY, "000001000002000000000000");
    byte[] a = RollupRecord.key(0, shorter, shorter.length, 5);
    byte[] b = RollupRecord.key(0, longer, longer.length, 1);
    byte[] later = RollupRecord.key(0, shorter, shorter.length, 6);
    assertThat(RollupRecord.ORDER.compare(a, b)).isNegative();
    assertThat(RollupRecord.ORDER.compare(later, b)).isNegative();
    assertThat(RollupRecord.ORDER.compare(a, later)).isNegative();
    assertThat(RollupRecord.sameRow(a, later)).isTrue();
    assertThat(RollupRecord.sameRow(a, b)).isFalse();
  }

  @Test
  void recordsGoToTheirRegionAndBooksToTheLastPartition() {
    TargetPartitions partitions =
        new TargetPartitions(List.of(target("000002", "000004").table(), target("000003").table()));
    assertThat(partitions.numPartitions()).isEqualTo(6);
    assertThat(partitions.getPartition(key(0, "000001"))).isEqualTo(0);
    assertThat(partitions.getPartition(key(0, "000002"))).isEqualTo(1);
    assertThat(partitions.getPartition(key(0, "ffffff"))).isEqualTo(2);
    assertThat(partitions.getPartition(key(1, "000002"))).isEqualTo(3);
    assertThat(partitions.getPartition(key(1, "000003"))).isEqualTo(4);
    assertThat(partitions.getPartition(RollupRecord.booksKey(70_000))).isEqualTo(5);
    assertThat(partitions.table(4)).isEqualTo(1);
    assertThat(partitions.region(4)).isEqualTo(1);
    assertThat(partitions.table(2)).isZero();
    assertThat(partitions.region(2)).isEqualTo(2);
  }

  private static byte[] key(int table, String metric) {
    byte[] row = row(metric, DAY, "000001000002");
    return RollupRecord.key(table, row, row.length, 0);
  }
}
