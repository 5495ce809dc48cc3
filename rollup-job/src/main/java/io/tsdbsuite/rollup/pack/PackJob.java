package io.tsdbsuite.rollup.pack;

import io.tsdbsuite.coverage.Coverage;
import io.tsdbsuite.coverage.CoverageRows;
import io.tsdbsuite.coverage.CoverageWindow;
import io.tsdbsuite.coverage.TimeRanges;
import io.tsdbsuite.format.rollup.Level;
import io.tsdbsuite.format.rollup.RollupInterval;
import io.tsdbsuite.format.rollup.SuiteConfig;
import io.tsdbsuite.format.row.RowKey;
import io.tsdbsuite.hbase.AccessFailures;
import io.tsdbsuite.hbase.load.HFileDir;
import io.tsdbsuite.hbase.load.HFileLoader;
import io.tsdbsuite.hbase.read.SnapshotFamily;
import io.tsdbsuite.job.ExitCode;
import io.tsdbsuite.job.JobException;
import io.tsdbsuite.job.coverage.CoverageCleaner;
import io.tsdbsuite.job.coverage.CoverageRefusedException;
import io.tsdbsuite.job.coverage.CoverageTable;
import io.tsdbsuite.job.coverage.CoverageTableCheck;
import io.tsdbsuite.job.hbase.HBaseProbe;
import io.tsdbsuite.job.spark.BroadcastRelease;
import io.tsdbsuite.job.spark.TaskFailures;
import io.tsdbsuite.rollup.error.Defects;
import io.tsdbsuite.rollup.hfile.LiveTargets;
import io.tsdbsuite.rollup.hfile.RunDir;
import io.tsdbsuite.rollup.hfile.TargetTable;
import io.tsdbsuite.rollup.load.TableFacts;
import io.tsdbsuite.rollup.pack.PackBooks.Count;
import io.tsdbsuite.rollup.report.Phases;
import io.tsdbsuite.rollup.sink.SinkException;
import io.tsdbsuite.rollup.spark.SparkFailures;
import io.tsdbsuite.rollup.spark.WorkFailures;
import io.tsdbsuite.rollup.uid.HBaseUidResolver;
import io.tsdbsuite.rollup.verify.SeriesText;
import java.io.IOException;
import java.time.Clock;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.broadcast.Broadcast;
import org.apache.spark.util.SerializableConfiguration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Brings a packed table to what its plain one has:
 *
 * <ol>
 *   <li>requires that both tables have the regions of their snapshots;
 *   <li>reads the rows of both snapshots, and writes new parts and delete markers to HFiles, one
 *       for each region of the packed table ({@link RowFold});
 *   <li>hands them to HBase, which takes those of a region at once: no query finds a row without
 *       its old parts that does not have the new one;
 *   <li>looks in HBase whether queries see the parts with which rows are equal ({@link PackLook});
 *   <li>adds windows to the coverage table for what is equal then.
 * </ol>
 *
 * A run that was killed is repeated, with the same snapshots or new ones: it writes the same cells,
 * or those that lack.
 */
public final class PackJob {
  private static final Logger LOG = LoggerFactory.getLogger(PackJob.class);

  /** In the name of a run. */
  private static final int RANDOM_DIGITS = 8;

  private static final int MAX_NAMES = 100_000;

  private final JavaSparkContext spark;
  private final Configuration hbase;
  private PackOptions options;
  private final Clock clock;
  private final Instant started;
  private final Phases phases = new Phases();
  private final PackBooks books = new PackBooks();
  private PackFloors floors = new PackFloors(List.of(), 0);
  private Map<String, String> facts = new LinkedHashMap<>();
  private int loaded;
  private List<CoverageWindow> windows = List.of();
  private String notCovered = "the run did not come to it";

  /**
   * @param hbase client configuration of HBase and the file systems
   * @param clock for the age of snapshots and the report
   */
  public PackJob(JavaSparkContext spark, Configuration hbase, PackOptions options, Clock clock) {
    this.spark = spark;
    this.hbase = hbase;
    this.options = options;
    this.clock = clock;
    this.started = clock.instant();
  }

  /**
   * Packs; without a directory for HFiles it only reads, and counts what it would do. Call once.
   *
   * @return the report, also of a failure: with usage, when snapshots and tables do not fit; bad
   *     input, when something is wrong that stays; outside, when HBase, storage or Spark fails;
   *     defect, when anything else is thrown
   */
  public PackReport run() {
    String run = UUID.randomUUID().toString().substring(0, RANDOM_DIGITS);
    try {
      pack(run);
      String wrong = wrong();
      return report(wrong.isEmpty() ? ExitCode.DONE : ExitCode.BAD_INPUT, wrong);
    } catch (Throwable e) {
      JobException failure =
          e instanceof IOException ? Defects.ofHBase("pack", e) : SparkFailures.of(spark, e);
      return report(failure.exitCode(), failure.getMessage());
    } finally {
      discard(run);
    }
  }

  private PackReport report(ExitCode exitCode, String message) {
    return new PackReport(
        exitCode,
        message,
        started,
        clock.instant(),
        facts,
        books,
        loaded,
        windows,
        notCovered,
        phases.seconds());
  }

  private void pack(String run) throws IOException {
    String unused = HBaseProbe.clusterId(hbase);
    try (Connection connection = ConnectionFactory.createConnection(hbase)) {
      if (options.coverageTable() != null) {
        String missing = missing(connection);
        if (!missing.isEmpty()) {
          throw JobException.usage("--coverage-table: " + missing);
        }
      }
      floors = floors(connection);
      options = options.above(floors.ofAll());
      PackInput input =
          phases.time("manifests", () -> PackInput.load(hbase, options, clock.millis()));
      facts = input.facts();
      if (floors.changed() >= input.packed().creationTime()) {
        throw JobException.usage(floorChanged());
      }
      input.requireTables(connection);
      List<PackTask.Region> regions = input.regions();
      List<String> files = new ArrayList<>();
      List<Path> parts = new ArrayList<>();
      phases.run("pack", () -> read(input, regions, run, files, parts));
      if (!books.close()) {
        throw Defects.openBooks();
      }
      requireRows();
      if (options.hfileDir() == null) {
        notCovered = "nothing was written (--dry-run)";
        return;
      }
      if (!files.isEmpty()) {
        input.requireTables(connection);
        loaded = load(run, files);
      }
      cover(input, connection, run, parts);
    }
  }

  private PackFloors floors(Connection connection) throws IOException {
    String level = options.interval().interval();
    try (Admin admin = connection.getAdmin()) {
      if (!admin.tableExists(TableName.valueOf(coverageTable()))) {
        return new PackFloors(List.of(), 0);
      }
    }
    try (CoverageTable table = new CoverageTable(connection, coverageTable())) {
      return PackFloors.of(
          options.interval(), table.knownFloors(clock.millis()), table.floorsChanged(level));
    } catch (CoverageRefusedException e) {
      throw JobException.usage("--coverage-table: " + e.getMessage(), e);
    }
  }

  /** After tiers undo the packed table lacks rows that its snapshot has. */
  private String floorChanged() {
    return ("a floor of %s was raised or lowered after the packed snapshot was taken: take new"
            + " snapshots, the packed one first")
        .formatted(options.interval().interval());
  }

  private void read(
      PackInput input,
      List<PackTask.Region> regions,
      String run,
      List<String> files,
      List<Path> parts) {
    Broadcast<SerializableConfiguration> conf =
        spark.broadcast(new SerializableConfiguration(input.plain().conf()));
    String dir = options.hfileDir();
    try (HBaseUidResolver names = names()) {
      PackTask task =
          new PackTask(
              conf,
              options.root(),
              SnapshotFamily.of(input.plain()),
              SnapshotFamily.of(input.packed()),
              options.schema(),
              options.rollups(),
              options.interval(),
              floors.ofMetrics(options.interval().interval()),
              names,
              options.window().from(),
              options.window().to(),
              options.deleteCorrupt(),
              dir == null ? null : target(),
              dir == null ? "" : dir,
              run);
      List<PackTask.Result> results = new ArrayList<>();
      TaskFailures.watch(
          spark,
          SparkFailures.RULES,
          () -> results.addAll(spark.parallelize(regions, regions.size()).map(task).collect()),
          () -> false);
      if (results.size() != regions.size()) {
        throw Defects.openBooks();
      }
      for (PackTask.Result result : results) {
        books.add(result.books());
        files.addAll(result.files());
        if (!result.parts().isEmpty()) {
          parts.add(new Path(result.parts()));
        }
      }
    } finally {
      BroadcastRelease.release(conf);
    }
  }

  private TargetTable target() {
    try {
      return new LiveTargets(hbase).table(options.level().table());
    } catch (SinkException e) {
      throw WorkFailures.of(e);
    }
  }

  /** Rows of one table alone are no reason to delete all. */
  private void requireRows() {
    long plain = books.count(Count.PLAIN_ROWS);
    long packed = books.count(Count.PACKED_ROWS);
    if (plain == 0 || plain + packed == books.count(Count.MALFORMED_ROWS)) {
      throw JobException.badInput(
          ("nothing was written, because the plain snapshot has no row of the window that can be"
                  + " packed, and the packed one has %s: the window, and the UID widths and salt of"
                  + " --tsd-config must be those of the table")
              .formatted(packed));
    }
    // By other ids all rollups would be taken back, and the window proven.
    if (!books.hasRollups() && books.count(Count.BELOW_FLOOR_ROWS) == 0) {
      throw JobException.badInput(
          ("nothing was written, because none of %s rows of the plain snapshot has sum, min, max"
                  + " and count by the aggregationIds of rollup_config.json, which must be those of"
                  + " the TSDs")
              .formatted(plain));
    }
  }

  private int load(String run, List<String> files) throws IOException {
    String table = options.level().table();
    try (HFileDir dir = PackTask.files(hbase, String.valueOf(options.hfileDir()), table, run)) {
      return new HFileLoader(hbase, TableName.valueOf(table), RowKey.family())
          .load(dir, files)
          .files();
    }
  }

  /** Removes the files of the run that HBase has not taken, or has copied. */
  private void discard(String run) {
    if (options.hfileDir() == null) {
      return;
    }
    Path dir = RunDir.of(options.hfileDir(), run);
    try {
      dir.getFileSystem(hbase).delete(dir, true);
    } catch (IOException e) {
      LOG.warn("directory {} was not removed", dir, e);
    }
  }

  private String coverageTable() {
    String table = options.coverageTable();
    return table == null ? CoverageRows.DEFAULT_TABLE : table;
  }

  private String missing(Connection connection) throws IOException {
    try (Admin admin = connection.getAdmin()) {
      return CoverageTableCheck.missing(admin, coverageTable());
    } catch (IOException e) {
      return denied(e);
    }
  }

  private static String denied(IOException failure) throws IOException {
    String access = AccessFailures.reason(failure);
    if (access == null) {
      throw failure;
    }
    return "the coverage is not allowed: " + access;
  }

  private void cover(PackInput input, Connection connection, String run, List<Path> parts)
      throws IOException {
    notCovered = missing(connection);
    if (!notCovered.isEmpty()) {
      return;
    }
    try (CoverageTable table = new CoverageTable(connection, coverageTable());
        Admin admin = connection.getAdmin()) {
      if (!table.hasLevels()) {
        notCovered =
            ("table %s has a version without levels; run rollup-job coverage upgrade --levels when"
                    + " all TSDs and jobs know the version with them")
                .formatted(coverageTable());
        return;
      }
      if (!books.open().isEmpty()) {
        removeOpen(connection, input.plain().creationTime());
      }
      TimeRanges unselected = unselected(options, table.windows());
      List<CoverageWindow> proven = windows(input, run, unselected);
      // Before the look, which finds nothing of what has expired.
      long ttl = TableFacts.ttl(admin, options.level().table());
      if (ttl != TableFacts.FOREVER) {
        long expires = Math.min(books.oldest(), input.plain().creationTime()) + ttl * 1000;
        proven = proven.stream().map(each -> each.expiring(expires)).toList();
      }
      if (proven.stream().anyMatch(each -> Coverage.isExpired(each, clock.millis()))) {
        notCovered = "the TTL of table %s ends for rollups of the window: pack a later one";
        notCovered = notCovered.formatted(options.level().table());
        return;
      }
      Map<String, String> marks = new HashMap<>();
      for (CoverageWindow window : proven) {
        if (!marks.containsKey(window.table())) {
          marks.put(window.table(), table.mark(window.table()));
        }
      }
      if (!proven.isEmpty() && !look(connection, parts)) {
        removeOpen(connection, Long.MAX_VALUE);
        notCovered = unseen();
        return;
      }
      // The tables were not made again since.
      input.requireTables(connection);
      if (table.floorsChanged(options.interval().interval()) >= input.packed().creationTime()) {
        notCovered = floorChanged();
        return;
      }
      List<CoverageWindow> above = table.aboveFloors(proven);
      table.add(above, marks, clock.millis());
      windows = above;
      if (!books.open().isEmpty()) {
        notCovered =
            "the times of %s rows, the first of %s"
                .formatted(
                    books.open().size(), Instant.ofEpochSecond(books.open().iterator().next()));
      } else if (!unselected.isEmpty()) {
        notCovered =
            ("the times of windows of percentiles, first or last of %s that suite.values of"
                    + " rollup_config.json does not select, the first of %s: select them, or remove"
                    + " their windows (rollup-job coverage remove), and pack again")
                .formatted(
                    options.interval().interval(), Instant.ofEpochSecond(unselected.from(0)));
      } else if (windows.isEmpty()) {
        notCovered = "the window ends after the snapshot, or lies below a floor";
      }
    } catch (CoverageRefusedException e) {
      notCovered = String.valueOf(e.getMessage());
    } catch (IOException e) {
      notCovered = denied(e);
    }
  }

  /**
   * The times of the window in which the coverage has values of plain rows that are not packed:
   * queries would read them from packed rows, which lack them.
   *
   * @param all windows of the coverage
   * @return seconds since the epoch
   */
  static TimeRanges unselected(PackOptions options, List<CoverageWindow> all) {
    RollupInterval interval = options.interval();
    List<String> names = new ArrayList<>(SuiteConfig.NAMES);
    names.removeAll(options.rollups().suite().aggregators(interval.interval()));
    Set<String> levels =
        names.stream()
            .map(name -> Level.text(interval.interval(), name))
            .collect(Collectors.toSet());
    String table = CoverageRows.tableName(interval.table());
    TimeRanges times = TimeRanges.none();
    for (CoverageWindow each : all) {
      if (levels.contains(each.interval()) && each.table().equals(table)) {
        times = times.plus(TimeRanges.of(each.from(), each.to()));
      }
    }
    return times.intersect(TimeRanges.of(options.window().from(), options.window().to()));
  }

  /**
   * What is equal, in time.
   *
   * @param without times of which nothing is said
   */
  private List<CoverageWindow> windows(PackInput input, String run, TimeRanges without) {
    long seconds = options.interval().seconds();
    long asOf = input.plain().creationTime();
    long end = Math.min(options.window().to(), asOf / 1000 - asOf / 1000 % seconds);
    TimeRanges equal =
        end <= options.window().from()
            ? TimeRanges.none()
            : TimeRanges.of(options.window().from(), end);
    equal = equal.minus(open()).minus(without);
    List<CoverageWindow> all = new ArrayList<>();
    for (PackFloors.Part part : floors.parts(equal)) {
      all.add(
          CoverageWindow.of(
              options.level().text(),
              part.from(),
              part.to(),
              "pack-" + run,
              options.level().table(),
              asOf,
              part.metrics(),
              "rollup-job pack of snapshots %s and %s"
                  .formatted(input.packed().name(), input.plain().name())));
    }
    return all;
  }

  /** The times of rows that are not equal. */
  private TimeRanges open() {
    TimeRanges open = TimeRanges.none();
    for (long base : books.open()) {
      open = open.plus(TimeRanges.of(base, options.interval().rowEnd(base)));
    }
    return open;
  }

  /**
   * Looks whether queries see what the proof needs.
   *
   * @return whether they do
   */
  private boolean look(Connection connection, List<Path> parts) throws IOException {
    try (HBaseUidResolver names = names()) {
      SeriesText series = new SeriesText(new RowKey(options.schema()), names);
      String text = new PackLook(connection, hbase, options).look(parts, books, series);
      if (!text.isEmpty()) {
        books.sample(text);
      }
      return books.count(Count.UNSEEN_ROWS) == 0;
    }
  }

  private HBaseUidResolver names() {
    return new HBaseUidResolver(hbase, options.schema(), MAX_NAMES);
  }

  /** What stays when queries do not see what was written. */
  private String unseen() {
    return ("%s rows of table %s are not as in table %s after the load, and nothing is proven: a"
            + " delete marker may hide what was written, of rows that were deleted by hand, until"
            + " HBase has compacted the table (major_compact '%s'); then take new snapshots")
        .formatted(
            books.count(Count.UNSEEN_ROWS),
            options.level().table(),
            options.interval().table(),
            options.level().table());
  }

  /**
   * Removes from windows the times of rows that are not equal.
   *
   * @param asOf of the newest windows, milliseconds since the epoch
   */
  private void removeOpen(Connection connection, long asOf) throws IOException {
    TimeRanges open = open();
    try (CoverageCleaner cleaner = new CoverageCleaner(connection, coverageTable())) {
      List<CoverageWindow> unused =
          cleaner.remove(
              List.of(options.level().table()),
              found -> {
                CoverageWindow window = found.row();
                return window.asOf() <= asOf && window.interval().equals(options.level().text())
                    ? millis(open.intersect(TimeRanges.of(window.from(), window.to())))
                    : TimeRanges.none();
              });
    }
  }

  private static TimeRanges millis(TimeRanges seconds) {
    TimeRanges millis = TimeRanges.none();
    for (int i = 0; i < seconds.size(); i++) {
      millis = millis.plus(TimeRanges.of(seconds.from(i) * 1000, seconds.to(i) * 1000));
    }
    return millis;
  }

  /** What is wrong and stays; empty if nothing is. */
  private String wrong() {
    List<String> wrong = new ArrayList<>();
    if (books.count(Count.UNSEEN_ROWS) > 0) {
      wrong.add(unseen());
    }
    long corrupt = books.count(Count.PARTS_CORRUPT);
    if (corrupt > 0 && !options.deleteCorrupt()) {
      wrong.add(corrupt + " packed cells cannot be read; --delete-corrupt deletes them");
    }
    long undecided = books.count(Count.SLOTS_UNDECIDED);
    if (undecided > 0) {
      wrong.add(
          ("%s packed rollups are newer than the plain ones, or beside some that cannot be packed:"
               + " take new snapshots, the packed one first; what stays then was changed by hand:"
               + " roll up its time again")
              .formatted(undecided));
    }
    long unpackable = books.count(Count.SLOTS_UNPACKABLE);
    if (unpackable > 0) {
      wrong.add(unpackable + " plain rollups cannot be packed");
    }
    long malformed = books.count(Count.MALFORMED_ROWS);
    if (malformed > 0) {
      wrong.add(malformed + " rows have keys of no series");
    }
    return wrong.isEmpty() ? "" : String.join("; ", wrong) + "; the report has samples";
  }
}
