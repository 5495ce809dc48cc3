package io.tsdbsuite.rollup.cli;

import io.tsdbsuite.format.rollup.RollupConfig;
import io.tsdbsuite.format.rollup.RollupInterval;
import io.tsdbsuite.job.cli.Problems;
import io.tsdbsuite.job.cli.TsdFiles;
import io.tsdbsuite.job.cli.TsdOptions;
import io.tsdbsuite.job.spark.SubmittedFiles;
import io.tsdbsuite.rollup.tiers.Policy;
import io.tsdbsuite.rollup.tiers.PolicyReader;
import io.tsdbsuite.rollup.tiers.TiersOptions;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The options that all commands of tiers have: policy, snapshots, configuration. */
final class TiersInput {
  @Option(
      names = "--policy",
      paramLabel = "FILE",
      description = "The policy, JSON (docs/tiers.md).")
  @Nullable Path policy;

  @Mixin SnapshotOptions snapshots = new SnapshotOptions();

  @Mixin TsdOptions tsd = new TsdOptions();

  /** The files of {@link #tsd}; null before {@link #read}. */
  @Nullable TsdFiles files;

  /** The file of {@link #policy}; null before {@link #read}, or if it cannot be read. */
  @Nullable Policy tiers;

  /**
   * Reads the options and the files that they name; null if there are problems. The parameters are
   * those of {@link TiersOptions}.
   */
  @Nullable TiersOptions read(
      List<String> rollupSnapshots,
      boolean skipFlush,
      @Nullable Double price,
      int top,
      Invocation invocation) {
    Problems problems = invocation.problems();
    problems.require("--policy", policy);
    snapshots.require(problems);
    problems.require("--uid-snapshot", snapshots.uids);
    TsdFiles files = tsd.read(invocation.tsdKeys(), null, problems);
    this.files = files;
    Policy read = policy(policy, files.rollups(), problems);
    this.tiers = read;
    return problems.isEmpty()
        ? new TiersOptions(
            Objects.requireNonNull(read),
            Objects.requireNonNull(snapshots.root),
            Objects.requireNonNull(snapshots.data),
            Objects.requireNonNull(snapshots.uids),
            List.copyOf(rollupSnapshots),
            Objects.requireNonNull(files.schema()),
            Objects.requireNonNull(files.rollups()),
            files.codecs(),
            skipFlush,
            price,
            top)
        : null;
  }

  /** Requires that a table of a policy is one of the configuration. */
  static void requireLevel(String level, @Nullable RollupConfig rollups, Problems problems) {
    RollupInterval interval = rollups == null ? null : rollups.interval(level);
    boolean isMade = interval != null && PolicyReader.isMade(interval);
    if (rollups != null && !level.equals(Policy.RAW) && !isMade) {
      problems.add(
          "--table must be raw or an interval of rollup_config.json that rollup-job makes, found "
              + level);
    }
  }

  /** Refuses {@code --idle} where series would not go from all tables. */
  static void requireAllTables(@Nullable RollupConfig rollups, Problems problems) {
    String rule =
        "--idle must not be given with suite.%s in rollup_config.json: idle series go from all"
            + " tables, and rollup-job deletes none of them from tables of %s";
    if (rollups != null && rollups.suite().hasHistograms()) {
      problems.add(rule.formatted("histograms", "histograms"));
    }
    if (rollups != null && !rollups.suite().packedTables().isEmpty()) {
      problems.add(rule.formatted("packed", "packed rows"));
    }
  }

  /** Reads the policy; null if it cannot be read. */
  static @Nullable Policy policy(
      @Nullable Path policy, @Nullable RollupConfig rollups, Problems problems) {
    if (policy == null || rollups == null) {
      return null;
    }
    String what = "--policy " + policy;
    try (InputStream in = Files.newInputStream(SubmittedFiles.local(policy))) {
      byte[] bytes = in.readNBytes(PolicyReader.MAX_BYTES + 1);
      if (bytes.length > PolicyReader.MAX_BYTES) {
        problems.add(what + " must have at most " + PolicyReader.MAX_BYTES + " bytes, found more");
        return null;
      }
      List<String> found = new ArrayList<>();
      Policy read = PolicyReader.read(bytes, rollups, found);
      problems.addAll(what, found);
      return read;
    } catch (IOException e) {
      problems.unreadable("--policy", policy, e);
      return null;
    }
  }
}
