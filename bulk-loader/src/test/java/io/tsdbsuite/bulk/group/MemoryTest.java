package io.tsdbsuite.bulk.group;

import static org.assertj.core.api.Assertions.assertThat;

import io.tsdbsuite.bulk.parse.Position;
import io.tsdbsuite.bulk.parse.SeriesText;
import io.tsdbsuite.bulk.report.Count;
import io.tsdbsuite.bulk.row.EncodedRow;
import io.tsdbsuite.bulk.row.RowSource;
import io.tsdbsuite.bulk.spill.RunFile;
import io.tsdbsuite.testkit.seed.Seed;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class MemoryTest {
  private static final long HOUR = 1_600_041_600L;
  private static final int LINE = 45;

  @TempDir Path directory;

  /** Each point alone in its hour: the most memory a point can take. */
  @Test
  void shuffledInputStaysInItsMemoryOverManyRuns() throws Exception {
    long seed = Seed.VALUE;
    System.out.println("MemoryTest seed " + seed);
    Random random = new Random(seed);
    TestLoad load = new TestLoad(directory, "", OnConflict.FAIL);
    Grouper grouper = load.grouper();
    grouper.begin(ReadCheckpoint.start(0));
    grouper.part(0, "all", Position.START);
    SeriesText[] texts = new SeriesText[1000];
    for (int i = 0; i < texts.length; i++) {
      texts[i] = TestSeries.text("metric." + i % 10, "host=web" + i);
    }
    int points = Seed.times(1_500_000, 5_000_000);
    long most = 0;
    for (int i = 0; i < points; i++) {
      long time = HOUR + 3600L * random.nextInt(20_000) + random.nextInt(3600);
      grouper.integer(texts[random.nextInt(texts.length)], time, time % 100);
      if (i % 20_000 == 0) {
        most = Math.max(most, grouper.used());
        grouper.at(new Position((long) i * LINE, i, i));
        assertThat(grouper.held()).isLessThan(load.memory);
      }
    }
    grouper.end();
    int runs = load.runs.size();
    load.compact(8);

    assertThat(most).isLessThan(load.memory);
    assertThat(runs).isGreaterThan(points / 100_000);
    assertThat(load.runs).hasSizeLessThanOrEqualTo(8);
    int next = 0;
    for (RunFile run : load.runs) {
      assertThat(run.first().spill()).isEqualTo(next);
      next = run.last().spill() + 1;
    }
    assertThat(next).isEqualTo(runs);
    readInOrder(load);
    assertThat(load.tally.get(Count.POINTS_READ)).isEqualTo(points);
    assertThat(load.tally.missing()).isZero();
  }

  private static void readInOrder(TestLoad load) throws Exception {
    byte[] before = new byte[0];
    try (RowSource source = load.rows().open(new byte[0], new byte[0])) {
      for (EncodedRow row = source.next(); row != null; row = source.next()) {
        if (Arrays.compareUnsigned(before, row.key()) >= 0) {
          throw new AssertionError("keys must ascend");
        }
        before = row.key();
        load.tally.add(Count.POINTS_WRITTEN, row.points());
      }
      load.tally.add(source.drain());
    }
  }

  /** Each series with one point: names are most of the memory. */
  @Test
  void manySeriesAreForgotten() throws Exception {
    TestLoad load = new TestLoad(directory, "", OnConflict.FAIL);
    Grouper grouper = load.grouper();
    grouper.begin(ReadCheckpoint.start(0));
    grouper.part(0, "all", Position.START);
    int points = 60_000;
    for (int i = 0; i < points; i++) {
      grouper.integer(TestSeries.text("metric", "host=web" + i % 50_000), HOUR, 1);
      if (i % 1_000 == 0) {
        grouper.at(new Position((long) i * LINE, i, i));
        assertThat(grouper.held()).isLessThan(load.memory);
      }
    }
    grouper.end();

    assertThat(load.runs).hasSizeGreaterThan(2);
    assertThat(load.readAll()).hasSize(50_000);
    assertThat(load.tally.get(Count.DUPLICATES_IDENTICAL)).isEqualTo(10_000);
    assertThat(load.tally.missing()).isZero();
  }
}
