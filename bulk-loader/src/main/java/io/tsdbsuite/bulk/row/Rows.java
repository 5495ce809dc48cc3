package io.tsdbsuite.bulk.row;

import java.io.IOException;
import java.util.List;

/** All rows of a load, ordered; ranges of it can be read at the same time, and again. */
public interface Rows {
  /**
   * Rows of a range.
   *
   * @param from first key, inclusive; empty for the beginning
   * @param to last key, exclusive; empty for the end
   */
  RowSource open(byte[] from, byte[] to) throws IOException;

  /** Keys that divide the rows into ranges of about equal size, ascending, fewer than requested. */
  List<byte[]> cuts(int ranges) throws IOException;
}
