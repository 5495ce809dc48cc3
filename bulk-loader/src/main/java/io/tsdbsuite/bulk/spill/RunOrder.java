package io.tsdbsuite.bulk.spill;

import java.nio.file.Path;
import java.util.Comparator;

/**
 * Place of a run in the input: its points follow the points of all earlier runs.
 *
 * @param unit number of the unit of the input, from 0
 * @param spill number of the spill in the unit, from 0
 */
public record RunOrder(int unit, int spill) implements Comparable<RunOrder> {
  private static final Comparator<RunOrder> ORDER =
      Comparator.comparingInt(RunOrder::unit).thenComparingInt(RunOrder::spill);

  /**
   * The file of a run: {@code run-UNIT-SPILL}, {@code -to-UNIT-SPILL} if there are several spills
   * in it.
   */
  static Path file(Path directory, RunOrder first, RunOrder last) {
    String name = "run-" + first.unit() + "-" + first.spill();
    if (!last.equals(first)) {
      name += "-to-" + last.unit() + "-" + last.spill();
    }
    return directory.resolve(name);
  }

  @Override
  public int compareTo(RunOrder other) {
    return ORDER.compare(this, other);
  }
}
