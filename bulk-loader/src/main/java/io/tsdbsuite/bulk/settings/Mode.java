package io.tsdbsuite.bulk.settings;

/** How rows are written to the table. */
public enum Mode {
  /** By puts. */
  PUT,
  /** As HFiles, which HBase then takes over. */
  HFILE
}
