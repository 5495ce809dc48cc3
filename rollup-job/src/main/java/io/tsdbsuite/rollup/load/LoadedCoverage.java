package io.tsdbsuite.rollup.load;

import io.tsdbsuite.coverage.CoverageRows;
import io.tsdbsuite.coverage.CoverageWindow;
import io.tsdbsuite.coverage.TimeRanges;
import io.tsdbsuite.format.histogram.HistogramCodecs;
import io.tsdbsuite.format.rollup.Level;
import io.tsdbsuite.format.rollup.RollupConfig;
import io.tsdbsuite.format.rollup.SuiteConfig;
import io.tsdbsuite.format.row.RowKey;
import io.tsdbsuite.format.schema.StorageSchema;
import io.tsdbsuite.format.uid.UidKind;
import io.tsdbsuite.hbase.AccessFailures;
import io.tsdbsuite.job.JobException;
import io.tsdbsuite.job.coverage.CoverageCleaner;
import io.tsdbsuite.job.coverage.CoverageRefusedException;
import io.tsdbsuite.job.coverage.CoverageTable;
import io.tsdbsuite.job.coverage.CoverageTableCheck;
import io.tsdbsuite.message.write.ByteSlice;
import io.tsdbsuite.rollup.hfile.Manifest;
import io.tsdbsuite.rollup.hfile.RunDir;
import io.tsdbsuite.rollup.plan.RawFloors;
import io.tsdbsuite.rollup.report.Books;
import io.tsdbsuite.rollup.report.RunProof;
import io.tsdbsuite.rollup.uid.HBaseUidResolver;
import io.tsdbsuite.rollup.verify.SeriesText;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.TableNotEnabledException;
import org.apache.hadoop.hbase.TableNotFoundException;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.Connection;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes into the coverage table what a loaded run proves. Without a coverage TSDs read raw data,
 * so a load that cannot write it is no failure unless the user has named the table.
 *
 * <ol>
 *   <li>The constructor asks whether the run proves windows at all: {@link ProvenWindows}, and
 *       whether its snapshot is of the table that the TSDs read.
 *   <li>{@link #removeSpoiled} removes the windows of earlier runs that the new cells make wrong.
 *   <li>{@link #write} changes the marker of each rollup table and then looks at its cells ({@link
 *       TableLook}). All cells of the run must be there. Metrics and times with rollups that are
 *       neither the run's nor what raw points make are left out of the windows. Packed rows are
 *       compared with plain ones; where they differ, they get no window and lose those they have.
 *   <li>It adds the windows, unless a marker has changed since: then the rollups have too.
 * </ol>
 */
final class LoadedCoverage {
  private static final Logger LOG = LoggerFactory.getLogger(LoadedCoverage.class);
  private static final int MAX_NAMES = 100_000;

  /** For clocks that differ, as the jobs do. */
  private static final Duration TTL_MARGIN = Duration.ofDays(1);

  private final Connection connection;
  private final Admin admin;
  private final CoverageChoice choice;
  private final Manifest manifest;
  private final StoredRun run;
  private final StorageSchema schema;
  private final RollupConfig rollups;
  private final HistogramCodecs codecs;
  private final Instant now;
  private final List<CoverageWindow> windows;

  /** What the run's rollups have beside sum, min, max and count. */
  private final SuiteConfig suite;

  private final List<String> notes = new ArrayList<>();

  /** Where packed rows differ from plain ones, of the last look. */
  private final List<String> differences = new ArrayList<>();

  /** Why nothing is written; empty if {@link #windows} are. */
  private final String reason;

  /**
   * @param run with a manifest that fits the configuration
   * @param schema of the TSD
   * @param rollups of the TSD
   * @param codecs of the TSD's histograms
   * @param now time of the load
   * @throws IOException when HBase fails
   */
  LoadedCoverage(
      Connection connection,
      Admin admin,
      CoverageChoice choice,
      StoredRun run,
      StorageSchema schema,
      RollupConfig rollups,
      HistogramCodecs codecs,
      Instant now)
      throws IOException {
    this.now = now;
    this.connection = connection;
    this.admin = admin;
    this.choice = choice;
    this.run = run;
    this.manifest = run.manifest();
    this.schema = schema;
    this.rollups = rollups;
    this.codecs = codecs;
    // LoadCheck requires that of the run, if it has one.
    this.suite = manifest.suite().isEmpty() ? SuiteConfig.NONE : rollups.suite();
    List<CoverageWindow> proven = List.of();
    String obstacle = obstacle();
    if (obstacle.isEmpty()) {
      try {
        boolean hasLevels = hasLevels();
        ProvenWindows all =
            new ProvenWindows(
                manifest,
                hasLevels ? suite : SuiteConfig.NONE,
                run.writer(),
                run.evidence(),
                this::ttl);
        proven = all.windows();
        if (!hasLevels) {
          proven.removeIf(LoadedCoverage::isPacked);
        }
        for (String level : all.unnamed()) {
          notes.add(
              ("no window of %s: no list of at most 100 patterns names the metrics that have it:"
                      + " say it with fewer or simpler entries of suite.%s")
                  .formatted(level, Level.isHistogram(level) ? "histograms" : "values"));
        }
        if (all.hidesHistograms()) {
          notes.add(
              ("no windows of histograms: more than %s metrics have a histogram that is too wide"
                      + " to be stored, or histograms beside points")
                  .formatted(Books.ODD_METRICS));
        }
        obstacle = proven.isEmpty() ? "the run proves no window and found no late rows" : "";
      } catch (IllegalArgumentException e) {
        obstacle = String.valueOf(e.getMessage());
      } catch (UncheckedIOException e) {
        throw Objects.requireNonNull(e.getCause());
      }
    }
    this.windows = proven;
    this.reason = obstacle;
  }

  /**
   * Whether the coverage table can say more of the run's rollups than the four values, if needed.
   */
  private boolean hasLevels() throws IOException {
    if (suite.isEmpty() && !manifest.hasPacked()) {
      return true;
    }
    String obstacle;
    try (CoverageTable table = new CoverageTable(connection, choice.table())) {
      if (table.hasLevels()) {
        return true;
      }
      obstacle =
          ("table %s has a version without levels; run rollup-job coverage upgrade --levels when"
                  + " all TSDs and jobs know the version with them")
              .formatted(choice.table());
    } catch (IOException e) {
      // What cannot go on without the table says so itself, as of a run without further
      // aggregators.
      obstacle = unreadable(e);
    }
    List<String> levels = new ArrayList<>();
    if (!suite.isEmpty()) {
      levels.add("further aggregators");
    }
    if (suite.hasHistograms()) {
      levels.add("histograms");
    }
    if (manifest.hasPacked()) {
      levels.add("packed rows");
    }
    notes.add("no windows of %s: %s".formatted(String.join(" and ", levels), obstacle));
    return false;
  }

  private static boolean isPacked(CoverageWindow window) {
    return Level.isPacked(window.interval());
  }

  private String obstacle() throws IOException {
    if (!choice.written()) {
      return "not wanted (--no-coverage)";
    }
    String missing = missing();
    if (missing.isEmpty()) {
      missing = ProvenWindows.obstacle(manifest, now);
    }
    return missing.isEmpty() ? otherSource() : missing;
  }

  /** Why the run may have read another table than the TSDs of this cluster; empty if it has not. */
  private String otherSource() throws IOException {
    String name = manifest.options().getOrDefault("--data-snapshot", "");
    String time = manifest.snapshots().getOrDefault("--data-snapshot", "");
    TableName data = TableName.valueOf(schema.dataTable());
    return choice.sourceChecked()
            || (!time.isEmpty()
                && TableFacts.hasSnapshot(
                    admin, schema.dataTable(), name, Instant.parse(time).toEpochMilli()))
        ? ""
        : ("snapshot %s of table %s, taken at %s, must be in this HBase, which does not"
                + " show it, so the run may have read a copy that lacks points; if it was taken of"
                + " this table, give --coverage-source-checked")
            .formatted(name, data, time);
  }

  /** What the coverage table lacks; empty if it can be used. */
  private String missing() throws IOException {
    try {
      return CoverageTableCheck.missing(admin, choice.table());
    } catch (IOException e) {
      return denied(e);
    }
  }

  /**
   * Which rights lack.
   *
   * @throws IOException the failure, if it has another reason
   */
  private String denied(IOException failure) throws IOException {
    String access = AccessFailures.reason(failure);
    if (access == null) {
      throw failure;
    }
    return ("the coverage is not allowed: %s; it needs R, W and C on table %s, R and W on"
            + " each rollup table, and R on table %s")
        .formatted(access, choice.table(), schema.uidTable());
  }

  /**
   * Why the coverage table cannot be read.
   *
   * @throws IOException the failure, if it has another reason
   */
  private String unreadable(IOException failure) throws IOException {
    return failure instanceof TableNotEnabledException
        ? "table " + choice.table() + " must be enabled, found disabled"
        : denied(failure);
  }

  /** How long a rollup table keeps cells. */
  private long ttl(String table) {
    try {
      if (!admin.tableExists(TableName.valueOf(table))) {
        // Nothing will be written for it.
        return TableFacts.FOREVER;
      }
      return TableFacts.ttl(admin, table);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Reasons against a load, one sentence each: the user has named a table that cannot be used. */
  List<String> problems() throws IOException {
    String missing = choice.required() ? missing() : "";
    return missing.isEmpty() ? List.of() : List.of("--coverage-table: " + missing);
  }

  /**
   * The floors of the data table; none without a coverage table.
   *
   * @throws IOException when HBase fails
   * @throws JobException usage, when they cannot be read
   */
  RawFloors floors() throws IOException {
    if (!hasTable()) {
      return RawFloors.UNKNOWN;
    }
    String obstacle;
    try (CoverageTable table = new CoverageTable(connection, choice.table())) {
      return RawFloors.of(table.knownFloors(now.toEpochMilli()));
    } catch (CoverageRefusedException e) {
      obstacle = String.valueOf(e.getMessage());
    } catch (IOException e) {
      obstacle = unreadable(e);
    }
    throw JobException.usage(
        "rollups below a floor of raw data, which may be the only data, cannot be told: "
            + obstacle);
  }

  /** Where packed rows differ from plain ones, one sentence for each level. */
  List<String> differences() {
    return List.copyOf(differences);
  }

  boolean hasTable() throws IOException {
    return admin.tableExists(TableName.valueOf(choice.table()));
  }

  /**
   * Removes the windows that would claim too much once the files are loaded; below floors they keep
   * the metrics of these, of which the run has no rollups there. Who looks for the rollups of one
   * of these tables at this time adds no window.
   *
   * @return their number; queries may go on with them for a while
   * @throws IOException when HBase fails
   * @throws JobException usage, when the run would spoil windows if there are any, and the coverage
   *     table cannot be read
   */
  int removeSpoiled() throws IOException {
    if (!hasTable()) {
      return 0;
    }
    String obstacle;
    boolean harmless = ProvenWindows.isComplete(manifest);
    CoverageCleaner.Cuts spoiled = cuts(true);
    try (CoverageCleaner table = new CoverageCleaner(connection, choice.table())) {
      try {
        int removed = table.removeAboveFloors(written(), spoiled).size();
        if (table.broken().isEmpty() || harmless) {
          return removed;
        }
        obstacle = String.join("; ", table.broken());
      } catch (IOException e) {
        // Perhaps the right to change a marker lacks; there may be nothing to remove.
        obstacle = denied(e);
        harmless &= table.windows().stream().allMatch(found -> spoiled.of(found).isEmpty());
      }
    } catch (IOException e) {
      obstacle = unreadable(e);
    }
    if (harmless) {
      return 0;
    }
    throw JobException.usage(
        "windows that this run would make wrong, because it has gaps, timestamps after its"
            + " snapshot or older data, cannot be removed: "
            + obstacle);
  }

  /** The tables of the run, and those whose histograms and packed rows its rollups make wrong. */
  private Set<String> written() {
    Set<String> names = new TreeSet<>();
    SuiteConfig configured = rollups.suite();
    for (Manifest.Table table : manifest.tables()) {
      names.add(table.name());
      Stream.of(
              configured.histogramTable(table.interval()), configured.packedTable(table.interval()))
          .filter(Objects::nonNull)
          .forEach(names::add);
    }
    return names;
  }

  /**
   * What of windows the run makes wrong.
   *
   * @param spoils whether its gaps count, too, and not only the aggregators that it lacks
   */
  private CoverageCleaner.Cuts cuts(boolean spoils) {
    return new CoverageCleaner.Cuts() {
      private TimeRanges spoiled(CoverageCleaner.Found found) {
        return spoils ? ProvenWindows.spoiled(manifest, found.row(), now) : TimeRanges.none();
      }

      @Override
      public TimeRanges of(CoverageCleaner.Found found) {
        return spoiled(found).plus(ProvenWindows.outdated(manifest, suite, found.row()));
      }

      @Override
      public @Nullable String kept(CoverageCleaner.Found found) {
        return spoiled(found).isEmpty() ? ProvenWindows.kept(suite, found.row()) : null;
      }
    };
  }

  /**
   * Removes the windows of further aggregators that the run's rollups do not have, if their tables
   * have the rollups already.
   *
   * @throws IOException when HBase fails
   * @throws JobException usage, when a right lacks
   */
  void removeOutdated() throws IOException {
    if (!hasTable()) {
      return;
    }
    CoverageCleaner.Cuts outdated = cuts(false);
    try (CoverageCleaner table = new CoverageCleaner(connection, choice.table())) {
      if (table.windows().stream().allMatch(found -> outdated.of(found).isEmpty())) {
        return;
      }
      for (CoverageWindow window : table.removeAboveFloors(List.of(), outdated)) {
        LOG.info("{}: removed, because the run has rollups without it", window);
      }
    } catch (IOException e) {
      throw JobException.usage(denied(e), e);
    }
  }

  /** What a load would write. */
  CoverageOutcome planned() {
    return new CoverageOutcome(choice.table(), windows, reason, false, notes);
  }

  /** What an earlier load of the run has written. */
  CoverageOutcome known() throws IOException {
    return !windows.isEmpty() && run.isCovered()
        ? CoverageOutcome.none(
            choice.table(),
            "an earlier load of the run has written its windows, and nobody writes them again: if"
                + " they were removed, roll up the window again")
        : planned();
  }

  /** Whether the run proves windows that no load has written yet. */
  boolean isOpen() throws IOException {
    return !windows.isEmpty() && !run.isCovered();
  }

  /**
   * Looks whether queries see the rollups of the run, and writes its windows if so. Once they are
   * written, {@link RunDir#COVERED} is there.
   *
   * @param clock for the age of the proof
   * @throws IOException when HBase fails, or a rollup table was changed meanwhile: the load can be
   *     repeated
   */
  CoverageOutcome write(Clock clock) throws IOException {
    if (windows.isEmpty()) {
      return planned();
    }
    try (CoverageTable table = new CoverageTable(connection, choice.table());
        HBaseUidResolver names = names()) {
      // What is below a floor can be proven by no raw data, nor be wrong.
      List<CoverageWindow> open = table.aboveFloors(windows);
      if (open.isEmpty()) {
        return CoverageOutcome.none(
            choice.table(),
            "all times of the run are below the floors of its metrics, where raw data may be gone");
      }
      Map<String, String> marks = new HashMap<>();
      Map<String, SeenRollups> seen = new HashMap<>();
      Map<String, PackedLook> packed = new HashMap<>();
      long looked = Long.MAX_VALUE;
      TableLook look =
          new TableLook(connection, run, schema, codecs, names, oldestPoint(clock.instant()));
      differences.clear();
      for (Manifest.Table each : manifest.tables()) {
        if (each.isPacked()) {
          continue;
        }
        String key = CoverageRows.tableName(each.name());
        marks.put(key, table.mark(each.name()));
        looked = Math.min(looked, table.markedAt(each.name()));
        // LoadCheck requires the level.
        seen.put(key, look.look(each, Objects.requireNonNull(rollups.level(each.level()))));
      }
      String difference =
          run.difference(
              (each, level) ->
                  Objects.requireNonNull(seen.get(CoverageRows.tableName(each.name())))
                      .ofRun(level));
      if (!difference.isEmpty()) {
        return CoverageOutcome.none(choice.table(), difference);
      }
      // Before windows of plain rows are added: where packed ones differ nothing may be claimed.
      for (CoverageWindow window : open) {
        if (isPacked(window)) {
          packed.put(window.table(), packed(window, look, table, marks, names));
        }
      }
      List<CoverageWindow> claimed = new ArrayList<>(open);
      claimed.removeIf(
          window -> {
            PackedLook compared = packed.get(window.table());
            return compared != null && compared.hasNothing();
          });
      List<CoverageWindow> proven =
          ProvenWindows.without(
              claimed,
              window -> {
                PackedLook compared = packed.get(window.table());
                Map<String, TimeRanges> named =
                    named(compared == null ? foreign(window, seen) : compared.different(), names);
                boolean isLevel = window.interval().indexOf('.') >= 0;
                named.keySet().removeIf(metric -> isLevel && !window.wants(metric));
                return named;
              });
      if (proven.isEmpty()) {
        return CoverageOutcome.none(
            choice.table(),
            "at all times of the run there are rollups that may differ from raw data, of more"
                + " metrics than a window can name");
      }
      // Before windows become one, of which the older reading counts.
      int deleted = table.deleteVoidMasks(rollups, clock.millis());
      table.add(proven, marks, clock.millis());
      deleted += table.deleteFoundMasks(rollups, proven, looked, clock.millis());
      LOG.info("{} masks that say nothing any more were deleted", deleted);
      run.markCovered(String.valueOf(proven));
      List<String> all = new ArrayList<>(notes);
      all.addAll(differences);
      return new CoverageOutcome(choice.table(), proven, "", false, all);
    } catch (CoverageRefusedException | IllegalArgumentException e) {
      return CoverageOutcome.none(choice.table(), String.valueOf(e.getMessage()));
    } catch (UncheckedIOException e) {
      return failed(Objects.requireNonNull(e.getCause()));
    } catch (IOException e) {
      return failed(e);
    }
  }

  /**
   * Compares packed rows with plain ones, and removes what windows claim of those that differ.
   *
   * @param window in whose times they are compared
   * @param marks receive the marker of the packed table, as of before the comparison
   */
  private PackedLook packed(
      CoverageWindow window,
      TableLook look,
      CoverageTable table,
      Map<String, String> marks,
      HBaseUidResolver names)
      throws IOException, CoverageRefusedException {
    // LoadCheck requires the level.
    Level level = Objects.requireNonNull(rollups.level(window.interval()));
    while (true) {
      marks.put(window.table(), table.mark(level.table()));
      PackedLook compared = look.packed(rollups, level, window.from(), window.to());
      Map<String, TimeRanges> different = named(compared.different(), names);
      try (CoverageCleaner cleaner = new CoverageCleaner(connection, choice.table())) {
        // Also below raw floors, which say nothing of copies.
        List<CoverageWindow> removed =
            cleaner.remove(List.of(), found -> different(found.row(), window, different));
        if (removed.isEmpty()) {
          String text = compared.text(level, new SeriesText(new RowKey(schema), names));
          if (!text.isEmpty()) {
            differences.add(text);
          }
          return compared;
        }
        LOG.info("{}: removed, because packed rows differ from plain ones", removed);
      }
    }
  }

  /** The times of a window of packed rows, of the table of another one, at which these differ. */
  private static TimeRanges different(
      CoverageWindow window, CoverageWindow compared, Map<String, TimeRanges> different) {
    TimeRanges times = TimeRanges.none();
    if (window.interval().equals(compared.interval()) && window.table().equals(compared.table())) {
      for (Map.Entry<String, TimeRanges> each : different.entrySet()) {
        times = window.wants(each.getKey()) ? times.plus(each.getValue()) : times;
      }
    }
    return times.intersect(TimeRanges.of(window.from() * 1000, window.to() * 1000));
  }

  /** The metrics with rollups in a window that are not the run's, by UID, and when. */
  private Map<Long, TimeRanges> foreign(CoverageWindow window, Map<String, SeenRollups> seen) {
    Level level = Objects.requireNonNull(rollups.level(window.interval()));
    RunProof proof = Objects.requireNonNull(manifest.proof());
    List<RunProof.OddMetric> odd = new ArrayList<>(proof.oddMetrics());
    Set<String> tables = new TreeSet<>(Set.of(window.table()));
    if (level.isHistogram()) {
      odd.addAll(proof.oddHistograms());
      // Histograms beside rollups that are not the run's are of other points than these.
      tables.add(CoverageRows.tableName(level.interval().table()));
    }
    Map<Long, TimeRanges> foreign = new TreeMap<>();
    for (String table : tables) {
      SeenRollups of = Objects.requireNonNull(seen.get(table));
      (window.isRefresh() ? of.foreignBefore(level.name()) : of.foreign(level.name()))
          .forEach((metric, times) -> foreign.merge(metric, times, SeenRollups::both));
    }
    TimeRanges whole = TimeRanges.of(window.from() * 1000, window.to() * 1000);
    for (RunProof.OddMetric each : odd) {
      TimeRanges times = TimeRanges.of(each.from() * 1000, each.to() * 1000).intersect(whole);
      if (!times.isEmpty()) {
        foreign.merge(each.uid(), times, SeenRollups::both);
      }
    }
    return foreign;
  }

  /**
   * Raw points of before this time may have expired, seconds since the epoch: all of them, if HBase
   * does not show the table.
   */
  private long oldestPoint(Instant now) throws IOException {
    try {
      long ttl = TableFacts.ttl(admin, schema.dataTable());
      return ttl == TableFacts.FOREVER
          ? 0
          : now.minusSeconds(ttl).plus(TTL_MARGIN).getEpochSecond();
    } catch (TableNotFoundException e) {
      return Long.MAX_VALUE;
    } catch (IOException e) {
      if (AccessFailures.reason(e) != null) {
        return Long.MAX_VALUE;
      }
      throw e;
    }
  }

  /** A missing right is a failure only if the user has named the table. */
  private CoverageOutcome failed(IOException failure) throws IOException {
    String denied = denied(failure);
    if (choice.required()) {
      throw JobException.usage(denied, failure);
    }
    return CoverageOutcome.none(choice.table(), denied);
  }

  private HBaseUidResolver names() {
    return new HBaseUidResolver(connection.getConfiguration(), schema, MAX_NAMES);
  }

  /** By name. No query reads a metric without one. */
  private static Map<String, TimeRanges> named(
      Map<Long, TimeRanges> foreign, HBaseUidResolver names) {
    Map<String, TimeRanges> named = new TreeMap<>();
    ByteSlice name = new ByteSlice();
    foreign.forEach(
        (uid, times) -> {
          String text =
              names.lookup(UidKind.METRIC, uid, name)
                  ? name.toString()
                  : names.foreignName(UidKind.METRIC, uid);
          if (text != null) {
            named.merge(text, times, TimeRanges::plus);
          }
        });
    return named;
  }
}
