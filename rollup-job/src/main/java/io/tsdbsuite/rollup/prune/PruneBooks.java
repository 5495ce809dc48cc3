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
  /**
   * The books of a plan or of what was made of it.
   *
   * @param delete whether the files were deleted, not only planned
   */
  static PruneBooks of(PrunePlan plan, boolean delete) {
    Amount kept = Amount.NONE;
    Amount deleted = Amount.NONE;
    Amount young = Amount.NONE;
    Amount failed = Amount.NONE;
    for (StoreDirectory directory : plan.archive().directories().values()) {
      for (StoredFile file : directory.files().values()) {
        if (file.isDeleted()) {
          deleted = deleted.plus(file);
        } else if (file.isNamed()) {
          kept = kept.plus(file);
        } else if (plan.isYoung(file.modified())) {
          young = young.plus(file);
        } else if (delete) {
          failed = failed.plus(file);
        } else {
          deleted = deleted.plus(file);
        }
      }
    }
    return new PruneBooks(plan.archive().found(), kept, deleted, young, failed);
  }

  /** Whether nothing was lost or counted twice. */
  boolean close() {
    return kept.plus(deleted).plus(young).plus(failed).equals(found);
  }
}
