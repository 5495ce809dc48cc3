package io.tsdbsuite.bulk.parse;

import java.io.IOException;

/** Parses blocks of one format, in any order. Not thread-safe. */
public interface BlockParser {
  /**
   * Passes the points and rejects of a block to the handler, without a position, and sets the
   * block's numbers of lines and points.
   *
   * @param line number of the lines before it
   * @throws BrokenTextException when the text is malformed and reading must end
   * @throws IOException from the handler
   */
  void parse(TextBlock block, long line, PointHandler handler) throws IOException;
}
