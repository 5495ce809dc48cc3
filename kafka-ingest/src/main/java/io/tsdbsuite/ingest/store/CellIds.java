package io.tsdbsuite.ingest.store;

/**
 * The cells that the elements of one message go to; see {@link CellIdentity}. Those of an element
 * are bits of one number: a rollup has a cell for each of its aggregators.
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

  /** Elements of the message, those without a cell included. */
  public int elements() {
    return ids.length;
  }

  /** The number of an element's cells; of use if it has some. */
  public long id(int element) {
    return ids[element];
  }

  /** A bit for each cell of an element, of 64; none if it has no cell. */
  public long bits(int element) {
    return bits[element];
  }
}
