package io.tsdbsuite.coverage;

/** A cell of the coverage table's one family. */
public final class CoverageCell {
  private final byte[] row;
  private final byte[] qualifier;
  private final byte[] value;
  private final long time;

  /**
   * @param row not copied
   * @param qualifier not copied
   * @param value not copied
   * @param time HBase's timestamp, milliseconds since the epoch
   */
  public CoverageCell(byte[] row, byte[] qualifier, byte[] value, long time) {
    this.row = row;
    this.qualifier = qualifier;
    this.value = value;
    this.time = time;
  }

  /** The row key, not copied. */
  public byte[] row() {
    return row;
  }

  /** The qualifier, not copied. */
  public byte[] qualifier() {
    return qualifier;
  }

  /** The value, not copied. */
  public byte[] value() {
    return value;
  }

  /** HBase's timestamp, milliseconds since the epoch. */
  public long time() {
    return time;
  }
}
