package io.tsdbsuite.bulk.parse;

import java.io.IOException;
import java.io.InputStream;

/** Reads points of one format. Not thread-safe, reused for part after part. */
public interface PointReader {
  /**
   * Reads to the end of the part, or until the handler stops it. Bad lines go to the handler.
   *
   * @param in decompressed, from the start of the part; for formats of lines from {@code
   *     from.bytes()} on
   * @param from position at which to continue; the handler receives nothing before it
   * @param end offset in the part from which on no further line begins, bytes, {@link
   *     Long#MAX_VALUE} for all
   * @throws BrokenTextException when the text is malformed and the reader cannot resume
   * @throws IOException when the stream or the handler fails
   */
  void read(InputStream in, Position from, long end, PointHandler handler) throws IOException;
}
