package io.tsdbsuite.bulk.group;

import java.io.IOException;

/** Factory of sinks for spills. Thread-safe. */
@FunctionalInterface
public interface HourSinks {
  /**
   * Begins a spill.
   *
   * @param unit number of the unit in the input; its points precede the points of later units
   * @param spill number of the spill in the unit, from 0; its points precede those of later spills
   * @param source file that the points come from, empty if there is more than one
   */
  HourSink open(int unit, int spill, String source) throws IOException;
}
