package io.tsdbsuite.meta.config;

/** Data per series in the meta table. */
public enum Mode {
  /** When it was last received: the timestamp of {@code ts_ctr}, whose value stays as it is. */
  TRACK,

  /** That, and the number of its points: the value of {@code ts_ctr}. */
  COUNT
}
