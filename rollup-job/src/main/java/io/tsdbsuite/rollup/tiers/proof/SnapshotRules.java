package io.tsdbsuite.rollup.tiers.proof;

import io.tsdbsuite.coverage.Coverage;
import io.tsdbsuite.hbase.load.HFileSupport;
import io.tsdbsuite.hbase.load.TableLayout;
import io.tsdbsuite.hbase.snapshot.Snapshot;
import io.tsdbsuite.job.JobException;
import io.tsdbsuite.rollup.tiers.Policy;
import io.tsdbsuite.rollup.tiers.Policy.Entry;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.KeepDeletedCells;
import org.apache.hadoop.hbase.TableName;

/** Finds tables and snapshots of which no proof can be safe, all their problems at once. */
public final class SnapshotRules {
  /** Greatest age of the snapshots of a proof. */
  static final Duration MAX_PROOF_AGE = Duration.ofMillis(Coverage.MAX_PROOF_AGE);

  private final Policy policy;
  private final Snapshot data;
  private final Instant oldest;
  private final List<String> problems = new ArrayList<>();

  /**
   * @param data snapshot of the data table, the first that is taken
   */
  public SnapshotRules(Policy policy, Snapshot data, Instant now) {
    this.policy = policy;
    this.data = data;
    this.oldest = now.minus(MAX_PROOF_AGE);
  }

  /** Why delete markers in a table could hide what comes later; empty if they do not. */
  static List<String> unmarkable(Snapshot snapshot) {
    List<String> problems = new ArrayList<>();
    String table = "table " + snapshot.table();
    if (snapshot.family().getScope() != HConstants.REPLICATION_SCOPE_LOCAL) {
      problems.add(
          table
              + " must have REPLICATION_SCOPE 0, because cells of another cluster come late with"
              + " their old timestamps, found "
              + snapshot.family().getScope());
    }
    if (snapshot.family().getKeepDeletedCells() != KeepDeletedCells.FALSE) {
      problems.add(
          table
              + " must have KEEP_DELETED_CELLS FALSE, because deleted cells would stay, found "
              + snapshot.family().getKeepDeletedCells());
    }
    return problems;
  }

  /** Why {@code tiers apply} would refuse a table of which there is a snapshot; empty if not. */
  static List<String> unloadable(Snapshot snapshot) {
    List<String> problems = unmarkable(snapshot);
    TableName table = TableName.valueOf(snapshot.table());
    HFileSupport.problems(new TableLayout(table, snapshot.family(), 0, List.of()))
        .forEach(problem -> problems.add("table " + table + " " + problem));
    return problems;
  }

  /** A delete marker in a table must hide nothing that comes later. */
  public void markable(Snapshot snapshot) {
    problems.addAll(unmarkable(snapshot));
  }

  /**
   * A table must keep its cells as long as each entry of the policy does.
   *
   * @param tier {@link Policy#RAW} or an interval
   */
  public void keeps(Snapshot snapshot, String tier) {
    int ttl = snapshot.family().getTimeToLive();
    for (Entry entry : policy.entries()) {
      Integer keep = entry.keep().get(tier);
      if (ttl != HConstants.FOREVER && (keep == null || ttl < keep * ProofDay.DAY)) {
        problems.add(
            "the TTL of table %s must not be less than what the policy keeps (%s: %s %s), found %s s"
                .formatted(
                    snapshot.table(),
                    entry.match(),
                    tier,
                    keep == null ? "for ever" : keep + " days",
                    ttl));
      }
    }
  }

  /** A snapshot must not be older than that of the data table, nor than a proof may be. */
  public void recent(Snapshot snapshot) {
    Instant taken = Instant.ofEpochMilli(snapshot.creationTime());
    String what = "snapshot '%s' of table %s".formatted(snapshot.name(), snapshot.table());
    if (snapshot.creationTime() < data.creationTime()) {
      problems.add(
          "%s must not be older than data snapshot '%s' (%s), found %s: take it after"
              .formatted(what, data.name(), Instant.ofEpochMilli(data.creationTime()), taken));
    }
    if (taken.isBefore(oldest)) {
      problems.add(
          "%s must not be older than %s days, as its proof, found %s"
              .formatted(what, MAX_PROOF_AGE.toDays(), taken));
    }
  }

  /**
   * Ends the check.
   *
   * @throws JobException usage, when a rule is broken
   */
  public void require() {
    if (!problems.isEmpty()) {
      throw JobException.usage(problems);
    }
  }
}
