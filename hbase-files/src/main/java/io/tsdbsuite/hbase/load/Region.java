package io.tsdbsuite.hbase.load;

/** The keys of one region of a table. */
public final class Region {
  private final byte[] start;
  private final byte[] end;

  /**
   * @param start first key, inclusive; empty for the first region; not copied
   * @param end last key, exclusive; empty for the last region; not copied
   */
  public Region(byte[] start, byte[] end) {
    this.start = start;
    this.end = end;
  }

  /** First key, inclusive; empty for the first region. */
  public byte[] start() {
    return start;
  }

  /** Last key, exclusive; empty for the last region. */
  public byte[] end() {
    return end;
  }
}
