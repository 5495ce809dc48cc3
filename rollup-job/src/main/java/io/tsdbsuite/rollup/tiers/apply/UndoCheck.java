package io.tsdbsuite.rollup.tiers.apply;

import io.tsdbsuite.coverage.CoverageFloor;
import io.tsdbsuite.coverage.CoverageRows;
import io.tsdbsuite.format.rollup.RollupInterval;
import io.tsdbsuite.format.row.RowKey;
import io.tsdbsuite.hbase.StorageException;
import io.tsdbsuite.hbase.load.TableLayout;
import io.tsdbsuite.hbase.snapshot.Snapshot;
import io.tsdbsuite.hbase.snapshot.SnapshotLoader;
import io.tsdbsuite.job.ExitCode;
import io.tsdbsuite.job.JobException;
import io.tsdbsuite.job.coverage.CoverageRefusedException;
import io.tsdbsuite.job.coverage.CoverageTable;
import io.tsdbsuite.rollup.tiers.Policy;
import io.tsdbsuite.rollup.tiers.proof.Proof;
import java.io.IOException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.Connection;
import org.jspecify.annotations.Nullable;

/**
 * Checks all that must hold before rows come back: directories of applies, floors, snapshots. It
 * finds all problems, and changes nothing.
 */
final class UndoCheck {
  /**
   * Rows of a proof to restore.
   *
   * @param dir of their markers
   */
  record Rows(Proof proof, TierTable table, MarkerDir dir, RestoredRows rows) {
    UndoReport.Day report(RestoredRows.Count count, int files) {
      return new UndoReport.Day(
          ProvenName.of(proof), count.rows(), count.open(), count.cells(), files);
    }
  }

  private final Configuration hbase;
  private final UndoOptions options;
  private final Connection connection;
  private final Admin admin;
  private final String cluster;
  private final Clock clock;
  private final Map<String, Snapshot> snapshots = new HashMap<>();
  private final List<Rows> rows = new ArrayList<>();

  /** Directories of proofs all of whose rows are there. */
  private final List<MarkerDir> undone = new ArrayList<>();

  /** Directories of days that stay below the floor. */
  private final List<MarkerDir> earlier = new ArrayList<>();

  private final List<CoverageFloor> floors = new ArrayList<>();
  private final List<String> usage = new ArrayList<>();
  private final List<String> findings = new ArrayList<>();

  /**
   * @param hbase client configuration of HBase and the file systems
   * @param cluster id of the HBase cluster
   * @param clock for the creation time of HFiles
   */
  UndoCheck(
      Configuration hbase,
      UndoOptions options,
      Connection connection,
      Admin admin,
      String cluster,
      Clock clock) {
    this.hbase = hbase;
    this.options = options;
    this.connection = connection;
    this.admin = admin;
    this.cluster = cluster;
    this.clock = clock;
  }

  /** The directories whose rows are all there. */
  List<MarkerDir> undone() {
    return undone;
  }

  /** The directories of days before the first that comes back. */
  List<MarkerDir> earlier() {
    return earlier;
  }

  /** The floors that stand above the first day. */
  List<CoverageFloor> floors() {
    return floors;
  }

  /**
   * The rows to restore, in this order.
   *
   * @throws JobException with all problems: usage, or bad input if only directories and snapshots
   *     have some
   * @throws CoverageRefusedException when the coverage table has no floors
   */
  List<Rows> rows(CoverageTable coverage) throws IOException, CoverageRefusedException {
    Long from = options.from();
    if (from == null) {
      idle();
    } else {
      days(from, coverage);
    }
    ProofCheck.require(usage, findings);
    return List.copyOf(rows);
  }

  /** The series of each entry that have gone last: raw data first, the widest rollups last. */
  private void idle() throws IOException {
    List<Proof> all = new ArrayList<>();
    Map<List<String>, List<Proof>> last = new LinkedHashMap<>();
    for (MarkerDir dir : MarkerDir.all(hbase, options.hfileDir())) {
      Proof proof = storedProof(dir);
      if (proof == null || !proof.ofIdleSeries()) {
        continue;
      }
      all.add(proof);
      if ((dir.loadingInto() != null || dir.isUndone())
          && (options.match() == null || options.match().equals(proof.policy().match()))) {
        last.merge(proof.policy().metrics(), List.of(proof), UndoCheck::last);
      }
    }
    if (last.isEmpty()) {
      findings.add(
          "--hfile-dir must be that of an apply of idle series%s, found none below %s"
              .formatted(
                  options.match() == null ? "" : " of " + options.match(), options.hfileDir()));
    }
    for (List<Proof> group : last.values()) {
      List<Proof> sorted = new ArrayList<>(group);
      sorted.sort(Comparator.comparingLong(proof -> seconds(proof.table())));
      whole(group, all);
      for (Proof proof : sorted) {
        MarkerDir dir = new MarkerDir(hbase, options.hfileDir(), proof.sha256());
        if (dir.loadingInto() == null) {
          undone.add(dir);
        } else if (seconds(proof.table()) == Long.MAX_VALUE) {
          usage.add(
              "rollup_config.json must have the interval %s, of which rows of %s have gone"
                  .formatted(proof.table(), proof.policy().match()));
        } else {
          TierTable table = options.table(proof.table());
          rows(proof, dir, table, table.layout(admin, usage));
        }
      }
    }
  }

  /** Requires the directories of all tables of a group, some rows of which may be gone. */
  private void whole(List<Proof> group, List<Proof> all) throws IOException {
    Proof any = group.get(0);
    List<String> tables =
        all.stream()
            .filter(proof -> IdleCheck.isOfGroup(any, proof))
            .map(Proof::table)
            .sorted()
            .toList();
    boolean gone = false;
    for (Proof proof : group) {
      gone |= new MarkerDir(hbase, options.hfileDir(), proof.sha256()).loadingInto() != null;
    }
    if (gone && tables.size() <= any.rollups().size()) {
      findings.add(
          "%s must have the directories of all tables of which series of %s have gone, found %s"
              .formatted(options.hfileDir(), any.policy().match(), String.join(", ", tables)));
    }
  }

  /** Of two groups the one that was proven last; both if they are one. */
  private static List<Proof> last(List<Proof> a, List<Proof> b) {
    if (IdleCheck.isOfGroup(a.get(0), b.get(0))) {
      List<Proof> both = new ArrayList<>(a);
      both.addAll(b);
      return both;
    }
    return a.get(0).data().created().isAfter(b.get(0).data().created()) ? a : b;
  }

  private long seconds(String level) {
    RollupInterval interval = options.rollups().interval(level);
    return level.equals(Policy.RAW) ? 0 : interval == null ? Long.MAX_VALUE : interval.seconds();
  }

  /** Finds the days and floors. */
  private void days(long begin, CoverageTable coverage)
      throws IOException, CoverageRefusedException {
    coverage.requireFloors();
    TierTable table = options.table();
    @Nullable TableLayout layout = table.layout(admin, usage);
    if (!table.begins(begin)) {
      usage.add(
          "--from must be where a row of %s begins (rowSpan), found %s"
              .formatted(table.name(), Instant.ofEpochSecond(begin)));
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
    for (MarkerDir dir : MarkerDir.all(hbase, options.hfileDir())) {
      Proof proof = storedProof(dir);
      if (proof == null
          || proof.ofIdleSeries()
          || !proof.table().equals(options.level())
          || !(options.match() == null || options.match().equals(proof.policy().match()))) {
        continue;
      }
      String writer = EntryFloors.writer(proof.policy().metrics());
      CoverageFloor floor = ofApplies.get(writer);
      account(dir, proof, floor, known.computeIfAbsent(writer, any -> new TreeMap<>()));
      long from = proof.from().getEpochSecond();
      if (from < begin) {
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
        rows(proof, dir, table, layout);
      }
    }
    for (CoverageFloor floor : ofApplies.values()) {
      if (floor.before() > begin) {
        floors.add(floor);
        accounted(begin, floor, known.getOrDefault(floor.writer(), new TreeMap<>()));
      }
    }
    rows.sort(Comparator.comparing((Rows each) -> each.proof().from()).reversed());
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
  private void accounted(long begin, CoverageFloor floor, SortedMap<Long, Long> known) {
    long time = begin;
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
                  options.table().data(),
                  floor.metrics(),
                  Instant.ofEpochSecond(begin),
                  Instant.ofEpochSecond(floor.before()),
                  Instant.ofEpochSecond(time)));
    }
  }

  /** Checks what an apply has deleted, and its snapshot. */
  private void rows(Proof proof, MarkerDir dir, TierTable table, @Nullable TableLayout layout)
      throws IOException {
    List<String> problems = new ArrayList<>();
    MarkerManifest manifest = dir.manifest();
    ProofCheck.must(
        "the cluster of its apply", cluster, String.valueOf(dir.loadingInto()), problems);
    ProofCheck.must(
        "the schema", new TreeMap<>(table.schema().rowKeys()), proof.schema(), problems);
    ProofCheck.must(
        "the table",
        CoverageRows.tableName(table.name()),
        CoverageRows.tableName(proof.data().table()),
        problems);
    ProofCheck.sameIds(proof, options.rollups(), problems);
    if (table.rollups() != null || !proof.withHistograms().isEmpty()) {
      ProofCheck.sameSuite(proof, options.rollups(), problems);
    }
    if (manifest == null) {
      problems.add("its apply must have written %s below %s".formatted(MarkerDir.MANIFEST, dir));
    }
    boolean isIdle = proof.ofIdleSeries();
    boolean expires =
        layout != null && layout.ttlSeconds() != HConstants.FOREVER && layout.minVersions() == 0;
    if (layout != null
        && expires
        && !isIdle
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
      ProofCheck.must("the snapshot " + name, Proof.Source.of(data), proof.data(), problems);
      if (manifest != null) {
        SnapshotRows ofProof =
            new SnapshotRows(
                data,
                table,
                proof.from().getEpochSecond(),
                proof.to().getEpochSecond(),
                proof.metrics().keySet().stream()
                    .map(uid -> Long.parseUnsignedLong(uid, 16))
                    .collect(Collectors.toSet()),
                proof.withHistograms(),
                isIdle ? dir.store().series(proof) : null,
                proof.anyBucket());
        // Cells of idle series that the TTL hides cannot come back.
        long ttl =
            layout != null && expires && isIdle
                ? Duration.ofSeconds(layout.ttlSeconds()).toMillis()
                : Long.MAX_VALUE;
        RestoredRows restored =
            new RestoredRows(
                hbase,
                connection,
                ofProof,
                manifest,
                dir.undoDir(),
                clock,
                ttl,
                isIdle ? ConcurrentHashMap.newKeySet() : null);
        rows.add(new Rows(proof, table, dir, restored));
      }
    } catch (StorageException e) {
      if (e.kind() == StorageException.Kind.UNAVAILABLE) {
        throw e;
      }
      problems.add(String.valueOf(e.getMessage()));
    } catch (JobException e) {
      // The file of the series.
      if (e.exitCode() != ExitCode.BAD_INPUT) {
        throw e;
      }
      problems.add(e.getMessage());
    }
    problems.forEach(problem -> findings.add(ProvenName.of(proof) + ": " + problem));
  }
}
