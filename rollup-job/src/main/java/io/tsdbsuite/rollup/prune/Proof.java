package io.tsdbsuite.rollup.prune;

import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.fs.Path;
import org.jspecify.annotations.Nullable;

/** Lists everything again after the deletions and checks that every night to keep is whole. */
final class Proof {
  private final BackupRoot root;
  private final PrunePlan plan;
  private final Workers workers;
  private final Snapshots snapshots;
  private final List<String> problems = new ArrayList<>();
  private long stillThere;

  Proof(BackupRoot root, PrunePlan plan, Workers workers, Snapshots snapshots) {
    this.root = root;
    this.plan = plan;
    this.workers = workers;
    this.snapshots = snapshots;
  }

  /** Checks; {@link #problems} and {@link #stillThere} have the findings. */
  void check() throws IOException {
    Archive now = new ArchiveWalk(root, workers, new Unknown()).walk();
    Snapshots.Found found =
        snapshots.read(
            now,
            plan.archive(),
            dirs -> {
              Map<SnapshotDir, Boolean> all = new LinkedHashMap<>();
              dirs.forEach(dir -> all.put(dir, false));
              return all;
            });
    Map<Path, SnapshotRead> reads = new HashMap<>();
    found.reads().forEach(read -> reads.put(read.dir().path(), read));
    for (Night night : plan.nights().all()) {
      if (plan.nights().ruled().contains(night.date())) {
        night.snapshots().forEach(dir -> requireWhole(night, dir, reads.remove(dir.path())));
      }
    }
    for (SnapshotRead read : reads.values()) {
      if (read.deleted() > 0) {
        problems.add(
            "snapshot '"
                + read.dir().name()
                + "' appeared while prune ran, and names "
                + read.deleted()
                + " files that prune deleted: export it again with --overwrite");
      }
    }
    countDeleted(now);
  }

  private void requireWhole(Night night, SnapshotDir dir, @Nullable SnapshotRead read) {
    if (read == null || !read.dir().isComplete()) {
      problems.add(
          "night "
              + night.date()
              + " is to be kept, and "
              + root.relative(dir.path())
              + " was deleted or is written again by another program");
    } else if (!read.isWhole()) {
      problems.add("night " + night.date() + " is to be kept, and " + read.problem());
    }
  }

  /** A file of the same name that is newer was written after the deletion. */
  private void countDeleted(Archive now) {
    plan.archive()
        .directories()
        .forEach(
            (path, directory) -> {
              StoreDirectory found = now.directories().get(path);
              if (found == null) {
                return;
              }
              directory
                  .files()
                  .forEach(
                      (name, file) -> {
                        StoredFile there = found.files().get(name);
                        if (file.isDeleted()
                            && there != null
                            && there.modified() <= file.modified()) {
                          stillThere++;
                        }
                      });
            });
  }

  /** Nights that are not whole, one line each. */
  List<String> problems() {
    return List.copyOf(problems);
  }

  /** Number of files that storage reported as deleted and still has. */
  long stillThere() {
    return stillThere;
  }
}
