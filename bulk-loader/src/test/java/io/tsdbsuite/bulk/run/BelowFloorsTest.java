package io.tsdbsuite.bulk.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tsdbsuite.bulk.group.OnConflict;
import io.tsdbsuite.bulk.group.RandomRuns;
import io.tsdbsuite.bulk.row.EncodedRow;
import io.tsdbsuite.bulk.row.RowSource;
import io.tsdbsuite.bulk.spill.SeriesTotal;
import io.tsdbsuite.bulk.spill.SeriesTotals;
import io.tsdbsuite.bulk.spill.SpilledRows;
import io.tsdbsuite.coverage.CoverageFloor;
import io.tsdbsuite.format.row.RowKey;
import io.tsdbsuite.job.ExitCode;
import io.tsdbsuite.job.JobException;
import io.tsdbsuite.job.spark.JavaBytes;
import io.tsdbsuite.testkit.seed.Seed;
import java.io.IOException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class BelowFloorsTest {
  /** 2020-09-14T00:00:00Z, the first hour of {@link RandomRuns}. */
  private static final long BASE = 1_600_041_600L;

  private static final long HOUR = 3600;

  @TempDir Path dir;

  private static CoverageFloor floor(String level, long before, String metrics) {
    return new CoverageFloor(level, "w", before, metrics, "a proof", BASE * 2000);
  }

  @Test
  void pointsFromTheFloorOnAndOfOtherMetricsAreTaken() {
    BelowFloors below =
        new BelowFloors(
            List.of(floor("raw", BASE, "web.*,!web.x"), floor("1h", BASE + 2 * HOUR, "*")));
    below.add("web.x", BASE - HOUR, 1);
    below.add("app.x", BASE - HOUR, 1);
    below.add("web.y", BASE, 1);
    below.add("web.y", BASE - HOUR, 0);
    assertThatCode(below::require).doesNotThrowAnyException();
    below.add("web.y", BASE - HOUR, 3);
    below.add("web.y", BASE - 3 * HOUR, 2);
    assertThatThrownBy(below::require)
        .isInstanceOf(JobException.class)
        .hasMessage(
            "points of metric web.y must not be before 2020-09-14T00:00:00Z, where raw data may be"
                + " gone and queries read rollups (a floor of the coverage table), found 5 from"
                + " the hour 2020-09-13T21:00:00Z on")
        .extracting(e -> ((JobException) e).exitCode())
        .isEqualTo(ExitCode.USAGE);
  }

  @Test
  void aMessageNamesTwentyMetrics() {
    BelowFloors below = new BelowFloors(List.of(floor("raw", BASE, "*")));
    IntStream.range(0, 22).forEach(i -> below.add("m" + i, BASE - HOUR, 1));
    BelowFloors sum = new BelowFloors(List.of());
    sum.add(JavaBytes.read(JavaBytes.of(below), BelowFloors.class));
    sum.add(JavaBytes.read(JavaBytes.of(below), BelowFloors.class));
    assertThatThrownBy(sum::require)
        .hasMessageContainingAll("metric m0 ", "found 2 from", "and 2 more metrics have");
  }

  @Test
  void aFloorOfTheLoadThatWasRaisedSinceIsFound() {
    BelowFloors now =
        new BelowFloors(List.of(floor("raw", BASE, "web.*"), floor("1h", BASE + HOUR, "*")));
    assertThatCode(() -> now.requireSame(List.of(floor("raw", BASE, "web.*")), 0))
        .doesNotThrowAnyException();
    assertThatCode(() -> now.requireSame(List.of(), BASE)).doesNotThrowAnyException();
    for (List<CoverageFloor> earlier :
        List.of(List.<CoverageFloor>of(), List.of(floor("raw", BASE - 24 * HOUR, "web.*")))) {
      assertThatThrownBy(() -> now.requireSame(earlier, BASE - 1))
          .isInstanceOf(JobException.class)
          .hasMessage(
              "row floor/raw/w of the coverage table must be as it was when the load began, found"
                  + " that raw data of web.* before 2020-09-14T00:00:00Z may be gone now: start"
                  + " the load again")
          .extracting(e -> ((JobException) e).exitCode())
          .isEqualTo(ExitCode.USAGE);
    }
  }

  /** Duplicates count once, chunks of an hour all. */
  @Test
  void rowsOfRunsAreCounted() throws IOException {
    RandomRuns runs =
        new RandomRuns(dir, OnConflict.FIRST, new Random(Seed.VALUE), 2, 3_000, 3_000);
    RowKey rowKey = runs.rowKey();
    SpilledRows rows = new SpilledRows(runs.runs(), OnConflict.FIRST, rowKey, 1 << 20);
    Map<Long, String> names = new HashMap<>();
    try (SeriesTotals totals = rows.series()) {
      for (SeriesTotal next = totals.next(); next != null; next = totals.next()) {
        byte[] uid = next.tsuid();
        names.put(
            (uid[0] & 0xffL) << 16 | (uid[1] & 0xff) << 8 | (uid[2] & 0xff),
            next.names().split(" ", 2)[0]);
      }
    }
    Map<String, Long> expected = new TreeMap<>();
    byte[] all = {};
    try (RowSource source = rows.open(all, all)) {
      for (EncodedRow row = source.next(); row != null; row = source.next()) {
        if (rowKey.baseTime(row.key(), 0) < BASE + 2 * HOUR) {
          String name = names.get(rowKey.metricUid(row.key(), 0));
          expected.merge(name, (long) row.points(), Long::sum);
        }
      }
    }
    assertThat(expected).hasSizeGreaterThan(1);
    BelowFloors below = new BelowFloors(List.of(floor("raw", BASE + 2 * HOUR, "*")));
    below.add(rows, rowKey);
    String[] found =
        expected.entrySet().stream()
            .map(
                of ->
                    ("metric %s must not be before 2020-09-14T02:00:00Z, where raw data may be gone"
                            + " and queries read rollups (a floor of the coverage table), found %s"
                            + " from the hour 2020-09-14T00:00:00Z on")
                        .formatted(of.getKey(), of.getValue()))
            .toArray(String[]::new);
    assertThatThrownBy(below::require).hasMessageContainingAll(found);

    BelowFloors none = new BelowFloors(List.of(floor("raw", BASE, "*")));
    none.add(rows, rowKey);
    none.require();
  }
}
