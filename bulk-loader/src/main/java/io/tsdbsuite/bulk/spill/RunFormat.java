package io.tsdbsuite.bulk.spill;

/**
 * The file of a run: partial hours by row key.
 *
 * <pre>
 *   file      | "TSDBRUN" 02 | blocks: hours, series, index, footer | trailer |
 *
 *   block     | stored length: 4 | length: 4 | CRC-32C: 4 | stored bytes |
 *             LZ4 block format unless both lengths are equal; the CRC is of both lengths and the
 *             stored bytes; 64 KiB, or more up to the end of an entry
 *
 *   hour      | shared: v | rest: v | rest of the key | points, more: v | [last: v] |
 *             | length: v | packed points |
 *             shared is the length of the common prefix with the key before in the block, bytes;
 *             points, more: number of points * 2, plus 1 if the next entry has later points of the
 *             same key, and then last is the offset of the last point, ms; at most 32 KiB of points
 *
 *   series    | length: v | TSUID | length: v | names, UTF-8 | accepted: v | points: v |
 *             | newest: v |                                                       by TSUID
 *
 *   index     | offset: v | length: v | key |        first key of each block of hours; the offset
 *                                                    minus the offset of the block before
 *
 *   footer    | first unit: v | spill: v | last unit: v | spill: v | hours: v | points: v |
 *             | offset of series: v | offset of index: v | length: v | first key | length: v |
 *             | last key | length: v | source, UTF-8 |
 *
 *   trailer   | offset of the footer: 8 | length of the file: 8 | CRC-32C of both: 4 | "ENDR" |
 * </pre>
 *
 * <p>Numbers are big-endian; v is unsigned, 7 bits a byte, low bits first, the high bit set on all
 * but the last. Packed points: {@code row.PackedPoints}.
 */
final class RunFormat {
  /** "TSDBRUN" and the version. */
  static final long MAGIC = 0x5453444252554e02L;

  static final int MAGIC_LENGTH = 8;

  /** "ENDR". */
  static final int END_MAGIC = 0x454e4452;

  static final int TRAILER_LENGTH = 24;

  static final int BLOCK_HEADER_LENGTH = 12;

  /** Length at which a block is closed, bytes. */
  static final int BLOCK_LENGTH = 64 << 10;

  /** Most points of one entry, bytes. */
  static final int PIECE_LENGTH = 32 << 10;

  /** No block is longer; keys are at most 32 KiB, as HBase's rows. */
  static final int MAX_BLOCK_LENGTH = 1 << 18;

  private RunFormat() {}
}
