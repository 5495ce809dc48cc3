package io.tsdbsuite.bulk.group;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tsdbsuite.bulk.parse.Position;
import io.tsdbsuite.bulk.parse.SeriesText;
import io.tsdbsuite.bulk.report.Count;
import io.tsdbsuite.bulk.row.EncodedRow;
import io.tsdbsuite.bulk.spill.RunFile;
import io.tsdbsuite.format.row.CompactedCell;
import io.tsdbsuite.format.row.PointBuffer;
import io.tsdbsuite.job.JobException;
import io.tsdbsuite.testkit.seed.Seed;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Runs as files: ranges of them, large hours, damage. */
class RunsTest {
  private static final long HOUR = 1_600_041_600L;

  @TempDir Path directory;

  private TestLoad loaded(Random random, int points, int pointsOfRun) throws Exception {
    TestLoad load = new TestLoad(directory, "", OnConflict.LAST);
    Grouper grouper = load.grouper();
    grouper.begin(ReadCheckpoint.start(0));
    grouper.part(0, "all", Position.START);
    for (int i = 0; i < points; i++) {
      SeriesText text = TestSeries.text("m" + random.nextInt(5), "host=h" + random.nextInt(20));
      grouper.integer(text, HOUR + random.nextInt(36_000), random.nextLong());
      if (i % pointsOfRun == pointsOfRun - 1) {
        grouper.spill();
      }
    }
    grouper.end();
    return load;
  }

  @Test
  void rangesGiveEachRowOnce() throws Exception {
    long seed = Seed.VALUE;
    System.out.println("RunsTest seed " + seed);
    // Runs of a dozen blocks: of three, the keys of seven ranges can fall together by chance.
    TestLoad load = loaded(new Random(seed), 240_000, 60_000);
    List<EncodedRow> all = load.readAll();
    assertThat(load.tally.missing()).isZero();

    for (int ranges : new int[] {1, 2, 3, 7, 40, 1000}) {
      List<byte[]> cuts = load.rows().cuts(ranges);
      assertThat(cuts).hasSizeLessThan(ranges);
      assertThat(cuts.size()).isGreaterThanOrEqualTo(Math.min(ranges, 7) - 1);
      assertRanges(load, cuts, all);
    }
    List<byte[]> everyKey = new ArrayList<>();
    for (int i = 0; i < all.size(); i += 13) {
      everyKey.add(all.get(i).key());
      everyKey.add(Arrays.copyOf(all.get(i).key(), all.get(i).key().length + 1));
    }
    assertRanges(load, everyKey, all);
  }

  private static void assertRanges(TestLoad load, List<byte[]> cuts, List<EncodedRow> all)
      throws Exception {
    List<EncodedRow> found = new ArrayList<>();
    byte[] from = {};
    for (byte[] cut : cuts) {
      assertThat(Arrays.compareUnsigned(from, cut)).isNegative();
      found.addAll(load.read(load.rows(), from, cut));
      from = cut;
    }
    found.addAll(load.read(load.rows(), from, new byte[0]));
    TestLoad.assertSame(found, all);
  }

  @Test
  void aLargeHourComesInSeveralCells() throws Exception {
    TestLoad load = new TestLoad(directory, "", OnConflict.FIRST);
    Grouper grouper = load.grouper();
    PointBuffer expected = new PointBuffer();
    for (int i = 0; i < 300_000; i++) {
      expected.addInteger(i * 12, true, i % 2 == 0 ? i : -1);
    }
    // Three spills of the whole hour, one of them backwards, and a duplicate of each point.
    for (int unit = 0; unit < 4; unit++) {
      grouper.begin(ReadCheckpoint.start(unit));
      grouper.part(0, "f" + unit, Position.START);
      for (int i = 0; i < 300_000; i++) {
        int at = unit == 1 ? 299_999 - i : i;
        if (at % 3 == unit || unit == 3) {
          long time = HOUR * 1000 + expected.offsetMillis(at);
          grouper.integer(TestSeries.text("m", "h=a"), time, expected.longValue(at));
        }
      }
      grouper.end();
    }
    load.compact(3);

    List<EncodedRow> rows = load.read(load.rows(100_000), new byte[0], new byte[0]);

    assertThat(rows).hasSizeGreaterThan(10);
    PointBuffer found = new PointBuffer();
    for (EncodedRow row : rows) {
      assertThat(row.qualifier().length + row.value().length).isLessThan(100_020);
      assertThat(row.key()).isEqualTo(rows.get(0).key());
      CompactedCell.decode(
          row.qualifier(), 0, row.qualifier().length, row.value(), 0, row.value().length, found);
    }
    assertThat(CompactedCell.encode(found).qualifier())
        .isEqualTo(CompactedCell.encode(expected).qualifier());
    assertThat(CompactedCell.encode(found).value())
        .isEqualTo(CompactedCell.encode(expected).value());
    assertThat(load.tally.get(Count.DUPLICATES_IDENTICAL)).isEqualTo(300_000);
    assertThat(load.tally.missing()).isZero();
  }

  @Test
  void damageIsFoundAndNamed() throws Exception {
    long seed = Seed.VALUE;
    System.out.println("RunsTest seed " + seed);
    Random random = new Random(seed);
    TestLoad load = loaded(random, 10_000, 15_000);
    RunFile run = load.runs.get(0);
    byte[] good = Files.readAllBytes(run.path());
    for (int i = 0; i < 200; i++) {
      byte[] bad = good.clone();
      bad[random.nextInt(bad.length)] ^= (byte) (1 << random.nextInt(8));
      assertDamaged(load, run.path(), bad);
    }
    for (int i = 0; i < 50; i++) {
      assertDamaged(load, run.path(), Arrays.copyOf(good, random.nextInt(good.length)));
    }
  }

  private static void assertDamaged(TestLoad load, Path path, byte[] content) throws Exception {
    Files.write(path, content);
    assertThatThrownBy(
            () -> {
              RunFile run = RunFile.read(path);
              load.runs.set(0, run);
              load.readAll();
              load.rows().cuts(100);
              load.rows().series().next();
            })
        .isInstanceOf(JobException.class)
        .hasMessageStartingWith("run " + path + " is damaged at byte ");
  }

  @Test
  void aSpillThatFailsLeavesNoFile() throws Exception {
    TestLoad load = new TestLoad(directory, "", OnConflict.FAIL);
    Grouper grouper = load.grouper();
    grouper.begin(ReadCheckpoint.start(0));
    grouper.part(0, "f", Position.START);
    grouper.integer(TestSeries.text("a", "h=a"), HOUR, 1);
    grouper.integer(TestSeries.text("b", "h=a"), HOUR, 1);
    grouper.integer(TestSeries.text("b", "h=a"), HOUR, 2);

    assertThatThrownBy(grouper::end).isInstanceOf(JobException.class);
    try (var files = Files.list(directory)) {
      assertThat(files).isEmpty();
    }
  }
}
