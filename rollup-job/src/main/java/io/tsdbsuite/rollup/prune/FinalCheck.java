package io.tsdbsuite.rollup.prune;

import io.tsdbsuite.job.JobException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.apache.hadoop.fs.Path;

/** Lists everything again after the deletions and checks that every night to keep is whole. */
record FinalCheck(BackupRoot root, Planner.Plan plan, Snapshots snapshots) {
  /**
   * Checks.
   *
   * @throws JobException bad input, when nights are not whole, one line each; outside, when storage
   *     still has files that it reported as deleted
   */
  void run() throws IOException {
    Archive now = Archive.list(root, new BackupRoot.Unknown());
    requireWhole(snapshots.read(now, plan.archive(), FinalCheck::all).named());
    long stillThere = countDeleted(now);
    if (stillThere > 0) {
      throw JobException.outside(
          stillThere + " files are still there after storage reported their deletion");
    }
  }

  private static Map<SnapshotDir, Boolean> all(List<SnapshotDir> dirs) {
    Map<SnapshotDir, Boolean> all = new LinkedHashMap<>();
    dirs.forEach(dir -> all.put(dir, false));
    return all;
  }

  private void requireWhole(Map<SnapshotDir, NamedFiles> named) {
    List<String> problems = new ArrayList<>();
    Map<Path, SnapshotDir> dirs = new HashMap<>();
    named.keySet().forEach(dir -> dirs.put(dir.path(), dir));
    for (Nights.Night night : plan.nights().all()) {
      if (plan.nights().isRuled(night)) {
        for (SnapshotDir planned : night.snapshots()) {
          SnapshotDir dir = dirs.remove(planned.path());
          NamedFiles files = dir == null || !dir.isComplete() ? null : named.get(dir);
          if (files == null) {
            problems.add(
                "night %s is to be kept, and %s was deleted or is written again by another program"
                    .formatted(night.date(), root.relative(planned.path())));
          } else if (!files.areWhole()) {
            problems.add("night " + night.date() + " is to be kept, and " + files.problem());
          }
        }
      }
    }
    for (SnapshotDir dir : dirs.values()) {
      NamedFiles files = Objects.requireNonNull(named.get(dir));
      if (files.deleted() > 0) {
        problems.add(
            ("snapshot '%s' appeared while prune ran, and names %d files that prune deleted:"
                    + " export it again with --overwrite")
                .formatted(dir.name(), files.deleted()));
      }
    }
    if (!problems.isEmpty()) {
      throw JobException.badInput(String.join(System.lineSeparator(), problems));
    }
  }

  /** A file of the same name that is newer was written after the deletion. */
  private long countDeleted(Archive now) {
    long stillThere = 0;
    for (Map.Entry<String, Archive.Directory> planned : plan.archive().directories().entrySet()) {
      Archive.Directory found = now.directories().get(planned.getKey());
      if (found == null) {
        continue;
      }
      for (Map.Entry<String, Archive.StoredFile> file : planned.getValue().files().entrySet()) {
        Archive.StoredFile there = found.files().get(file.getKey());
        if (file.getValue().deleted
            && there != null
            && there.modified <= file.getValue().modified) {
          stillThere++;
        }
      }
    }
    return stillThere;
  }
}
