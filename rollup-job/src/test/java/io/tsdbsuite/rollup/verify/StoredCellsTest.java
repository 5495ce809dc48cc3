package io.tsdbsuite.rollup.verify;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.tsdbsuite.format.histogram.HistogramCodecs;
import io.tsdbsuite.format.rollup.RollupCell;
import io.tsdbsuite.format.rollup.RollupConfig;
import io.tsdbsuite.format.rollup.SuiteConfig;
import io.tsdbsuite.format.row.RowKey;
import io.tsdbsuite.format.schema.StorageSchema;
import io.tsdbsuite.rollup.report.MetricRows.Kept;
import io.tsdbsuite.testkit.seed.Seed;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.DoubleSummaryStatistics;
import java.util.HexFormat;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Cells of a row as kafka-ingest and as the stock TSD write them, and worse ones. */
class StoredCellsTest {
  private static final int[] IDS = {0, 3, 4, 2};
  private static final Aggregators FOUR =
      new Aggregators(
          List.of("sum", "min", "max", "count"),
          List.of(0, 3, 4, 2),
          SuiteConfig.NONE,
          HistogramCodecs.NONE);
  private static final int PER_ROW = 24;

  private final StoredBooks books = new StoredBooks();
  private StoredCells cells = cells(false);

  private StoredCells cells(boolean fixDuplicates) {
    StoredCells made = new StoredCells("tsdb-1h", FOUR, "1h", PER_ROW, fixDuplicates);
    made.begin(new byte[] {1, 2}, 0xf);
    return made;
  }

  private void cell(byte[] qualifier, byte[] value, long timestamp) {
    cells.cell(qualifier, 0, qualifier.length, value, 0, value.length, timestamp);
  }

  private static byte[] bytes(int value) {
    return new byte[] {(byte) value};
  }

  @Test
  void valuesHaveAnyWidth() {
    cell(RollupCell.doubleQualifier(0, 5), RollupCell.doubleValue(1.5), 1);
    cell(RollupCell.of(3, 5, false, 1), bytes(-7), 1);
    cell(RollupCell.of(4, 5, true, 4), ByteBuffer.allocate(4).putFloat(2.5f).array(), 1);
    cell(RollupCell.countQualifier(2, 5), RollupCell.countValue(3), 1);
    byte[] record = cells.record(5);
    assertThat(VerifyRecord.isStored(record)).isTrue();
    assertThat(VerifyRecord.isTwice(record)).isFalse();
    double[] expected = {1.5, -7, 2.5, 3};
    for (int i = 0; i < expected.length; i++) {
      assertThat(VerifyRecord.has(record, i)).isTrue();
      assertThat(VerifyRecord.get(record, i)).isEqualTo(expected[i]);
    }
    assertThat(cells.record(4)).isNull();
  }

  /** Columns of ten minutes: 0, 600, 1200. */
  @Test
  void histogramsHaveAColumnOfSeconds() {
    StoredHistograms row = new StoredHistograms("h10m", 600);
    row.begin(new byte[] {1, 2}, 1);
    assertThat(row.offsets()).isEqualTo(6);
    String[] columns = {
      "060000", "060258", "060e0f", "060e10", "0600000000", "07000a", "060bb8", "0604b0", "0600"
    };
    byte[][] values = {{5, 1, 2}, {5}, {5, 1}, {5, 1}, {5, 1}, {5, 1}, {-1, 1}, {}, {5, 1}};
    for (int i = 0; i < columns.length; i++) {
      byte[] column = HexFormat.of().parseHex(columns[i]);
      row.cell(column, 0, column.length, values[i], 0, values[i].length, 9 - i);
    }
    row.end(books);
    assertThat(row.record(0))
        .isEqualTo(VerifyRecord.histogram(true, 5, new byte[] {1, 2}, 0, 2))
        .isNotEqualTo(VerifyRecord.histogram(false, 5, new byte[] {1, 2}, 0, 2));
    assertThat(VerifyRecord.isStored(row.record(0))).isTrue();
    assertThat(VerifyRecord.isTwice(row.record(0))).isFalse();
    assertThat(
            VerifyRecord.isSameHistogram(
                row.record(0), VerifyRecord.histogram(false, 5, new byte[] {1, 2}, 0, 2)))
        .isTrue();
    assertThat(row.record(1)).isEqualTo(VerifyRecord.histogram(true, 5, new byte[0], 0, 0));
    for (int i = 2; i < 6; i++) {
      assertThat(row.record(i)).isNull();
    }
    assertThat(books.cells()).isEqualTo(9);
    assertThat(books.oldestCell()).isEqualTo(1);
    String start = "table h10m, row 0102, column ";
    String offset = ": its offset must be the start of an interval in the hour, found ";
    String codec = ": its value must begin with the id of a codec, 0 to 127";
    String qualifier = ": its qualifier is none of the histogram of a rollup";
    assertThat(books.problems())
        .containsExactly(
            start + "060e0f" + offset + "3599000 ms",
            start + "060e10" + offset + "3600000 ms",
            start + "0600000000" + qualifier,
            start + "07000a" + qualifier,
            start + "060bb8" + codec,
            start + "0604b0" + codec,
            start + "0600" + qualifier);
    row.begin(new byte[] {1, 3}, 0);
    row.cell(HexFormat.of().parseHex("060000"), 0, 3, new byte[] {5}, 0, 1, 9);
    row.end(books);
    assertThat(row.record(0)).as("of a metric that is not selected").isNull();
    assertThat(books.otherAggregates()).isEqualTo(1);
    assertThat(new StoredHistograms("h1d", 86_400).offsets()).isEqualTo(1);
  }

  /** A row is that of the hour in which an interval begins. */
  @Test
  void histogramsLieInRowsOfHours() {
    RollupConfig config =
        RollupConfig.parse(
            """
            {"aggregationIds":{"sum":0,"count":2,"min":3,"max":4},"intervals":[
            {"table":"t","preAggregationTable":"t","interval":"1m","rowSpan":"1h",\
            "defaultInterval":true},
            {"table":"r1d","preAggregationTable":"r1d","interval":"1d","rowSpan":"1n"}]}
            """);
    long day = 1763510400;
    StoredTable rollups = table(config, "1d", day);
    StoredTable histograms = table(config, "1d.histogram", day);
    assertThat(rollups.isOfHistograms()).isFalse();
    assertThat(rollups.base(day)).isEqualTo(day - 18 * 86_400);
    assertThat(histograms.isOfHistograms()).isTrue();
    assertThat(histograms.base(day)).isEqualTo(day);
    assertThat(histograms.base(day + 3600)).isEqualTo(day);
    byte[] key = new RowKey(StorageSchema.defaults()).encode(new byte[3], day, new byte[6]);
    assertThat(histograms.rows().contains(key, 0, key.length)).isTrue();
    assertThat(rollups.rows().contains(key, 0, key.length)).isFalse();
  }

  private static StoredTable table(RollupConfig config, String level, long day) {
    return new StoredTable(
        Objects.requireNonNull(config.interval("1d")),
        level,
        "t",
        0,
        StorageSchema.defaults(),
        FOUR,
        day,
        day + 86_400,
        new SeriesSample(1, 1, 0),
        false,
        null);
  }

  /** Of all cells of the rows, also those that are not compared. */
  @Test
  void theOldestCellIsKnown() {
    assertThat(books.oldestCell()).isEqualTo(Long.MAX_VALUE);
    cell(RollupCell.doubleQualifier(0, 5), RollupCell.doubleValue(1), 7);
    cell(RollupCell.of(9, 6, false, 1), bytes(1), 5);
    cells.end(books);
    cells.begin(new byte[] {3}, 0xf);
    cell(RollupCell.doubleQualifier(0, 5), RollupCell.doubleValue(1), 6);
    cells.end(books);
    StoredBooks all = new StoredBooks();
    all.add(books);
    assertThat(all.oldestCell()).isEqualTo(5);
  }

  @Test
  void twoWidthsAreDuplicates() {
    cell(RollupCell.of(2, 0, false, 1), bytes(5), 2);
    cell(RollupCell.of(2, 0, false, 2), new byte[] {1, 0}, 1);
    assertThat(VerifyRecord.isTwice(cells.record(0))).isTrue();
  }

  @Test
  void theNewestDuplicateWinsWhereTheTsdLetsIt() {
    cells = cells(true);
    cell(RollupCell.of(2, 0, false, 1), bytes(5), 2);
    cell(RollupCell.of(2, 0, false, 2), new byte[] {1, 0}, 1);
    cell(RollupCell.of(2, 1, false, 1), bytes(5), 2);
    cell(RollupCell.of(2, 1, false, 2), new byte[] {1, 0}, 2);
    assertThat(VerifyRecord.isTwice(cells.record(0))).isFalse();
    assertThat(VerifyRecord.get(cells.record(0), 3)).isEqualTo(5);
    assertThat(VerifyRecord.get(cells.record(1), 3)).isEqualTo(256);
  }

  @Test
  void whatIsNoRollupIsCounted() {
    cell(new byte[] {'s', 'u', 'm', ':', 0, 7}, bytes(1), 1);
    cell(RollupCell.countQualifier(2, PER_ROW), RollupCell.countValue(1), 1);
    cell(RollupCell.countQualifier(2, 1), bytes(1), 1);
    cell(RollupCell.countQualifier(9, 1), RollupCell.countValue(1), 1);
    cells.end(books);
    assertThat(books.cells()).isEqualTo(4);
    assertThat(books.otherAggregates()).isEqualTo(1);
    assertThat(books.malformed()).isEqualTo(3);
    assertThat(books.problems().get(0)).contains("table tsdb-1h, row 0102, column 73756d3a0007");
    assertThat(books.problems().get(1)).contains("offset must be less than 24, found 24");
    assertThat(cells.record(1)).isNull();
  }

  /** Values of any width beside a sum of their own; some hours and some aggregates lack. */
  @Test
  void widerRollupsAreMadeOfTheirParts() {
    Random random = Seed.random();
    for (int times = 0; times < Seed.times(200, 5000); times++) {
      cells = cells(true);
      double[][] hours = new double[PER_ROW][];
      int lacks = random.nextInt(200);
      for (int hour = 0; hour < PER_ROW; hour++) {
        if (random.nextInt(3) == 0) {
          continue;
        }
        hours[hour] = new double[4];
        for (int i = 0; i < 4; i++) {
          boolean isByte = random.nextBoolean();
          byte small = (byte) (random.nextInt(256) - 128);
          double value = isByte ? small : random.nextGaussian() * 1e6;
          hours[hour][i] = value;
          if (lacks == hour * 4 + i) {
            hours[hour][i] = Double.NaN;
          } else if (isByte) {
            cell(RollupCell.of(IDS[i], hour, false, 1), new byte[] {small}, 1);
          } else {
            cell(RollupCell.doubleQualifier(IDS[i], hour), RollupCell.doubleValue(value), 1);
          }
        }
      }
      int parts = List.of(1, 6, 12, 24).get(random.nextInt(4));
      int first = random.nextInt(PER_ROW / parts) * parts;
      List<double[]> of =
          Arrays.stream(hours, first, first + parts).filter(Objects::nonNull).toList();
      byte[] record = cells.computed(first, parts);
      assertThat(record == null).isEqualTo(of.isEmpty());
      for (int i = 0; i < 4 && record != null; i++) {
        int place = i;
        DoubleSummaryStatistics all =
            of.stream().mapToDouble(each -> each[place]).summaryStatistics();
        assertThat(VerifyRecord.isStored(record)).isFalse();
        assertThat(VerifyRecord.has(record, i)).isEqualTo(!Double.isNaN(all.getSum()));
        if (VerifyRecord.has(record, i)) {
          double found = VerifyRecord.get(record, i);
          switch (i) {
            case 1 -> assertThat(found).isEqualTo(all.getMin());
            case 2 -> assertThat(found).isEqualTo(all.getMax());
            default -> assertThat(found).isCloseTo(all.getSum(), within(1e-6));
          }
        }
      }
    }
  }

  /** Of an interval with p50, first and last; the interval of 1d has p99, too. */
  private static Aggregators further() {
    String interval =
        "{'table':'t%1$s','preAggregationTable':'t%1$s','interval':'%1$s','rowSpan':'%2$s',"
            + "'defaultInterval':%3$s},";
    String json =
        "{'aggregationIds':{'sum':0,'count':2,'min':3,'max':4,'p50':5,'p99':7,'first':9,'last':8},"
            + "'intervals':["
            + interval.formatted("1m", "1h", true)
            + interval.formatted("1h", "1d", false)
            + interval.formatted("1d", "1y", false)
            + "],'suite':{'values':["
            + "{'metrics':'a','intervals':'1h','aggregators':'p50,first,last'},"
            + "{'metrics':'b','intervals':'1d','aggregators':'p99'}]}}";
    return Aggregators.of(
        RollupConfig.parse(json.replace(",]", "]").replace('\'', '"')), HistogramCodecs.NONE);
  }

  private StoredCells furtherCells(Aggregators all, String metric) {
    StoredCells made = new StoredCells("tsdb-1h", all, "1h", PER_ROW, false);
    made.begin(new byte[] {1, 2}, all.ofMetric(metric, "1h"));
    return made;
  }

  private void four(int hour, double value) {
    for (int id : new int[] {0, 3, 4}) {
      cell(RollupCell.doubleQualifier(id, hour), RollupCell.doubleValue(value), 1);
    }
    cell(RollupCell.countQualifier(2, hour), RollupCell.countValue(1), 1);
  }

  private void further(int id, int hour, double value) {
    cell(RollupCell.doubleQualifier(id, hour), RollupCell.doubleValue(value), 1);
  }

  @Test
  void furtherAggregatorsOfTheMetricAreRead() {
    cells = furtherCells(further(), "a");
    four(3, 1);
    further(5, 3, 2.5);
    further(9, 3, 7);
    further(7, 3, 8);
    byte[] record = cells.record(3);
    assertThat(record).hasSize(2 + 8 * 8);
    assertThat(VerifyRecord.has(record, 4)).isTrue();
    assertThat(VerifyRecord.get(record, 4)).isEqualTo(2.5);
    assertThat(VerifyRecord.has(record, 5)).as("p99 of 1d alone").isFalse();
    assertThat(VerifyRecord.get(record, 6)).isEqualTo(7);
    assertThat(VerifyRecord.has(record, 7)).isFalse();
    cells.end(books);
    assertThat(books.cells()).isEqualTo(7);
    assertThat(books.otherAggregates()).isEqualTo(1);
    assertThat(cells.kept(PER_ROW)).as("p99").isEqualTo(Kept.UNKNOWN_COLUMNS);
  }

  /** As cells of an aggregator that is not configured; yet they go with their row. */
  @Test
  void furtherAggregatorsOfOtherMetricsAreCounted() {
    cells = furtherCells(further(), "c");
    four(3, 1);
    further(5, 3, 2.5);
    cell(RollupCell.of(5, 3, false, 1), bytes(2), 1);
    further(9, 4, 7);
    assertThat(VerifyRecord.has(cells.record(3), 4)).isFalse();
    assertThat(VerifyRecord.isTwice(cells.record(3))).isFalse();
    assertThat(cells.record(4)).isNull();
    cells.end(books);
    assertThat(books.cells()).isEqualTo(7);
    assertThat(books.otherAggregates()).isEqualTo(3);
    assertThat(cells.kept(PER_ROW)).isEqualTo(Kept.AMBIGUOUS_DUPLICATES);

    cells = furtherCells(further(), "c");
    further(9, PER_ROW, 7);
    cell(RollupCell.countQualifier(8, 1), bytes(1), 1);
    assertThat(cells.kept(PER_ROW)).as("a broken cell").isEqualTo(Kept.FAILED);
    StoredBooks others = new StoredBooks();
    cells.end(others);
    assertThat(others.otherAggregates()).isEqualTo(2);
    assertThat(others.malformed()).isZero();

    cells = furtherCells(further(), "c");
    further(9, 4, 7);
    assertThat(cells.kept(PER_ROW)).isNull();
    assertThat(cells.kept(4)).isEqualTo(Kept.UNKNOWN_COLUMNS);
  }

  /** First of the first part, last of the last one; percentiles of none. */
  @Test
  void firstAndLastAreMadeOfTheirParts() {
    cells = furtherCells(further(), "a");
    for (int hour : new int[] {2, 3, 5}) {
      four(hour, hour);
      further(5, hour, hour);
      further(9, hour, 10 + hour);
      further(8, hour, 20 + hour);
    }
    byte[] record = cells.computed(0, 6);
    assertThat(VerifyRecord.has(record, 3)).isTrue();
    assertThat(VerifyRecord.has(record, 4)).as("p50").isFalse();
    assertThat(VerifyRecord.has(record, 6)).isTrue();
    assertThat(VerifyRecord.get(record, 6)).isEqualTo(12);
    assertThat(VerifyRecord.get(record, 7)).isEqualTo(25);
    four(4, 1);
    further(9, 4, 1);
    record = cells.computed(0, 6);
    assertThat(VerifyRecord.has(record, 6)).isTrue();
    assertThat(VerifyRecord.has(record, 7)).as("a part lacks it").isFalse();

    cells = furtherCells(further(), "c");
    four(2, 2);
    further(9, 2, 12);
    record = cells.computed(0, 6);
    assertThat(VerifyRecord.has(record, 0)).isTrue();
    assertThat(VerifyRecord.has(record, 6)).isFalse();
  }

  @Test
  void rowsStayForWhatNoWiderRollupShows() {
    cell(RollupCell.countQualifier(2, 5), RollupCell.countValue(1), 1);
    assertThat(cells.kept(PER_ROW)).isNull();
    assertThat(cells.kept(5)).isEqualTo(Kept.UNKNOWN_COLUMNS);
    cell(RollupCell.of(2, 5, false, 1), bytes(1), 2);
    assertThat(cells.kept(PER_ROW)).isEqualTo(Kept.AMBIGUOUS_DUPLICATES);
    cell(RollupCell.doubleQualifier(0, 5), RollupCell.doubleValue(Double.NaN), 1);
    assertThat(cells.kept(PER_ROW)).isEqualTo(Kept.NOT_A_NUMBER);
    cell(RollupCell.countQualifier(9, 1), RollupCell.countValue(1), 1);
    assertThat(cells.kept(PER_ROW)).isEqualTo(Kept.UNKNOWN_COLUMNS);
    assertThat(cells.count()).isEqualTo(4);

    // With fix_duplicates the newest counts, if there is one.
    cells = cells(true);
    assertThat(cells.kept(PER_ROW)).isNull();
    cell(RollupCell.countQualifier(2, 5), RollupCell.countValue(1), 1);
    cell(RollupCell.of(2, 5, false, 1), bytes(2), 2);
    assertThat(cells.kept(PER_ROW)).isNull();
    cell(RollupCell.of(2, 5, false, 2), new byte[] {0, 3}, 2);
    assertThat(cells.kept(PER_ROW)).isEqualTo(Kept.AMBIGUOUS_DUPLICATES);
  }

  @Test
  void aRowBeginsAnew() {
    cell(RollupCell.countQualifier(2, 1), RollupCell.countValue(1), 1);
    cells.restart();
    assertThat(cells.record(1)).isNull();
    cells.end(books);
    assertThat(books.cells()).isZero();
    assertThat(books.rows()).isEqualTo(1);
  }
}
