package io.tsdbsuite.rollup.tiers.apply;

import io.tsdbsuite.coverage.CoverageFloor;
import io.tsdbsuite.coverage.CoverageMask;
import io.tsdbsuite.coverage.CoverageRows;
import io.tsdbsuite.format.row.RowKey;
import io.tsdbsuite.hbase.StorageException;
import io.tsdbsuite.hbase.load.TableLayout;
import io.tsdbsuite.hbase.snapshot.Snapshot;
import io.tsdbsuite.hbase.snapshot.SnapshotLoader;
import io.tsdbsuite.job.ExitCode;
import io.tsdbsuite.job.JobException;
import io.tsdbsuite.job.coverage.CoverageRefusedException;
import io.tsdbsuite.job.coverage.CoverageTable;
import io.tsdbsuite.job.coverage.CoverageTableCheck;
import io.tsdbsuite.job.hbase.HBaseProbe;
import io.tsdbsuite.rollup.error.Defects;
import io.tsdbsuite.rollup.tiers.proof.Proof;
import java.io.IOException;
import java.time.Clock;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.jspecify.annotations.Nullable;

/**
 * Brings back the rows of a table that {@link TierApply} has deleted, from a day on:
 *
 * <ol>
 *   <li>checks all: the directories of the applies account for all rows below the floors, and the
 *       proofs' snapshots are there;
 *   <li>lets HBase compact the regions whose markers would hide restored cells;
 *   <li>writes the cells of the snapshots that the table lacks, of exactly the rows that have got
 *       markers, and loads them; the newest day first;
 *   <li>looks at each row;
 *   <li>masks the days of raw data: no rollup shows points that came since the proof; and marks the
 *       directories of the applies, which begin anew;
 *   <li>lowers the floors;
 *   <li>empties the directories of the applies.
 * </ol>
 *
 * Can be retried after any failure, but not concurrently with an apply of the same table.
 */
public final class TierUndo {
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

  /** A day to restore. */
  private record Day(Proof proof, MarkerDir dir, RestoredRows rows) {
    UndoReport.Day report(RestoredRows.Count count, int files) {
      return new UndoReport.Day(
          proof.policy().match(),
          proof.from(),
          proof.sha256(),
          count.rows(),
          count.open(),
          count.cells(),
          files);
    }
  }

  private final Configuration hbase;
  private final UndoOptions options;
  private final TierTable table;
  private final Clock clock;
  private final Consumer<Step> steps;
  private final Instant started;
  private final List<Day> days = new ArrayList<>();

  /** Directories of days all of whose rows are there. */
  private final List<MarkerDir> undone = new ArrayList<>();

  /** Directories of days that stay below the floor. */
  private final List<MarkerDir> earlier = new ArrayList<>();

  private final List<CoverageFloor> floors = new ArrayList<>();
  private final List<CoverageFloor> lowered = new ArrayList<>();
  private final List<UndoReport.Day> done = new ArrayList<>();
  private final List<String> usage = new ArrayList<>();
  private final List<String> findings = new ArrayList<>();

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
    this.table = options.table();
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
        table.name(),
        days.stream().map(day -> day.report(new RestoredRows.Count(0, 0, 0), 0)).toList(),
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
        check(connection, admin, coverage, cluster);
        if (!dry) {
          restore(admin, coverage);
        }
      } catch (CoverageRefusedException e) {
        throw JobException.usage(String.valueOf(e.getMessage()), e);
      }
    }
  }

  /** Finds the days and floors, or throws all problems; changes nothing. */
  private void check(Connection connection, Admin admin, CoverageTable coverage, String cluster)
      throws IOException, CoverageRefusedException {
    coverage.requireFloors();
    @Nullable TableLayout layout = table.layout(admin, usage);
    if (!table.begins(options.from())) {
      usage.add(
          "--from must be where a row of %s begins (rowSpan), found %s"
              .formatted(table.name(), Instant.ofEpochSecond(options.from())));
    }
    Map<String, CoverageFloor> ofApplies = new TreeMap<>();
    for (CoverageFloor floor : coverage.floors()) {
      if (floor.level().equals(options.level())
          && floor.writer().startsWith(EntryFloors.WRITER)
          && (options.match() == null
              || floor.metrics().split(",", -1)[0].equals(options.match()))) {
        ofApplies.put(floor.writer(), floor);
      }
    }
    if (options.match() != null && ofApplies.isEmpty()) {
      usage.add(
          "--match must be the pattern of an entry with a floor in table %s, found %s"
              .formatted(options.coverageTable(), options.match()));
    }
    Map<String, SortedMap<Long, Long>> known = new HashMap<>();
    Map<String, Snapshot> snapshots = new HashMap<>();
    for (MarkerDir dir : MarkerDir.all(hbase, options.hfileDir())) {
      Proof proof = storedProof(dir);
      if (proof == null
          || !proof.table().equals(options.level())
          || !(options.match() == null || options.match().equals(proof.policy().match()))) {
        continue;
      }
      String writer = EntryFloors.writer(proof.policy().metrics());
      CoverageFloor floor = ofApplies.get(writer);
      account(dir, proof, floor, known.computeIfAbsent(writer, any -> new TreeMap<>()));
      long from = proof.from().getEpochSecond();
      if (from < options.from()) {
        earlier.add(dir);
      } else if (dir.loadingInto() == null) {
        // All rows are there. Without a floor this may be the wrong coverage table.
        undone.addAll(floor == null ? List.of() : List.of(dir));
      } else if (floor == null || floor.before() <= from) {
        findings.add(
            ("table %s must have a floor of %s above %s, from which an apply with the directory %s"
                    + " has deleted rows, found %s: is it the coverage table of the apply?")
                .formatted(
                    options.coverageTable(),
                    String.join(",", proof.policy().metrics()),
                    proof.from(),
                    dir,
                    floor == null ? "none" : Instant.ofEpochSecond(floor.before())));
      } else {
        day(connection, proof, dir, cluster, layout, snapshots);
      }
    }
    for (CoverageFloor floor : ofApplies.values()) {
      if (floor.before() > options.from()) {
        floors.add(floor);
        accounted(floor, known.getOrDefault(floor.writer(), new TreeMap<>()));
      }
    }
    days.sort(Comparator.comparing((Day day) -> day.proof().from()).reversed());
    List<String> all = new ArrayList<>(usage);
    all.addAll(findings);
    if (!all.isEmpty()) {
      days.clear();
      throw usage.isEmpty()
          ? JobException.badInput(String.join(System.lineSeparator(), all))
          : JobException.usage(all);
    }
  }

  /** The proof of a directory; null, and a problem if rows were deleted, when it has none. */
  private @Nullable Proof storedProof(MarkerDir dir) throws IOException {
    Proof proof = null;
    String problem = "directory " + dir + " must have the proof of its apply, found none";
    try {
      proof = dir.storedProof();
    } catch (JobException e) {
      if (e.exitCode() != ExitCode.BAD_INPUT) {
        throw e;
      }
      problem = e.getMessage();
    }
    if (proof == null && dir.loadingInto() != null) {
      findings.add(problem);
    }
    return proof;
  }

  /** Adds the times of which all proofs are known whose rows may be deleted. */
  private void account(
      MarkerDir dir, Proof proof, @Nullable CoverageFloor floor, SortedMap<Long, Long> known)
      throws IOException {
    boolean deleted = dir.loadingInto() != null || dir.isUndone();
    if (deleted) {
      known.merge(proof.from().getEpochSecond(), proof.to().getEpochSecond(), Math::max);
    }
    RaisedFloor raised = dir.raisedFloor();
    if (raised != null && (deleted || raised.is(floor))) {
      for (String together : raised.together()) {
        if (!new MarkerDir(hbase, options.hfileDir(), together).exists()) {
          return;
        }
      }
      known.merge(raised.formerBefore(), raised.before(), Math::max);
    }
  }

  /** Requires that the applies tell of each time below a floor what was deleted. */
  private void accounted(CoverageFloor floor, SortedMap<Long, Long> known) {
    long time = options.from();
    for (Map.Entry<Long, Long> each : known.entrySet()) {
      if (each.getKey() <= time) {
        time = Math.max(time, each.getValue());
      }
    }
    if (time < floor.before()) {
      findings.add(
          ("the directories of applies below %s must tell which %s of %s are gone from %s to"
                  + " its floor, %s, found none for %s and later")
              .formatted(
                  options.hfileDir(),
                  table.data(),
                  floor.metrics(),
                  Instant.ofEpochSecond(options.from()),
                  Instant.ofEpochSecond(floor.before()),
                  Instant.ofEpochSecond(time)));
    }
  }

  private void day(
      Connection connection,
      Proof proof,
      MarkerDir dir,
      String cluster,
      @Nullable TableLayout layout,
      Map<String, Snapshot> snapshots)
      throws IOException {
    List<String> problems = new ArrayList<>();
    MarkerManifest manifest = dir.manifest();
    ApplyCheck.must(
        "the cluster of its apply", cluster, String.valueOf(dir.loadingInto()), problems);
    ApplyCheck.must(
        "the schema", new TreeMap<>(table.schema().rowKeys()), proof.schema(), problems);
    ApplyCheck.must(
        "the table",
        CoverageRows.tableName(table.name()),
        CoverageRows.tableName(proof.data().table()),
        problems);
    ApplyCheck.sameIds(proof, options.rollups(), problems);
    if (manifest == null) {
      problems.add("its apply must have written %s below %s".formatted(MarkerDir.MANIFEST, dir));
    }
    if (layout != null
        && layout.ttlSeconds() != HConstants.FOREVER
        && proof.from().plusSeconds(layout.ttlSeconds()).isBefore(clock.instant())) {
      problems.add(
          "the TTL of the table, %s s, must not hide the day".formatted(layout.ttlSeconds()));
    }
    String name = proof.data().snapshot();
    try {
      if (!snapshots.containsKey(name)) {
        snapshots.put(name, new SnapshotLoader(hbase, options.root()).load(name, RowKey.FAMILY));
      }
      Snapshot data = Objects.requireNonNull(snapshots.get(name));
      ApplyCheck.must("the snapshot " + name, Proof.Source.of(data), proof.data(), problems);
      if (manifest != null) {
        SnapshotDay rows =
            new SnapshotDay(
                data,
                table,
                proof.from().getEpochSecond(),
                proof.to().getEpochSecond(),
                proof.metrics().keySet().stream()
                    .map(uid -> Long.parseUnsignedLong(uid, 16))
                    .collect(Collectors.toSet()),
                proof.anyBucket());
        RestoredRows restored =
            new RestoredRows(hbase, connection, rows, manifest, dir.undoDir(), clock);
        days.add(new Day(proof, dir, restored));
      }
    } catch (StorageException e) {
      if (e.kind() == StorageException.Kind.UNAVAILABLE) {
        throw e;
      }
      problems.add(String.valueOf(e.getMessage()));
    }
    String what = proof.policy().match() + ", " + proof.from().toString().substring(0, 10) + ": ";
    problems.forEach(problem -> findings.add(what + problem));
  }

  private void restore(Admin admin, CoverageTable coverage)
      throws IOException, CoverageRefusedException {
    new RegionCompaction(admin, table.hbase())
        .whileThereAre(this::hiding, () -> steps.accept(Step.COMPACT));
    for (Day day : days) {
      done.add(restore(day));
    }
    if (!floors.isEmpty()) {
      steps.accept(Step.MASK);
      if (table.rollups() == null) {
        mask(coverage);
      }
      for (Day day : days) {
        day.dir().undone();
        undone.add(day.dir());
      }
    }
    for (CoverageFloor floor : floors) {
      CoverageFloor lower =
          new CoverageFloor(
              floor.level(),
              floor.writer(),
              options.from(),
              floor.metrics(),
              "rollup-job tiers undo of " + started,
              floor.asOf());
      for (MarkerDir dir : earlier) {
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
   * Masks the rollups of all times below the floors: they may lack points that came since the
   * proofs, whose masks did not count and may have been deleted. Metrics are not named: of some, no
   * proof tells, and readers take no more than 100,000 masks.
   */
  private void mask(CoverageTable coverage) throws IOException, CoverageRefusedException {
    long to = floors.stream().mapToLong(CoverageFloor::before).max().orElseThrow();
    coverage.mask(
        Map.of(
            CoverageRows.maskRow(options.from(), CoverageMask.ALL_METRICS),
            CoverageRows.maskColumn(CoverageMask.Kind.LATE, to)));
  }

  private UndoReport.Day restore(Day day) throws IOException {
    RestoredRows rows = day.rows();
    day.dir().undoing();
    steps.accept(Step.WRITE);
    RestoredRows.Count written = rows.write();
    steps.accept(Step.LOAD);
    int files = rows.load();
    steps.accept(Step.LOOK);
    UndoReport.Day restored = day.report(written, files);
    RestoredRows.Count found = rows.look();
    if (found.open() > 0 || found.rows() != written.rows()) {
      throw JobException.outside(
          ("%s: table %s must show the cells of the snapshot of %s rows, found %s rows of which it"
                  + " lacks some: run it again")
              .formatted(restored.name(), table.name(), written.rows(), found.open()));
    }
    rows.remove();
    return restored;
  }

  /** The regions with markers that hide cells of the snapshots. */
  private SortedMap<String, byte[]> hiding() throws IOException {
    SortedMap<String, byte[]> regions = new TreeMap<>();
    for (Day day : days) {
      regions.putAll(day.rows().hidingRegions());
    }
    return regions;
  }
}
