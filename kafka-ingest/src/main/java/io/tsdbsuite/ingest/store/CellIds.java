package io.tsdbsuite.ingest.store;

/**
 * The cells that the elements of one message write; see {@link CellIdentity}. An element has one
 * id, and one bit for each cell: a rollup has a cell for each of its aggregators.
 */
public final class CellIds {
  private final long[] ids;
  private final long[] bits;

  CellIds(int elements) {
    this.ids = new long[elements];
    this.bits = new long[elements];
  }

  void set(int element, long id, long itsBits) {
    ids[element] = id;
    bits[element] = itsBits;
  }

  /** Number of elements, including those without a cell. */
  public int elements() {
    return ids.length;
  }

  /** Id of an element's cells; valid if it has any. */
  public long id(int element) {
    return ids[element];
  }

  /** One bit for each cell of an element; 0 if it has none. */
  public long bits(int element) {
    return bits[element];
  }
}
