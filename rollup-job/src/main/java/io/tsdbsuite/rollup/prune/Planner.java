package io.tsdbsuite.rollup.prune;

import io.tsdbsuite.job.JobException;
import java.io.IOException;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.HashSet;
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
 * Finds what to delete, in an order in which exports may run at the same time:
 *
 * <ol>
 *   <li>lists the markers and the running exports. An export that had ended before has all its
 *       HFiles there;
 *   <li>lists the HFiles;
 *   <li>lists the snapshots, chooses the nights to keep and reads the manifests, which marks the
 *       HFiles that remaining snapshots name. An export writes its manifest before its HFiles, so
 *       each HFile of the second step that is needed is marked;
 *   <li>if a night to keep is not whole and its export may still run, the night does not count:
 *       chooses again. If its export has ended, the night is broken, and the run ends.
 * </ol>
 */
final class Planner {
  private final BackupRoot root;
  private final PruneOptions options;
  private final PruneOptions.Times times;
  private final Snapshots snapshots;
  private final Markers markers;
  private final BackupRoot.Unknown unknown;

  /** Names of snapshots whose export ran when one of the listings was made. */
  private final Set<String> exporting = new HashSet<>();

  /** Nights that are being exported, so that they do not count, each with what is missing. */
  private final TreeMap<LocalDate, String> unfinished = new TreeMap<>();

  private @Nullable Nights nights;

  /**
   * What to delete.
   *
   * @param archive the store files; those that a snapshot to keep names are marked
   * @param snapshots all directories of snapshots
   * @param nights the nights of the tables
   * @param times the times of the run
   * @param notWhole dates of nights that stay and are not whole; the rule keeps none of them
   * @param warnings about nights that stay although no rule keeps them, and about snapshots that
   *     stay and are not whole
   */
  record Plan(
      Archive archive,
      List<SnapshotDir> snapshots,
      Nights nights,
      PruneOptions.Times times,
      Set<LocalDate> notWhole,
      List<String> warnings) {
    /**
     * The books of the plan, or of what was made of it.
     *
     * @param delete whether the files were deleted, not only planned
     */
    PruneBooks books(boolean delete) {
      PruneBooks.Amount kept = PruneBooks.Amount.NONE;
      PruneBooks.Amount deleted = PruneBooks.Amount.NONE;
      PruneBooks.Amount young = PruneBooks.Amount.NONE;
      PruneBooks.Amount failed = PruneBooks.Amount.NONE;
      for (Archive.Directory directory : archive.directories().values()) {
        for (Archive.StoredFile file : directory.files().values()) {
          if (file.deleted) {
            deleted = deleted.plusFile(file.bytes);
          } else if (file.named) {
            kept = kept.plusFile(file.bytes);
          } else if (times.isYoung(file.modified)) {
            young = young.plusFile(file.bytes);
          } else if (delete) {
            failed = failed.plusFile(file.bytes);
          } else {
            deleted = deleted.plusFile(file.bytes);
          }
        }
      }
      return new PruneBooks(archive.found(), kept, deleted, young, failed);
    }
  }

  /**
   * @param times what is young and what is in the future
   * @param unknown receives what an export does not write
   */
  Planner(
      BackupRoot root,
      PruneOptions options,
      PruneOptions.Times times,
      Snapshots snapshots,
      Markers markers,
      BackupRoot.Unknown unknown) {
    this.root = root;
    this.options = options;
    this.times = times;
    this.snapshots = snapshots;
    this.markers = markers;
    this.unknown = unknown;
  }

  /**
   * Plans. Nothing is changed.
   *
   * @throws JobException usage, when the options do not fit the root; bad input, when a manifest
   *     cannot be read or a night to keep is not whole; outside, when a manifest is being written
   */
  Plan plan() throws IOException {
    markers.list();
    addExporting(SnapshotListing.exporting(root).dirs());
    Archive archive = Archive.list(root, unknown);
    while (true) {
      archive
          .directories()
          .values()
          .forEach(directory -> directory.files().values().forEach(file -> file.named = false));
      Snapshots.Found found = snapshots.read(archive, archive, this::choose);
      Nights chosen = Objects.requireNonNull(nights);
      requireTables(found.named(), chosen.tables());
      addExporting(found.dirs());
      if (areWhole(found.named(), chosen)) {
        found.strays().forEach(unknown::add);
        return new Plan(
            archive,
            found.dirs(),
            chosen,
            times,
            notWhole(found.named(), chosen),
            warnings(found, chosen));
      }
    }
  }

  private void addExporting(List<SnapshotDir> dirs) {
    for (SnapshotDir dir : dirs) {
      // No export takes longer than the grace time: others were broken off.
      if (dir.exporting() && dir.changedAfter(times.limit())) {
        exporting.add(dir.name());
      }
    }
  }

  private Map<SnapshotDir, Boolean> choose(List<SnapshotDir> dirs) {
    nights = new Nights(dirs, options, times, unfinished);
    Set<Path> deleted = nights.pathsToDelete();
    Map<SnapshotDir, Boolean> all = new LinkedHashMap<>();
    dirs.forEach(dir -> all.put(dir, !deleted.contains(dir.path())));
    return all;
  }

  private static void requireTables(
      Map<SnapshotDir, NamedFiles> named, Map<Path, TableName> tables) {
    named.forEach(
        (dir, files) -> {
          TableName table = tables.get(dir.path());
          if (table != null && !table.equals(files.table())) {
            throw JobException.usage(
                "--table %s: snapshot '%s' has the name of one of this table, and is of table %s"
                    .formatted(table, dir.name(), files.table()));
          }
        });
  }

  /**
   * Whether the nights that the rule keeps are whole. A night that is still being exported does not
   * count; then the rule must choose again.
   */
  private boolean areWhole(Map<SnapshotDir, NamedFiles> named, Nights chosen) throws IOException {
    boolean whole = true;
    for (Nights.Night night : chosen.all()) {
      for (SnapshotDir dir : night.snapshots()) {
        NamedFiles files = named.get(dir);
        if (!chosen.isRuled(night) || files == null || files.areWhole()) {
          continue;
        }
        if (!mayRun(night.date(), dir)) {
          throw JobException.badInput(
              "night %s is to be kept, and %s; export it again with --overwrite, or delete %s"
                  .formatted(night.date(), files.problem(), root.relative(dir.path())));
        }
        unfinished.put(night.date(), files.problem());
        whole = false;
      }
    }
    return whole;
  }

  /**
   * Whether a snapshot that is not whole may become whole by itself: its export is in {@code .tmp},
   * or it began recently and no marker says that it has ended.
   */
  private boolean mayRun(LocalDate night, SnapshotDir dir) throws IOException {
    return exporting.contains(dir.name())
        || (dir.changedAfter(times.recent()) && !markers.hasNamed(night, dir.name()));
  }

  /** Nights that stay and are not whole. */
  private static Set<LocalDate> notWhole(Map<SnapshotDir, NamedFiles> named, Nights chosen) {
    return chosen.all().stream()
        .filter(night -> night.state() == Nights.State.KEPT)
        .filter(night -> night.snapshots().stream().anyMatch(dir -> isDamaged(named.get(dir))))
        .map(Nights.Night::date)
        .collect(Collectors.toSet());
  }

  private static boolean isDamaged(@Nullable NamedFiles files) {
    return files != null && !files.areWhole();
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
    found
        .named()
        .forEach(
            (dir, files) -> {
              if (dir.exporting()) {
                warnings.add(
                    root.relative(dir.path())
                        + ": an export runs or was broken off; what its manifest names stays");
              } else if (!files.areWhole() && !deleted.contains(dir.path())) {
                warnings.add(files.problem() + "; it stays, with what it names");
              }
            });
    return List.copyOf(warnings);
  }
}
