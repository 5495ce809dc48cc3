package io.tsdbsuite.bulk.journal;

import io.tsdbsuite.bulk.parse.Position;

/**
 * Progress of the reading of a unit of the input.
 *
 * @param part part of the unit, from 0
 * @param position position in that part at which reading continues
 * @param done whether the unit is read to its end
 * @param spills number of spills so far, and thus the number of the next one
 */
public record UnitProgress(int part, Position position, boolean done, int spills) {
  /** Not begun. */
  public static final UnitProgress NONE = new UnitProgress(0, Position.START, false, 0);
}
