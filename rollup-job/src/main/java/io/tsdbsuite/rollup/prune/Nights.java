package io.tsdbsuite.rollup.prune;

import io.tsdbsuite.job.JobException;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.TableName;
import org.jspecify.annotations.Nullable;

/**
 * The nights of a root and what becomes of each. Groups snapshots by the dates in their names;
 * applies the rule to the nights that are complete and not in the future; then decides about each
 * other night whether it stays all the same.
 */
final class Nights {
  private final PruneOptions options;
  private final PruneOptions.Times times;
  private final SortedMap<LocalDate, String> unfinished;
  private final Map<Path, TableName> tables = new LinkedHashMap<>();
  private final TreeMap<LocalDate, Map<TableName, SnapshotDir>> dates =
      new TreeMap<>(Comparator.reverseOrder());

  /** A directory of an export that runs or was broken off, by its date. */
  private final Map<LocalDate, SnapshotDir> exporting = new HashMap<>();

  private final List<LocalDate> complete = new ArrayList<>();

  /** The complete nights that the rule keeps, each with the parts of the rule. */
  private final Map<LocalDate, Set<String>> ruled;

  private final List<Night> all = new ArrayList<>();
  private final List<String> warnings = new ArrayList<>();

  /** What becomes of a night. */
  enum State {
    /** It stays. */
    KEPT,
    /** It is to be deleted. */
    TO_DELETE,
    /** Its manifests are deleted. */
    DELETED
  }

  /** The snapshots of one date of the tables to prune. */
  static final class Night {
    private final LocalDate date;
    private final List<SnapshotDir> snapshots;
    private State state;
    private String reason;

    private Night(LocalDate date, List<SnapshotDir> snapshots, State state, String reason) {
      this.date = date;
      this.snapshots = snapshots;
      this.state = state;
      this.reason = reason;
    }

    LocalDate date() {
      return date;
    }

    /** One for each table that has one. */
    List<SnapshotDir> snapshots() {
      return snapshots;
    }

    State state() {
      return state;
    }

    /** Why it has this state. */
    String reason() {
      return reason;
    }

    void keep(String why) {
      state = State.KEPT;
      reason = why;
    }

    void deleted() {
      state = State.DELETED;
    }
  }

  /**
   * Groups snapshots to nights and chooses.
   *
   * @param dirs all snapshots of the root
   * @param times what is young and what is in the future
   * @param unfinished nights that are being exported, so that they do not count, each with what is
   *     missing
   * @throws JobException usage, when a table has no snapshots, or no night has one of each table;
   *     bad input, when no night is whole
   */
  Nights(
      List<SnapshotDir> dirs,
      PruneOptions options,
      PruneOptions.Times times,
      SortedMap<LocalDate, String> unfinished) {
    this.options = options;
    this.times = times;
    this.unfinished = unfinished;
    options.tables().forEach(table -> group(table, dirs));
    dates.forEach(
        (date, night) -> {
          if (isComplete(night) && !unfinished.containsKey(date) && !isFuture(date)) {
            complete.add(date);
          }
        });
    ruled = options.rule().keep(complete);
    requireSome(dirs);
    choose();
  }

  /** All nights, the newest first. */
  List<Night> all() {
    return all;
  }

  /** Whether the rule keeps a night, so that it must be whole. */
  boolean isRuled(Night night) {
    return ruled.containsKey(night.date);
  }

  /** The table of each snapshot of a night, by its directory. */
  Map<Path, TableName> tables() {
    return tables;
  }

  /** About nights that stay although no rule keeps them. */
  List<String> warnings() {
    return warnings;
  }

  /** The nights to delete. */
  List<Night> toDelete() {
    return all.stream().filter(night -> night.state == State.TO_DELETE).toList();
  }

  /** Directories of the snapshots to delete. */
  Set<Path> pathsToDelete() {
    Set<Path> paths = new HashSet<>();
    toDelete().forEach(night -> night.snapshots.forEach(dir -> paths.add(dir.path())));
    return paths;
  }

  private void group(TableName table, List<SnapshotDir> dirs) {
    int before = tables.size();
    for (SnapshotDir dir : dirs) {
      LocalDate date = options.names().date(table.getNameAsString(), dir.name()).orElse(null);
      if (date != null && dir.exporting()) {
        exporting.put(date, dir);
      } else if (date != null) {
        tables.put(dir.path(), table);
        dates.computeIfAbsent(date, any -> new LinkedHashMap<>()).put(table, dir);
      }
    }
    if (tables.size() == before) {
      throw JobException.usage(
          "--table %s: there is no snapshot named %s; found there: %s"
              .formatted(table, options.names(), names(dirs)));
    }
  }

  private void requireSome(List<SnapshotDir> dirs) {
    if (!ruled.isEmpty()) {
      return;
    }
    if (!unfinished.isEmpty()) {
      throw JobException.badInput(
          ("no night is whole, so none would be kept: night %s: %s; run prune again when"
                  + " its export has ended, or export it again with --overwrite")
              .formatted(unfinished.lastKey(), unfinished.get(unfinished.lastKey())));
    }
    throw JobException.usage(
        ("no night has a finished snapshot of each of the tables %s, so none would be"
                + " kept (nights after %s do not count); found there: %s")
            .formatted(
                options.tables().stream()
                    .map(TableName::getNameAsString)
                    .collect(Collectors.joining(", ")),
                times.lastNight(),
                names(dirs)));
  }

  private static String names(List<SnapshotDir> dirs) {
    String names = dirs.stream().map(SnapshotDir::name).sorted().collect(Collectors.joining(", "));
    return names.isEmpty() ? "none" : names;
  }

  private void choose() {
    LocalDate oldest = oldestOfDays();
    List<LocalDate> incomplete = new ArrayList<>();
    dates.forEach(
        (date, night) -> {
          String reason = reason(date, night);
          if (reason == null && !isComplete(night) && isWanted(date, night, oldest)) {
            incomplete.add(date);
            reason = "incomplete";
          }
          State state = reason == null ? State.TO_DELETE : State.KEPT;
          if (reason == null) {
            reason = isComplete(night) ? "no rule keeps it" : "incomplete";
          }
          all.add(new Night(date, List.copyOf(night.values()), state, reason));
        });
    warnOfFuture();
    warnOfIncomplete(incomplete);
  }

  /** Why a night stays; null if it does not, or only because it is incomplete. */
  private @Nullable String reason(LocalDate date, Map<TableName, SnapshotDir> night) {
    Set<String> rules = ruled.get(date);
    if (rules != null) {
      return String.join(", ", rules);
    }
    if (unfinished.containsKey(date)) {
      return "not whole yet";
    }
    if (isFuture(date)) {
      return "in the future";
    }
    SnapshotDir export = exporting.get(date);
    if (export != null) {
      // An export with --overwrite has deleted the snapshot of this table before.
      return "being exported (" + BackupRoot.EXPORTING + "/" + export.name() + ")";
    }
    return night.values().stream().anyMatch(dir -> dir.changedAfter(times.limit()))
        ? "younger than the grace time"
        : null;
  }

  /**
   * Whether an incomplete night stays. One with a finished snapshot stays until newer complete
   * nights fill the rule: otherwise the first night with a new table would delete all nights before
   * it. What a killed run has left of a night is never wanted: the nights that were kept instead of
   * it are still there.
   */
  private boolean isWanted(LocalDate date, Map<TableName, SnapshotDir> night, LocalDate oldest) {
    return !date.isBefore(oldest)
        || (night.values().stream().anyMatch(SnapshotDir::hasInfo)
            && options.rule().wants(date, complete));
  }

  private boolean isComplete(Map<TableName, SnapshotDir> night) {
    return night.keySet().containsAll(options.tables())
        && night.values().stream().allMatch(SnapshotDir::isComplete);
  }

  private boolean isFuture(LocalDate date) {
    return date.isAfter(times.lastNight());
  }

  /** The oldest night of the part of the rule that keeps nights in a row. */
  private LocalDate oldestOfDays() {
    return ruled.entrySet().stream()
        .filter(night -> night.getValue().contains("day"))
        .map(Map.Entry::getKey)
        .min(Comparator.naturalOrder())
        .orElseGet(() -> ruled.keySet().stream().max(Comparator.naturalOrder()).orElseThrow());
  }

  private void warnOfFuture() {
    for (LocalDate date : dates.keySet()) {
      if (isFuture(date)) {
        warnings.add(
            "night %s is later than %s, tomorrow in UTC: it does not count, and stays"
                .formatted(date, times.lastNight()));
      }
    }
  }

  private void warnOfIncomplete(List<LocalDate> incomplete) {
    for (TableName table : options.tables()) {
      List<LocalDate> without =
          incomplete.stream()
              .filter(
                  date -> {
                    SnapshotDir dir = dates.getOrDefault(date, Map.of()).get(table);
                    return dir == null || !dir.isComplete();
                  })
              .sorted()
              .toList();
      if (!without.isEmpty()) {
        warnings.add(
            ("table %s has no finished snapshot of %s nights (%s to %s), which stay until"
                    + " newer nights fill the rule: %s of %s nights are complete")
                .formatted(
                    table,
                    without.size(),
                    without.get(0),
                    without.get(without.size() - 1),
                    complete.size(),
                    dates.size()));
      }
    }
  }
}
