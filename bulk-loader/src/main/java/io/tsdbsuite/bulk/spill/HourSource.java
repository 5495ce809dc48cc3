package io.tsdbsuite.bulk.spill;

import io.tsdbsuite.bulk.report.Tally;
import java.io.Closeable;
import java.io.IOException;

/**
 * Hours by key, the points of each in chunks that ascend, each instant once.
 *
 * <pre>
 *   ( nextHour() nextChunk()* )*
 * </pre>
 */
public abstract class HourSource implements Closeable {
  /** Row key of the hour, from the first byte on; valid until the next hour. */
  public byte[] key = {};

  /** Length of the row key, bytes. */
  public int keyLength;

  /**
   * Points of the chunk, padded as {@code row.PackedPoints} requires; valid until the next call.
   */
  public byte[] packed = {};

  /** Where they begin. */
  public int off;

  /** Their length, bytes. */
  public int length;

  /** Goes to the next hour; all chunks of the one before must have been taken. */
  public abstract boolean nextHour() throws IOException;

  /** Goes to the next chunk of the hour; false if there is none. */
  public abstract boolean nextChunk() throws IOException;

  /** Adds the points dropped since the last call. */
  public abstract void drainTo(Tally tally);
}
