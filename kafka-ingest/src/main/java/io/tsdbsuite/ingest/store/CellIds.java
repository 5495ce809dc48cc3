package io.tsdbsuite.ingest.store;

import java.util.Arrays;

/** The cells that the elements of one message go to, each as a number; see {@link CellIdentity}. */
public final class CellIds {
  private final int[] ends;
  private int elements;
  private long[] ids;
  private int size;

  CellIds(int elements) {
    this.ends = new int[elements];
    this.ids = new long[Math.max(4, elements)];
  }

  /** One more cell of the element at hand. */
  void add(long id) {
    if (size == ids.length) {
      ids = Arrays.copyOf(ids, size * 2);
    }
    ids[size++] = id;
  }

  /** The element at hand has no more cells. */
  void endElement() {
    ends[elements++] = size;
  }

  /** Elements of the message, those without a cell included. */
  public int elements() {
    return elements;
  }

  /** Index of the first cell of an element; of the element after the last one, that of the end. */
  public int start(int element) {
    return element == 0 ? 0 : ends[element - 1];
  }

  /** The number of a cell. */
  public long id(int index) {
    return ids[index];
  }
}
