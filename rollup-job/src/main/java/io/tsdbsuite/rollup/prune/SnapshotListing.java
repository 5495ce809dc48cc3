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

/** What is below {@code .hbase-snapshot} of a root at one time. */
final class SnapshotListing {
  private final BackupRoot root;
  private final List<SnapshotDir> dirs = new ArrayList<>();
  private final SortedSet<String> strays = new TreeSet<>();

  /** Manifests outside of the directories of snapshots. */
  private final SortedSet<String> manifests = new TreeSet<>();

  /** Directories that are to be searched for such manifests. */
  private final List<Path> unsearched = new ArrayList<>();

  private SnapshotListing(BackupRoot root) {
    this.root = root;
  }

  /**
   * Lists all snapshots. An export renames its directory at its end: the old place is listed first,
   * so that a snapshot is found at one of them.
   *
   * @throws JobException bad input, when there is a manifest where no export writes one
   */
  static SnapshotListing of(BackupRoot root) throws IOException {
    SnapshotListing listing = exporting(root);
    List<FileStatus> finished = new ArrayList<>();
    for (FileStatus entry : root.list(root.snapshots())) {
      if (entry.getPath().equals(root.exporting())) {
        continue;
      }
      if (entry.getPath().getName().startsWith(".")) {
        listing.addStray(entry);
      } else {
        finished.add(entry);
      }
    }
    listing.add(finished, false);
    listing.requireNoManifest();
    return listing;
  }

  /** Lists the snapshots whose export runs or was broken off. */
  static SnapshotListing exporting(BackupRoot root) throws IOException {
    SnapshotListing listing = new SnapshotListing(root);
    listing.add(root.list(root.exporting()), true);
    return listing;
  }

  /** The directories of snapshots. */
  List<SnapshotDir> dirs() {
    return dirs;
  }

  /** The entries that no export writes, below the root. */
  Set<String> strays() {
    return strays;
  }

  private void add(List<FileStatus> entries, boolean exporting) throws IOException {
    entries.stream().filter(FileStatus::isFile).forEach(this::addStray);
    List<Path> paths =
        entries.stream().filter(FileStatus::isDirectory).map(FileStatus::getPath).toList();
    List<List<FileStatus>> contents = root.workers().map(paths, root::list);
    for (int i = 0; i < paths.size(); i++) {
      dirs.add(SnapshotDir.of(paths.get(i), exporting, contents.get(i)));
      contents.get(i).stream()
          .filter(entry -> !SnapshotDir.isOwn(entry))
          .forEach(exporting ? this::search : this::addStray);
    }
  }

  private void addStray(FileStatus entry) {
    strays.add(root.relative(entry));
    search(entry);
  }

  private void search(FileStatus entry) {
    if (entry.isDirectory()) {
      unsearched.add(entry.getPath());
    } else if (entry.getPath().getName().equals(SnapshotDir.MANIFEST)) {
      manifests.add(root.relative(entry));
    }
  }

  /**
   * Searches the other directories for manifests, at any depth. What is there is not read as a
   * snapshot, so that the HFiles that such a manifest names would be deleted.
   */
  private void requireNoManifest() throws IOException {
    while (!unsearched.isEmpty()) {
      List<Path> level = List.copyOf(unsearched);
      unsearched.clear();
      root.workers().map(level, root::list).forEach(entries -> entries.forEach(this::search));
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
