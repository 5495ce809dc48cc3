package io.tsdbsuite.rollup.prune;

import io.tsdbsuite.job.JobException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.Path;

/** Entries below {@code .hbase-snapshot} that are no snapshots and not their files. */
final class Others {
  private final BackupRoot root;
  private final Workers workers;
  private final SortedSet<String> paths = new TreeSet<>();
  private final SortedSet<String> manifests = new TreeSet<>();
  private final List<Path> directories = new ArrayList<>();

  Others(BackupRoot root, Workers workers) {
    this.root = root;
    this.workers = workers;
  }

  /** Adds an entry that no export writes. */
  synchronized void add(FileStatus entry) {
    paths.add(root.relative(entry));
    addOfExport(entry);
  }

  /** Adds an entry of the directory of an export that runs or was broken off. */
  synchronized void addOfExport(FileStatus entry) {
    if (entry.isDirectory()) {
      directories.add(entry.getPath());
    } else if (entry.getPath().getName().equals(SnapshotDir.MANIFEST)) {
      manifests.add(root.relative(entry));
    }
  }

  /** The entries that no export writes, below the root. */
  synchronized Set<String> paths() {
    return Set.copyOf(paths);
  }

  /**
   * Looks for manifests in the directories, at any depth. What is there is not read as a snapshot,
   * so that the HFiles that such a manifest names would be deleted.
   *
   * @throws JobException bad input, when there is one
   */
  synchronized void requireNoManifest() throws IOException {
    List<Path> level = List.copyOf(directories);
    while (!level.isEmpty()) {
      directories.clear();
      workers.map(level, root::list).forEach(entries -> entries.forEach(this::addOfExport));
      level = List.copyOf(directories);
    }
    if (!manifests.isEmpty()) {
      throw JobException.badInput(
          manifests.first()
              + " is where no export writes a manifest"
              + (manifests.size() > 1 ? " (and " + (manifests.size() - 1) + " more)" : "")
              + ", so prune cannot tell whether the HFiles that it names are needed; move its"
              + " directory to "
              + root.relative(root.snapshots())
              + "/NAME to keep them, out of the root or delete it if they are not needed");
    }
  }
}
