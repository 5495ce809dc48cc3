package io.tsdbsuite.query.read;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tsdbsuite.coverage.TimeRanges;
import io.tsdbsuite.format.packed.PackedRow;
import io.tsdbsuite.format.rollup.RollupConfig;
import io.tsdbsuite.format.rollup.RollupInterval;
import io.tsdbsuite.format.schema.StorageSchema;
import io.tsdbsuite.query.plan.RollupFunction;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.function.Consumer;
import org.hbase.async.KeyValue;
import org.junit.jupiter.api.Test;

class PackedRowsTest {
  private static final byte[] KEY = {0, 0, 1, 0, 1, 0x51, (byte) 0x80, 0, 0, 1, 0, 0, 1};
  private static final long BASE = 86_400_000;
  private static final long HOUR = 3_600_000;
  private static final RollupInterval INTERVAL =
      RollupConfig.parse(
              """
              {"aggregationIds": {"sum": 0, "count": 2}, "intervals": [
                {"table": "tsdb", "preAggregationTable": "tsdb", "interval": "1m",
                 "rowSpan": "1h", "defaultInterval": true},
                {"table": "t1h", "preAggregationTable": "t1h", "interval": "1h",
                 "rowSpan": "1d"}]}
              """)
          .interval("1h");

  private final List<KeyValue> row = new ArrayList<>();

  @Test
  void eachFunctionReadsItsColumn() {
    part("", part -> part.put(3, 1000, 40.5, 1.5, 20, 7));
    assertThat(read(RollupFunction.SUM, 0, 24)).isEqualTo("3=40.5");
    assertThat(read(RollupFunction.MIN, 0, 24)).isEqualTo("3=1.5");
    assertThat(read(RollupFunction.MAX, 0, 24)).isEqualTo("3=20.0");
    assertThat(read(RollupFunction.COUNT, 0, 24)).isEqualTo("3=7.0");
    assertThat(read(RollupFunction.AVG, 0, 24)).isEqualTo("3=40.5/7");
    part("p99", part -> part.put(4, 1000, 99.5));
    assertThat(read(RollupFunction.P99, 0, 24)).isEqualTo("4=99.5");
    assertThat(read(RollupFunction.SUM, 0, 24)).isEqualTo("3=40.5");
  }

  @Test
  void theNewestEntryOfASlotCountsInAnyOrderOfParts() {
    part(
        "",
        part -> {
          for (int slot = 0; slot < 24; slot += 2) {
            part.put(slot, 1000, slot, slot, slot, 1);
          }
        });
    part("", part -> part.put(2, 2000, 22, 2, 2, 1));
    part("", part -> part.put(4, 500, 44, 4, 4, 1));
    part("", part -> part.takeBack(6, 3000));
    part("", part -> part.takeBack(8, 500));
    part("", part -> part.put(9, 3000, 9, 9, 9, 1));
    String expected = "2=22.0 4=4.0 8=8.0 9=9.0";
    assertThat(read(RollupFunction.SUM, 2, 10)).isEqualTo(expected);
    Collections.reverse(row);
    assertThat(read(RollupFunction.SUM, 2, 10)).isEqualTo(expected);
  }

  @Test
  void rowsBesideThePiecesAreNotLookedAt() {
    row.add(new KeyValue(KEY, new byte[] {'t'}, new byte[] {1, 2}, 1, new byte[] {3}));
    assertThat(read(RollupFunction.SUM, 24, 48)).isEmpty();
    assertThat(read(RollupFunction.SUM, -3, 0)).isEmpty();
    assertThatThrownBy(() -> read(RollupFunction.SUM, 23, 48))
        .isInstanceOf(UnreadablePackedException.class)
        .hasMessage(
            "packed row of 1h, key 00000100015180000001000001: packed cell 0102: qualifier must"
                + " have 11 bytes, found 2");
  }

  @Test
  void aWrongByteIsNeverAValue() {
    part("", part -> part.put(3, 1000, 40.5, 1.5, 20, 7));
    KeyValue right = row.get(0);
    for (int i = 0; i < right.value().length; i++) {
      byte[] wrong = right.value().clone();
      wrong[i] ^= 1;
      row.set(0, new KeyValue(KEY, new byte[] {'t'}, right.qualifier(), 1, wrong));
      assertThatThrownBy(() -> read(RollupFunction.SUM, 0, 24))
          .isInstanceOf(UnreadablePackedException.class);
    }
    row.set(0, new KeyValue(otherKey(), new byte[] {'t'}, right.qualifier(), 1, right.value()));
    assertThatThrownBy(() -> read(RollupFunction.SUM, 0, 24))
        .hasMessageContaining("crc must be that of key and value");
  }

  private static byte[] otherKey() {
    byte[] key = KEY.clone();
    key[2] = 2;
    return key;
  }

  private void part(String aggregator, Consumer<PackedRow> entries) {
    PackedRow part = new PackedRow(PackedRow.kind(aggregator), INTERVAL.intervalsPerRow());
    entries.accept(part);
    byte[] value = part.value();
    byte[] qualifier = part.qualifier(KEY, 0, KEY.length, value);
    row.add(new KeyValue(KEY, new byte[] {'t'}, qualifier, part.asOf(), value));
  }

  private String read(RollupFunction function, int fromHour, int toHour) {
    boolean counted = function == RollupFunction.AVG;
    ScannedSeries series = new ScannedSeries(KEY, counted);
    PackedRows rows =
        new PackedRows(
            StorageSchema.defaults(),
            INTERVAL,
            function,
            TimeRanges.of(BASE + fromHour * HOUR, BASE + toHour * HOUR));
    rows.read(row, series);
    assertThat(rows.bytes()).isGreaterThan(24 * 40);
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
