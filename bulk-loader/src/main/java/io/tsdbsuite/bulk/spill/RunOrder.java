package io.tsdbsuite.bulk.spill;

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

  @Override
  public int compareTo(RunOrder other) {
    return ORDER.compare(this, other);
  }
}
