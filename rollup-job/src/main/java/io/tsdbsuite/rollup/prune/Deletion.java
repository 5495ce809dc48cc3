package io.tsdbsuite.rollup.prune;

import io.tsdbsuite.job.JobException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.SortedSet;
import java.util.TreeSet;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.Path;

/**
 * Deletes what a plan says, in an order in which a process may end at any moment:
 *
 * <ol>
 *   <li>of each night, if it has not changed since the plan, its marker, then {@code
 *       .snapshotinfo}, without which no reader takes a directory for a snapshot, then {@code
 *       data.manifest};
 *   <li>when no manifest of those nights is left, the HFiles that no manifest names;
 *   <li>empty directories of the archive. An object store has them as empty objects.
 * </ol>
 *
 * A night is whole as long as its {@code .snapshotinfo} is there. The next run finds everything
 * that a killed one has left.
 */
record Deletion(
    BackupRoot root,
    Planner.Plan plan,
    Markers markers,
    LaterExports laterExports,
    Batches batches,
    FileDeleter deleter) {
  /**
   * After how many deletions it looks for new manifests.
   *
   * @param nights nights of a batch
   * @param files store files of a batch
   */
  record Batches(int nights, int files) {
    static final Batches DEFAULT = new Batches(20, 1000);
  }

  /**
   * Deletes. The files and nights of the plan say afterwards what was deleted, also after a
   * failure.
   *
   * @throws JobException usage, when a permission is missing; outside, when storage fails
   */
  void run() throws IOException {
    List<Nights.Night> nights = new ArrayList<>(plan.nights().toDelete());
    nights.sort(Comparator.comparing(Nights.Night::date));
    for (int i = 0; i < nights.size(); i += batches.nights()) {
      laterExports.find();
      for (Nights.Night night : nights.subList(i, Math.min(nights.size(), i + batches.nights()))) {
        if (night.state() == Nights.State.TO_DELETE && laterExports.isUnchanged(night)) {
          delete(night);
        }
      }
    }
    deleteFiles();
    removeEmptyDirectories();
  }

  private void delete(Nights.Night night) throws IOException {
    Path marker = markers.of(night.date());
    if (marker != null) {
      delete(List.of(marker));
    }
    delete(night, SnapshotDir.INFO);
    delete(night, SnapshotDir.MANIFEST);
    for (SnapshotDir dir : night.snapshots()) {
      laterExports.deleted(dir);
      removeIfEmpty(dir.path());
    }
    night.deleted();
  }

  private void delete(Nights.Night night, String name) throws IOException {
    delete(
        night.snapshots().stream()
            .map(dir -> dir.files().get(name))
            .filter(Objects::nonNull)
            .map(FileStatus::getPath)
            .toList());
  }

  private void delete(List<Path> paths) throws IOException {
    require(deleter.delete(paths, path -> {}));
  }

  private void deleteFiles() throws IOException {
    Map<Path, Archive.StoredFile> batch = new LinkedHashMap<>();
    for (Map.Entry<String, Archive.Directory> directory : plan.archive().directories().entrySet()) {
      for (Map.Entry<String, Archive.StoredFile> each : directory.getValue().files().entrySet()) {
        Archive.StoredFile file = each.getValue();
        if (!file.named && !plan.times().isYoung(file.modified)) {
          batch.put(root.archived(directory.getKey() + "/" + each.getKey()), file);
        }
        if (batch.size() == batches.files()) {
          deleteFiles(batch);
        }
      }
    }
    deleteFiles(batch);
  }

  private void deleteFiles(Map<Path, Archive.StoredFile> batch) throws IOException {
    if (batch.isEmpty()) {
      return;
    }
    laterExports.find();
    batch.values().removeIf(file -> file.named);
    Map<Path, String> failed =
        deleter.delete(
            List.copyOf(batch.keySet()),
            path -> Objects.requireNonNull(batch.get(path)).deleted = true);
    batch.clear();
    require(failed);
  }

  private static void require(Map<Path, String> failed) {
    if (failed.isEmpty()) {
      return;
    }
    Map.Entry<Path, String> first =
        failed.entrySet().stream().min(Map.Entry.comparingByKey()).orElseThrow();
    String problem =
        first.getKey()
            + " cannot be deleted: "
            + first.getValue()
            + (failed.size() > 1 ? " (and " + (failed.size() - 1) + " more files)" : "");
    String why = first.getValue().toLowerCase(Locale.ROOT);
    throw why.contains("denied") || why.contains("permission")
        ? JobException.usage(problem)
        : JobException.outside(problem);
  }

  /**
   * Removes the directories that this run has emptied, and old ones that a killed run has left:
   * families first, namespaces last.
   */
  private void removeEmptyDirectories() throws IOException {
    SortedSet<String> level = new TreeSet<>();
    plan.archive()
        .directories()
        .forEach(
            (path, directory) -> {
              if (isEmptied(directory)) {
                level.add(path);
              }
            });
    while (!level.isEmpty()) {
      root.workers().map(level, path -> removeIfEmpty(root.archived(path)));
      SortedSet<String> parents = new TreeSet<>();
      level.stream()
          .filter(path -> path.contains("/"))
          .forEach(path -> parents.add(path.substring(0, path.lastIndexOf('/'))));
      level.clear();
      level.addAll(parents);
    }
  }

  /**
   * Whether this run has deleted all that was in a directory, or it was empty and is old. An object
   * store does not tell the age of directories, and needs none for new files.
   */
  private boolean isEmptied(Archive.Directory directory) {
    return directory.others() == 0
        && directory.files().values().stream().allMatch(file -> file.deleted)
        && (!directory.files().isEmpty()
            || root.isObjectStore()
            || !plan.times().isYoung(directory.modified()));
  }

  /** Removes a directory without entries; a new entry prevents it. */
  private boolean removeIfEmpty(Path directory) throws IOException {
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
