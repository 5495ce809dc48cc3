package io.tsdbsuite.bulk.group;

import io.tsdbsuite.bulk.parse.Position;
import io.tsdbsuite.bulk.spill.RunFile;
import io.tsdbsuite.format.row.RowKey;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/** Runs of several units, with random points that collide, for tests of what comes after them. */
public final class RandomRuns {
  private final TestLoad load;

  /**
   * Makes them.
   *
   * @param points of each unit
   * @param instants in an hour
   */
  public RandomRuns(
      Path directory, OnConflict onConflict, Random random, int units, int points, int instants)
      throws IOException {
    load = new TestLoad(directory, "tsd.storage.salt.width = 1", onConflict);
    RandomInput input = new RandomInput(random, instants);
    Grouper grouper = load.grouper();
    for (int unit = 0; unit < units; unit++) {
      grouper.begin(ReadCheckpoint.start(unit));
      grouper.part(0, "unit-" + unit, Position.START);
      for (int i = 0; i < points; i++) {
        TestLoad.add(
            grouper, TestSeries.text(input.metric(), input.spelled(input.tags())), input.point());
        if (i % 1_000 == 999) {
          grouper.spill();
        }
      }
      grouper.end();
    }
  }

  /** All of them, in the order of the input. */
  public List<RunFile> runs() {
    return new ArrayList<>(load.runs);
  }

  /** Those of a unit. */
  public List<RunFile> runs(int unit) {
    return load.runs.stream().filter(run -> run.first().unit() == unit).toList();
  }

  /** Row keys of their installation. */
  public RowKey rowKey() {
    return load.series.rowKey;
  }
}
