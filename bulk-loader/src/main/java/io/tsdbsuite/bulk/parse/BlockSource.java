package io.tsdbsuite.bulk.parse;

import java.io.IOException;

/**
 * Cuts the text of a part into blocks that can be parsed independently. Not thread-safe, but any
 * thread may ask for the next block.
 */
public interface BlockSource {
  /**
   * Fills the next block.
   *
   * @return false at the end of the text; the block then has nothing
   * @throws BrokenTextException when the text is malformed and no block can be cut any more
   * @throws IOException when the stream fails
   */
  boolean next(TextBlock block) throws IOException;
}
