package io.tsdbsuite.bulk.spark;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tsdbsuite.bulk.group.OnConflict;
import io.tsdbsuite.bulk.group.RandomRuns;
import io.tsdbsuite.bulk.report.Count;
import io.tsdbsuite.bulk.report.Tally;
import io.tsdbsuite.bulk.row.EncodedRow;
import io.tsdbsuite.bulk.row.RowSource;
import io.tsdbsuite.bulk.spill.HourSource;
import io.tsdbsuite.bulk.spill.RunMerger;
import io.tsdbsuite.bulk.spill.SpilledRows;
import io.tsdbsuite.testkit.seed.Seed;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import scala.Tuple2;

/** What goes through the shuffle comes out as the rows that a local load makes. */
class ShuffleTest {
  private static final int UNITS = 5;

  @TempDir Path dir;

  private static Random random() {
    long seed = Seed.VALUE;
    System.out.println("seed " + seed);
    return new Random(seed);
  }

  @ParameterizedTest
  @EnumSource(names = {"FIRST", "LAST", "MAX"})
  void rowsAreThoseOfTheLocalMerge(OnConflict onConflict) throws IOException {
    Random random = random();
    RandomRuns runs = new RandomRuns(dir, onConflict, random, UNITS, 2_000, 40);
    Tally dropped = new Tally();
    List<Tuple2<byte[], byte[]>> records = records(runs, onConflict, dropped);
    Collections.shuffle(records, random);
    records.sort((a, b) -> ShuffleKey.ORDER.compare(a._1(), b._1()));
    List<EncodedRow> shuffled = new ArrayList<>();
    try (RowSource rows =
        new RunMerger(new ShuffledHours(records.iterator(), onConflict), runs.rowKey(), 1 << 20)) {
      read(rows, shuffled, dropped);
    }
    List<EncodedRow> merged = new ArrayList<>();
    Tally expected = new Tally();
    byte[] all = {};
    try (RowSource rows =
        new SpilledRows(runs.runs(), onConflict, runs.rowKey(), 1 << 20).open(all, all)) {
      read(rows, merged, expected);
    }
    assertThat(shuffled).hasSameSizeAs(merged).hasSizeGreaterThan(20);
    for (int i = 0; i < merged.size(); i++) {
      assertThat(shuffled.get(i).key()).isEqualTo(merged.get(i).key());
      assertThat(shuffled.get(i).qualifier()).isEqualTo(merged.get(i).qualifier());
      assertThat(shuffled.get(i).value()).isEqualTo(merged.get(i).value());
    }
    assertThat(duplicates(dropped)).isEqualTo(duplicates(expected)).isPositive();
  }

  @Test
  void contradictionsNameTheirUnits() throws IOException {
    Random random = random();
    RandomRuns runs = new RandomRuns(dir, OnConflict.FIRST, random, UNITS, 2_000, 5);
    List<Tuple2<byte[], byte[]>> records = records(runs, OnConflict.FIRST, new Tally());
    records.sort((a, b) -> ShuffleKey.ORDER.compare(a._1(), b._1()));
    ShuffledHours hours = new ShuffledHours(records.iterator(), OnConflict.FAIL);
    assertThatThrownBy(
            () -> {
              while (hours.nextHour()) {
                while (hours.nextChunk()) {
                  assertThat(hours.length).isPositive();
                }
              }
            })
        .isInstanceOfSatisfying(
            ShuffledHours.Conflict.class,
            e -> {
              assertThat(e.units()).hasSizeGreaterThan(1).isSorted();
              assertThat(e.key()).isNotEmpty();
            });
  }

  private static List<Tuple2<byte[], byte[]>> records(
      RandomRuns runs, OnConflict onConflict, Tally dropped) throws IOException {
    List<Tuple2<byte[], byte[]>> records = new ArrayList<>();
    for (int unit = 0; unit < UNITS; unit++) {
      SpilledRows rows = new SpilledRows(runs.runs(unit), onConflict, runs.rowKey(), 1 << 20);
      try (HourSource hours = rows.hours()) {
        while (hours.nextHour()) {
          for (int piece = 0; hours.nextChunk(); piece++) {
            byte[] key = ShuffleKey.of(ShuffleKey.ROW, hours.key, hours.keyLength, unit, piece);
            int from = hours.off;
            byte[] points = Arrays.copyOfRange(hours.packed, from, from + hours.length);
            records.add(new Tuple2<>(key, points));
          }
        }
        hours.drainTo(dropped);
      }
    }
    return records;
  }

  private static void read(RowSource source, List<EncodedRow> into, Tally dropped)
      throws IOException {
    for (EncodedRow row = source.next(); row != null; row = source.next()) {
      into.add(row);
    }
    dropped.add(source.drain());
  }

  /** What was dropped on the way; in which spill is chance. */
  private static long duplicates(Tally tally) {
    return tally.get(Count.DUPLICATES_IDENTICAL) + tally.get(Count.DUPLICATES_CONFLICTING);
  }
}
