package io.tsdbsuite.rollup.prune;

import java.io.IOException;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.apache.hadoop.fs.Path;

/** Looks for manifests that appear while files are deleted, and marks the files that they name. */
final class Watch {
  private final BackupRoot root;
  private final PrunePlan plan;
  private final Snapshots snapshots;

  /** Versions of the manifests that are taken into account, by directory. */
  private final Map<Path, String> known = new HashMap<>();

  Watch(BackupRoot root, PrunePlan plan, Snapshots snapshots) {
    this.root = root;
    this.plan = plan;
    this.snapshots = snapshots;
    plan.snapshots().forEach(dir -> known.put(dir.path(), dir.version()));
  }

  /** Looks once. A night that is exported again is not deleted. */
  void look() throws IOException {
    List<SnapshotRead> reads =
        snapshots.read(plan.archive(), plan.archive(), this::unknown).reads();
    for (SnapshotRead read : reads) {
      known.put(read.dir().path(), read.dir().version());
    }
    Set<Path> changed =
        reads.stream().map(read -> read.dir().path()).collect(Collectors.toUnmodifiableSet());
    for (Night night : plan.nights().all()) {
      if (night.state() != Night.State.KEPT
          && night.snapshots().stream().anyMatch(dir -> changed.contains(dir.path()))) {
        keep(night);
      }
    }
  }

  private Map<SnapshotDir, Boolean> unknown(List<SnapshotDir> dirs) {
    Map<SnapshotDir, Boolean> wanted = new LinkedHashMap<>();
    for (SnapshotDir dir : dirs) {
      if (!dir.version().equals(known.get(dir.path()))) {
        wanted.put(dir, true);
      }
    }
    return wanted;
  }

  private void keep(Night night) throws IOException {
    for (SnapshotDir dir : night.snapshots()) {
      if (!String.valueOf(known.get(dir.path())).isEmpty()) {
        SnapshotReader.read(root, dir, plan.archive(), plan.archive(), true);
      }
    }
    night.become(Night.State.KEPT, "exported again meanwhile");
  }

  /** Takes note that the manifest of a snapshot was deleted by this run. */
  void deleted(SnapshotDir dir) {
    known.put(dir.path(), "");
  }
}
