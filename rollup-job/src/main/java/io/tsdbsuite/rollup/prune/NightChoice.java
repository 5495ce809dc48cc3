package io.tsdbsuite.rollup.prune;

import java.time.LocalDate;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.apache.hadoop.hbase.TableName;
import org.jspecify.annotations.Nullable;

/** Chooses the nights to keep. */
final class NightChoice {
  private final PruneOptions options;
  private final PruneTimes times;
  private final Set<LocalDate> unfinished;
  private final TreeMap<LocalDate, Map<TableName, SnapshotDir>> dates =
      new TreeMap<>(Comparator.reverseOrder());

  /** A directory of an export that runs or was broken off, by its date. */
  private final Map<LocalDate, SnapshotDir> exporting = new HashMap<>();

  private final List<LocalDate> complete = new ArrayList<>();
  private final Map<LocalDate, Set<String>> kept;
  private final List<Night> nights = new ArrayList<>();
  private final List<String> warnings = new ArrayList<>();

  NightChoice(
      List<SnapshotDir> dirs, PruneOptions options, PruneTimes times, Set<LocalDate> unfinished) {
    this.options = options;
    this.times = times;
    this.unfinished = unfinished;
    for (TableName table : options.tables()) {
      for (SnapshotDir dir : dirs) {
        LocalDate date = options.names().date(table.getNameAsString(), dir.name()).orElse(null);
        if (date != null && dir.exporting()) {
          exporting.put(date, dir);
        } else if (date != null) {
          dates.computeIfAbsent(date, any -> new LinkedHashMap<>()).put(table, dir);
        }
      }
    }
    dates.forEach(
        (date, night) -> {
          if (isComplete(night) && !unfinished.contains(date) && !isFuture(date)) {
            complete.add(date);
          }
        });
    kept = options.rule().keep(complete);
    if (!kept.isEmpty()) {
      choose();
    }
  }

  /** The complete nights that the rule keeps, each with the parts of the rule. */
  Map<LocalDate, Set<String>> kept() {
    return kept;
  }

  /** All nights, the newest first; none when the rule keeps none. */
  List<Night> nights() {
    return nights;
  }

  /** About nights that stay although no rule keeps them. */
  List<String> warnings() {
    return List.copyOf(warnings);
  }

  private void choose() {
    LocalDate oldest = oldestOfDays();
    List<LocalDate> incomplete = new ArrayList<>();
    dates.forEach(
        (date, night) -> {
          List<SnapshotDir> snapshots = List.copyOf(night.values());
          String reason = reason(date, night);
          if (reason == null && !isComplete(night) && isWanted(date, night, oldest)) {
            incomplete.add(date);
            reason = "incomplete";
          }
          nights.add(
              reason == null
                  ? new Night(
                      date,
                      snapshots,
                      Night.State.TO_DELETE,
                      isComplete(night) ? "no rule keeps it" : "incomplete")
                  : new Night(date, snapshots, Night.State.KEPT, reason));
        });
    warnOfFuture();
    warnOfIncomplete(incomplete);
  }

  /** Why a night stays; null if it does not, or only because it is incomplete. */
  private @Nullable String reason(LocalDate date, Map<TableName, SnapshotDir> night) {
    Set<String> rules = kept.get(date);
    if (rules != null) {
      return String.join(", ", rules);
    }
    if (unfinished.contains(date)) {
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
    return kept.entrySet().stream()
        .filter(night -> night.getValue().contains("day"))
        .map(Map.Entry::getKey)
        .min(Comparator.naturalOrder())
        .orElseGet(() -> kept.keySet().stream().max(Comparator.naturalOrder()).orElseThrow());
  }

  private void warnOfFuture() {
    for (LocalDate date : dates.keySet()) {
      if (isFuture(date)) {
        warnings.add(
            "night "
                + date
                + " is later than "
                + times.lastNight()
                + ", tomorrow in UTC: it does not count, and stays");
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
            "table "
                + table
                + " has no finished snapshot of "
                + without.size()
                + " nights ("
                + without.get(0)
                + " to "
                + without.get(without.size() - 1)
                + "), which stay until newer nights fill the rule: "
                + complete.size()
                + " of "
                + dates.size()
                + " nights are complete");
      }
    }
  }
}
