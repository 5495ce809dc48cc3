package io.tsdbsuite.rollup.job;

/**
 * What is known to be wrong or missing and may be, because the user has said so.
 *
 * @param failedBlocks corrupt blocks of HFiles that may be met before the run stops
 * @param expired whether the window may begin where the table's TTL may have taken points
 * @param skipFlush whether a snapshot may lack what was in the memory of region servers
 * @param empty whether nothing may be emitted of a table that has data
 */
public record Tolerance(long failedBlocks, boolean expired, boolean skipFlush, boolean empty) {
  /** Nothing. */
  public static final Tolerance NONE = new Tolerance(0, false, false, false);
}
