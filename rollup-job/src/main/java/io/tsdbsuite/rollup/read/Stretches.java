package io.tsdbsuite.rollup.read;

/** Says how far rows will be read once reading begins somewhere, so that storage is asked once. */
@FunctionalInterface
public interface Stretches {
  /** Every row is read. */
  Stretches ALL = row -> null;

  /**
   * Where the stretch of wanted rows ends.
   *
   * @param row where reading begins, perhaps only the first bytes of a row
   * @return the first row after it that is not wanted; null when there is none
   */
  byte[] end(byte[] row);
}
