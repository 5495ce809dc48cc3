package io.tsdbsuite.rollup.tiers.apply;

import io.tsdbsuite.coverage.CoverageFloor;
import io.tsdbsuite.coverage.CoverageMask;
import io.tsdbsuite.coverage.CoverageRows;
import io.tsdbsuite.coverage.CoverageWindow;
import io.tsdbsuite.coverage.TimeRanges;
import io.tsdbsuite.format.metric.MetricPatterns;
import io.tsdbsuite.format.rollup.Level;
import io.tsdbsuite.job.ExitCode;
import io.tsdbsuite.job.JobException;
import io.tsdbsuite.job.coverage.CoverageCleaner;
import io.tsdbsuite.job.coverage.CoverageRefusedException;
import io.tsdbsuite.job.coverage.CoverageTable;
import io.tsdbsuite.job.coverage.CoverageTableCheck;
import io.tsdbsuite.job.hbase.HBaseProbe;
import io.tsdbsuite.rollup.error.Defects;
import io.tsdbsuite.rollup.uid.UidNames;
import io.tsdbsuite.rollup.uid.UidSettings;
import io.tsdbsuite.rollup.uid.UidSetup;
import io.tsdbsuite.rollup.uid.UidSource;
import java.io.IOException;
import java.time.Clock;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Consumer;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;

/**
 * Brings back the rows of a table that {@link TierApply} has deleted, from a day on, or the last
 * idle series of each entry, raw data first and without the steps of floors:
 *
 * <ol>
 *   <li>checks all: the directories of the applies account for all rows below the floors, and the
 *       proofs' snapshots are there;
 *   <li>lets HBase compact the regions whose markers would hide restored cells, or what is packed
 *       of them again;
 *   <li>writes the cells of the snapshots that the table lacks, of exactly the rows that have got
 *       markers, and loads them; the newest day first;
 *   <li>looks at each row;
 *   <li>masks the days of raw data: no rollup shows points that came since the proof; of idle
 *       series the days with newer cells; of rollups takes away what the coverage says of packed
 *       rows, which do not come back; and marks the directories of the applies, which begin anew;
 *   <li>lowers the floors;
 *   <li>empties the directories of the applies.
 * </ol>
 *
 * Can be retried after any failure, but not concurrently with an apply of the same table.
 */
public final class TierUndo {
  private static final long DAY = 86400;

  /** A step before which tests stop it. */
  enum Step {
    COMPACT,
    WRITE,
    LOAD,
    LOOK,
    MASK,
    FLOOR,
    CLEAR
  }

  private final Configuration hbase;
  private final UndoOptions options;
  private final Clock clock;
  private final Consumer<Step> steps;
  private final Instant started;
  private final List<CoverageFloor> lowered = new ArrayList<>();
  private final List<UndoReport.Day> done = new ArrayList<>();
  private List<UndoCheck.Rows> planned = List.of();

  /**
   * @param hbase client configuration of HBase and the file systems
   * @param clock for the creation time of HFiles and the report
   */
  public TierUndo(Configuration hbase, UndoOptions options, Clock clock) {
    this(hbase, options, clock, step -> {});
  }

  TierUndo(Configuration hbase, UndoOptions options, Clock clock, Consumer<Step> steps) {
    this.hbase = hbase;
    this.options = options;
    this.clock = clock;
    this.steps = steps;
    this.started = clock.instant();
  }

  /**
   * Brings the rows back. Call once.
   *
   * @param dry whether it only checks
   * @return the report, also of a failure: with usage, when configuration or tables do not allow
   *     it; bad input, when a directory or snapshot is missing; outside, when HBase or storage
   *     fails; defect, when anything else is thrown
   */
  public UndoReport run(boolean dry) {
    try {
      undo(dry);
      return report(ExitCode.DONE, "");
    } catch (Throwable e) {
      JobException failure = Defects.ofHBase("tiers undo", e);
      return report(failure.exitCode(), failure.getMessage());
    }
  }

  private UndoReport report(ExitCode exitCode, String message) {
    return new UndoReport(
        exitCode,
        message,
        started,
        clock.instant(),
        options.from() == null ? "" : options.table().name(),
        planned.stream().map(rows -> rows.report(new RestoredRows.Count(0, 0, 0), 0)).toList(),
        List.copyOf(lowered),
        List.copyOf(done));
  }

  private void undo(boolean dry) throws IOException {
    String cluster = HBaseProbe.clusterId(hbase);
    try (Connection connection = ConnectionFactory.createConnection(hbase);
        Admin admin = connection.getAdmin()) {
      String missing = CoverageTableCheck.missing(admin, options.coverageTable());
      if (!missing.isEmpty()) {
        throw JobException.usage("--coverage-table: " + missing);
      }
      try (CoverageTable coverage = new CoverageTable(connection, options.coverageTable())) {
        UndoCheck check = new UndoCheck(hbase, options, connection, admin, cluster, clock);
        planned = check.rows(coverage);
        if (!dry) {
          restore(connection, admin, coverage, check);
        }
      } catch (CoverageRefusedException e) {
        throw JobException.usage(String.valueOf(e.getMessage()), e);
      }
    }
  }

  private void restore(Connection connection, Admin admin, CoverageTable coverage, UndoCheck check)
      throws IOException, CoverageRefusedException {
    Set<TableName> tables = new LinkedHashSet<>();
    planned.forEach(rows -> tables(rows).forEach(table -> tables.add(table.hbase())));
    for (TableName table : tables) {
      if (admin.tableExists(table)) {
        new RegionCompaction(admin, table)
            .whileThereAre(() -> hiding(table), () -> steps.accept(Step.COMPACT));
      }
    }
    for (UndoCheck.Rows rows : planned) {
      done.add(restore(rows));
    }
    List<MarkerDir> undone = new ArrayList<>(check.undone());
    if (options.from() == null || !check.floors().isEmpty()) {
      steps.accept(Step.MASK);
      mask(coverage, check);
      forgetPacked(connection, check.floors());
      for (UndoCheck.Rows rows : planned) {
        rows.dir().undone();
        undone.add(rows.dir());
      }
    }
    for (CoverageFloor floor : check.floors()) {
      CoverageFloor lower =
          new CoverageFloor(
              floor.level(),
              floor.writer(),
              Objects.requireNonNull(options.from()),
              floor.metrics(),
              "rollup-job tiers undo of " + started,
              floor.asOf());
      for (MarkerDir dir : check.earlier()) {
        RaisedFloor raised = dir.raisedFloor();
        if (raised != null && raised.writer().equals(floor.writer())) {
          dir.raisedFloor(raised.after(floor, lower));
        }
      }
      steps.accept(Step.FLOOR);
      coverage.lower(floor, lower);
      lowered.add(lower);
    }
    steps.accept(Step.CLEAR);
    for (MarkerDir dir : undone) {
      dir.empty();
    }
  }

  /**
   * Masks the rollups of all times below the floors of raw data: they may lack points that came
   * since the proofs, whose masks did not count and may have been deleted. Metrics are not named:
   * of some, no proof tells, and readers take no more than 100,000 masks. Of idle series it masks
   * the days of rows with newer cells, which may be rollups of late points alone.
   */
  private void mask(CoverageTable coverage, UndoCheck check)
      throws IOException, CoverageRefusedException {
    Long from = options.from();
    if (from == null) {
      Map<String, String> masks = newer();
      if (!masks.isEmpty()) {
        coverage.mask(masks);
      }
    } else if (options.table().rollups() == null) {
      long to = check.floors().stream().mapToLong(CoverageFloor::before).max().orElseThrow();
      coverage.mask(
          Map.of(
              CoverageRows.maskRow(from, CoverageMask.ALL_METRICS),
              CoverageRows.maskColumn(CoverageMask.Kind.LATE, to)));
    }
  }

  /**
   * Removes what windows of packed rows say of the times below floors, or of idle series of all
   * times: rows come back that have no copies any more, or had none. While a floor stands no writer
   * adds such a window.
   */
  private void forgetPacked(Connection connection, List<CoverageFloor> floors) throws IOException {
    try (CoverageCleaner windows = new CoverageCleaner(connection, options.coverageTable())) {
      List<CoverageWindow> unused =
          windows.remove(
              options.rollups().suite().packedTables(), found -> packed(found.row(), floors));
    }
  }

  /** The times of a window that say of packed rows what is not true any more. */
  private TimeRanges packed(CoverageWindow window, List<CoverageFloor> floors) {
    Long from = options.from();
    long to = 0;
    if (!Level.isPacked(window.interval())) {
      return TimeRanges.none();
    } else if (from == null) {
      return TimeRanges.of(window.from() * 1000, window.to() * 1000);
    }
    for (CoverageFloor floor : floors) {
      if (floor.level().equals(CoverageRows.interval(window.interval()))
          && window.mayShare(MetricPatterns.of(List.of(floor.metrics().split(",", -1))))) {
        to = Math.max(to, floor.before());
      }
    }
    long begin = Math.max(window.from(), from);
    long end = Math.min(window.to(), to);
    return begin < end ? TimeRanges.of(begin * 1000, end * 1000) : TimeRanges.none();
  }

  /** Masks of the days of idle series with newer cells: those of a metric in a row are one. */
  private Map<String, String> newer() throws IOException {
    SortedSet<RestoredRows.Newer> days = new TreeSet<>();
    planned.forEach(rows -> days.addAll(Objects.requireNonNull(rows.rows().newer())));
    Map<String, String> masks = new TreeMap<>();
    if (days.isEmpty()) {
      return masks;
    }
    try (UidNames names =
        new UidSetup(new UidSettings(UidSource.HBASE, null, Map.of()), options.schema(), hbase)
            .live()) {
      for (RestoredRows.Newer first : days) {
        String name = EntryRows.name(names, first.metric());
        // Without a name nobody can ask for it.
        if (name == null
            || days.contains(new RestoredRows.Newer(first.metric(), first.day() - DAY))) {
          continue;
        }
        long end = first.day() + DAY;
        while (days.contains(new RestoredRows.Newer(first.metric(), end))) {
          end += DAY;
        }
        String unused =
            masks.merge(
                CoverageRows.maskRow(
                    first.day(), CoverageRows.canMask(name) ? name : CoverageMask.ALL_METRICS),
                CoverageRows.maskColumn(CoverageMask.Kind.LATE, end),
                (a, b) -> a.compareTo(b) > 0 ? a : b);
      }
    }
    return masks;
  }

  private UndoReport.Day restore(UndoCheck.Rows of) throws IOException {
    RestoredRows rows = of.rows();
    of.dir().undoing();
    steps.accept(Step.WRITE);
    RestoredRows.Count written = rows.write();
    steps.accept(Step.LOAD);
    int files = rows.load();
    steps.accept(Step.LOOK);
    RestoredRows.Count found = rows.look();
    if (found.open() > 0 || found.rows() != written.rows()) {
      throw JobException.outside(
          ("%s: table %s must show the cells of the snapshot of %s rows, found %s rows of which it"
                  + " lacks some: run it again")
              .formatted(
                  ProvenName.of(of.proof()), of.table().name(), written.rows(), found.open()));
    }
    rows.remove();
    return of.report(written, files);
  }

  /** The regions of a table with markers that hide cells of the snapshots, or copies of them. */
  private SortedMap<String, byte[]> hiding(TableName table) throws IOException {
    SortedMap<String, byte[]> regions = new TreeMap<>();
    for (UndoCheck.Rows each : planned) {
      for (TierTable of : tables(each)) {
        if (of.hbase().equals(table)) {
          regions.putAll(each.rows().hidingRegions(of));
        }
      }
    }
    return regions;
  }

  /** The table of rows, and the one with packed copies of them: these are to be packed again. */
  private static List<TierTable> tables(UndoCheck.Rows rows) {
    TierTable packed = rows.table().packed();
    return packed == null ? List.of(rows.table()) : List.of(rows.table(), packed);
  }
}
