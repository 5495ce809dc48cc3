package io.tsdbsuite.bulk.parse;

/**
 * Position in a part of the input at which reading can continue.
 *
 * @param bytes offset of the next line in the decompressed part; for formats without lines the
 *     bytes read so far, for progress
 * @param lines lines before it; points where the format has no lines
 * @param points points before it, rejected ones included; where formats without lines go on
 */
public record Position(long bytes, long lines, long points) {
  /** The beginning. */
  public static final Position START = new Position(0, 0, 0);
}
