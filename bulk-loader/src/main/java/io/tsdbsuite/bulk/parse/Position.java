package io.tsdbsuite.bulk.parse;

/**
 * How far a part of the input was read; from here it can be read on.
 *
 * @param bytes offset of the next line in the decompressed part; of formats without lines what was
 *     read so far, for progress
 * @param lines lines before it; points where the format has no lines
 * @param points points before it, rejected ones included; where formats without lines go on
 */
public record Position(long bytes, long lines, long points) {
  /** The beginning. */
  public static final Position START = new Position(0, 0, 0);
}
