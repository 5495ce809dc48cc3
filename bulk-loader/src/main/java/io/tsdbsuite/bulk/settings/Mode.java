package io.tsdbsuite.bulk.settings;

/** Way of writing rows to the table. */
public enum Mode {
  /** By puts. */
  PUT,
  /** As HFiles, which HBase then takes over. */
  HFILE
}
