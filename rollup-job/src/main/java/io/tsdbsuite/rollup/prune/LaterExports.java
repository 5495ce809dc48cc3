package io.tsdbsuite.rollup.prune;

import java.io.IOException;
import java.time.LocalDate;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.apache.hadoop.fs.Path;

/**
 * Finds exports that begin or end after the plan: marks the HFiles that new manifests name, and
 * keeps nights of which a snapshot is exported again.
 */
final class LaterExports {
  private static final String AGAIN = "exported again meanwhile";

  private final BackupRoot root;
  private final Planner.Plan plan;
  private final PruneOptions options;
  private final Snapshots snapshots;

  /** Versions of the manifests that are taken into account, by directory. */
  private final Map<Path, String> known = new HashMap<>();

  LaterExports(BackupRoot root, Planner.Plan plan, PruneOptions options, Snapshots snapshots) {
    this.root = root;
    this.plan = plan;
    this.options = options;
    this.snapshots = snapshots;
    plan.snapshots().forEach(dir -> known.put(dir.path(), dir.version()));
  }

  /** Looks once at all snapshots. */
  void find() throws IOException {
    Set<LocalDate> changed = new HashSet<>();
    snapshots
        .read(plan.archive(), plan.archive(), dirs -> wanted(dirs, changed))
        .named()
        .keySet()
        .forEach(dir -> known.put(dir.path(), dir.version()));
    for (Nights.Night night : plan.nights().all()) {
      if (night.state() != Nights.State.KEPT && changed.contains(night.date())) {
        night.keep(AGAIN);
      }
    }
  }

  /**
   * New and changed manifests, and the other manifests of their nights, which stay now.
   *
   * @param changed receives the dates of the nights that have changed
   */
  private Map<SnapshotDir, Boolean> wanted(List<SnapshotDir> dirs, Set<LocalDate> changed) {
    changed.clear();
    for (SnapshotDir dir : dirs) {
      LocalDate date = options.date(dir.name());
      if (date != null && (dir.exporting() || isUnknown(dir))) {
        changed.add(date);
      }
    }
    addMissing(dirs, changed);
    Set<LocalDate> again =
        plan.nights().all().stream()
            .filter(night -> night.state() != Nights.State.KEPT)
            .map(Nights.Night::date)
            .filter(changed::contains)
            .collect(Collectors.toSet());
    Map<SnapshotDir, Boolean> wanted = new LinkedHashMap<>();
    for (SnapshotDir dir : dirs) {
      LocalDate date = options.date(dir.name());
      if (isUnknown(dir) || (date != null && again.contains(date))) {
        wanted.put(dir, true);
      }
    }
    return wanted;
  }

  /** An export with {@code --overwrite} deletes a snapshot before it begins. */
  private void addMissing(List<SnapshotDir> dirs, Set<LocalDate> changed) {
    Set<Path> present = dirs.stream().map(SnapshotDir::path).collect(Collectors.toSet());
    for (Nights.Night night : plan.nights().toDelete()) {
      if (night.snapshots().stream().anyMatch(dir -> !present.contains(dir.path()))) {
        changed.add(night.date());
      }
    }
  }

  private boolean isUnknown(SnapshotDir dir) {
    return !dir.version().equals(known.get(dir.path()));
  }

  /**
   * Whether the snapshots of a night to delete are those of the plan, and none is being exported.
   * If not, the night stays, and the next look reads its manifests.
   */
  boolean isUnchanged(Nights.Night night) throws IOException {
    Map<String, Map<String, String>> planned = new HashMap<>();
    options.snapshots(night.date()).forEach(name -> planned.put(name, Map.of()));
    night.snapshots().forEach(dir -> planned.put(dir.name(), dir.versions()));
    // An export renames its directory at its end: the old place first.
    boolean same =
        root.list(root.exporting()).stream()
            .noneMatch(entry -> planned.containsKey(entry.getPath().getName()));
    for (Map.Entry<String, Map<String, String>> dir : planned.entrySet()) {
      Path path = new Path(root.snapshots(), dir.getKey());
      same = same && SnapshotDir.of(path, false, root.list(path)).versions().equals(dir.getValue());
    }
    if (!same) {
      night.keep(AGAIN);
      night.snapshots().forEach(dir -> known.remove(dir.path()));
    }
    return same;
  }

  /** Takes note that the manifest of a snapshot was deleted by this run. */
  void deleted(SnapshotDir dir) {
    known.put(dir.path(), "");
  }
}
