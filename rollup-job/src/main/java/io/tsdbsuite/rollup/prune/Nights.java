package io.tsdbsuite.rollup.prune;

import io.tsdbsuite.job.JobException;
import java.time.LocalDate;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.stream.Collectors;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.TableName;

/**
 * The nights of a root and what becomes of each.
 *
 * @param all the newest first
 * @param ruled dates of the nights that the rule keeps, which must be whole
 * @param tables table of each snapshot of a night, by its directory
 * @param warnings about nights that stay although no rule keeps them
 */
record Nights(
    List<Night> all, Set<LocalDate> ruled, Map<Path, TableName> tables, List<String> warnings) {
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
  static Nights choose(
      List<SnapshotDir> dirs,
      PruneOptions options,
      PruneTimes times,
      SortedMap<LocalDate, String> unfinished) {
    Map<Path, TableName> tables = new LinkedHashMap<>();
    for (TableName table : options.tables()) {
      int before = tables.size();
      for (SnapshotDir dir : dirs) {
        if (!dir.exporting()
            && options.names().date(table.getNameAsString(), dir.name()).isPresent()) {
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
    NightChoice choice = new NightChoice(dirs, options, times, unfinished.keySet());
    if (choice.kept().isEmpty() && !unfinished.isEmpty()) {
      throw JobException.badInput(
          "no night is whole, so none would be kept: night "
              + unfinished.lastKey()
              + ": "
              + unfinished.get(unfinished.lastKey())
              + "; run prune again when its export has ended, or export it again with"
              + " --overwrite");
    }
    if (choice.kept().isEmpty()) {
      throw JobException.usage(
          "no night has a finished snapshot of each of the tables "
              + join(options.tables())
              + ", so none would be kept (nights after "
              + times.lastNight()
              + " do not count); found there: "
              + names(dirs));
    }
    return new Nights(
        List.copyOf(choice.nights()), choice.kept().keySet(), tables, choice.warnings());
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
