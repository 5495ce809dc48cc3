package io.tsdbsuite.bulk.parse;

import java.io.IOException;
import java.io.InputStream;

/** Reads points of one format. One for each thread, reused for part after part. */
public interface PointReader {
  /**
   * Reads to the end of the part, or until the handler stops it. Bad lines go to the handler.
   *
   * @param in decompressed, from the start of the part; for formats of lines from {@code
   *     from.bytes()} on
   * @param from where to go on; nothing before it is handed over
   * @param end offset in the part at which no further line begins, {@link Long#MAX_VALUE} for all
   * @throws BrokenTextException when nothing behind a place can be trusted
   * @throws IOException when the stream fails, or the handler
   */
  void read(InputStream in, Position from, long end, PointHandler handler) throws IOException;
}
