package io.tsdbsuite.bulk.group;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tsdbsuite.bulk.parse.Position;
import io.tsdbsuite.bulk.report.Count;
import io.tsdbsuite.bulk.report.PointsByMetric;
import io.tsdbsuite.bulk.row.EncodedRow;
import io.tsdbsuite.bulk.spill.SeriesTotal;
import io.tsdbsuite.bulk.spill.SeriesTotals;
import io.tsdbsuite.job.JobException;
import io.tsdbsuite.testkit.seed.Seed;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class LoadModelTest {
  private static final String SALTED = "tsd.storage.salt.width=1\ntsd.storage.salt.buckets=3";

  @TempDir Path directory;

  private record Line(String metric, List<String> tags, ModelPoint point) {}

  @ParameterizedTest
  @EnumSource(
      value = OnConflict.class,
      names = {"FIRST", "LAST", "MAX"})
  void rowsAreThoseOfTheModel(OnConflict onConflict) throws Exception {
    for (int round = 0; round < 15; round++) {
      long seed = Seed.VALUE + round;
      System.out.println("LoadModelTest " + onConflict + " seed " + seed);
      check(new Random(seed), onConflict, directory.resolve(onConflict + "-" + round));
    }
  }

  private static void check(Random random, OnConflict onConflict, Path directory) throws Exception {
    directory.toFile().mkdirs();
    TestLoad load = new TestLoad(directory, random.nextBoolean() ? SALTED : "", onConflict);
    Model model = new Model(load.series, onConflict);
    RandomInput input = new RandomInput(random, random.nextBoolean() ? 5 : 3600);
    List<List<Line>> units = new ArrayList<>();
    for (int unit = random.nextInt(6); unit >= 0; unit--) {
      List<Line> lines = new ArrayList<>();
      for (int i = random.nextInt(3000); i > 0; i--) {
        lines.add(new Line(input.metric(), input.tags(), input.point()));
      }
      units.add(lines);
      lines.forEach(line -> model.add(line.metric, line.tags, line.point));
    }
    read(load, units, input, random);
    if (random.nextBoolean()) {
      load.compact(2 + random.nextInt(3));
    }

    List<EncodedRow> rows = load.readAll();

    TestLoad.assertSame(rows, model.rows());
    assertThat(load.tally.get(Count.POINTS_READ)).isEqualTo(model.added);
    assertThat(
            load.tally.get(Count.DUPLICATES_IDENTICAL)
                + load.tally.get(Count.DUPLICATES_CONFLICTING))
        .isEqualTo(model.dropped);
    assertThat(load.tally.missing()).isZero();
    assertSeries(load, rows);
    assertAccepted(load, units);
  }

  /** Every point of the input counts, duplicates too, in its day and in its metric. */
  private static void assertAccepted(TestLoad load, List<List<Line>> units) throws Exception {
    TreeMap<Integer, Long> days = new TreeMap<>();
    TreeMap<String, Long> metrics = new TreeMap<>();
    for (List<Line> lines : units) {
      for (Line line : lines) {
        days.merge((int) (line.point.millis() / 86_400_000), 1L, Long::sum);
        metrics.merge(line.metric, 1L, Long::sum);
      }
    }
    assertThat(load.tally.days()).isEqualTo(days);
    TreeMap<String, Long> found = new TreeMap<>();
    for (PointsByMetric.Entry entry : load.rows().pointsByMetric().largest(100)) {
      found.put(entry.metric(), entry.points());
    }
    assertThat(found).isEqualTo(metrics);
    assertThat(load.rows().pointsByMetric().total()).isEqualTo(load.tally.accepted());
  }

  /** Two threads' groupers, whose units come in any order, with spills at any line. */
  private static void read(TestLoad load, List<List<Line>> units, RandomInput input, Random random)
      throws Exception {
    List<Integer> order = new ArrayList<>();
    for (int i = 0; i < units.size(); i++) {
      order.add(i);
    }
    Collections.shuffle(order, random);
    Grouper[] groupers = {load.grouper(), load.grouper()};
    for (int unit : order) {
      unit(groupers[random.nextInt(2)], unit, units.get(unit), input, random);
    }
  }

  private static void unit(
      Grouper grouper, int unit, List<Line> lines, RandomInput input, Random random)
      throws Exception {
    grouper.begin(ReadCheckpoint.start(unit));
    grouper.part(0, "file" + unit, Position.START);
    for (Line line : lines) {
      TestLoad.add(grouper, TestSeries.text(line.metric, input.spelled(line.tags)), line.point);
      if (random.nextInt(700) == 0) {
        grouper.spill();
      }
    }
    grouper.end();
  }

  @Test
  void threadsShareTheirSinksAndTheResolver() throws Exception {
    TestLoad load = new TestLoad(directory, SALTED, OnConflict.LAST);
    Model model = new Model(load.series, OnConflict.LAST);
    long seed = Seed.VALUE;
    System.out.println("LoadModelTest threads seed " + seed);
    RandomInput input = new RandomInput(new Random(seed), 300);
    ExecutorService pool = Executors.newFixedThreadPool(4);
    List<Future<?>> reading = new ArrayList<>();
    for (int unit = 0; unit < 8; unit++) {
      List<Line> lines = new ArrayList<>();
      for (int i = 0; i < 3000; i++) {
        lines.add(new Line(input.metric(), input.tags(), input.point()));
      }
      lines.forEach(line -> model.add(line.metric, line.tags, line.point));
      int number = unit;
      long unitSeed = seed + unit;
      reading.add(
          pool.submit(
              () -> {
                Random random = new Random(unitSeed);
                RandomInput spelling = new RandomInput(random, 1);
                unit(load.grouper(), number, lines, spelling, random);
                return null;
              }));
    }
    for (Future<?> unit : reading) {
      unit.get();
    }
    pool.shutdown();

    TestLoad.assertSame(load.readAll(), model.rows());
    assertThat(load.tally.missing()).isZero();
  }

  private static void assertSeries(TestLoad load, List<EncodedRow> rows) throws Exception {
    TreeMap<byte[], Long> newest = new TreeMap<>(Arrays::compareUnsigned);
    for (EncodedRow row : rows) {
      byte[] tsuid = load.series.rowKey.tsuid(row.key(), 0, row.key().length);
      newest.merge(tsuid, row.newestMillis(), Math::max);
    }
    try (SeriesTotals totals = load.rows().series()) {
      for (byte[] tsuid : newest.keySet()) {
        SeriesTotal total = totals.next();
        assertThat(total.tsuid()).isEqualTo(tsuid);
        assertThat(total.newestMillis()).isEqualTo(newest.get(tsuid));
        assertThat(total.names()).startsWith("metric.");
      }
      assertThat(totals.next()).isNull();
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void aConflictStopsTheLoad(boolean inOneSpill) throws Exception {
    TestLoad load = new TestLoad(directory, SALTED, OnConflict.FAIL);
    Grouper grouper = load.grouper();
    grouper.begin(ReadCheckpoint.start(0));
    grouper.part(0, "a.gz", Position.START);
    grouper.integer(TestSeries.text("m", "host=a dc=b"), 1_600_041_605L, 1);
    if (!inOneSpill) {
      grouper.spill();
    }
    grouper.floating(TestSeries.text("m", "dc=b host=a"), 1_600_041_605_000L, 1.0);

    assertThatThrownBy(
            () -> {
              grouper.end();
              load.readAll();
            })
        .isInstanceOf(JobException.class)
        .hasMessage(
            "an instant must have one value unless --on-conflict is first, last or max; found 1"
                + " and 1.0 at 1600041605 (2020-09-14T00:00:05Z) of m dc=b host=a in a.gz");
  }
}
