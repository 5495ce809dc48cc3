package io.tsdbsuite.bulk.settings;

import io.tsdbsuite.bulk.report.Keyed;

/** Way of writing rows to the table. */
public enum Mode implements Keyed {
  /** Writes rows by puts. */
  PUT,
  /** Writes rows to HFiles, which HBase's bulk load then moves into the table. */
  HFILE
}
