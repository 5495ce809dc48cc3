package io.tsdbsuite.rollup.prune;

/** A store file below the archive of a root. */
final class StoredFile {
  private final long bytes;
  private final long modified;

  /** Set by several threads, always to true. */
  private volatile boolean named;

  /** Set by several threads, always to true. */
  private volatile boolean deleted;

  /**
   * @param bytes its length
   * @param modified time of its last change, ms since the epoch
   */
  StoredFile(long bytes, long modified) {
    this.bytes = bytes;
    this.modified = modified;
  }

  long bytes() {
    return bytes;
  }

  long modified() {
    return modified;
  }

  /** Whether a manifest that stays names the file. */
  boolean isNamed() {
    return named;
  }

  void name() {
    named = true;
  }

  void forget() {
    named = false;
  }

  /** Whether this run has deleted the file. */
  boolean isDeleted() {
    return deleted;
  }

  void deleted() {
    deleted = true;
  }
}
