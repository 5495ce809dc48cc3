package io.tsdbsuite.rollup.prune;

import java.io.IOException;
import java.util.SortedSet;
import java.util.TreeSet;
import org.apache.hadoop.fs.Path;

/**
 * Removes empty directories of the archive: those that this run has emptied, and old ones that a
 * killed run has left. An object store has them as empty objects.
 */
final class EmptyDirectories {
  private final BackupRoot root;
  private final PrunePlan plan;
  private final Workers workers;

  EmptyDirectories(BackupRoot root, PrunePlan plan, Workers workers) {
    this.root = root;
    this.plan = plan;
    this.workers = workers;
  }

  /** Removes them, families first, namespaces last. */
  void remove() throws IOException {
    SortedSet<String> level = new TreeSet<>();
    plan.archive()
        .directories()
        .forEach(
            (path, directory) -> {
              if (isEmptied(directory) || (directory.isEmpty() && isOld(directory.modified()))) {
                level.add(path);
              }
            });
    plan.archive().hollow().stream()
        .filter(directory -> isOld(directory.modified()))
        .forEach(directory -> level.add(directory.path()));
    while (!level.isEmpty()) {
      workers.map(level, path -> removeIfEmpty(root, root.archived(path)));
      SortedSet<String> parents = new TreeSet<>();
      level.stream()
          .filter(path -> path.contains("/"))
          .forEach(path -> parents.add(path.substring(0, path.lastIndexOf('/'))));
      level.clear();
      level.addAll(parents);
    }
  }

  /** Whether it had files, and this run has deleted all of them. */
  private static boolean isEmptied(StoreDirectory directory) {
    return directory.others() == 0
        && !directory.files().isEmpty()
        && directory.files().values().stream().allMatch(StoredFile::isDeleted);
  }

  /** An object store does not tell the age of directories, and needs none for new files. */
  private boolean isOld(long modified) {
    return root.isObjectStore() || !plan.isYoung(modified);
  }

  /** Removes a directory without entries; a new entry prevents it. */
  static boolean removeIfEmpty(BackupRoot root, Path directory) throws IOException {
    if (!root.list(directory).isEmpty()) {
      return false;
    }
    try {
      return root.files().delete(directory, false);
    } catch (IOException e) {
      if (root.list(directory).isEmpty()) {
        throw e;
      }
      return false;
    }
  }
}
