package io.tsdbsuite.rollup.job;

import io.tsdbsuite.rollup.plan.RollupPlan;
import io.tsdbsuite.rollup.plan.RollupPlanner;
import io.tsdbsuite.rollup.plan.RowWindow;
import io.tsdbsuite.rollup.snapshot.Snapshot;
import io.tsdbsuite.rollup.snapshot.SnapshotLoader;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;

/** The snapshot of the data table that a run reads, and what its report says of the input. */
final class RunInput {
  /** The one family of the data table, and of rollup tables. */
  static final String FAMILY = "t";

  private final Configuration hadoop;
  private final RollupOptions options;
  private final Map<String, String> facts = new LinkedHashMap<>();

  /**
   * @param hadoop how to reach the snapshot's root
   */
  RunInput(Configuration hadoop, RollupOptions options) {
    this.hadoop = hadoop;
    this.options = options;
    facts.put("snapshotRoot", options.snapshotRoot());
    facts.put("dataSnapshot", options.dataSnapshot());
    if (options.uidSnapshot() != null) {
      facts.put("uidSnapshot", options.uidSnapshot());
    }
  }

  /** By the names of the JSON report, as far as they are known; others may add to them. */
  Map<String, String> facts() {
    return facts;
  }

  /** Reads the manifest of the snapshot. */
  Snapshot load() {
    Snapshot data =
        new SnapshotLoader(hadoop, options.snapshotRoot()).load(options.dataSnapshot(), FAMILY);
    facts.put("dataTable", data.table());
    facts.put("dataSnapshotTime", Instant.ofEpochMilli(data.creationTime()).toString());
    if (options.changedSince() != null) {
      options.changedSince().check(data);
    }
    return data;
  }

  /** Plans the window; an empty one has no partitions. */
  RollupPlan plan(Snapshot data) {
    if (options.from() == options.to()) {
      return new RollupPlan(data.regions().size(), 0, 0, 0, 0, 0, 0, List.of());
    }
    return new RollupPlanner(data, window(), options.intervals().hasDay(), options.partitionBytes())
        .plan();
  }

  /** The rows of the window. */
  RowWindow window() {
    return new RowWindow(options.schema(), options.from(), options.to());
  }
}
