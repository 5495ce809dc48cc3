package io.tsdbsuite.query.read;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tsdbsuite.coverage.TimeRanges;
import io.tsdbsuite.format.rollup.RollupCell;
import io.tsdbsuite.format.rollup.RollupConfig;
import io.tsdbsuite.format.schema.StorageSchema;
import io.tsdbsuite.query.plan.RollupFunction;
import io.tsdbsuite.query.plan.RollupTables;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import net.opentsdb.core.IllegalDataException;
import org.hbase.async.KeyValue;
import org.junit.jupiter.api.Test;

class RollupRowsTest {
  private static final byte[] KEY = {0, 0, 1, 0, 1, 0x51, (byte) 0x80, 0, 0, 1, 0, 0, 1};
  private static final long BASE = 86_400_000;
  private static final long HOUR = 3_600_000;
  private static final RollupTables TABLES =
      new RollupTables(
          RollupConfig.parse(
              """
              {"aggregationIds": {"sum": 0, "count": 2, "p99": 9, "p999": 10}, "intervals": [
                {"table": "tsdb", "preAggregationTable": "tsdb", "interval": "1m",
                 "rowSpan": "1h", "defaultInterval": true},
                {"table": "t1h", "preAggregationTable": "t1h", "interval": "1h",
                 "rowSpan": "1d"}]}
              """));

  private final List<KeyValue> row = new ArrayList<>();

  @Test
  void valuesAreClippedToThePiece() {
    for (int hour = 0; hour < 24; hour++) {
      sum(hour, 1, hour);
    }
    assertThat(read(RollupFunction.SUM, 3, 6)).isEqualTo("3=3.0 4=4.0 5=5.0");
  }

  @Test
  void theNewestCellOfAValueCounts() {
    sum(0, 5, 1.5);
    cell(RollupCell.of(0, 0, false, 1), 4, new byte[] {9});
    sum(1, 5, 1.5);
    cell(RollupCell.of(0, 1, false, 1), 6, new byte[] {9});
    cell(RollupCell.of(0, 2, false, 1), 5, new byte[] {9});
    sum(2, 5, 1.5);
    assertThat(read(RollupFunction.SUM, 0, 24)).isEqualTo("0=1.5 1=9.0 2=1.5");
  }

  @Test
  void aggregatorsAreReadByIdAndByText() {
    sum(0, 1, 10);
    text("count:", 0, 4);
    text("sum:", 1, 30);
    cell(RollupCell.countQualifier(2, 1), 1, RollupCell.countValue(3));
    text("max:", 2, 30);
    cell(RollupCell.of(3, 3, false, 1), 1, new byte[] {9});
    assertThat(read(RollupFunction.AVG, 0, 24)).isEqualTo("0=10.0/4 1=30.0/3");
  }

  @Test
  void aPercentileHasItsOwnCells() {
    sum(0, 1, 10);
    cell(RollupCell.doubleQualifier(9, 0), 1, RollupCell.doubleValue(99));
    cell(RollupCell.doubleQualifier(10, 0), 1, RollupCell.doubleValue(999));
    text("p99:", 1, 98);
    text("p999:", 1, 998);
    text("p999:", 2, 997);
    assertThat(read(RollupFunction.P99, 0, 24)).isEqualTo("0=99.0 1=98.0");
    assertThat(read(RollupFunction.SUM, 0, 24)).isEqualTo("0=10.0");
  }

  @Test
  void aSumWithoutACountIsAnError() {
    sum(0, 1, 10);
    assertThatThrownBy(() -> read(RollupFunction.AVG, 0, 24))
        .isInstanceOf(IllegalDataException.class)
        .hasMessageContaining("a sum without a count");
    assertThat(read(RollupFunction.AVG, 1, 24)).isEmpty();
  }

  @Test
  void aValueOfAnotherLengthIsAnError() {
    cell(RollupCell.doubleQualifier(0, 0), 1, new byte[] {1, 2});
    assertThatThrownBy(() -> read(RollupFunction.SUM, 0, 24))
        .isInstanceOf(IllegalDataException.class);
  }

  private void sum(int hour, long stamp, double value) {
    cell(RollupCell.doubleQualifier(0, hour), stamp, RollupCell.doubleValue(value));
  }

  private void text(String name, int hour, double value) {
    byte[] qualifier = (name + "__").getBytes(StandardCharsets.ISO_8859_1);
    System.arraycopy(RollupCell.doubleQualifier(0, hour), 1, qualifier, name.length(), 2);
    cell(qualifier, 1, RollupCell.doubleValue(value));
  }

  private void cell(byte[] qualifier, long stamp, byte[] value) {
    row.add(new KeyValue(KEY, new byte[] {'t'}, qualifier, stamp, value));
  }

  private String read(RollupFunction function, int fromHour, int toHour) {
    boolean counted = function == RollupFunction.AVG;
    ScannedSeries series = new ScannedSeries(KEY, counted);
    new RollupRows(
            StorageSchema.defaults(),
            TABLES,
            TABLES.interval("1h"),
            function,
            TimeRanges.of(BASE + fromHour * HOUR, BASE + toHour * HOUR))
        .read(row, series);
    List<String> values = new ArrayList<>();
    for (int i = 0; i < series.size; i++) {
      values.add(
          (series.times[i] - BASE) / HOUR
              + "="
              + series.values[i]
              + (counted ? "/" + series.counts[i] : ""));
    }
    return String.join(" ", values);
  }
}
