package io.tsdbsuite.meta.write;

/** HBase's state as the end of a write shows it; moves the {@link InFlightLimit}. */
enum HBaseAnswer {
  /** HBase took the write. */
  TAKEN,

  /** HBase did not take the write, or did not answer. */
  REFUSED,

  /** The end of the write has no information about HBase. */
  NONE
}
