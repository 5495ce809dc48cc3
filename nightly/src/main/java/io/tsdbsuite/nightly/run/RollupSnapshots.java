package io.tsdbsuite.nightly.run;

import io.tsdbsuite.format.rollup.RollupConfig;
import io.tsdbsuite.format.rollup.RollupInterval;
import io.tsdbsuite.format.schema.SchemaException;
import io.tsdbsuite.format.schema.StorageSchema;
import io.tsdbsuite.hbase.StorageFailures;
import io.tsdbsuite.job.JobException;
import io.tsdbsuite.nightly.config.ConfigReader;
import io.tsdbsuite.nightly.snapshot.LiveSnapshots;
import io.tsdbsuite.planner.run.CommandOptions;
import java.io.IOException;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;

/**
 * Snapshots of rollup and histogram tables, and for verify of packed ones, which are deleted after
 * their use, unless a proof names them.
 */
final class RollupSnapshots {
  private static final String VERIFY = "rollup-nightly-verify-";
  private static final String TIERS = "rollup-nightly-tiers-";
  private static final DateTimeFormatter TIME =
      DateTimeFormatter.ofPattern("uuuuMMdd'T'HHmmss'-'").withZone(ZoneOffset.UTC);

  private final Context context;
  private final Function<RollupConfig, List<RollupInterval>> intervals;

  /** Beginning of their names, before the owner. */
  private final String kind;

  /** The same after the owner. */
  private final String time;

  private RollupSnapshots(
      Context context,
      Function<RollupConfig, List<RollupInterval>> intervals,
      String kind,
      String time) {
    this.context = context;
    this.intervals = intervals;
    this.kind = kind;
    this.time = time;
  }

  /** Those of the intervals of the runs. */
  static RollupSnapshots ofRuns(Context context) {
    return new RollupSnapshots(
        context, rollups -> given(rollups, context.config().runs().options()), VERIFY, "");
  }

  /**
   * Those of all intervals that rollup-job makes, for a proof. Each run has names of its own: a
   * second one on a date must not replace what a proof of the first names.
   */
  static RollupSnapshots ofProof(Context context) {
    return new RollupSnapshots(
        context,
        rollups ->
            rollups.intervals().stream()
                .filter(each -> !each.defaultInterval() && each.dividesHourOrDay())
                .toList(),
        TIERS,
        TIME.format(context.clock().instant()));
  }

  /**
   * Takes the snapshots, which replace those of a use before, and deletes them after their use.
   *
   * @param use takes their names
   * @param stay the names of those that stay
   * @throws JobException outside, if HBase fails; usage, if the tables are unknown
   */
  <T> T with(LiveSnapshots live, Function<List<String>, T> use, Function<T, List<String>> stay) {
    List<String> taken = new ArrayList<>();
    try {
      names(prefix(context, kind) + time)
          .forEach(
              (name, table) -> {
                taken.add(name);
                live.retake(name, table);
              });
      T used = use.apply(List.copyOf(taken));
      taken.removeAll(stay.apply(used));
      return used;
    } finally {
      taken.forEach(live::delete);
    }
  }

  /** Their names, for people: without the owner's number. */
  List<String> shown() {
    return List.copyOf(names(kind + "OWNER-" + time).keySet());
  }

  /**
   * Deletes the snapshots that a killed run has left: they hold HFiles that HBase has compacted.
   *
   * @throws JobException outside, if HBase fails
   */
  static void deleteLeft(Context context, LiveSnapshots live) {
    live.deleteAll(prefix(context, VERIFY));
  }

  /** Beginning of the names of the snapshots of proofs. */
  static String proofs(Context context) {
    return prefix(context, TIERS);
  }

  /** One HBase may have the snapshots of several state directories: each deletes its own only. */
  private static String prefix(Context context, String kind) {
    return kind + context.children().owner() + "-";
  }

  /** The tables by the names of their snapshots: a number tells {@code a:b} from {@code a-b}. */
  private Map<String, String> names(String prefix) {
    RollupConfig rollups = rollups();
    Set<String> tables = new LinkedHashSet<>();
    for (RollupInterval interval : intervals.apply(rollups)) {
      tables.add(interval.table());
      String histograms = rollups.suite().histogramTable(interval.interval());
      // A table of which no entry of suite has the interval is no part of the rollups.
      if (histograms != null && rollups.suite().histogram(interval.interval())) {
        tables.add(histograms);
      }
      String packed = rollups.suite().packedTable(interval.interval());
      // Proofs compare plain rows.
      if (packed != null && kind.equals(VERIFY)) {
        tables.add(packed);
      }
    }
    Map<String, String> names = new LinkedHashMap<>();
    for (String table : tables) {
      names.put(prefix + names.size() + "-" + table.replace(':', '-'), table);
    }
    return names;
  }

  private static List<RollupInterval> given(RollupConfig rollups, CommandOptions options) {
    List<String> intervals = new ArrayList<>();
    for (String value : options.values("--interval")) {
      intervals.addAll(List.of(value.split("\\s*,\\s*", -1)));
    }
    if (intervals.isEmpty()) {
      intervals.add("1h");
    }
    List<RollupInterval> all = new ArrayList<>();
    for (String interval : intervals) {
      RollupInterval found = rollups.interval(interval.strip());
      if (found == null) {
        throw JobException.usage(
            "job.options --interval must be in rollup_config.json, found: " + interval);
      }
      all.add(found);
    }
    return all;
  }

  private RollupConfig rollups() {
    CommandOptions options = context.config().runs().options();
    try {
      Optional<String> given = options.option("--rollup-config");
      String location =
          given.isPresent()
              ? given.get()
              : StorageSchema.from(ConfigReader.tsdConfig(context.config().tsdConfig(), options))
                  .rollupConfig();
      if (location == null) {
        throw JobException.usage(
            "verify.against=snapshot and tiers.policy need a rollup configuration:"
                + " tsd.rollups.config, or --rollup-config in job.options");
      }
      return RollupConfig.load(location);
    } catch (IOException | SchemaException e) {
      throw JobException.usage(
          "the rollup configuration cannot be read: " + StorageFailures.reason(e), e);
    }
  }
}
