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
public interface HourSource extends Closeable {
  /** Goes to the next hour; all chunks of the one before must have been taken. */
  boolean nextHour() throws IOException;

  /** Goes to the next chunk of the hour; false if there is none. */
  boolean nextChunk() throws IOException;

  /** Row key of the hour, from the first byte on; valid until the next hour. */
  byte[] key();

  /** Length of the row key, bytes. */
  int keyLength();

  /**
   * Points of the chunk, padded as {@code row.PackedPoints} requires; valid until the next call.
   */
  byte[] packed();

  /** Where they begin. */
  int off();

  /** Their length, bytes. */
  int length();

  /** Adds the points dropped since the last call. */
  void drainTo(Tally tally);
}
