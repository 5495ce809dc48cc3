package io.tsdbsuite.meta.write;

/** What the end of a write tells about HBase; moves the {@link InFlightLimit}. */
enum HBaseAnswer {
  /** HBase took the write. */
  TAKEN,

  /** HBase did not take the write, or did not answer. */
  REFUSED,

  /** The end of the write tells nothing about HBase. */
  NONE
}
