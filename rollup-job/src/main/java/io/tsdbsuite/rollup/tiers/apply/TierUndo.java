package io.tsdbsuite.rollup.tiers.apply;

import io.tsdbsuite.coverage.CoverageFloor;
import io.tsdbsuite.coverage.CoverageMask;
import io.tsdbsuite.coverage.CoverageRows;
import io.tsdbsuite.format.row.RowKey;
import io.tsdbsuite.format.schema.StorageSchema;
import io.tsdbsuite.format.uid.UidKind;
import io.tsdbsuite.hbase.AccessFailures;
import io.tsdbsuite.hbase.StorageException;
import io.tsdbsuite.hbase.StorageFailures;
import io.tsdbsuite.hbase.load.TableLayout;
import io.tsdbsuite.hbase.snapshot.Snapshot;
import io.tsdbsuite.hbase.snapshot.SnapshotLoader;
import io.tsdbsuite.job.ExitCode;
import io.tsdbsuite.job.JobException;
import io.tsdbsuite.job.coverage.CoverageRefusedException;
import io.tsdbsuite.job.coverage.CoverageTable;
import io.tsdbsuite.job.coverage.CoverageTableCheck;
import io.tsdbsuite.job.hbase.HBaseProbe;
import io.tsdbsuite.message.write.ByteSlice;
import io.tsdbsuite.rollup.error.Defects;
import io.tsdbsuite.rollup.tiers.proof.Proof;
import io.tsdbsuite.rollup.uid.UidNames;
import io.tsdbsuite.rollup.uid.UidSettings;
import io.tsdbsuite.rollup.uid.UidSetup;
import io.tsdbsuite.rollup.uid.UidSource;
import java.io.IOException;
import java.io.UncheckedIOException;
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
import org.apache.hadoop.hbase.NotServingRegionException;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.UnknownRegionException;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.CompactionState;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Brings back the raw data of days that {@link TierApply} has deleted, from a day on:
 *
 * <ol>
 *   <li>checks all: the directories of the applies account for all raw data below the floors, and
 *       the proofs' snapshots are there;
 *   <li>lets HBase compact the regions whose markers would hide restored cells;
 *   <li>writes the cells of the snapshots that the table lacks, of exactly the rows that have got
 *       markers, and loads them; the newest day first;
 *   <li>looks at each row;
 *   <li>masks the days: no rollup shows points that came since the proof;
 *   <li>lowers the floors;
 *   <li>empties the directories of the applies.
 * </ol>
 *
 * Can be retried after any failure, but not concurrently with an apply of the same table.
 */
public final class TierUndo {
  private static final Logger LOG = LoggerFactory.getLogger(TierUndo.class);

  /** Compactions of a region after which markers must be gone. */
  private static final int ROUNDS = 20;

  private static final long POLL_MILLIS = 1000;

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
  private final Clock clock;
  private final Consumer<Step> steps;
  private final Instant started;
  private final List<Day> days = new ArrayList<>();

  /** Directories of days that an earlier undo has brought back. */
  private final List<MarkerDir> undone = new ArrayList<>();

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
    this.clock = clock;
    this.steps = steps;
    this.started = clock.instant();
  }

  /**
   * Brings the raw data back. Call once.
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
    } catch (IOException e) {
      return outside(e);
    } catch (UncheckedIOException e) {
      return outside(Objects.requireNonNull(e.getCause()));
    } catch (Throwable e) {
      JobException failure = Defects.of(e);
      if (failure.exitCode() == ExitCode.DEFECT) {
        LOG.error("tiers undo ends because of a defect", failure);
      }
      return report(failure.exitCode(), failure.getMessage());
    }
  }

  private UndoReport outside(IOException failure) {
    String access = AccessFailures.reason(failure);
    return access == null
        ? report(
            ExitCode.OUTSIDE,
            "tiers undo did not succeed, run it again: " + StorageFailures.describe(failure))
        : report(ExitCode.USAGE, "tiers undo is not allowed: " + access);
  }

  private UndoReport report(ExitCode exitCode, String message) {
    return new UndoReport(
        exitCode,
        message,
        started,
        clock.instant(),
        options.schema().dataTable(),
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
      try (CoverageTable coverage = new CoverageTable(connection, options.coverageTable());
          UidNames names =
              new UidSetup(
                      new UidSettings(UidSource.HBASE, null, Map.of()), options.schema(), hbase)
                  .live()) {
        check(connection, admin, coverage, cluster);
        if (!dry) {
          restore(admin, coverage, names);
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
    @Nullable TableLayout layout = ApplyCheck.table(admin, options.schema(), usage);
    // By the writer of the floor.
    Map<String, SortedMap<Long, Long>> known = new HashMap<>();
    Map<String, CoverageFloor> above = new TreeMap<>();
    for (CoverageFloor floor : coverage.floors()) {
      if (floor.level().equals(CoverageFloor.RAW) && floor.before() > options.from()) {
        above.put(floor.writer(), floor);
      }
    }
    Map<String, Snapshot> snapshots = new HashMap<>();
    boolean matched = options.match() == null;
    for (MarkerDir dir : MarkerDir.all(hbase, options.hfileDir())) {
      if (dir.loadingInto() == null) {
        continue;
      }
      Proof proof = dir.storedProof();
      if (options.match() != null && !proof.policy().match().equals(options.match())) {
        continue;
      }
      matched = true;
      String writer = EntryFloors.writer(proof.policy().metrics());
      CoverageFloor floor = above.get(writer);
      long from = proof.from().getEpochSecond();
      if (from < options.from()) {
        continue;
      }
      if (floor == null || floor.before() <= from) {
        // An earlier undo was killed when it had lowered the floor.
        undone.add(dir);
        continue;
      }
      floors.remove(floor);
      floors.add(floor);
      account(dir, proof, known.computeIfAbsent(writer, any -> new TreeMap<>()));
      day(connection, proof, dir, cluster, layout, snapshots);
    }
    if (!matched) {
      usage.add(
          "--match must be the pattern of an entry of which an apply below --hfile-dir has deleted"
              + " rows, found "
              + options.match());
    }
    floors.forEach(floor -> accounted(floor, known.getOrDefault(floor.writer(), new TreeMap<>())));
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

  /** Adds the times of which all proofs are known whose rows were deleted. */
  private void account(MarkerDir dir, Proof proof, SortedMap<Long, Long> known) throws IOException {
    known.merge(proof.from().getEpochSecond(), proof.to().getEpochSecond(), Math::max);
    RaisedFloor raised = dir.raisedFloor();
    if (raised != null) {
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
          ("the directories of applies below %s must tell which raw data of %s are gone from %s to"
                  + " its floor, %s, found none for %s and later")
              .formatted(
                  options.hfileDir(),
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
    StorageSchema schema = options.schema();
    List<String> problems = new ArrayList<>();
    MarkerManifest manifest = dir.manifest();
    ApplyCheck.must(
        "the cluster of its apply", cluster, String.valueOf(dir.loadingInto()), problems);
    ApplyCheck.must("the schema", new TreeMap<>(schema.rowKeys()), proof.schema(), problems);
    ApplyCheck.must(
        "the data table",
        CoverageRows.tableName(schema.dataTable()),
        CoverageRows.tableName(proof.data().table()),
        problems);
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
                schema,
                proof.from().getEpochSecond(),
                proof.to().getEpochSecond(),
                proof.metrics().keySet().stream()
                    .map(uid -> Long.parseUnsignedLong(uid, 16))
                    .collect(Collectors.toSet()),
                proof.anyBucket());
        RestoredRows restored =
            new RestoredRows(
                hbase,
                connection,
                TableName.valueOf(schema.dataTable()),
                schema,
                rows,
                manifest,
                dir.undoDir(),
                clock);
        days.add(new Day(proof, dir, restored));
      }
    } catch (StorageException e) {
      problems.add(String.valueOf(e.getMessage()));
    }
    String what = proof.policy().match() + ", " + proof.from().toString().substring(0, 10) + ": ";
    problems.forEach(problem -> findings.add(what + problem));
  }

  private void restore(Admin admin, CoverageTable coverage, UidNames names)
      throws IOException, CoverageRefusedException {
    steps.accept(Step.COMPACT);
    compact(admin);
    for (Day day : days) {
      done.add(restore(day));
    }
    steps.accept(Step.MASK);
    for (Day day : days) {
      mask(coverage, day.proof(), names);
    }
    for (CoverageFloor floor : floors) {
      steps.accept(Step.FLOOR);
      CoverageFloor lower =
          new CoverageFloor(
              floor.level(),
              floor.writer(),
              options.from(),
              floor.metrics(),
              "rollup-job tiers undo",
              floor.asOf());
      coverage.lower(floor, lower);
      lowered.add(lower);
    }
    steps.accept(Step.CLEAR);
    for (Day day : days) {
      day.dir().undone();
    }
    for (MarkerDir dir : undone) {
      dir.undone();
    }
  }

  private UndoReport.Day restore(Day day) throws IOException {
    RestoredRows rows = day.rows();
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
              .formatted(restored.name(), rows.table(), written.rows(), found.open()));
    }
    rows.remove();
    return restored;
  }

  /** Lets HBase remove the markers that hide cells of the snapshots. */
  private void compact(Admin admin) throws IOException {
    for (int round = 0; ; round++) {
      SortedMap<String, byte[]> regions = new TreeMap<>();
      for (Day day : days) {
        regions.putAll(day.rows().hidingRegions());
      }
      if (regions.isEmpty()) {
        return;
      }
      if (round == ROUNDS) {
        throw JobException.outside(
            ("major compactions must remove the delete markers, found some in %s regions after %s"
                    + " compactions of each: switch compactions on (compaction_switch of the HBase"
                    + " shell), and run it again")
                .formatted(regions.size(), round));
      }
      LOG.info("HBase compacts {} regions with delete markers of the days", regions.size());
      for (byte[] region : regions.values()) {
        compact(admin, region);
      }
    }
  }

  /** Compacts a region; one that was split or moved meanwhile is looked at again. */
  private static void compact(Admin admin, byte[] region) throws IOException {
    try {
      admin.flushRegion(region);
      admin.majorCompactRegion(region);
      do {
        Thread.sleep(POLL_MILLIS);
      } while (admin.getCompactionStateForRegion(region) != CompactionState.NONE);
    } catch (UnknownRegionException | NotServingRegionException e) {
      LOG.info("a region was split or moved while HBase was to compact it", e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw JobException.outside(
          "interrupted while HBase compacts; the floors are as they were", e);
    }
  }

  /** Masks the hours of a day, whose rollups may lack points that came since the proof. */
  private static void mask(CoverageTable coverage, Proof proof, UidNames names)
      throws IOException, CoverageRefusedException {
    Map<String, String> masks = new TreeMap<>();
    String column = CoverageRows.maskColumn(CoverageMask.Kind.LATE, proof.to().getEpochSecond());
    for (String uid : proof.metrics().keySet()) {
      ByteSlice name = new ByteSlice();
      // No query finds a metric without a name.
      if (names.lookup(UidKind.METRIC, Long.parseUnsignedLong(uid, 16), name)) {
        String metric = name.toString();
        masks.put(
            CoverageRows.maskRow(
                proof.from().getEpochSecond(),
                CoverageRows.canMask(metric) ? metric : CoverageMask.ALL_METRICS),
            column);
      }
    }
    coverage.mask(masks);
  }
}
