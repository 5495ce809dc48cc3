package io.tsdbsuite.rollup.prune;

/**
 * What became of the store files of a root. They close if {@code found = kept + deleted + young +
 * failed}, files and bytes.
 *
 * @param found all, as the first listing counted them
 * @param kept named by a manifest that stays
 * @param deleted deleted by this run; what it would delete if it only planned
 * @param young not named, and younger than the grace time
 * @param failed to be deleted, and not deleted
 */
public record PruneBooks(Amount found, Amount kept, Amount deleted, Amount young, Amount failed) {
  /** Whether nothing was lost or counted twice. */
  boolean close() {
    return kept.plus(deleted).plus(young).plus(failed).equals(found);
  }

  /**
   * A number of files and their size.
   *
   * @param files their number
   * @param bytes their total size
   */
  public record Amount(long files, long bytes) {
    static final Amount NONE = new Amount(0, 0);

    /** One file more. */
    Amount plusFile(long size) {
      return new Amount(files + 1, bytes + size);
    }

    Amount plus(Amount other) {
      return new Amount(files + other.files, bytes + other.bytes);
    }

    @Override
    public String toString() {
      return files + " files, " + bytes + " bytes";
    }
  }
}
