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
 * Looks for manifests that appear while files are deleted, and marks the files that they name. A
 * night of which a snapshot is exported again is not deleted.
 */
final class Watch {
  private static final String AGAIN = "exported again meanwhile";

  private final PrunePlan plan;
  private final PruneOptions options;
  private final Snapshots snapshots;

  /** Versions of the manifests that are taken into account, by directory. */
  private final Map<Path, String> known = new HashMap<>();

  Watch(PrunePlan plan, PruneOptions options, Snapshots snapshots) {
    this.plan = plan;
    this.options = options;
    this.snapshots = snapshots;
    plan.snapshots().forEach(dir -> known.put(dir.path(), dir.version()));
  }

  /** Looks once at all snapshots. */
  void look() throws IOException {
    Set<LocalDate> changed = new HashSet<>();
    List<SnapshotRead> reads =
        snapshots.read(plan.archive(), plan.archive(), dirs -> wanted(dirs, changed)).reads();
    for (SnapshotRead read : reads) {
      known.put(read.dir().path(), read.dir().version());
    }
    for (Night night : plan.nights().all()) {
      if (night.state() != Night.State.KEPT && changed.contains(night.date())) {
        night.become(Night.State.KEPT, AGAIN);
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
            .filter(night -> night.state() != Night.State.KEPT)
            .map(Night::date)
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
    for (Night night : plan.nights().toDelete()) {
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
  boolean isUnchanged(Night night) throws IOException {
    Map<String, Map<String, String>> planned = new HashMap<>();
    options.tables().stream()
        .map(table -> options.names().name(table.getNameAsString(), night.date()))
        .forEach(name -> planned.put(name, Map.of()));
    night.snapshots().forEach(dir -> planned.put(dir.name(), dir.versions()));
    // An export renames its directory at its end: the old place first.
    boolean same = !snapshots.isExporting(planned.keySet());
    for (Map.Entry<String, Map<String, String>> dir : planned.entrySet()) {
      same = same && snapshots.find(dir.getKey()).versions().equals(dir.getValue());
    }
    if (!same) {
      night.become(Night.State.KEPT, AGAIN);
      night.snapshots().forEach(dir -> known.remove(dir.path()));
    }
    return same;
  }

  /** Takes note that the manifest of a snapshot was deleted by this run. */
  void deleted(SnapshotDir dir) {
    known.put(dir.path(), "");
  }
}
