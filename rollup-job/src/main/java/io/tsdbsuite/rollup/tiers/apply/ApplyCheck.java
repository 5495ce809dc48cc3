package io.tsdbsuite.rollup.tiers.apply;

import io.tsdbsuite.coverage.Coverage;
import io.tsdbsuite.coverage.CoverageFloor;
import io.tsdbsuite.coverage.CoverageMask;
import io.tsdbsuite.coverage.CoverageRows;
import io.tsdbsuite.format.rollup.RollupInterval;
import io.tsdbsuite.format.row.RowKey;
import io.tsdbsuite.format.schema.StorageSchema;
import io.tsdbsuite.format.uid.UidKind;
import io.tsdbsuite.hbase.StorageException;
import io.tsdbsuite.hbase.load.HFileSupport;
import io.tsdbsuite.hbase.load.TableLayout;
import io.tsdbsuite.hbase.read.RowReader;
import io.tsdbsuite.hbase.snapshot.Snapshot;
import io.tsdbsuite.hbase.snapshot.SnapshotLoader;
import io.tsdbsuite.hbase.snapshot.SnapshotRegion;
import io.tsdbsuite.job.ExitCode;
import io.tsdbsuite.job.JobException;
import io.tsdbsuite.job.coverage.CoverageRefusedException;
import io.tsdbsuite.job.coverage.CoverageTable;
import io.tsdbsuite.message.write.ByteSlice;
import io.tsdbsuite.rollup.coverage.CoverageListing;
import io.tsdbsuite.rollup.load.TableFacts;
import io.tsdbsuite.rollup.plan.RowWindow;
import io.tsdbsuite.rollup.tiers.Policy;
import io.tsdbsuite.rollup.tiers.proof.Proof;
import io.tsdbsuite.rollup.tiers.proof.ProofStore;
import io.tsdbsuite.rollup.uid.UidNames;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.ToLongFunction;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.KeepDeletedCells;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.jspecify.annotations.Nullable;

/**
 * Checks all that must hold before a cell goes: options, table, proofs, snapshots, coverage. It
 * finds all problems, and changes nothing.
 */
final class ApplyCheck {
  private static final long DAY = 86400;
  private static final byte[] FAMILY = RowKey.family();
  private static final Duration MAX_PROOF_AGE = Duration.ofMillis(Coverage.MAX_PROOF_AGE);
  private static final int MAX_SHOWN = 5;

  private final ApplyOptions options;
  private final Configuration conf;
  private final String cluster;
  private final Admin admin;
  private final CoverageTable coverageTable;
  private final UidNames names;
  private final Instant now;
  private final RowKey keys;
  private final Map<String, Snapshot> snapshots = new HashMap<>();

  /** A day of an entry without a proof. */
  private record Missing(Policy.Entry entry, long from) {}

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
    this.names = names;
    this.now = now;
    this.keys = new RowKey(options.schema());
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
    }
    List<ProvenDay> days = new ArrayList<>();
    ProofStore store = new ProofStore(options.proofs(), conf);
    Set<String> stored = Set.copyOf(store.names());
    boolean due = false;
    for (Policy.Entry entry : options.policy().entries()) {
      Integer keep = entry.keep().get(Policy.RAW);
      if (keep == null) {
        continue;
      }
      long before = now.getEpochSecond() / DAY * DAY - keep * DAY;
      for (long from = options.days().from(); from < options.days().to(); from += DAY) {
        if (from + DAY <= before) {
          due = true;
          ProvenDay day = day(entry, from, store, stored, coverage);
          if (day != null) {
            days.add(day);
          }
        }
      }
      if (coverage.reason().isEmpty()) {
        olderRows(entry, days, coverage);
      }
    }
    missing(days);
    if (!due) {
      usage.add(
          "the policy must let raw data of some day of %s go by now, found none"
              .formatted(options.days().text(" to ")));
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

  /** Checks the data table. */
  private void table() throws IOException {
    TableLayout layout = table(admin, options.schema(), usage);
    int longest =
        options.policy().entries().stream()
            .mapToInt(entry -> entry.keep().getOrDefault(Policy.RAW, 0))
            .max()
            .orElse(0);
    if (layout != null
        && layout.ttlSeconds() != HConstants.FOREVER
        && layout.ttlSeconds() < longest * DAY) {
      usage.add(
          "table %s must have no TTL below the longest that the policy keeps raw data, %s d, found"
                  .formatted(options.schema().dataTable(), longest)
              + " %s s".formatted(layout.ttlSeconds()));
    }
  }

  /** Checks that markers may be loaded into a data table; null if it cannot be looked at. */
  static @Nullable TableLayout table(Admin admin, StorageSchema schema, List<String> usage)
      throws IOException {
    TableName name = TableName.valueOf(schema.dataTable());
    String what = "table " + name + " ";
    if (schema.useOtsdbTimestamp()) {
      usage.add(
          what
              + "must not have the times of its points as timestamps of its cells"
              + " (tsd.storage.use_otsdb_timestamp): a marker would hide points that come later");
    }
    if (!admin.tableExists(name)) {
      usage.add(what + "must exist, HBase does not have it");
      return null;
    }
    if (!admin.isTableEnabled(name)) {
      usage.add(what + "must be enabled, found disabled");
    }
    TableDescriptor descriptor = admin.getDescriptor(name);
    if (!descriptor.hasColumnFamily(FAMILY)) {
      usage.add(what + "must have the column family " + RowKey.FAMILY);
      return null;
    }
    if (descriptor.isReadOnly()) {
      usage.add(what + "must take writes, found READONLY => 'true'");
    }
    TableLayout layout = TableLayout.of(descriptor, FAMILY, List.of());
    HFileSupport.problems(layout).forEach(problem -> usage.add(what + problem));
    String replication = HFileSupport.replication(layout);
    if (replication != null) {
      usage.add(
          what
              + "must not be replicated, found REPLICATION_SCOPE => "
              + layout.family().getScope()
              + ": cells that come from another cluster with older timestamps would be hidden");
    }
    if (layout.family().getKeepDeletedCells() != KeepDeletedCells.FALSE) {
      usage.add(
          "%smust not keep deleted cells, found KEEP_DELETED_CELLS => %s"
              .formatted(what, layout.family().getKeepDeletedCells()));
    }
    return layout;
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
      Policy.Entry entry, long from, ProofStore store, Set<String> stored, Coverage coverage)
      throws IOException {
    Instant day = Instant.ofEpochSecond(from);
    String name = ProofStore.name(Policy.RAW, day, options.policy().metrics(entry));
    if (!stored.contains(name)) {
      missing.add(new Missing(entry, from));
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
    if (written != null && dir.isLoaded()) {
      load(proof.data().snapshot());
      return new ProvenDay(entry, proof, new TreeMap<>(), null, dir, written, true, true);
    }
    String into = dir.loadingInto();
    if (into == null) {
      waiting.add(dir);
    }
    List<String> problems = new ArrayList<>();
    same(proof, entry, from, problems);
    if (into != null && !into.equals(cluster)) {
      problems.add(
          "the cluster must be the one into which a load of %s has begun, %s, found %s"
              .formatted(dir, into, cluster));
    }
    if (written != null) {
      problems.addAll(dir.damage(written, into != null));
    }
    SortedMap<Long, String> metrics = metrics(proof, entry, problems);
    SnapshotDay rows = rows(proof, metrics.keySet(), problems);
    // What has begun must end: it was checked, and its floor is raised.
    if (into == null) {
      fresh(proof, problems);
    }
    ProvenDay found = new ProvenDay(entry, proof, metrics, rows, dir, written, into != null, false);
    if (into == null && coverage.reason().isEmpty()) {
      covered(found, coverage, false, problems);
    }
    problems.forEach(problem -> findings.add("proof " + name + ": " + problem));
    return problems.isEmpty() ? found : null;
  }

  /** Whether a proof is about this policy, configuration and cluster. */
  private void same(Proof proof, Policy.Entry entry, long from, List<String> problems) {
    Policy policy = options.policy();
    StorageSchema schema = options.schema();
    must("the table", Policy.RAW, proof.table(), problems);
    must("the day", Instant.ofEpochSecond(from), proof.from(), problems);
    must("the end of the day", Instant.ofEpochSecond(from + DAY), proof.to(), problems);
    must("the pattern", entry.match(), proof.policy().match(), problems);
    must("the metrics", policy.metrics(entry), proof.policy().metrics(), problems);
    must("what the entry keeps", new TreeMap<>(entry.keep()), proof.policy().keepDays(), problems);
    must("the schema", new TreeMap<>(schema.rowKeys()), proof.schema(), problems);
    must(
        "the data table",
        CoverageRows.tableName(schema.dataTable()),
        CoverageRows.tableName(proof.data().table()),
        problems);
    if (!proof.cluster().isEmpty()) {
      must("the cluster", cluster, proof.cluster(), problems);
    }
    proof
        .aggregatorIds()
        .forEach(
            (aggregator, id) ->
                must(
                    "the number of the aggregator " + aggregator,
                    String.valueOf(options.rollups().aggregatorId(aggregator)),
                    String.valueOf(id),
                    problems));
    if (proof.rollups().isEmpty()) {
      problems.add("it must be about the rollups of at least one interval, found none");
    }
    for (String interval : entry.keep().keySet()) {
      if (!interval.equals(Policy.RAW) && !proof.rollups().containsKey(interval)) {
        problems.add("it must be about the rollups of " + interval + ", which the entry keeps");
      }
    }
    proof
        .rollups()
        .forEach(
            (name, source) -> {
              RollupInterval interval = options.rollups().interval(name);
              must(
                  "the table of " + name,
                  interval == null ? "none" : CoverageRows.tableName(interval.table()),
                  CoverageRows.tableName(source.table()),
                  problems);
            });
    long rows =
        proof.metrics().values().stream().mapToLong(of -> of.rows() + of.annotatedRows()).sum();
    if (proof.verify().compared() != proof.verify().equal()
        || (proof.verify().compared() == 0 && rows > 0)) {
      problems.add(
          "all rollups that were compared, %s, must be equal, found %s"
              .formatted(proof.verify().compared(), proof.verify().equal()));
    }
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
      String name = name(number);
      if (name == null || !entry.equals(options.policy().of(name))) {
        problems.add(
            "metric UID %s must be of a metric of %s, found %s"
                .formatted(uid, entry.match(), name == null ? "one without a name" : name));
      }
      metrics.put(number, String.valueOf(name));
    }
    return metrics;
  }

  private @Nullable String name(long uid) {
    ByteSlice name = new ByteSlice();
    return names.lookup(UidKind.METRIC, uid, name) ? name.toString() : null;
  }

  /** The rows in the proof's snapshot; null if it is not there any more. */
  private @Nullable SnapshotDay rows(Proof proof, Set<Long> metrics, List<String> problems)
      throws IOException {
    Proof.Source source = proof.data();
    long created = source.created().toEpochMilli();
    if (!TableFacts.hasSnapshot(admin, options.schema().dataTable(), source.snapshot(), created)) {
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
        options.schema(),
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
    long shown = day.proof().data().created().toEpochMilli() - Coverage.CLOCK_SKEW;
    for (CoverageMask mask : coverage.masks()) {
      boolean ofDay = mask.from() < day.to() && mask.to() > day.from() && mask.time() >= shown;
      if (ofDay && (mask.metric().equals(CoverageMask.ALL_METRICS) || of.contains(mask.metric()))) {
        problems.add(
            "its snapshot must be newer than the masks of the day, found one of %s, of metric %s"
                    .formatted(Instant.ofEpochMilli(mask.time()), mask.metric())
                + ": a late point may have come; roll up and prove the day again");
      }
    }
    if (floor) {
      List<String> without =
          of.stream()
              .filter(metric -> coverage.floor(CoverageFloor.RAW, metric) < day.to())
              .toList();
      if (!without.isEmpty()) {
        problems.add("the floor must be there, found none for " + some(without));
      }
    }
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
        EntryFloors.find(coverage.floors(), EntryFloors.writer(options.policy(), entry));
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
        rows(
            first.data(),
            entry,
            0,
            first.from(),
            metric -> coverage.floor(CoverageFloor.RAW, metric));
    if (!found.isEmpty()) {
      findings.add(
          ("the metrics of %s must have no raw rows before %s of which no floor says that they may"
                  + " be gone, found some of %s, the first of %s: prove and apply older days"
                  + " first, or queries would not read them any more")
              .formatted(
                  entry.match(),
                  Instant.ofEpochSecond(first.from()),
                  some(List.copyOf(found.keySet())),
                  Instant.ofEpochSecond(found.values().stream().min(Long::compare).orElseThrow())));
    }
  }

  /** A day without a proof is one without rows of the entry, or a problem. */
  private void missing(List<ProvenDay> days) throws IOException {
    Snapshot any = snapshots.values().stream().findFirst().orElse(null);
    boolean allLoaded = !days.isEmpty() && days.stream().allMatch(ProvenDay::loaded);
    for (Missing each : missing) {
      boolean isNeeded =
          any == null
              ? !allLoaded
              : !rows(any, each.entry, each.from, each.from + DAY, metric -> 0).isEmpty();
      if (isNeeded) {
        findings.add(
            "%s must have a proof of %s, %s, found none: run rollup-job tiers prove"
                .formatted(
                    options.proofs(),
                    each.entry.match(),
                    Instant.ofEpochSecond(each.from).toString().substring(0, 10)));
      }
    }
  }

  /**
   * Looks for rows of an entry's metrics in a snapshot.
   *
   * @param floor of a metric: earlier rows do not count
   * @return the time of a metric's first row in a region, by name
   */
  private SortedMap<String, Long> rows(
      Snapshot data, Policy.Entry entry, long from, long to, ToLongFunction<String> floor)
      throws IOException {
    SortedMap<String, Long> found = new TreeMap<>();
    SnapshotDay times = new SnapshotDay(data, options.schema(), from, to, Set.of(), true);
    for (SnapshotRegion region : times.regions()) {
      boolean unused =
          times.rows(
              region,
              rows -> {
                find(rows, entry, from, to, floor, found);
                return true;
              });
    }
    return found;
  }

  private void find(
      RowReader rows,
      Policy.Entry entry,
      long from,
      long to,
      ToLongFunction<String> floor,
      SortedMap<String, Long> found)
      throws IOException {
    RowWindow window = new RowWindow(options.schema(), from, to);
    byte[] next = {};
    while (next != null && rows.peek()) {
      byte[] key = rows.rowArray();
      int off = rows.rowOffset();
      int len = rows.rowLength();
      if (len < keys.tagsOffset()) {
        // A key of no series; the next one is after it.
        next = new byte[len + 1];
        System.arraycopy(key, off, next, 0, len);
      } else if (!window.contains(key, off, len)) {
        next = window.nextAfter(key, off, len);
      } else {
        String metric = name(keys.metricUid(key, off));
        next = window.nextMetric(key, off, len);
        if (metric != null && entry.equals(options.policy().of(metric))) {
          long time = keys.baseTime(key, off);
          long begin = floor.applyAsLong(metric);
          if (time >= begin) {
            found.merge(metric, time, Math::min);
          } else if (begin < to) {
            next = new RowWindow(options.schema(), begin, to).nextAfter(key, off, len);
          }
        }
      }
      if (next != null) {
        rows.seek(next);
      }
    }
  }
}
