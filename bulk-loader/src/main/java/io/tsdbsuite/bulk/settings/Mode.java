package io.tsdbsuite.bulk.settings;

/** How rows get into the table. */
public enum Mode {
  /** By puts. */
  PUT,
  /** As HFiles, which HBase then takes over. */
  HFILE
}
