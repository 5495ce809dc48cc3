package io.tsdbsuite.bulk.spark;

import io.tsdbsuite.bulk.group.ConflictException;

/** Two values of one instant, from different units of the input. */
final class RowConflictException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final byte[] key;
  private final ConflictException conflict;
  private final int[] units;

  RowConflictException(byte[] key, ConflictException conflict, int[] units) {
    super(conflict);
    this.key = key;
    this.conflict = conflict;
    this.units = units;
  }

  /** Row key. */
  byte[] key() {
    return key;
  }

  ConflictException conflict() {
    return conflict;
  }

  /** The units that have points of the row. */
  int[] units() {
    return units;
  }
}
