package io.tsdbsuite.rollup.verify;

import static org.assertj.core.api.Assertions.assertThat;

import io.tsdbsuite.format.histogram.HistogramCodecs;
import io.tsdbsuite.format.packed.PackedRow;
import io.tsdbsuite.format.rollup.RollupConfig;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HexFormat;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Parts of a row as the suite writes them, in any order, and some that no reader takes. */
class StoredPackedTest {
  private static final int PER_ROW = 24;
  private static final byte[] KEY = {1, 2, 3};

  /** Of 1h with p50 and first, of 1d with p99. */
  private static final Aggregators ALL =
      Aggregators.of(
          RollupConfig.parse(
              """
              {"aggregationIds":{"sum":0,"count":2,"min":3,"max":4,"p50":5,"p99":7,"first":9},
              "intervals":[
              {"table":"t","preAggregationTable":"t","interval":"1m","rowSpan":"1h",
              "defaultInterval":true},
              {"table":"r1h","preAggregationTable":"r1h","interval":"1h","rowSpan":"1d"},
              {"table":"r1d","preAggregationTable":"r1d","interval":"1d","rowSpan":"1n"}],
              "suite":{"values":[
              {"metrics":"a","intervals":"1h","aggregators":"p50,first"},
              {"metrics":"b","intervals":"1d","aggregators":"p99"}]}}
              """),
          HistogramCodecs.NONE);

  private static final int P50 = 1 << 4;
  private static final int FIRST = 1 << 6;

  private final StoredBooks books = new StoredBooks();
  private final StoredPacked stored = new StoredPacked("packed-1h", ALL, "1h", PER_ROW);

  private record Part(byte[] qualifier, byte[] value) {
    static Part of(PackedRow row) {
      byte[] value = row.value();
      return new Part(row.qualifier(KEY, 0, KEY.length, value), value);
    }
  }

  private static PackedRow row(String kind) {
    return new PackedRow(PackedRow.kind(kind), PER_ROW);
  }

  private static void put(PackedRow row, int slot, long asOf, double value) {
    row.put(slot, asOf, value, value + 1, value + 2, (long) value + 3);
  }

  private void begin(String metric) {
    stored.begin(KEY, ALL.ofMetric(metric, "1h"));
  }

  private void add(Part part) {
    stored.cell(part.qualifier, 0, part.qualifier.length, part.value, 0, part.value.length, 1000);
  }

  private static byte[] record(int present, double... values) {
    return VerifyRecord.stored(present, false, values, 0, values.length);
  }

  private static byte[] four(double value) {
    return record(Aggregators.FOUR, value, value + 1, value + 2, value + 3, 0, 0, 0);
  }

  @Test
  void theNewestEntryOfASlotCountsInAnyOrder() {
    PackedRow older = row("");
    PackedRow newer = row("");
    for (int slot = 0; slot < 4; slot++) {
      put(older, slot, 100, 10 + slot);
    }
    put(newer, 1, 101, 20);
    newer.takeBack(2, 101);
    newer.takeBack(3, 99);
    newer.takeBack(5, 101);
    put(newer, PER_ROW - 1, 100, 30);
    List<Part> parts = new ArrayList<>(List.of(Part.of(older), Part.of(newer), Part.of(older)));
    for (int times = 0; times < 2; times++) {
      begin("c");
      parts.forEach(this::add);
      assertThat(stored.offsets()).isEqualTo(PER_ROW);
      assertThat(stored.record(0)).isEqualTo(four(10));
      assertThat(stored.record(1)).isEqualTo(four(20));
      assertThat(VerifyRecord.isTakenBack(stored.record(2))).isTrue();
      assertThat(VerifyRecord.isStored(stored.record(2))).isTrue();
      assertThat(stored.record(3)).isEqualTo(four(13));
      assertThat(stored.record(4)).isNull();
      assertThat(stored.record(5)).isEqualTo(VerifyRecord.takenBack());
      assertThat(stored.record(PER_ROW - 1)).isEqualTo(four(30));
      stored.end(books);
      Collections.reverse(parts);
    }
    assertThat(books.cells()).isEqualTo(6);
    assertThat(books.malformed()).isZero();
    assertThat(books.oldestCell()).isEqualTo(1000);
    begin("c");
    assertThat(stored.record(0)).as("of the row before").isNull();
  }

  /** Others are counted, also those that no metric has. */
  @Test
  void whatTheMetricHasIsRead() {
    PackedRow four = row("");
    put(four, 3, 100, 1);
    PackedRow p50 = row("p50");
    p50.put(3, 100, 5.5);
    p50.put(4, 100, 6.5);
    PackedRow first = row("first");
    first.put(3, 100, 7.5);
    first.takeBack(5, 100);
    PackedRow p99 = row("p99");
    p99.put(3, 100, 8.5);
    List<Part> parts = List.of(Part.of(four), Part.of(p50), Part.of(first), Part.of(p99));
    begin("a");
    parts.forEach(this::add);
    assertThat(stored.record(3))
        .isEqualTo(record(Aggregators.FOUR | P50 | FIRST, 1, 2, 3, 4, 5.5, 0, 7.5));
    assertThat(VerifyRecord.has(stored.record(4), Aggregators.SUM)).isFalse();
    assertThat(VerifyRecord.get(stored.record(4), 4)).isEqualTo(6.5);
    assertThat(VerifyRecord.isTakenBack(stored.record(5))).isTrue();
    stored.end(books);
    assertThat(books.otherAggregates()).isEqualTo(1);
    begin("c");
    parts.forEach(this::add);
    assertThat(VerifyRecord.has(stored.record(3), 4)).isFalse();
    assertThat(stored.record(4)).isNull();
    assertThat(stored.record(5)).isNull();
    stored.end(books);
    assertThat(books.otherAggregates()).isEqualTo(4);
    assertThat(books.malformed()).isZero();
  }

  @Test
  void whatNoReaderTakesIsNamed() {
    PackedRow valid = row("");
    put(valid, 3, 100, 1);
    Part part = Part.of(valid);
    PackedRow wider = new PackedRow(PackedRow.kind(""), PER_ROW + 1);
    put(wider, PER_ROW, 100, 2);
    byte[] crc = part.qualifier.clone();
    crc[crc.length - 1]++;
    byte[] longer = HexFormat.of().parseHex(HexFormat.of().formatHex(part.qualifier) + "00");
    begin("c");
    add(part);
    add(new Part(crc, part.value));
    add(Part.of(wider));
    add(new Part(longer, part.value));
    for (byte kind : new byte[] {0, 10, -1}) {
      byte[] other = part.qualifier.clone();
      other[0] = kind;
      add(new Part(other, part.value));
    }
    add(new Part(new byte[0], part.value));
    assertThat(stored.record(3)).isEqualTo(four(1));
    stored.end(books);
    assertThat(books.malformed()).isEqualTo(7);
    assertThat(books.malformedParts()).isEqualTo(7);
    String row = "table packed-1h, row 010203";
    assertThat(books.problems())
        .allMatch(problem -> problem.startsWith(row))
        .anyMatch(
            problem -> problem.startsWith(row + ": packed cell " + HexFormat.of().formatHex(crc)))
        .anyMatch(problem -> problem.contains("crc must be that of key and value"))
        .anyMatch(problem -> problem.contains("runs must be of slots 0 to 23"))
        .anyMatch(problem -> problem.contains("qualifier must have 11 bytes, found 12"))
        .anyMatch(problem -> problem.equals(row + ", column : its kind must be 1 to 9"));
  }
}
