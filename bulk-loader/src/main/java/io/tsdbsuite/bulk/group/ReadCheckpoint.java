package io.tsdbsuite.bulk.group;

import io.tsdbsuite.bulk.parse.Position;

/**
 * How far a unit of the input was read: reading goes on there.
 *
 * @param unit number of the unit, in the order of the input, from 0
 * @param spills how many spills of the unit there are, those without a point included
 * @param part number of the part in the unit, from 0
 * @param position in that part
 * @param unitDone whether nothing of the unit is left to read
 */
public record ReadCheckpoint(int unit, int spills, int part, Position position, boolean unitDone) {
  /** Nothing of a unit. */
  public static ReadCheckpoint start(int unit) {
    return new ReadCheckpoint(unit, 0, 0, Position.START, false);
  }
}
