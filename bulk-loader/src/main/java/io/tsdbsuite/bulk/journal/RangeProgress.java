package io.tsdbsuite.bulk.journal;

/**
 * How far a range of keys was written.
 *
 * @param lastKey the last acknowledged row key; empty if there is none
 * @param done whether the range is complete
 */
public record RangeProgress(byte[] lastKey, boolean done) {
  /** Not begun. */
  public static final RangeProgress NONE = new RangeProgress(new byte[0], false);
}
