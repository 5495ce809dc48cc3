package io.tsdbsuite.format.row;

/**
 * Rules that a series' key in the data table can break. The TSD itself checks only the length
 * (docs/storage.md 1).
 */
public enum KeyProblem {
  /** Shorter than salt, metric UID and base time together. */
  TOO_SHORT("must hold salt, metric UID and 4 bytes of base time"),
  /** The bytes after the base time are not a whole number of tag pairs. */
  PARTIAL_TAG_PAIR("must end after a whole tag key and tag value UID"),
  /** The key has no tags, as the global annotation row (metric UID 0), which is not a series. */
  NO_TAGS("must have at least one tag"),
  /** The base time is not a multiple of 3600 seconds. */
  UNALIGNED_BASE_TIME("base time must be a full hour"),
  /** The pairs do not ascend by tag key UID. */
  UNSORTED_TAGS("tag pairs must ascend by tag key UID"),
  /** One tag key UID appears twice. */
  DUPLICATE_TAG_KEY("a tag key UID must appear once"),
  /** The salt is not the hash of this metric and these tags. */
  WRONG_SALT("salt must be the hash of metric and tag UIDs modulo the buckets");

  private final String rule;

  KeyProblem(String rule) {
    this.rule = rule;
  }

  /** The rule that the key breaks, for messages. */
  public String rule() {
    return rule;
  }
}
