package io.tsdbsuite.rollup.tiers.apply;

import io.tsdbsuite.coverage.Coverage;
import io.tsdbsuite.coverage.CoverageFloor;
import io.tsdbsuite.coverage.CoverageMask;
import io.tsdbsuite.coverage.CoverageRows;
import io.tsdbsuite.format.rollup.RollupConfig;
import io.tsdbsuite.format.rollup.RollupInterval;
import io.tsdbsuite.format.row.RowKey;
import io.tsdbsuite.format.schema.StorageSchema;
import io.tsdbsuite.hbase.StorageException;
import io.tsdbsuite.hbase.load.TableLayout;
import io.tsdbsuite.hbase.snapshot.Snapshot;
import io.tsdbsuite.hbase.snapshot.SnapshotLoader;
import io.tsdbsuite.job.ExitCode;
import io.tsdbsuite.job.JobException;
import io.tsdbsuite.job.coverage.CoverageRefusedException;
import io.tsdbsuite.job.coverage.CoverageTable;
import io.tsdbsuite.rollup.coverage.CoverageListing;
import io.tsdbsuite.rollup.load.TableFacts;
import io.tsdbsuite.rollup.tiers.Policy;
import io.tsdbsuite.rollup.tiers.proof.Proof;
import io.tsdbsuite.rollup.tiers.proof.ProofStore;
import io.tsdbsuite.rollup.uid.UidNames;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.client.Admin;
import org.jspecify.annotations.Nullable;

/**
 * Checks all that must hold before a cell goes: options, table, proofs, snapshots, coverage. It
 * finds all problems, and changes nothing.
 */
final class ApplyCheck {
  private static final long DAY = 86400;
  private static final Duration MAX_PROOF_AGE = Duration.ofMillis(Coverage.MAX_PROOF_AGE);
  private static final int MAX_SHOWN = 5;

  private final ApplyOptions options;
  private final Configuration conf;
  private final String cluster;
  private final Admin admin;
  private final CoverageTable coverageTable;
  private final Instant now;
  private final TierTable table;
  private final EntryRows entryRows;
  private final Map<String, Snapshot> snapshots = new HashMap<>();

  /** A day of an entry without a proof. */
  private record Missing(Policy.Entry entry, long from, long to) {}

  private final List<Missing> missing = new ArrayList<>();

  /** Of days whose load has not begun. */
  private final List<MarkerDir> waiting = new ArrayList<>();

  /** Of the usage, the configuration or the tables. */
  private final List<String> usage = new ArrayList<>();

  /** Of proofs. */
  private final List<String> findings = new ArrayList<>();

  /**
   * @param conf of HBase's client and the file systems
   * @param cluster id of the HBase cluster
   * @param names of a live UID table
   */
  ApplyCheck(
      ApplyOptions options,
      Configuration conf,
      String cluster,
      Admin admin,
      CoverageTable coverageTable,
      UidNames names,
      Instant now) {
    this.options = options;
    this.conf = conf;
    this.cluster = cluster;
    this.admin = admin;
    this.coverageTable = coverageTable;
    this.now = now;
    this.table = options.table();
    this.entryRows = new EntryRows(table, options.policy(), names);
  }

  /**
   * The days that may go, in the order of the policy.
   *
   * @throws JobException with all problems: usage, or bad input if only proofs have some
   * @throws IOException when HBase or storage fails
   */
  List<ProvenDay> days() throws IOException {
    table();
    Coverage coverage = coverage(now);
    if (!coverage.reason().isEmpty()) {
      usage.add(
          "table %s proves nothing: %s".formatted(options.coverageTable(), coverage.reason()));
    } else {
      try {
        coverageTable.requireFloors();
      } catch (CoverageRefusedException e) {
        usage.add(String.valueOf(e.getMessage()));
      }
      unknownIntervals(coverage);
    }
    List<ProvenDay> days = new ArrayList<>();
    ProofStore store = new ProofStore(options.proofs(), conf);
    Set<String> stored = Set.copyOf(store.names());
    boolean due = false;
    for (Policy.Entry entry : options.policy().entries()) {
      Integer keep = entry.keep().get(table.level());
      if (keep == null || (options.match() != null && !entry.match().equals(options.match()))) {
        continue;
      }
      long before = now.getEpochSecond() / DAY * DAY - keep * DAY;
      for (long from = options.days().from(); from < options.days().to(); from += DAY) {
        if (table.begins(from) && table.end(from) <= before) {
          due = true;
          ProvenDay day = day(entry, from, table.end(from), store, stored, coverage);
          if (day != null) {
            days.add(day);
          }
        }
      }
      if (coverage.reason().isEmpty()) {
        olderRows(entry, days, coverage);
      }
    }
    missing(days, coverage);
    if (!due) {
      usage.add(
          "the policy must let %s of some day of %s go by now, found none"
              .formatted(table.data(), options.days().text(" to ")));
    }
    require();
    return days;
  }

  /** The directories of days whose load has not begun, also of those that are refused. */
  List<MarkerDir> waiting() {
    return List.copyOf(waiting);
  }

  private void require() {
    List<String> all = new ArrayList<>(usage);
    all.addAll(findings);
    if (!usage.isEmpty()) {
      throw JobException.usage(all);
    }
    if (!findings.isEmpty()) {
      throw JobException.badInput(String.join(System.lineSeparator(), all));
    }
  }

  /** Checks the table. */
  private void table() throws IOException {
    String name = CoverageRows.tableName(table.name());
    RollupInterval rollups = table.rollups();
    if (rollups != null) {
      boolean isShared =
          options.rollups().intervals().stream()
              .anyMatch(
                  each -> each != rollups && CoverageRows.tableName(each.table()).equals(name));
      if (isShared || name.equals(CoverageRows.tableName(options.schema().dataTable()))) {
        usage.add(
            ("table %s must have the rollups of %s alone, found that rollup_config.json or"
                    + " opentsdb.conf uses it twice")
                .formatted(name, table.level()));
      }
      // Hours of a row that do not divide the day.
      if (rollups.baseTime(DAY) % DAY != 0) {
        usage.add(
            "table %s must have rows that begin at midnight, found rowSpan %s"
                .formatted(name, rollups.rowSpan()));
      }
    }
    TableLayout layout = table.layout(admin, usage);
    int longest =
        options.policy().entries().stream()
            .mapToInt(entry -> entry.keep().getOrDefault(table.level(), 0))
            .max()
            .orElse(0);
    if (layout != null
        && layout.ttlSeconds() != HConstants.FOREVER
        && layout.ttlSeconds() < longest * DAY) {
      usage.add(
          "table %s must have no TTL below the longest that the policy keeps %s, %s d, found"
                  .formatted(table.name(), table.data(), longest)
              + " %s s".formatted(layout.ttlSeconds()));
    }
  }

  /** Without an interval that has rollups, the next narrower one would be the last tier. */
  private void unknownIntervals(Coverage coverage) {
    Set<String> unknown = new TreeSet<>();
    coverage.windows().forEach(window -> unknown.add(window.interval()));
    unknown.removeIf(interval -> options.rollups().interval(interval) != null);
    if (!unknown.isEmpty()) {
      usage.add(
          ("rollup_config.json must have all intervals of which table %s has windows, found none of"
                  + " %s: give one with all, or remove these windows (rollup-job coverage remove)")
              .formatted(options.coverageTable(), String.join(", ", unknown)));
    }
  }

  /**
   * Reads the coverage.
   *
   * @throws IOException when HBase fails
   */
  Coverage coverage(Instant at) throws IOException {
    return coverageTable.read(CoverageListing.tables(options.rollups()), at.toEpochMilli());
  }

  private @Nullable ProvenDay day(
      Policy.Entry entry,
      long from,
      long to,
      ProofStore store,
      Set<String> stored,
      Coverage coverage)
      throws IOException {
    Instant day = Instant.ofEpochSecond(from);
    String name = ProofStore.name(table.level(), day, options.policy().metrics(entry));
    if (!stored.contains(name)) {
      missing.add(new Missing(entry, from, to));
      return null;
    }
    Proof proof;
    try {
      proof = store.read(name);
    } catch (JobException e) {
      if (e.exitCode() != ExitCode.BAD_INPUT) {
        throw e;
      }
      findings.add(e.getMessage());
      return null;
    }
    MarkerDir dir = new MarkerDir(conf, options.hfileDir(), proof.sha256());
    MarkerManifest written = dir.manifest();
    String into = dir.loadingInto();
    if (into != null && !into.equals(cluster)) {
      findings.add(
          "proof %s: the cluster must be the one into which a load of %s has begun, %s, found %s"
              .formatted(name, dir, into, cluster));
      return null;
    }
    if (into != null && dir.isUndoing()) {
      findings.add(
          "proof %s: no undo of its day may have begun, found one in %s: end it with rollup-job"
                  .formatted(name, dir)
              + " tiers undo");
      return null;
    }
    if (written != null && dir.isLoaded()) {
      load(proof.data().snapshot());
      return new ProvenDay(entry, proof, new TreeMap<>(), null, dir, written, true, true);
    }
    if (into == null) {
      waiting.add(dir);
    }
    List<String> problems = new ArrayList<>();
    same(proof, entry, from, to, problems);
    if (written != null) {
      problems.addAll(dir.damage(written, into != null));
    }
    SortedMap<Long, String> metrics = metrics(proof, entry, problems);
    SnapshotDay rows = rows(proof, metrics.keySet(), problems);
    // What has begun must end: it was checked, and its floor is raised.
    if (into == null) {
      fresh(proof, problems);
      CoverageFloor floor =
          EntryFloors.find(
              coverage.floors(), table.level(), EntryFloors.writer(options.policy(), entry));
      if (floor != null && floor.before() >= to && dir.raisedFloor() == null) {
        problems.add(
            ("its day must not be below the floor of its entry, %s, which another apply has raised,"
                    + " perhaps with another --hfile-dir: only that one knows what was deleted")
                .formatted(Instant.ofEpochSecond(floor.before())));
      }
    }
    ProvenDay found = new ProvenDay(entry, proof, metrics, rows, dir, written, into != null, false);
    if (into == null && coverage.reason().isEmpty()) {
      covered(found, coverage, false, problems);
    }
    problems.forEach(problem -> findings.add("proof " + name + ": " + problem));
    return problems.isEmpty() ? found : null;
  }

  /** Whether a proof is about this policy, configuration and cluster. */
  private void same(Proof proof, Policy.Entry entry, long from, long to, List<String> problems) {
    Policy policy = options.policy();
    StorageSchema schema = options.schema();
    must("the table", table.level(), proof.table(), problems);
    must("the day", Instant.ofEpochSecond(from), proof.from(), problems);
    must("the end of the day", Instant.ofEpochSecond(to), proof.to(), problems);
    must("the pattern", entry.match(), proof.policy().match(), problems);
    must("the metrics", policy.metrics(entry), proof.policy().metrics(), problems);
    must("what the entry keeps", new TreeMap<>(entry.keep()), proof.policy().keepDays(), problems);
    must("the schema", new TreeMap<>(schema.rowKeys()), proof.schema(), problems);
    must(
        table.rollups() == null ? "the data table" : "the rollup table",
        CoverageRows.tableName(table.name()),
        CoverageRows.tableName(proof.data().table()),
        problems);
    if (!proof.cluster().isEmpty()) {
      must("the cluster", cluster, proof.cluster(), problems);
    }
    sameIds(proof, options.rollups(), problems);
    boolean isLast = table.coarser().isEmpty();
    if (proof.rollups().isEmpty() && !isLast) {
      problems.add("it must be about the rollups of at least one interval, found none");
    }
    for (RollupInterval interval : table.coarser()) {
      // Raw data may have rollups in a table that the policy does not name and no one writes.
      boolean isKept = table.rollups() != null || entry.keep().containsKey(interval.interval());
      if (isKept && !proof.rollups().containsKey(interval.interval())) {
        problems.add(
            "it must be about the rollups of " + interval.interval() + ", which the entry keeps");
      }
    }
    proof
        .rollups()
        .forEach(
            (name, source) -> {
              RollupInterval interval = options.rollups().interval(name);
              if (interval != null && !table.coarser().contains(interval)) {
                problems.add(
                    "it must be about rollups of %s, found %s".formatted(table.data(), name));
              }
              must(
                  "the table of " + name,
                  interval == null ? "none" : CoverageRows.tableName(interval.table()),
                  CoverageRows.tableName(source.table()),
                  problems);
            });
    long rows =
        proof.metrics().values().stream().mapToLong(of -> of.rows() + of.annotatedRows()).sum();
    if (proof.verify().compared() != proof.verify().equal()
        || (proof.verify().compared() == 0 && rows > 0 && !isLast)) {
      problems.add(
          "all rollups that were compared, %s, must be equal, found %s"
              .formatted(proof.verify().compared(), proof.verify().equal()));
    }
  }

  static void sameIds(Proof proof, RollupConfig rollups, List<String> problems) {
    proof
        .aggregatorIds()
        .forEach(
            (aggregator, id) ->
                must(
                    "the number of the aggregator " + aggregator,
                    String.valueOf(rollups.aggregatorId(aggregator)),
                    String.valueOf(id),
                    problems));
  }

  static void must(String what, Object wanted, Object found, List<String> problems) {
    if (!wanted.equals(found)) {
      problems.add("%s must be %s, found %s".formatted(what, wanted, found));
    }
  }

  /** The names of the proof's metrics, which must be those of the entry. */
  private SortedMap<Long, String> metrics(Proof proof, Policy.Entry entry, List<String> problems) {
    SortedMap<Long, String> metrics = new TreeMap<>();
    for (String uid : proof.metrics().keySet()) {
      long number = Long.parseUnsignedLong(uid, 16);
      String name = entryRows.name(number);
      if (name == null || !entry.equals(options.policy().of(name))) {
        problems.add(
            "metric UID %s must be of a metric of %s, found %s"
                .formatted(uid, entry.match(), name == null ? "one without a name" : name));
      }
      metrics.put(number, String.valueOf(name));
    }
    return metrics;
  }

  /** The rows in the proof's snapshot; null if it is not there any more. */
  private @Nullable SnapshotDay rows(Proof proof, Set<Long> metrics, List<String> problems)
      throws IOException {
    Proof.Source source = proof.data();
    long created = source.created().toEpochMilli();
    if (!TableFacts.hasSnapshot(admin, table.name(), source.snapshot(), created)) {
      problems.add(
          "HBase must have its snapshot %s of %s, found none of this name, table and time"
              .formatted(source.snapshot(), source.created()));
    }
    String failure = load(source.snapshot());
    Snapshot data = snapshots.get(source.snapshot());
    if (data == null) {
      problems.add(failure);
      return null;
    }
    must("the snapshot " + data.name(), Proof.Source.of(data), source, problems);
    if (!data.flushed()) {
      problems.add("snapshot " + data.name() + " must not be taken with SKIP_FLUSH");
    }
    return new SnapshotDay(
        data,
        table,
        proof.from().getEpochSecond(),
        proof.to().getEpochSecond(),
        metrics,
        proof.anyBucket());
  }

  /** Loads a snapshot; returns why it cannot be, or an empty text. */
  private String load(String name) {
    try {
      if (!snapshots.containsKey(name)) {
        snapshots.put(name, new SnapshotLoader(conf, options.root()).load(name, RowKey.FAMILY));
      }
      return "";
    } catch (StorageException e) {
      return String.valueOf(e.getMessage());
    }
  }

  private void fresh(Proof proof, List<String> problems) {
    Instant created = proof.data().created();
    if (created.plus(MAX_PROOF_AGE).isBefore(now)) {
      problems.add(
          "its data snapshot must be at most %s days old, found %s: prove the day again"
              .formatted(MAX_PROOF_AGE.toDays(), created));
    }
    if (proof.provenAt().isBefore(created) || proof.provenAt().isAfter(now)) {
      problems.add(
          "it must be made between its snapshot, %s, and now, %s, found %s"
              .formatted(created, now, proof.provenAt()));
    }
  }

  /**
   * Whether the coverage proves the day's rollups now, and no late point has come.
   *
   * @param floor whether the floor must be there
   */
  void covered(ProvenDay day, Coverage coverage, boolean floor, List<String> problems) {
    if (!coverage.reason().isEmpty()) {
      problems.add(
          "table %s proves nothing: %s".formatted(options.coverageTable(), coverage.reason()));
      return;
    }
    Set<String> of = new TreeSet<>(day.names().values());
    for (String interval : day.proof().rollups().keySet()) {
      RollupInterval known = options.rollups().interval(interval);
      List<String> open = new ArrayList<>();
      for (String metric : of) {
        if (known != null
            && !coverage
                .proven(interval, known.seconds() * 1000, metric)
                .contains(day.from() * 1000, day.to() * 1000)) {
          open.add(metric);
        }
      }
      if (!open.isEmpty()) {
        problems.add(
            "table %s must prove the %s rollups of the day, found that it does not for %s"
                .formatted(options.coverageTable(), interval, some(open)));
      }
    }
    long created = day.proof().data().created().toEpochMilli();
    masked(day.entry(), day.from(), day.to(), created, coverage, problems);
    // What rollups are made of must be gone before them.
    int keep = day.entry().keep().getOrDefault(table.level(), 0);
    for (Map.Entry<String, Integer> finer : day.entry().keep().entrySet()) {
      List<String> present =
          finer.getValue() < keep ? above(coverage, finer.getKey(), of, day.to()) : List.of();
      if (!present.isEmpty()) {
        problems.add(
            "the floor of %s must be at or above the end of its rows, %s, found that it is not for"
                    .formatted(finer.getKey(), Instant.ofEpochSecond(day.to()))
                + " %s: apply %s of the days first".formatted(some(present), finer.getKey()));
      }
    }
    List<String> without = floor ? above(coverage, table.level(), of, day.to()) : List.of();
    if (!without.isEmpty()) {
      problems.add("the floor must be there, found none for " + some(without));
    }
  }

  /**
   * Whether a late point of an entry may have come since a snapshot, also of a metric without rows
   * in it: the floor would void its mask.
   *
   * @param created of the snapshot, milliseconds since the epoch
   */
  private void masked(
      Policy.Entry entry,
      long from,
      long to,
      long created,
      Coverage coverage,
      List<String> problems) {
    long shown = created - Coverage.CLOCK_SKEW;
    for (CoverageMask mask : coverage.masks()) {
      boolean ofDay = mask.from() < to && mask.to() > from && mask.time() >= shown;
      boolean ofEntry =
          mask.metric().equals(CoverageMask.ALL_METRICS)
              || entry.equals(options.policy().of(mask.metric()));
      if (ofDay && ofEntry) {
        problems.add(
            "its snapshot must be newer than the masks of the day, found one of %s, of metric %s"
                    .formatted(Instant.ofEpochMilli(mask.time()), mask.metric())
                + ": a late point may have come; "
                + (table.rollups() == null ? "roll up" : "take new snapshots")
                + " and prove the day again");
      }
    }
  }

  /** The same of the days without rows, which the floor hides, too. */
  void masked(Coverage coverage, List<String> problems) {
    Snapshot newest = newest();
    for (Missing each : missing) {
      List<String> ofDay = new ArrayList<>();
      if (newest != null) {
        masked(each.entry, each.from, each.to, newest.creationTime(), coverage, ofDay);
      }
      ofDay.forEach(problem -> problems.add(name(each) + ": " + problem));
    }
  }

  private static String name(Missing day) {
    return day.entry.match() + ", " + Instant.ofEpochSecond(day.from).toString().substring(0, 10);
  }

  private @Nullable Snapshot newest() {
    return snapshots.values().stream()
        .max(Comparator.comparingLong(Snapshot::creationTime))
        .orElse(null);
  }

  /** The metrics that may have data of a level before a time: their floor is below it. */
  private static List<String> above(
      Coverage coverage, String level, Set<String> metrics, long time) {
    return metrics.stream().filter(metric -> coverage.floor(level, metric) < time).toList();
  }

  private static String some(List<String> metrics) {
    return String.join(", ", metrics.subList(0, Math.min(MAX_SHOWN, metrics.size())))
        + (metrics.size() > MAX_SHOWN ? " and " + (metrics.size() - MAX_SHOWN) + " more" : "");
  }

  /**
   * Looks for older rows of an entry's metrics that no proof is about: the floor would hide them
   * from queries.
   */
  private void olderRows(Policy.Entry entry, List<ProvenDay> days, Coverage coverage)
      throws IOException {
    CoverageFloor floor =
        EntryFloors.find(
            coverage.floors(), table.level(), EntryFloors.writer(options.policy(), entry));
    SnapshotDay first = null;
    for (ProvenDay day : days) {
      if (day.entry().equals(entry) && !day.loaded() && first == null) {
        first = day.day();
      }
    }
    if (first == null || (floor != null && floor.before() >= first.from())) {
      return;
    }
    SortedMap<String, Long> found =
        entryRows.find(
            first.data(), entry, 0, first.from(), metric -> coverage.floor(table.level(), metric));
    if (!found.isEmpty()) {
      findings.add(
          ("the metrics of %s must have no %s rows before %s of which no floor says that they may"
                  + " be gone, found some of %s, the first of %s: prove and apply older days"
                  + " first, or queries would not read them any more")
              .formatted(
                  entry.match(),
                  table.level(),
                  Instant.ofEpochSecond(first.from()),
                  some(List.copyOf(found.keySet())),
                  Instant.ofEpochSecond(found.values().stream().min(Long::compare).orElseThrow())));
    }
  }

  /** A day without a proof is one without rows of the entry, or a problem. */
  private void missing(List<ProvenDay> days, Coverage coverage) throws IOException {
    Snapshot newest = newest();
    boolean allLoaded = !days.isEmpty() && days.stream().allMatch(ProvenDay::loaded);
    for (Missing each : missing) {
      boolean isNeeded =
          newest == null
              ? !allLoaded
              : !entryRows.find(newest, each.entry, each.from, each.to, metric -> 0).isEmpty();
      if (isNeeded) {
        findings.add(
            "%s must have a proof of %s, found none: run rollup-job tiers prove"
                .formatted(options.proofs(), name(each)));
      }
    }
    if (!allLoaded) {
      masked(coverage, findings);
    }
  }
}
