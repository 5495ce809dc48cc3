package io.tsdbsuite.rollup.prune;

import io.tsdbsuite.job.JobException;
import java.io.IOException;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.TableName;
import org.jspecify.annotations.Nullable;

/**
 * Plans: lists the store files first and reads the manifests then, so that every file that a
 * manifest of a finished export names is marked.
 */
final class Planner {
  private final BackupRoot root;
  private final Workers workers;
  private final PruneOptions options;
  private final PruneTimes times;
  private final Unknown unknown;

  /** Nights that are being exported, so that they do not count, each with what is missing. */
  private final TreeMap<LocalDate, String> unfinished = new TreeMap<>();

  private @Nullable Nights nights;

  /**
   * @param times what is young and what is in the future
   * @param unknown receives what an export does not write
   */
  Planner(
      BackupRoot root, Workers workers, PruneOptions options, PruneTimes times, Unknown unknown) {
    this.root = root;
    this.workers = workers;
    this.options = options;
    this.times = times;
    this.unknown = unknown;
  }

  /**
   * Plans. Nothing is changed.
   *
   * @throws JobException usage, when the options do not fit the root; bad input, when a manifest
   *     cannot be read or a night to keep is not whole; outside, when a manifest is being written
   */
  PrunePlan plan() throws IOException {
    Snapshots snapshots = new Snapshots(root, workers, options, times);
    RunningExports exports =
        RunningExports.list(new Markers(root, options, unknown), snapshots, times);
    Archive archive = new ArchiveWalk(root, workers, unknown).walk();
    while (true) {
      archive.forEach(StoredFile::forget);
      Snapshots.Found found = snapshots.read(archive, archive, this::choose);
      Nights chosen = Objects.requireNonNull(nights);
      requireTables(found.reads(), chosen.tables());
      exports.add(found.dirs());
      if (areWhole(found.reads(), chosen, exports)) {
        found.others().forEach(unknown::add);
        return new PrunePlan(
            archive,
            found.dirs(),
            chosen,
            times.limit(),
            notWhole(found.reads(), chosen),
            warnings(found, chosen));
      }
    }
  }

  private Map<SnapshotDir, Boolean> choose(List<SnapshotDir> dirs) {
    nights = Nights.choose(dirs, options, times, unfinished);
    Set<Path> deleted = nights.pathsToDelete();
    Map<SnapshotDir, Boolean> all = new LinkedHashMap<>();
    dirs.forEach(dir -> all.put(dir, !deleted.contains(dir.path())));
    return all;
  }

  private static void requireTables(List<SnapshotRead> reads, Map<Path, TableName> tables) {
    for (SnapshotRead read : reads) {
      TableName named = tables.get(read.dir().path());
      if (named != null && !named.equals(read.table())) {
        throw JobException.usage(
            "--table "
                + named
                + ": snapshot '"
                + read.dir().name()
                + "' has the name of one of this table, and is of table "
                + read.table());
      }
    }
  }

  /**
   * Whether the nights that the rule keeps are whole. A night that is still being exported does not
   * count; then the rule must choose again.
   */
  private boolean areWhole(List<SnapshotRead> reads, Nights chosen, RunningExports exports)
      throws IOException {
    Map<Path, SnapshotRead> byPath = new HashMap<>();
    reads.forEach(read -> byPath.put(read.dir().path(), read));
    boolean whole = true;
    for (Night night : chosen.all()) {
      for (SnapshotDir dir : night.snapshots()) {
        SnapshotRead read = byPath.get(dir.path());
        if (!chosen.ruled().contains(night.date()) || read == null || read.isWhole()) {
          continue;
        }
        if (!exports.mayRun(night.date(), dir)) {
          throw JobException.badInput(
              "night "
                  + night.date()
                  + " is to be kept, and "
                  + read.problem()
                  + "; export it again with --overwrite, or delete "
                  + root.relative(dir.path()));
        }
        unfinished.put(night.date(), read.problem());
        whole = false;
      }
    }
    return whole;
  }

  /** Nights that stay and are not whole. */
  private static Set<LocalDate> notWhole(List<SnapshotRead> reads, Nights chosen) {
    Set<Path> damaged =
        reads.stream()
            .filter(read -> !read.isWhole())
            .map(read -> read.dir().path())
            .collect(Collectors.toSet());
    return chosen.all().stream()
        .filter(night -> night.state() == Night.State.KEPT)
        .filter(night -> night.snapshots().stream().anyMatch(dir -> damaged.contains(dir.path())))
        .map(Night::date)
        .collect(Collectors.toSet());
  }

  private List<String> warnings(Snapshots.Found found, Nights chosen) {
    Set<Path> deleted = chosen.pathsToDelete();
    List<String> warnings = new ArrayList<>(chosen.warnings());
    for (SnapshotDir dir : found.dirs()) {
      if (dir.exporting() && dir.manifest() == null) {
        warnings.add(
            root.relative(dir.path())
                + ": an export has just begun, or was broken off before it wrote its manifest; then"
                + " export it again with --overwrite, or delete this directory");
      }
    }
    for (SnapshotRead read : found.reads()) {
      SnapshotDir dir = read.dir();
      if (dir.exporting()) {
        warnings.add(
            root.relative(dir.path())
                + ": an export runs or was broken off; what its manifest names stays");
      } else if (!read.isWhole() && !deleted.contains(dir.path())) {
        warnings.add(read.problem() + "; it stays, with what it names");
      }
    }
    return List.copyOf(warnings);
  }
}
