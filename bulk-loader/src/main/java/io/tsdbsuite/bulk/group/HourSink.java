package io.tsdbsuite.bulk.group;

import io.tsdbsuite.bulk.report.Tally;
import java.io.Closeable;
import java.io.IOException;

/** Takes the partial hours of one spill: first all hours, then all series, then the commit. */
public interface HourSink extends Closeable {
  /**
   * A partial hour; keys ascend, each comes once.
   *
   * @param key row key, valid until the call returns
   * @param packed its points ascending, each instant once; see {@code row.PackedPoints}
   * @param points number of points
   */
  void hour(byte[] key, int keyLen, byte[] packed, int off, int len, int points) throws IOException;

  /**
   * A series of these hours; TSUIDs ascend, each comes once.
   *
   * @param names metric and tags in text, for messages
   * @param accepted number of points that came, duplicates included
   * @param points number of points without the duplicates of this spill
   * @param newestMillis time of the last one, milliseconds since the epoch, UTC
   */
  void series(byte[] tsuid, byte[] names, long accepted, long points, long newestMillis)
      throws IOException;

  /**
   * Ends the spill: makes it durable, then final.
   *
   * @param tally counters of reading and rejects since the previous commit
   */
  void commit(ReadCheckpoint upTo, Tally tally) throws IOException;

  /** Discards the spill unless it was committed. */
  @Override
  void close() throws IOException;
}
