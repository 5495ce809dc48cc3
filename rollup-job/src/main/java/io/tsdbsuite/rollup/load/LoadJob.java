package io.tsdbsuite.rollup.load;

import io.tsdbsuite.format.histogram.HistogramCodecs;
import io.tsdbsuite.format.rollup.Level;
import io.tsdbsuite.format.rollup.RollupConfig;
import io.tsdbsuite.format.row.RowKey;
import io.tsdbsuite.format.schema.StorageSchema;
import io.tsdbsuite.hbase.load.HFileDir;
import io.tsdbsuite.hbase.load.HFileLoader;
import io.tsdbsuite.job.ExitCode;
import io.tsdbsuite.job.JobException;
import io.tsdbsuite.job.hbase.HBaseProbe;
import io.tsdbsuite.rollup.error.Defects;
import io.tsdbsuite.rollup.hfile.Manifest;
import io.tsdbsuite.rollup.hfile.RunDir;
import io.tsdbsuite.rollup.hfile.WrittenFile;
import io.tsdbsuite.rollup.threads.Workers;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.Table;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Loads the HFiles of a run with HBase's bulk load tool, which splits files of regions that were
 * split since:
 *
 * <ol>
 *   <li>checks the manifest, the cluster, the coverage table and its floors, the files and the
 *       rollup tables. A run that is loaded, and perhaps not covered, continues with step 4;
 *   <li>writes the mark {@link RunDir#LOADING}, removes windows of earlier runs that the files
 *       would make wrong, and waits until no query reads by them;
 *   <li>hands the files to HBase, table by table, and counts the run's cells in each table;
 *   <li>writes the windows that the run proves ({@link LoadedCoverage});
 *   <li>writes the mark {@link RunDir#LOADED}, with the report.
 * </ol>
 *
 * Can be retried after any failure, but not concurrently with another load of the same run.
 */
public final class LoadJob {
  private static final Logger LOG = LoggerFactory.getLogger(LoadJob.class);

  private static final byte[] FAMILY = RowKey.family();

  private final Configuration hbase;
  private final String dir;
  private final StorageSchema schema;
  private final RollupConfig rollups;
  private final HistogramCodecs codecs;
  private final boolean allowUnreplicated;
  private final CoverageChoice coverageChoice;
  private final Clock clock;
  private final Instant started;
  private final List<LoadReport.LoadedTable> tables = new ArrayList<>();
  private @Nullable Manifest manifest;
  private boolean loadedBefore;
  private CoverageOutcome coverage;

  /** What was not written into the coverage table, and why; empty if all was, or there is none. */
  private String notCovered = "";

  /**
   * @param hbase client configuration of HBase and the directory's file system
   * @param dir of one run
   * @param schema of the TSD
   * @param rollups of the TSD
   * @param codecs of the TSD's histograms
   * @param allowUnreplicated whether the peers of a replicated table may lack the cells
   * @param coverage where what the run proves is written
   * @param clock for the report
   */
  public LoadJob(
      Configuration hbase,
      String dir,
      StorageSchema schema,
      RollupConfig rollups,
      HistogramCodecs codecs,
      boolean allowUnreplicated,
      CoverageChoice coverage,
      Clock clock) {
    this.hbase = hbase;
    this.dir = dir;
    this.schema = schema;
    this.rollups = rollups;
    this.codecs = codecs;
    this.allowUnreplicated = allowUnreplicated;
    this.coverageChoice = coverage;
    this.coverage =
        CoverageOutcome.none(
            coverage.table(),
            coverage.written() ? "the load did not come to it" : "not wanted (--no-coverage)");
    this.clock = clock;
    this.started = clock.instant();
  }

  /**
   * Checks, loads, and verifies the result. Call once.
   *
   * @return the report, also when the load failed: with usage, when the run does not match the
   *     TSD's configuration or the tables; bad input, when a file is missing, damaged or foreign;
   *     outside, when HBase or storage fails, or not all cells are found afterwards; defect, when
   *     anything else is thrown
   */
  public LoadReport run() {
    return run(false);
  }

  /**
   * Makes all checks that precede a load, and loads nothing. Call once.
   *
   * @return the report as of {@link #run}, without tables
   */
  public LoadReport check() {
    return run(true);
  }

  private LoadReport run(boolean dry) {
    try {
      load(RunFiles.open(hbase, dir), dry);
      return report(ExitCode.DONE, notCovered);
    } catch (Throwable e) {
      String job =
          "loading " + dir + " into HBase by ZooKeeper " + hbase.get(HConstants.ZOOKEEPER_QUORUM);
      JobException failure = Defects.ofHBase(job, e);
      return report(failure.exitCode(), failure.getMessage());
    }
  }

  private LoadReport report(ExitCode exitCode, String message) {
    return new LoadReport(
        exitCode,
        message,
        started,
        clock.instant(),
        dir,
        manifest,
        loadedBefore,
        List.copyOf(tables),
        coverage);
  }

  private void load(RunFiles run, boolean dry) throws IOException {
    Manifest wanted = run.manifest();
    manifest = wanted;
    require(LoadCheck.problems(wanted, schema, rollups, codecs));
    // First of all checks: the run may be loaded into another cluster already.
    String cluster = HBaseProbe.clusterId(hbase);
    try (Connection connection = ConnectionFactory.createConnection(hbase);
        Admin admin = connection.getAdmin()) {
      require(LoadCheck.cluster(wanted.cluster(), run.loadingInto(), cluster));
      LoadedCoverage proof =
          new LoadedCoverage(
              connection, admin, coverageChoice, run, schema, rollups, codecs, started);
      require(proof.problems());
      loadedBefore = run.isLoaded();
      if (loadedBefore) {
        coverage = proof.known();
        if (!dry && proof.isOpen()) {
          coverAgain(run, proof, admin);
        }
        return;
      }
      require(LoadCheck.floors(wanted, coverageChoice.table(), proof.floors()));
      List<String> damage = run.problems();
      if (!damage.isEmpty()) {
        throw JobException.badInput(String.join(System.lineSeparator(), damage));
      }
      require(tableProblems(wanted, admin));
      if (dry) {
        coverage = proof.planned();
        return;
      }
      boolean again = run.isLoading();
      run.mark(RunDir.LOADING, cluster.getBytes(StandardCharsets.UTF_8));
      removeSpoiled(proof, again && hasFiles(run));
      // One may have risen before the windows below it were left as they are.
      require(LoadCheck.floors(wanted, coverageChoice.table(), proof.floors()));
      for (Manifest.Table table : wanted.tables()) {
        load(run, table, connection, admin);
      }
      // Who has looked for other rollups meanwhile may not have seen these.
      int unused = proof.removeSpoiled();
      // Before the mark: who finds none repeats the load, which then writes it.
      cover(proof);
      String json = report(ExitCode.DONE, notCovered).report().jsonText();
      run.mark(RunDir.LOADED, json.getBytes(StandardCharsets.UTF_8));
    }
  }

  /** Writes the coverage of a run that an earlier load has loaded without it. */
  private void coverAgain(RunFiles run, LoadedCoverage proof, Admin admin) throws IOException {
    List<String> problems = tableProblems(run.manifest(), admin);
    if (problems.isEmpty()) {
      cover(proof);
    } else {
      coverage = CoverageOutcome.none(coverageChoice.table(), String.join("; ", problems));
    }
  }

  private void cover(LoadedCoverage proof) throws IOException {
    coverage = proof.write(clock);
    if (!coverage.reason().isEmpty() && coverageChoice.written() && proof.hasTable()) {
      notCovered =
          ("the files are loaded, but queries do not read these rollups, because the run is"
                  + " not covered: %s; once that is mended, rollup-job coverage add --evidence"
                  + " REPORT proves it, with the report of the run")
              .formatted(coverage.reason());
    }
    if (notCovered.isEmpty() && !proof.differences().isEmpty()) {
      notCovered =
          "queries do not read these packed rows: " + String.join("; ", proof.differences());
    }
  }

  private static boolean hasFiles(RunFiles run) throws IOException {
    for (Manifest.Table table : run.manifest().tables()) {
      if (!run.waiting(table).isEmpty()) {
        return true;
      }
    }
    return false;
  }

  /**
   * Removes the windows that the files make wrong, and waits for queries that have begun.
   *
   * @param again whether an earlier load has begun, which may have removed some a moment ago
   */
  private void removeSpoiled(LoadedCoverage proof, boolean again) throws IOException {
    int removed = proof.removeSpoiled();
    boolean unknown = again && proof.hasTable();
    while (removed > 0 || unknown) {
      pauseAfter(removed);
      unknown = false;
      // Another load may have added some meanwhile.
      removed = proof.removeSpoiled();
    }
  }

  private void pauseAfter(int removed) {
    LOG.info(
        "{} windows of {}, of earlier runs, were removed{}, because this run may have gaps in them"
            + " or has read older data; waiting for {} s until no query reads by them",
        removed,
        coverageChoice.table(),
        removed == 0 ? ", but perhaps some by an earlier load" : "",
        coverageChoice.pause().toSeconds());
    try {
      Thread.sleep(coverageChoice.pause().toMillis());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw JobException.outside("interrupted before the files were handed over", e);
    }
  }

  private static void require(List<String> problems) {
    if (!problems.isEmpty()) {
      throw JobException.usage(problems);
    }
  }

  private void load(RunFiles run, Manifest.Table table, Connection connection, Admin admin)
      throws IOException {
    TableName name = TableName.valueOf(table.name());
    StoreFiles before = StoreFiles.of(admin, name);
    int files = handOver(run, table);
    List<String> missing = new ArrayList<>();
    long cells = count(connection, run.manifest(), table, missing);
    tables.add(new LoadReport.LoadedTable(table, files, cells, before, StoreFiles.of(admin, name)));
    if (!missing.isEmpty()) {
      throw JobException.outside(
          ("table %s must have all cells of the run, %s, found %s (%s); run the load again,"
                  + " and if it finds the same, the window: either HBase has lost files, or a later"
                  + " run replaced these cells and a compaction has removed them, or a major"
                  + " compaction has done what delete markers say and removed them")
              .formatted(name, table.cells(), cells, String.join("; ", missing)));
    }
  }

  private List<String> tableProblems(Manifest manifest, Admin admin) throws IOException {
    List<String> problems =
        new ArrayList<>(LoadCheck.packed(manifest, rollups, schema, coverageChoice.table()));
    for (Manifest.Table table : manifest.tables()) {
      TableName name = TableName.valueOf(table.name());
      Optional<String> missing = LoadCheck.missing(admin, name);
      if (missing.isPresent()) {
        problems.add(missing.get());
      } else {
        problems.addAll(
            LoadCheck.target(
                admin.getDescriptor(name), manifest.stamp(), clock.instant(), allowUnreplicated));
      }
    }
    return problems;
  }

  /** Hands the remaining files to HBase; files that HBase took before are gone. */
  private int handOver(RunFiles run, Manifest.Table table) throws IOException {
    List<String> names = run.waiting(table);
    if (names.isEmpty()) {
      return 0;
    }
    try (HFileDir files =
        new HFileDir(
            hbase,
            run.table(table).toString(),
            RowKey.FAMILY,
            RunDir.prefix(run.manifest().run()))) {
      int loaded =
          new HFileLoader(hbase, TableName.valueOf(table.name()), FAMILY)
              .load(files, names)
              .files();
      files.remove();
      return loaded;
    }
  }

  /**
   * Counts the cells of the run.
   *
   * @param missing receives each file whose cells are not all in the table
   */
  private long count(
      Connection connection, Manifest wanted, Manifest.Table of, List<String> missing)
      throws IOException {
    // LoadCheck requires the level.
    Level level = Objects.requireNonNull(rollups.level(of.level()));
    CellCount count = CellCount.of(wanted, new RowKey(schema), level);
    List<Long> cells;
    try (Workers workers = new Workers("count", TableLook.THREADS)) {
      cells =
          workers.mapUntilFailure(
              of.files(),
              file -> {
                try (Table table = connection.getTable(TableName.valueOf(of.name()))) {
                  return Math.min(file.cells(), count.count(table, file));
                }
              });
    }
    long found = 0;
    for (int i = 0; i < cells.size(); i++) {
      WrittenFile file = of.files().get(i);
      found += cells.get(i);
      if (cells.get(i) < file.cells()) {
        missing.add(file.name() + ": " + cells.get(i) + " of " + file.cells());
      }
    }
    return found;
  }
}
