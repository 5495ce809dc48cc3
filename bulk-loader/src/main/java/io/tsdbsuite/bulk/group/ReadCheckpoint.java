package io.tsdbsuite.bulk.group;

import io.tsdbsuite.bulk.parse.Position;

/**
 * Position up to which a unit of the input was read; reading continues there.
 *
 * @param unit number of the unit, in the order of the input, from 0
 * @param spills number of spills of the unit, including spills without a point
 * @param part number of the part in the unit, from 0
 * @param position in that part
 * @param unitDone whether the unit was read to its end
 */
public record ReadCheckpoint(int unit, int spills, int part, Position position, boolean unitDone) {
  /** The start of a unit. */
  public static ReadCheckpoint start(int unit) {
    return new ReadCheckpoint(unit, 0, 0, Position.START, false);
  }
}
