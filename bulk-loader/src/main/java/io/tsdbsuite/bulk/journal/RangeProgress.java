package io.tsdbsuite.bulk.journal;

/**
 * Progress of the writing of a range of keys.
 *
 * @param lastKey the last acknowledged row key; empty if there is none
 * @param done whether the range is complete
 */
public record RangeProgress(byte[] lastKey, boolean done) {
  /** Not begun. */
  public static final RangeProgress NONE = new RangeProgress(new byte[0], false);
}
