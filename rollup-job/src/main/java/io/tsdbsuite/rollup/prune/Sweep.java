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
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.Path;

/**
 * Deletes what a plan says, in an order in which a process may end at any moment:
 *
 * <ol>
 *   <li>of each night, if it has not changed since the plan, its marker, then {@code
 *       .snapshotinfo}, without which no reader takes a directory for a snapshot, then {@code
 *       data.manifest};
 *   <li>when no manifest of those nights is left, the HFiles that no manifest names.
 * </ol>
 *
 * A night is whole as long as its {@code .snapshotinfo} is there. The next run finds everything
 * that a killed one has left.
 */
final class Sweep {
  /**
   * After how many deletions it looks for new manifests.
   *
   * @param nights nights of a batch
   * @param files store files of a batch
   */
  record Batches(int nights, int files) {
    static final Batches DEFAULT = new Batches(20, 1000);
  }

  private final BackupRoot root;
  private final PrunePlan plan;
  private final Workers workers;
  private final FileDeleter deleter;
  private final Markers markers;
  private final Watch watch;
  private final Batches batches;

  Sweep(
      BackupRoot root,
      PrunePlan plan,
      Workers workers,
      FileDeleter deleter,
      Markers markers,
      Watch watch,
      Batches batches) {
    this.root = root;
    this.plan = plan;
    this.workers = workers;
    this.deleter = deleter;
    this.markers = markers;
    this.watch = watch;
    this.batches = batches;
  }

  /**
   * Deletes. The files and nights of the plan say afterwards what was deleted, also after a
   * failure.
   *
   * @throws JobException usage, when a permission is missing; outside, when storage fails
   */
  void run() throws IOException {
    List<Night> nights = new ArrayList<>(plan.nights().toDelete());
    nights.sort(Comparator.comparing(Night::date));
    for (int i = 0; i < nights.size(); i += batches.nights()) {
      watch.look();
      for (Night night : nights.subList(i, Math.min(nights.size(), i + batches.nights()))) {
        if (night.state() == Night.State.TO_DELETE && watch.isUnchanged(night)) {
          delete(night);
        }
      }
    }
    sweepFiles();
    new EmptyDirectories(root, plan, workers).remove();
  }

  private void delete(Night night) throws IOException {
    Path marker = markers.of(night.date());
    if (marker != null) {
      delete(List.of(marker));
    }
    delete(night, SnapshotDir.INFO);
    delete(night, SnapshotDir.MANIFEST);
    for (SnapshotDir dir : night.snapshots()) {
      watch.deleted(dir);
      EmptyDirectories.removeIfEmpty(root, dir.path());
    }
    night.become(Night.State.DELETED, night.reason());
  }

  private void delete(Night night, String name) throws IOException {
    List<Path> paths = new ArrayList<>();
    for (SnapshotDir dir : night.snapshots()) {
      FileStatus file = dir.files().get(name);
      if (file != null) {
        paths.add(file.getPath());
      }
    }
    delete(paths);
  }

  private void delete(List<Path> paths) throws IOException {
    if (!paths.isEmpty()) {
      require(deleter.delete(paths, path -> {}));
    }
  }

  private void sweepFiles() throws IOException {
    Map<Path, StoredFile> batch = new LinkedHashMap<>();
    for (Map.Entry<String, StoreDirectory> directory : plan.archive().directories().entrySet()) {
      for (Map.Entry<String, StoredFile> file : directory.getValue().files().entrySet()) {
        if (plan.isDeletable(file.getValue())) {
          batch.put(root.archived(directory.getKey() + "/" + file.getKey()), file.getValue());
        }
        if (batch.size() == batches.files()) {
          sweep(batch);
        }
      }
    }
    sweep(batch);
  }

  private void sweep(Map<Path, StoredFile> batch) throws IOException {
    if (batch.isEmpty()) {
      return;
    }
    watch.look();
    batch.values().removeIf(StoredFile::isNamed);
    Map<Path, String> failed =
        deleter.delete(
            List.copyOf(batch.keySet()), path -> Objects.requireNonNull(batch.get(path)).deleted());
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
}
