package io.tsdbsuite.bulk.journal;

/**
 * How far a range of keys was written.
 *
 * @param lastKey the last row key that is safe; empty if none is
 * @param done whether nothing is left of the range
 */
public record RangeProgress(byte[] lastKey, boolean done) {
  /** Not begun. */
  public static final RangeProgress NONE = new RangeProgress(new byte[0], false);
}
