package io.tsdbsuite.bulk.settings;

/** Way of writing rows to the table. */
public enum Mode {
  /** Writes rows by puts. */
  PUT,
  /** Writes rows to HFiles, which HBase's bulk load then moves into the table. */
  HFILE
}
