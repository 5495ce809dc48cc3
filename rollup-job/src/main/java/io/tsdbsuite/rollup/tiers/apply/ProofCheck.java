package io.tsdbsuite.rollup.tiers.apply;

import io.tsdbsuite.coverage.Coverage;
import io.tsdbsuite.coverage.CoverageRows;
import io.tsdbsuite.format.rollup.RollupConfig;
import io.tsdbsuite.format.row.RowKey;
import io.tsdbsuite.hbase.StorageException;
import io.tsdbsuite.hbase.load.TableLayout;
import io.tsdbsuite.hbase.snapshot.Snapshot;
import io.tsdbsuite.hbase.snapshot.SnapshotLoader;
import io.tsdbsuite.job.ExitCode;
import io.tsdbsuite.job.JobException;
import io.tsdbsuite.rollup.load.TableFacts;
import io.tsdbsuite.rollup.tiers.Policy;
import io.tsdbsuite.rollup.tiers.proof.IdleSeries;
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
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.client.Admin;
import org.jspecify.annotations.Nullable;

/**
 * Checks tables, and proofs against policy, configuration, cluster and snapshots. It adds what it
 * finds to lists, and changes nothing.
 *
 * @param conf of HBase's client and the file systems
 * @param cluster id of the HBase cluster
 * @param names of a live UID table
 * @param snapshots those that were loaded, by name
 */
record ProofCheck(
    ApplyOptions options,
    Configuration conf,
    String cluster,
    Admin admin,
    UidNames names,
    Instant now,
    Map<String, Snapshot> snapshots) {
  private static final Duration MAX_PROOF_AGE = Duration.ofMillis(Coverage.MAX_PROOF_AGE);

  ProofCheck(
      ApplyOptions options,
      Configuration conf,
      String cluster,
      Admin admin,
      UidNames names,
      Instant now) {
    this(options, conf, cluster, admin, names, now, new HashMap<>());
  }

  /** Whether an entry is meant. */
  boolean isChosen(Policy.Entry entry) {
    return options.match() == null || entry.match().equals(options.match());
  }

  /** Checks that markers may be loaded into a table; null if it cannot be looked at. */
  @Nullable TableLayout table(TierTable table, List<String> usage) throws IOException {
    String name = CoverageRows.tableName(table.name());
    if (table.rollups() != null) {
      boolean isShared =
          options.rollups().intervals().stream()
              .anyMatch(
                  each ->
                      each != table.rollups() && CoverageRows.tableName(each.table()).equals(name));
      if (isShared || name.equals(CoverageRows.tableName(options.schema().dataTable()))) {
        usage.add(
            ("table %s must have the rollups of %s alone, found that rollup_config.json or"
                    + " opentsdb.conf uses it twice")
                .formatted(name, table.level()));
      }
    }
    return table.layout(admin, usage);
  }

  /** Throws what was found: usage, or bad input if only proofs have problems. */
  static void require(List<String> usage, List<String> findings) {
    List<String> all = new ArrayList<>(usage);
    all.addAll(findings);
    if (!usage.isEmpty()) {
      throw JobException.usage(all);
    }
    if (!findings.isEmpty()) {
      throw JobException.badInput(String.join(System.lineSeparator(), all));
    }
  }

  /** Reads a proof; null, and a finding, if it is none. */
  static @Nullable Proof read(ProofStore store, String name, List<String> findings) {
    try {
      return store.read(name);
    } catch (JobException e) {
      if (e.exitCode() != ExitCode.BAD_INPUT) {
        throw e;
      }
      findings.add(e.getMessage());
      return null;
    }
  }

  /**
   * Checks a proof, its snapshot, and how far an earlier apply was.
   *
   * @param table that the proof must be about
   * @param series of a proof of idle series, else null
   * @return null, and a problem, if its directory does not let it go on
   */
  @Nullable ProvenRows rows(
      Proof proof,
      Policy.Entry entry,
      TierTable table,
      @Nullable IdleSeries series,
      List<String> problems)
      throws IOException {
    MarkerDir dir = new MarkerDir(conf, options.hfileDir(), proof.sha256());
    MarkerManifest written = dir.manifest();
    String into = dir.loadingInto();
    if (into != null && !into.equals(cluster)) {
      problems.add(
          "the cluster must be the one into which a load of %s has begun, %s, found %s"
              .formatted(dir, into, cluster));
      return null;
    }
    if (into != null && dir.isUndoing()) {
      problems.add(
          "no undo of its %s may have begun, found one in %s: end it with rollup-job tiers undo"
              .formatted(series == null ? "day" : "series", dir));
      return null;
    }
    if (written != null && dir.isLoaded()) {
      String unused = load(proof.data().snapshot());
      return new ProvenRows(
          entry, table, proof, series, new TreeMap<>(), null, dir, written, true, true);
    }
    same(proof, entry, table, problems);
    if (into == null) {
      // What has begun must end, also if the entry keeps something for another time since.
      must("what the entry keeps", keepDays(proof, entry), proof.policy().keepDays(), problems);
    }
    MarkerManifest packed = dir.packed();
    TierTable copies = table.packed();
    String before = packed == null ? "" : packed.table();
    if (into == null && !before.equals(copies == null ? "" : copies.name())) {
      // The table with packed rows is another one since; all are written again.
      written = null;
    }
    if (written != null) {
      problems.addAll(dir.damage(written, into != null));
      problems.addAll(packed == null ? List.of() : dir.damage(packed, into != null));
    }
    SortedMap<Long, String> metrics = metrics(proof, entry, problems);
    SnapshotRows rows = snapshot(proof, table, metrics.keySet(), series, problems);
    return new ProvenRows(
        entry, table, proof, series, metrics, rows, dir, written, into != null, false);
  }

  /** Whether a proof is about this policy, configuration and cluster. */
  private void same(Proof proof, Policy.Entry entry, TierTable table, List<String> problems) {
    Policy policy = options.policy();
    must("the table", table.level(), proof.table(), problems);
    must("the pattern", entry.match(), proof.policy().match(), problems);
    must("the metrics", policy.metrics(entry), proof.policy().metrics(), problems);
    must("the schema", new TreeMap<>(options.schema().rowKeys()), proof.schema(), problems);
    must(
        table.rollups() == null ? "the data table" : "the rollup table",
        CoverageRows.tableName(table.name()),
        CoverageRows.tableName(proof.data().table()),
        problems);
    if (!proof.cluster().isEmpty()) {
      must("the cluster", cluster, proof.cluster(), problems);
    }
    sameIds(proof, options.rollups(), problems);
    sameSuite(proof, options.rollups(), problems);
  }

  private static SortedMap<String, Integer> keepDays(Proof proof, Policy.Entry entry) {
    SortedMap<String, Integer> keep = new TreeMap<>(entry.keep());
    if (proof.ofIdleSeries()) {
      keep.put(Policy.IDLE, entry.idle());
    }
    return keep;
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

  /** Its names decide which rows of a rollup table go. */
  static void sameSuite(Proof proof, RollupConfig rollups, List<String> problems) {
    must(
        "suite of rollup_config.json", some(rollups.suite().text()), some(proof.suite()), problems);
  }

  private static String some(String suite) {
    return suite.isEmpty() ? "none" : suite;
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
      String name = EntryRows.name(names, number);
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
  private @Nullable SnapshotRows snapshot(
      Proof proof,
      TierTable table,
      Set<Long> metrics,
      @Nullable IdleSeries series,
      List<String> problems)
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
    return new SnapshotRows(
        data,
        table,
        proof.from().getEpochSecond(),
        proof.to().getEpochSecond(),
        metrics,
        proof.withHistograms(),
        series,
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
      if (e.kind() == StorageException.Kind.UNAVAILABLE) {
        throw e;
      }
      return String.valueOf(e.getMessage());
    }
  }

  /** Whether a proof of which nothing has gone yet may be used now. */
  void fresh(Proof proof, List<String> problems) {
    Instant created = proof.data().created();
    if (created.plus(MAX_PROOF_AGE).isBefore(now)) {
      problems.add(
          "its data snapshot must be at most %s days old, found %s: prove again"
              .formatted(MAX_PROOF_AGE.toDays(), created));
    }
    if (proof.provenAt().isBefore(created) || proof.provenAt().isAfter(now)) {
      problems.add(
          "it must be made between its snapshot, %s, and now, %s, found %s"
              .formatted(created, now, proof.provenAt()));
    }
  }

  /** The newest snapshot of the proofs. */
  @Nullable Snapshot newest() {
    return snapshots.values().stream()
        .max(Comparator.comparingLong(Snapshot::creationTime))
        .orElse(null);
  }
}
