package io.tsdbsuite.rollup.load;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import io.tsdbsuite.coverage.TimeRanges;
import io.tsdbsuite.format.histogram.HistogramCodecs;
import io.tsdbsuite.format.histogram.Sketch;
import io.tsdbsuite.format.rollup.Level;
import io.tsdbsuite.format.rollup.RollupCell;
import io.tsdbsuite.format.rollup.RollupConfig;
import io.tsdbsuite.format.rollup.RollupInterval;
import io.tsdbsuite.format.row.HistogramColumn;
import io.tsdbsuite.format.row.RowKey;
import io.tsdbsuite.format.schema.StorageSchema;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellComparator;
import org.apache.hadoop.hbase.KeyValue;
import org.apache.hadoop.hbase.filter.Filter;
import org.junit.jupiter.api.Test;

/** What a query sees of a run: cells of it, newer ones, deleted ones, and others. */
class SeenRollupsTest {
  private static final Map<String, Integer> IDS = Map.of("sum", 0, "count", 2, "min", 3, "max", 4);
  private static final String FOUR = SeenRollups.FOUR;
  private static final int SUM = 0;
  private static final int COUNT = 2;

  /** 2025-11-18T00:00:00Z. */
  private static final long DAY = 1763424000;

  private static final long HOUR = 3600;
  private static final long STAMP = (DAY + 90000) * 1000;
  private static final long METRIC = 7;

  private static RollupConfig config(String interval, String span) {
    return RollupConfig.parse(
        ("{'aggregationIds':{'sum':0,'count':2,'min':3,'max':4},'intervals':["
                + "{'table':'tsdb','preAggregationTable':'tsdb','interval':'1s',"
                + "'rowSpan':'1h','defaultInterval':true},"
                + "{'table':'r','preAggregationTable':'r','interval':'%s','rowSpan':'%s'}],"
                + "'suite':{'histograms':[{'metrics':'*','intervals':'%s'}],"
                + "'histogramTables':{'%s':'h'}}}")
            .formatted(interval, span, interval, interval)
            .replace('\'', '"'));
  }

  private static RollupInterval interval(String interval, String span) {
    return Objects.requireNonNull(config(interval, span).interval(interval));
  }

  private static final HistogramCodecs CODECS = codecs();

  private static HistogramCodecs codecs() {
    try {
      return HistogramCodecs.load("{\"" + HistogramCodecs.SKETCH + "\":43}");
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private SeenRollups seen = seen(IDS);

  private static SeenRollups seen(Map<String, Integer> ids) {
    return seen(config("1h", "1d").level("1h"), ids);
  }

  private static SeenRollups seen(Level level, Map<String, Integer> ids) {
    return new SeenRollups(
        new RowKey(StorageSchema.defaults()),
        level,
        ids,
        STAMP,
        DAY + 2 * HOUR,
        DAY + 20 * HOUR,
        uid -> uid == METRIC + 1,
        new AtomicInteger(2));
  }

  private final List<Cell> cells = new ArrayList<>();
  private byte[] row = row(METRIC);

  private static byte[] row(long metric) {
    return HexFormat.of().parseHex("%06x%08x000001000001".formatted(metric, DAY));
  }

  private SeenRollupsTest cell(byte[] column, long stamp, KeyValue.Type type) {
    cells.add(new KeyValue(row, new byte[] {'t'}, column, stamp, type));
    return this;
  }

  private SeenRollupsTest put(int id, int hour, long stamp) {
    byte[] column =
        id == COUNT ? RollupCell.countQualifier(id, hour) : RollupCell.doubleQualifier(id, hour);
    return cell(column, stamp, KeyValue.Type.Put);
  }

  private void look(boolean late) {
    cells.sort(CellComparator.getInstance());
    seen.row(cells.toArray(new Cell[0]), late);
    cells.clear();
  }

  private void requireForeign(int hour) {
    look(false);
    assertThat(seen.foreign(FOUR))
        .containsExactly(
            Map.entry(
                METRIC,
                TimeRanges.of((DAY + hour * HOUR) * 1000, (DAY + (hour + 1) * HOUR) * 1000)));
  }

  @Test
  void cellsOfTheRun() {
    put(SUM, 2, STAMP).put(COUNT, 2, STAMP).put(SUM, 3, STAMP).put(SUM, 3, STAMP - 1).look(false);
    assertThat(seen.foreign(FOUR)).isEmpty();
    assertThat(seen.ofRun(FOUR)).isEqualTo(3);
  }

  /** A rollup of the values 1 and 4 at a time. */
  private SeenRollupsTest repaired(int hour, long stamp, long count) {
    IDS.forEach(
        (name, id) -> {
          boolean isCount = name.equals("count");
          double value = name.equals("sum") ? 5 : name.equals("min") ? 1 : 4;
          cells.add(
              new KeyValue(
                  row,
                  new byte[] {'t'},
                  isCount
                      ? RollupCell.countQualifier(id, hour)
                      : RollupCell.doubleQualifier(id, hour),
                  stamp,
                  isCount ? RollupCell.countValue(count) : RollupCell.doubleValue(value)));
        });
    return this;
  }

  /** Raw points of the hours 4 and 5. */
  private static RawRollups raw() {
    TestRawTable data = new TestRawTable();
    for (int hour = 4; hour < 6; hour++) {
      byte[] key =
          HexFormat.of().parseHex("%06x%08x000001000001".formatted(METRIC, DAY + hour * HOUR));
      data.put(key, 0, 1).put(key, 60, 4);
    }
    return new RawRollups(data.table(), StorageSchema.defaults(), CODECS, 0);
  }

  @Test
  void aRepairedRollupIsThatOfTheRunIfRawPointsMakeIt() throws IOException {
    repaired(4, STAMP, 1).repaired(4, STAMP + 1, 2).look(false);
    assertThat(seen.foreign(FOUR)).isEmpty();
    seen.prove(raw(), null);
    assertThat(seen.foreign(FOUR)).isEmpty();
    assertThat(seen.ofRun(FOUR)).isEqualTo(4);
    // One that the run did not have, and one that lacks a point.
    repaired(5, STAMP + 1, 1).look(false);
    seen.prove(raw(), null);
    assertThat(seen.foreign(FOUR)).containsOnlyKeys(METRIC);
    assertThat(seen.foreign(FOUR).get(METRIC))
        .isEqualTo(TimeRanges.of((DAY + 5 * HOUR) * 1000, (DAY + 6 * HOUR) * 1000));
  }

  @Test
  void onlySomeRollupsAreCompared() throws IOException {
    repaired(4, STAMP + 1, 2).repaired(5, STAMP + 1, 2).repaired(6, STAMP + 1, 2).look(false);
    assertThat(seen.foreign(FOUR).get(METRIC))
        .as("the third of two")
        .isEqualTo(TimeRanges.of((DAY + 6 * HOUR) * 1000, (DAY + 7 * HOUR) * 1000));
    seen.prove(raw(), null);
    assertThat(seen.foreign(FOUR).get(METRIC).size()).isEqualTo(1);
  }

  @Test
  void aRepairedRollupWithAColumnThatQueriesReadBesideIt() throws IOException {
    repaired(4, STAMP + 1, 2)
        .cell(RollupCell.of(SUM, 4, false, 1), STAMP - 1, KeyValue.Type.Put)
        .look(false);
    seen.prove(raw(), null);
    assertThat(seen.foreign(FOUR)).containsOnlyKeys(METRIC);
  }

  @Test
  void aRollupRepairedBeforeTheWindow() throws IOException {
    repaired(1, STAMP, 1).repaired(1, STAMP + 1, 2).look(true);
    seen.prove(raw(), null);
    assertThat(seen.foreignBefore(FOUR)).as("no raw points").containsOnlyKeys(METRIC);
    assertThat(seen.foreign(FOUR)).isEmpty();
  }

  @Test
  void aNewerCellHidesThatOfTheRun() {
    put(SUM, 4, STAMP).put(SUM, 4, STAMP + 1).requireForeign(4);
    assertThat(seen.ofRun(FOUR)).as("it is there").isEqualTo(1);
  }

  @Test
  void anOlderCellThatTheRunDoesNotHave() {
    put(SUM, 4, STAMP).put(SUM, 5, STAMP - 1).requireForeign(5);
  }

  @Test
  void aCellOfAnotherWidth() {
    put(SUM, 4, STAMP)
        .cell(RollupCell.of(SUM, 4, false, 1), STAMP - 1, KeyValue.Type.Put)
        .requireForeign(4);
  }

  @Test
  void aCountAsADouble() {
    put(COUNT, 4, STAMP)
        .cell(RollupCell.doubleQualifier(COUNT, 4), STAMP, KeyValue.Type.Put)
        .requireForeign(4);
  }

  @Test
  void aCellByText() {
    byte[] id = RollupCell.doubleQualifier(SUM, 6);
    byte[] text = ("sum:" + new String(id, 1, 2, ISO_8859_1)).getBytes(ISO_8859_1);
    cell(text, STAMP - 1, KeyValue.Type.Put).requireForeign(6);
  }

  @Test
  void aDeletedColumn() {
    put(SUM, 4, STAMP)
        .cell(RollupCell.doubleQualifier(SUM, 4), STAMP + 1, KeyValue.Type.DeleteColumn)
        .requireForeign(4);
  }

  @Test
  void aDeletedRow() {
    put(SUM, 4, STAMP).cell(new byte[0], STAMP + 1, KeyValue.Type.DeleteFamily).requireForeign(4);
  }

  @Test
  void aDeletionOfEarlierCells() {
    put(SUM, 4, STAMP)
        .put(SUM, 5, STAMP - 2)
        .cell(new byte[0], STAMP - 1, KeyValue.Type.DeleteFamily)
        .look(false);
    assertThat(seen.foreign(FOUR)).isEmpty();
  }

  @Test
  void cellsOutsideTheWindowOrTheMetricsOrTheAggregators() {
    put(SUM, 1, STAMP - 1).put(SUM, 20, STAMP + 1).put(9, 5, STAMP + 1).look(false);
    row = row(METRIC + 1);
    put(SUM, 4, STAMP + 1).put(SUM, 4, STAMP).look(false);
    assertThat(seen.foreign(FOUR)).isEmpty();
    assertThat(seen.ofRun(FOUR)).isZero();
  }

  @Test
  void beforeTheWindowOnlyWhatTheRunHasWritten() {
    byte[] takenBack = RollupCell.doubleQualifier(SUM, 1);
    put(SUM, 0, STAMP)
        .put(COUNT, 1, STAMP + 1)
        .cell(takenBack, STAMP, KeyValue.Type.DeleteColumn)
        .put(SUM, 1, STAMP - 1)
        .look(true);
    assertThat(seen.foreignBefore(FOUR)).isEmpty();
    assertThat(seen.ofRun(FOUR)).isEqualTo(2);
    put(SUM, 0, STAMP).put(SUM, 0, STAMP + 1).look(true);
    assertThat(seen.foreignBefore(FOUR)).containsOnlyKeys(METRIC);
    assertThat(seen.foreign(FOUR)).isEmpty();
  }

  /** In the window a run takes nothing back, and kafka-ingest does beside histograms alone. */
  @Test
  void inTheWindowDeletionsAreNotCounted() {
    byte[] takenBack = RollupCell.doubleQualifier(SUM, 5);
    put(SUM, 4, STAMP)
        .cell(takenBack, STAMP, KeyValue.Type.DeleteColumn)
        .put(SUM, 5, STAMP - 1)
        .look(false);
    assertThat(seen.foreign(FOUR)).isEmpty();
    assertThat(seen.ofRun(FOUR)).isEqualTo(1);
  }

  @Test
  void aRollupThatIsThereAgainAfterItWasTakenBack() {
    byte[] takenBack = RollupCell.doubleQualifier(SUM, 1);
    put(SUM, 1, STAMP + 1).cell(takenBack, STAMP, KeyValue.Type.DeleteColumn).look(true);
    assertThat(seen.foreignBefore(FOUR)).containsOnlyKeys(METRIC);
  }

  @Test
  void theFilterPassesTheRowsOfTheWindow() throws IOException {
    RollupInterval hours = interval("1h", "1d");
    long day = 86400;
    for (int days : new int[] {1, 40, 400, 4000}) {
      Filter filter = SeenRollups.filter(3, hours, DAY, DAY + days * day);
      for (int i = 0; i < days; i++) {
        assertThat(passes(filter, DAY + i * day)).as("%s of %s", i, days).isTrue();
      }
      assertThat(passes(filter, DAY - 2000 * day)).isFalse();
    }
    Filter one = SeenRollups.filter(3, hours, DAY + HOUR, DAY + 2 * HOUR);
    assertThat(passes(one, DAY)).isTrue();
    assertThat(passes(one, DAY + day)).isFalse();
    assertThat(passes(one, DAY - day)).isFalse();
  }

  private static boolean passes(Filter filter, long base) throws IOException {
    byte[] key = HexFormat.of().parseHex("%06x%08x000001000001".formatted(METRIC, base));
    KeyValue cell = new KeyValue(key, new byte[] {'t'}, new byte[] {0, 0, 7}, 1, new byte[0]);
    filter.reset();
    return filter.filterCell(cell) == Filter.ReturnCode.INCLUDE;
  }

  private static final int P99 = 5;
  private static final int FIRST = 6;

  /** The aggregators of a run with p99 and first. */
  private void further() {
    Map<String, Integer> ids = new HashMap<>(IDS);
    ids.put("p99", P99);
    ids.put("first", FIRST);
    seen = seen(ids);
  }

  private SeenRollupsTest further(int id, int hour, long stamp, double value) {
    cells.add(
        new KeyValue(
            row,
            new byte[] {'t'},
            RollupCell.doubleQualifier(id, hour),
            stamp,
            RollupCell.doubleValue(value)));
    return this;
  }

  private static TimeRanges hour(int hour) {
    return TimeRanges.of((DAY + hour * HOUR) * 1000, (DAY + (hour + 1) * HOUR) * 1000);
  }

  @Test
  void aFurtherAggregatorIsLookedAtAlone() throws IOException {
    further();
    // One that the run has, one that an earlier run has, and a rollup whose sum is another's.
    repaired(4, STAMP, 2).further(P99, 4, STAMP, 4).further(FIRST, 4, STAMP, 1);
    repaired(5, STAMP, 2).further(P99, 5, STAMP - 1, 4).further(FIRST, 5, STAMP, 1).look(false);
    repaired(6, STAMP - 1, 2).further(P99, 6, STAMP, 4).further(FIRST, 6, STAMP, 1).look(false);
    seen.prove(raw(), null);
    assertThat(seen.ofRun(FOUR)).isEqualTo(8);
    assertThat(seen.ofRun("p99")).isEqualTo(2);
    assertThat(seen.ofRun("first")).isEqualTo(3);
    assertThat(seen.foreign(FOUR)).containsExactly(Map.entry(METRIC, hour(6)));
    assertThat(seen.foreign("first")).containsExactly(Map.entry(METRIC, hour(6)));
    assertThat(seen.foreign("p99")).containsExactly(Map.entry(METRIC, hour(5).plus(hour(6))));
  }

  /** Who repairs four values alone leaves the others as they were. */
  @Test
  void whatIsBesideARepairIsComparedWithRawPoints() throws IOException {
    further();
    repaired(4, STAMP, 1).repaired(4, STAMP + 1, 2);
    further(P99, 4, STAMP, 3).further(FIRST, 4, STAMP, 1).look(false);
    // One that the run did not have.
    repaired(5, STAMP + 1, 2).further(FIRST, 5, STAMP + 1, 1).look(false);
    seen.prove(raw(), null);
    assertThat(seen.foreign(FOUR)).isEmpty();
    assertThat(seen.foreign("first")).isEmpty();
    assertThat(seen.foreign("p99")).containsExactly(Map.entry(METRIC, hour(4).plus(hour(5))));
  }

  @Test
  void aRepairOfAllValuesBeforeTheWindow() throws IOException {
    further();
    repaired(1, STAMP, 2).further(P99, 1, STAMP, 4).further(FIRST, 1, STAMP, 1);
    further(P99, 1, STAMP + 1, 4).look(true);
    assertThat(seen.ofRun("p99")).isEqualTo(1);
    seen.prove(raw(), null);
    assertThat(seen.foreignBefore("p99")).as("no raw points").containsOnlyKeys(METRIC);
    assertThat(seen.foreignBefore("first")).isEmpty();
    assertThat(seen.foreignBefore(FOUR)).as("it is the run's").isEmpty();
    assertThat(seen.foreign("p99")).isEmpty();
    SeenRollups whole = seen(IDS);
    whole.add(seen);
    assertThat(whole.foreignBefore("p99")).containsOnlyKeys(METRIC);
  }

  @Test
  void onlySomeRollupsWithFurtherValuesAreCompared() {
    further();
    for (int hour = 4; hour < 7; hour++) {
      repaired(hour, STAMP, 2).further(P99, hour, STAMP + 1, 4).further(FIRST, hour, STAMP, 1);
    }
    look(false);
    assertThat(seen.foreign(FOUR)).isEmpty();
    assertThat(seen.foreign("first")).isEmpty();
    assertThat(seen.foreign("p99")).as("the third of two").containsOnly(Map.entry(METRIC, hour(6)));
  }

  /** The sketch of values as a cell has it. */
  private static byte[] sketch(double... values) {
    Sketch sketch = new Sketch();
    sketch.addAll(values, 0, values.length);
    byte[] value = new byte[1 + sketch.bytes().length];
    value[0] = 43;
    System.arraycopy(sketch.bytes(), 0, value, 1, value.length - 1);
    return value;
  }

  private static byte[] rawRow(int hour) {
    return HexFormat.of().parseHex("%06x%08x000001000001".formatted(METRIC, DAY + hour * HOUR));
  }

  /** The histogram of an hour: a row of its own. */
  private SeenRollupsTest histogram(int hour, long stamp, byte[] column, byte[] value) {
    row = rawRow(hour);
    cells.add(new KeyValue(row, new byte[] {'t'}, column, stamp, value));
    return this;
  }

  private SeenRollupsTest histogram(int hour, long stamp, byte[] value) {
    return histogram(hour, stamp, HistogramColumn.of(0), value);
  }

  @Test
  void histogramsOfTheRunAndRepairedOnes() throws IOException {
    seen = seen(config("1h", "1d").level("1h.histogram"), Map.of("io.Codec", 43));
    histogram(3, STAMP, sketch(9)).look(false);
    histogram(4, STAMP, sketch(9)).histogram(4, STAMP + 1, sketch(1, 4)).look(false);
    histogram(5, STAMP + 1, sketch(1)).look(false);
    histogram(1, STAMP, sketch(9)).look(false);
    seen.prove(raw(), null);
    assertThat(seen.ofRun(Level.HISTOGRAM)).as("the last is before the window").isEqualTo(2);
    assertThat(seen.foreign(FOUR)).isEmpty();
    assertThat(seen.foreign(Level.HISTOGRAM)).containsExactly(Map.entry(METRIC, hour(5)));
    histogram(6, STAMP, sketch(9))
        .cell(HistogramColumn.of(0), STAMP + 1, KeyValue.Type.DeleteColumn)
        .look(false);
    histogram(7, STAMP - 1, sketch(9)).look(false);
    assertThat(seen.foreign(Level.HISTOGRAM).get(METRIC))
        .as("deleted, and of an earlier run")
        .isEqualTo(hour(5).plus(hour(6)).plus(hour(7)));
    histogram(8, STAMP, sketch(9))
        .cell(HistogramColumn.of(0), STAMP, KeyValue.Type.DeleteColumn)
        .look(false);
    assertThat(seen.ofRun(Level.HISTOGRAM)).isEqualTo(4);
  }

  /** A TSD adds all histograms of a row. */
  @Test
  void aHistogramInAnotherColumnIsNoneOfTheRun() {
    seen = seen(config("1h", "1d").level("1h.histogram"), Map.of());
    byte[] millis = {6, 0, 0, 0, 5};
    histogram(3, STAMP, sketch(9)).histogram(3, STAMP, millis, sketch(9)).look(false);
    histogram(4, STAMP, sketch(9)).histogram(4, STAMP, HistogramColumn.of(7), sketch(9));
    look(false);
    histogram(5, STAMP, new byte[] {0, 0}, new byte[] {1}).look(false);
    assertThat(seen.foreign(Level.HISTOGRAM))
        .containsExactly(Map.entry(METRIC, hour(3).plus(hour(4))));
    assertThat(seen.ofRun(Level.HISTOGRAM)).isEqualTo(2);
    seen = seen(config("6h", "1n").level("6h.histogram"), Map.of());
    histogram(6, STAMP, sketch(9)).look(false);
    assertThat(seen.foreign(Level.HISTOGRAM)).isEmpty();
    histogram(7, STAMP, sketch(9)).look(false);
    assertThat(seen.foreign(Level.HISTOGRAM))
        .as("one in the midst of six hours")
        .containsExactly(
            Map.entry(METRIC, TimeRanges.of((DAY + 6 * HOUR) * 1000, (DAY + 12 * HOUR) * 1000)));
  }

  /** Who repairs the rollups with an older rollup_config.json leaves the histograms as they are. */
  @Test
  void theHistogramBesideARepairIsComparedWithRawPoints() throws IOException {
    TestRawTable histograms = new TestRawTable();
    histograms.put(rawRow(4), HistogramColumn.of(0), sketch(1, 4), 1);
    histograms.put(rawRow(5), HistogramColumn.of(0), sketch(1), 1);
    repaired(4, STAMP + 1, 2).repaired(5, STAMP + 1, 2).look(false);
    seen.prove(raw(), histograms.table());
    assertThat(seen.foreign(FOUR)).isEmpty();
    assertThat(seen.foreign(Level.HISTOGRAM)).containsExactly(Map.entry(METRIC, hour(5)));
  }

  @Test
  void aHistogramThatLacksBesideARepair() throws IOException {
    repaired(4, STAMP + 1, 2).look(false);
    seen.prove(raw(), new TestRawTable().table());
    assertThat(seen.foreign(FOUR)).isEmpty();
    assertThat(seen.foreign(Level.HISTOGRAM)).containsExactly(Map.entry(METRIC, hour(4)));
  }

  @Test
  void theFilterPassesAllHoursOfHistograms() throws IOException {
    Filter filter = SeenRollups.filter(3, null, DAY, DAY + 24 * HOUR);
    for (int hour = 0; hour < 24; hour++) {
      assertThat(passes(filter, DAY + hour * HOUR)).isTrue();
    }
    assertThat(passes(filter, DAY + 24 * HOUR)).isFalse();
    assertThat(passes(filter, DAY - HOUR)).isFalse();
  }
}
