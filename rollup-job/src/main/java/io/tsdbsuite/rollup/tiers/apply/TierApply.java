package io.tsdbsuite.rollup.tiers.apply;

import io.tsdbsuite.coverage.CoverageFloor;
import io.tsdbsuite.job.ExitCode;
import io.tsdbsuite.job.JobException;
import io.tsdbsuite.job.coverage.CoverageTable;
import io.tsdbsuite.job.coverage.CoverageTableCheck;
import io.tsdbsuite.job.hbase.HBaseProbe;
import io.tsdbsuite.rollup.error.Defects;
import io.tsdbsuite.rollup.hfile.RunDir;
import io.tsdbsuite.rollup.input.Window;
import io.tsdbsuite.rollup.report.MetricRows.Kept;
import io.tsdbsuite.rollup.tiers.proof.Proof;
import io.tsdbsuite.rollup.uid.UidNames;
import io.tsdbsuite.rollup.uid.UidSettings;
import io.tsdbsuite.rollup.uid.UidSetup;
import io.tsdbsuite.rollup.uid.UidSource;
import java.io.IOException;
import java.time.Clock;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeSet;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Deletes the rows of a table, of days that a policy and proofs name, or the rows of idle series
 * from all tables, without the steps of floors:
 *
 * <ol>
 *   <li>checks all ({@link ApplyCheck});
 *   <li>writes the markers of each proof's rows to HFiles, and requires that these are the rows
 *       that the proof counts; the same markers for the table with packed copies of rollups;
 *   <li>raises the floors, after which no query reads these rows;
 *   <li>waits until no query reads by an older floor, and looks again: if a late point has come,
 *       lowers the floors ({@link EntryFloors}), and ends;
 *   <li>writes the mark {@link RunDir#LOADING} and hands the HFiles to HBase;
 *   <li>counts what the table still shows of the rows;
 *   <li>writes the mark {@link RunDir#LOADED}, with the report.
 * </ol>
 *
 * Can be retried after any failure, but not concurrently with another apply of the same table. A
 * proof whose load has begun is not checked again: it must end.
 */
public final class TierApply {
  private static final Logger LOG = LoggerFactory.getLogger(TierApply.class);

  /** A step before which tests stop it. */
  enum Step {
    WRITE,
    MANIFEST,
    FLOOR,
    PAUSE,
    LOOK,
    LOADING,
    LOAD,
    COUNT,
    LOADED
  }

  /** Is told each step. */
  @FunctionalInterface
  interface Steps {
    /** A step begins. */
    void before(Step step);
  }

  private final Configuration hbase;
  private final ApplyOptions options;
  private final Clock clock;
  private final Steps steps;
  private final Instant started;
  private final List<ApplyReport.Day> done = new ArrayList<>();
  private List<CoverageFloor> floors = List.of();
  private List<ProvenRows> days = List.of();

  /**
   * @param hbase client configuration of HBase and the file systems
   * @param clock for the age of proofs and the report
   */
  public TierApply(Configuration hbase, ApplyOptions options, Clock clock) {
    this(hbase, options, clock, step -> {});
  }

  TierApply(Configuration hbase, ApplyOptions options, Clock clock, Steps steps) {
    this.hbase = hbase;
    this.options = options;
    this.clock = clock;
    this.steps = steps;
    this.started = clock.instant();
  }

  /**
   * Deletes what policy and proofs name. Call once.
   *
   * @param dry whether it only checks
   * @return the report, also of a failure: with usage, when configuration, tables or coverage do
   *     not allow it; bad input, when a proof is missing or refused; outside, when HBase or storage
   *     fails; defect, when anything else is thrown
   */
  public ApplyReport run(boolean dry) {
    try {
      apply(dry);
      return report(ExitCode.DONE, "");
    } catch (Throwable e) {
      JobException failure = Defects.ofHBase("tiers apply", e);
      return report(failure.exitCode(), failure.getMessage());
    }
  }

  private ApplyReport report(ExitCode exitCode, String message) {
    return new ApplyReport(
        exitCode,
        message,
        started,
        clock.instant(),
        options.days() == null ? "" : options.table().name(),
        days.stream().map(ApplyReport.Planned::of).toList(),
        floors,
        List.copyOf(done));
  }

  private void apply(boolean dry) throws IOException {
    String cluster = HBaseProbe.clusterId(hbase);
    try (Connection connection = ConnectionFactory.createConnection(hbase);
        Admin admin = connection.getAdmin();
        UidNames names =
            new UidSetup(new UidSettings(UidSource.HBASE, null, Map.of()), options.schema(), hbase)
                .live()) {
      ProofCheck proofs = new ProofCheck(options, hbase, cluster, admin, names, clock.instant());
      Window window = options.days();
      if (window == null) {
        days = new IdleCheck(proofs).rows();
        if (!dry) {
          load(connection, write(connection, cluster), cluster);
        }
        return;
      }
      String missing = CoverageTableCheck.missing(admin, options.coverageTable());
      if (!missing.isEmpty()) {
        throw JobException.usage("--coverage-table: " + missing);
      }
      try (CoverageTable coverage = new CoverageTable(connection, options.coverageTable())) {
        ApplyCheck check = new ApplyCheck(proofs, window, coverage);
        EntryFloors entryFloors =
            new EntryFloors(coverage, options.level(), options.policy(), clock.instant());
        try {
          days = check.days();
        } catch (JobException e) {
          boolean refused = e.exitCode() == ExitCode.USAGE || e.exitCode() == ExitCode.BAD_INPUT;
          throw dry || !refused ? e : lowered(e, entryFloors, check.waiting());
        }
        if (!dry) {
          delete(connection, entryFloors, check, cluster);
        }
      }
    }
  }

  private void delete(
      Connection connection, EntryFloors entryFloors, ApplyCheck check, String cluster)
      throws IOException {
    List<MarkerManifest> manifests = write(connection, cluster);
    List<ProvenRows> left = days.stream().filter(day -> !day.loaded()).toList();
    if (!left.isEmpty()) {
      floors = entryFloors.raise(left, () -> steps.before(Step.FLOOR));
      pause();
      again(entryFloors, check, left);
    }
    load(connection, manifests, cluster);
  }

  /** Writes all markers that are not written yet. */
  private List<MarkerManifest> write(Connection connection, String cluster) throws IOException {
    List<MarkerManifest> manifests = new ArrayList<>();
    for (ProvenRows day : days) {
      MarkerManifest written = day.written();
      manifests.add(written != null ? written : write(connection, day, cluster));
    }
    return manifests;
  }

  /** Loads all markers that are not loaded yet. */
  private void load(Connection connection, List<MarkerManifest> manifests, String cluster)
      throws IOException {
    for (int i = 0; i < days.size(); i++) {
      ProvenRows day = days.get(i);
      MarkerManifest manifest = manifests.get(i);
      done.add(
          day.loaded()
              ? ApplyReport.Day.before(day, manifest)
              : load(connection, day, manifest, cluster));
    }
  }

  private DayMarkers markers(Connection connection, ProvenRows day, TierTable table) {
    return new DayMarkers(hbase, connection, day, table, clock);
  }

  /** Writes the markers of a day, and their manifests if they are those of the proof's rows. */
  private MarkerManifest write(Connection connection, ProvenRows day, String cluster)
      throws IOException {
    steps.before(Step.WRITE);
    day.dir().clear();
    TierTable packed = day.table().packed();
    if (packed != null) {
      day.dir().packed(manifest(markers(connection, day, packed), cluster));
    }
    MarkerManifest manifest = manifest(markers(connection, day, day.table()), cluster);
    requireRows(day, manifest);
    steps.before(Step.MANIFEST);
    day.dir().complete(day.proof(), day.series(), manifest);
    return manifest;
  }

  private MarkerManifest manifest(DayMarkers markers, String cluster) throws IOException {
    ProvenRows day = markers.day();
    return new MarkerManifest(
        MarkerManifest.FORMAT,
        options.version(),
        day.proof().sha256(),
        cluster,
        markers.table().name(),
        Objects.requireNonNull(day.rows()).stamp(),
        markers.write());
  }

  /** Requires that the rows with markers are those that the proof counts. */
  private static void requireRows(ProvenRows day, MarkerManifest manifest) {
    SortedMap<String, MarkerRows.Count> found = manifest.metrics();
    List<String> problems = new ArrayList<>();
    boolean isMerged = day.proof().anyBucket() && day.series() == null;
    SortedMap<String, Proof.Rows> wanted = day.proof().metrics();
    for (Map.Entry<String, Proof.Rows> of : wanted.entrySet()) {
      Proof.Rows proven = of.getValue();
      MarkerRows.Count count = found.getOrDefault(of.getKey(), new MarkerRows.Count(0, 0, 0));
      // A merged row may be stored in several buckets, with annotations in one of them.
      boolean equal =
          isMerged
              ? count.allRows() >= proven.rows() + proven.annotatedRows()
              : count.rows() == proven.rows() && count.annotatedRows() == proven.annotatedRows();
      if (!equal || count.points() != proven.points()) {
        problems.add(
            ("proof of %s: metric UID %s must have in the snapshot what the proof names, %s, found"
                    + " %s: prove again")
                .formatted(day.name(), of.getKey(), proven, count));
      }
    }
    Set<String> kept = new TreeSet<>(manifest.kept().keySet());
    kept.removeAll(List.of(Kept.ANNOTATIONS.key(), Kept.EMPTY.key()));
    if (day.series() != null && !kept.isEmpty()) {
      problems.add(
          "proof of %s: its series must go as a whole, found rows that stay: %s"
              .formatted(day.name(), String.join(", ", kept)));
    }
    if (!problems.isEmpty()) {
      throw JobException.badInput(String.join(System.lineSeparator(), problems));
    }
  }

  private void pause() {
    steps.before(Step.PAUSE);
    LOG.info(
        "the floors are raised; waiting for {} s until no query reads data below them",
        options.pause().toSeconds());
    try {
      Thread.sleep(options.pause().toMillis());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw JobException.outside("interrupted before a cell was deleted", e);
    }
  }

  /** Looks again at what may have changed since the check. */
  private void again(EntryFloors entryFloors, ApplyCheck check, List<ProvenRows> left)
      throws IOException {
    steps.before(Step.LOOK);
    List<ProvenRows> waiting = left.stream().filter(day -> !day.loading()).toList();
    List<String> problems = check.again(waiting, clock.instant());
    if (!problems.isEmpty()) {
      floors = List.of();
      throw lowered(
          JobException.badInput(String.join(System.lineSeparator(), problems)),
          entryFloors,
          waiting.stream().map(ProvenRows::dir).toList());
    }
  }

  /** Lowers the floors of days that are refused; the refusal says so. */
  private JobException lowered(JobException refusal, EntryFloors entryFloors, List<MarkerDir> dirs)
      throws IOException {
    List<String> lines = new ArrayList<>(refusal.getMessage().lines().toList());
    lines.addAll(entryFloors.lower(dirs, proof -> new MarkerDir(hbase, options.hfileDir(), proof)));
    String message = String.join(System.lineSeparator(), lines);
    return refusal.exitCode() == ExitCode.USAGE
        ? JobException.usage(lines)
        : JobException.badInput(message, refusal);
  }

  /** Loads the markers of a day, and counts what the tables show of its rows. */
  private ApplyReport.Day load(
      Connection connection, ProvenRows day, MarkerManifest manifest, String cluster)
      throws IOException {
    steps.before(Step.LOADING);
    day.dir().mark(RunDir.LOADING, cluster);
    steps.before(Step.LOAD);
    TierTable packed = day.table().packed();
    MarkerManifest ofPacked = day.dir().packed();
    ApplyReport.Packed copies = null;
    // No query reads rows of a table that is configured no more.
    if (packed != null && ofPacked != null && ofPacked.table().equals(packed.name())) {
      DayMarkers markers = markers(connection, day, packed);
      int files = markers.load(ofPacked);
      copies = ApplyReport.Packed.of(ofPacked, files, look(markers, ofPacked));
    }
    DayMarkers markers = markers(connection, day, day.table());
    int files = markers.load(manifest);
    steps.before(Step.COUNT);
    ApplyReport.Day counted =
        ApplyReport.Day.of(day, manifest, files, look(markers, manifest), copies);
    if (!counted.booksClose()) {
      throw Defects.openBooks();
    }
    steps.before(Step.LOADED);
    day.dir().mark(RunDir.LOADED, counted.json().toPrettyString());
    return counted;
  }

  /** Looks at the rows of a table, which must show nothing that the markers hide. */
  private static ApplyReport.Fates look(DayMarkers markers, MarkerManifest manifest)
      throws IOException {
    ApplyReport.Fates fates = markers.look(manifest);
    if (fates.left() > 0) {
      throw JobException.outside(
          ("%s: table %s must show no cell up to the markers' timestamp of the rows that the proof"
                  + " names, found some of %s rows: run it again; if it finds the same, HBase has"
                  + " lost markers, or cells came with older timestamps")
              .formatted(markers.day().name(), manifest.table(), fates.left()));
    }
    return fates;
  }
}
