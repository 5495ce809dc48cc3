package io.tsdbsuite.rollup.prune;

import io.tsdbsuite.job.JobException;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.TableName;
import org.jspecify.annotations.Nullable;

/**
 * The nights of a root and what becomes of each.
 *
 * @param all the newest first
 * @param ruled dates of the nights that the rule keeps, which must be whole
 * @param tables table of each snapshot of a night, by its directory
 */
record Nights(List<Night> all, Set<LocalDate> ruled, Map<Path, TableName> tables) {
  /**
   * Groups snapshots to nights and chooses.
   *
   * @param dirs all snapshots of the root
   * @param limit time after which a file is young, ms since the epoch
   * @param unfinished nights that are being exported, so that they do not count
   * @throws JobException usage, when a table has no snapshots, or no night has one of each table
   */
  static Nights choose(
      List<SnapshotDir> dirs, PruneOptions options, long limit, Set<LocalDate> unfinished) {
    TreeMap<LocalDate, Map<TableName, SnapshotDir>> dates =
        new TreeMap<>(Comparator.reverseOrder());
    Map<Path, TableName> tables = new LinkedHashMap<>();
    for (TableName table : options.tables()) {
      int before = tables.size();
      for (SnapshotDir dir : dirs) {
        LocalDate date = dir.exporting() ? null : options.names().date(table, dir.name());
        if (date != null) {
          dates.computeIfAbsent(date, any -> new LinkedHashMap<>()).put(table, dir);
          tables.put(dir.path(), table);
        }
      }
      if (tables.size() == before) {
        throw JobException.usage(
            "--table "
                + table
                + ": there is no snapshot named "
                + options.names()
                + "; found there: "
                + names(dirs));
      }
    }
    List<LocalDate> complete = new ArrayList<>();
    dates.forEach(
        (date, night) -> {
          if (isComplete(night, options) && !unfinished.contains(date)) {
            complete.add(date);
          }
        });
    Map<LocalDate, Set<String>> kept = options.rule().keep(complete);
    if (kept.isEmpty()) {
      throw JobException.usage(
          "no night has a finished snapshot of each of the tables "
              + join(options.tables())
              + ", so none would be kept; found there: "
              + names(dirs));
    }
    LocalDate oldest = oldestOfDays(kept);
    List<Night> all = new ArrayList<>();
    dates.forEach(
        (date, night) -> {
          List<SnapshotDir> snapshots = List.copyOf(night.values());
          String keep = reason(date, night, kept, unfinished, oldest, options, limit);
          all.add(
              keep == null
                  ? new Night(date, snapshots, Night.State.TO_DELETE, whyDeleted(night, options))
                  : new Night(date, snapshots, Night.State.KEPT, keep));
        });
    return new Nights(List.copyOf(all), kept.keySet(), tables);
  }

  private static boolean isComplete(Map<TableName, SnapshotDir> night, PruneOptions options) {
    return night.keySet().containsAll(options.tables())
        && night.values().stream().allMatch(SnapshotDir::isComplete);
  }

  /** The oldest night of the part of the rule that keeps nights in a row. */
  private static LocalDate oldestOfDays(Map<LocalDate, Set<String>> kept) {
    return kept.entrySet().stream()
        .filter(night -> night.getValue().contains("day"))
        .map(Map.Entry::getKey)
        .min(Comparator.naturalOrder())
        .orElseGet(() -> kept.keySet().stream().max(Comparator.naturalOrder()).orElseThrow());
  }

  /** Why a night stays; null if it does not. */
  private static @Nullable String reason(
      LocalDate date,
      Map<TableName, SnapshotDir> night,
      Map<LocalDate, Set<String>> kept,
      Set<LocalDate> unfinished,
      LocalDate oldest,
      PruneOptions options,
      long limit) {
    Set<String> rules = kept.get(date);
    if (rules != null) {
      return String.join(", ", rules);
    }
    if (unfinished.contains(date)) {
      return "not whole yet";
    }
    if (night.values().stream().anyMatch(dir -> dir.changedAfter(limit))) {
      return "younger than the grace time";
    }
    if (!isComplete(night, options) && !date.isBefore(oldest)) {
      return "incomplete";
    }
    return null;
  }

  private static String whyDeleted(Map<TableName, SnapshotDir> night, PruneOptions options) {
    return isComplete(night, options) ? "no rule keeps it" : "incomplete";
  }

  /** The nights to delete. */
  List<Night> toDelete() {
    return all.stream().filter(night -> night.state() == Night.State.TO_DELETE).toList();
  }

  /** Directories of the snapshots to delete. */
  Set<Path> pathsToDelete() {
    Set<Path> paths = new HashSet<>();
    toDelete().forEach(night -> night.snapshots().forEach(dir -> paths.add(dir.path())));
    return paths;
  }

  private static String names(List<SnapshotDir> dirs) {
    String names = dirs.stream().map(SnapshotDir::name).sorted().collect(Collectors.joining(", "));
    return names.isEmpty() ? "none" : names;
  }

  private static String join(List<TableName> tables) {
    return tables.stream().map(TableName::getNameAsString).collect(Collectors.joining(", "));
  }
}
