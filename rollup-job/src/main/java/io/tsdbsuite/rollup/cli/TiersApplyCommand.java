package io.tsdbsuite.rollup.cli;

import io.tsdbsuite.job.ExitCode;
import io.tsdbsuite.job.cli.DryRun;
import io.tsdbsuite.job.cli.Problems;
import io.tsdbsuite.job.cli.ProgramVersion;
import io.tsdbsuite.job.cli.TsdFiles;
import io.tsdbsuite.rollup.input.Window;
import io.tsdbsuite.rollup.plan.HoldBack;
import io.tsdbsuite.rollup.plan.HourParser;
import io.tsdbsuite.rollup.tiers.Policy;
import io.tsdbsuite.rollup.tiers.apply.ApplyOptions;
import io.tsdbsuite.rollup.tiers.apply.ApplyReport;
import io.tsdbsuite.rollup.tiers.apply.TierApply;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code rollup-job tiers apply}. */
@Command(
    name = "apply",
    header = "Deletes the data of days that policy and proofs both name.",
    description =
        """
        Checks policy, proofs, snapshots, table and coverage, and deletes nothing if one of them \
        is wrong. Then raises the floor in the coverage table, waits until no query reads below \
        it, and loads delete markers that hide only cells of before the proof's snapshot. Can be \
        retried after any failure. With --idle it deletes the series that 'tiers prove --idle' \
        names, from all tables, without a floor.

          spark-submit --class io.tsdbsuite.rollup.cli.RollupMain rollup-job.jar \\
            tiers apply --policy tiers.json --proofs s3a://backup/proofs \\
            --day 2026-10-27 --snapshot-root hdfs:///hbase \\
            --hfile-dir hdfs:///tiers --tsd-config opentsdb.conf
        """,
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {
      "0:deleted, and the books close",
      "1:a proof is missing or refused, or a late point has come: nothing was deleted",
      "2:wrong usage or configuration, or a table that does not allow it: nothing was deleted",
      "3:HBase or storage failed; run it again",
      "4:too little memory (the message says so), or a defect of rollup-job: please report it with"
          + " its log"
    })
final class TiersApplyCommand extends RollupMain.Action {
  private static final long DAY = 86400;

  @Mixin MarkerOptions markers = new MarkerOptions();

  @Option(
      names = "--policy",
      paramLabel = "FILE",
      description = "The policy, JSON (docs/tiers.md).")
  @Nullable Path policy;

  @Option(
      names = "--proofs",
      paramLabel = "DIR",
      description = "The directory of the proofs: local, or a URI with its scheme.")
  @Nullable String proofs;

  @Option(
      names = "--day",
      paramLabel = "DATE",
      description =
          "The day whose data go, UTC: 2026-10-27. Rows of rollups that span a month or year count"
              + " for its first day.")
  @Nullable String day;

  @Option(
      names = "--from",
      paramLabel = "DATE",
      description = "Instead of --day: the first of several days.")
  @Nullable String from;

  @Option(names = "--to", paramLabel = "DATE", description = "With --from: the day after the last.")
  @Nullable String to;

  @Option(
      names = "--coverage-pause",
      paramLabel = "DURATION",
      defaultValue = "2m",
      description =
          "How long to wait, after the floor is raised, for queries and repairs that read raw data"
              + " below it; less than 2m only while no TSD runs. Default: ${DEFAULT-VALUE}.")
  String coveragePause = "2m";

  @Override
  ExitCode run(Invocation invocation) {
    Problems problems = invocation.problems();
    problems.require("--policy", policy);
    problems.require("--proofs", proofs);
    Window days = markers.idle ? null : days(problems);
    TsdFiles files = markers.read(invocation);
    Policy read = TiersInput.policy(policy, files.rollups(), problems);
    Long pause = problems.tried(() -> HoldBack.parse("--coverage-pause", "2m", coveragePause));
    String match = markers.match;
    if (match != null
        && read != null
        && read.entries().stream().noneMatch(entry -> entry.match().equals(match))) {
      problems.add("--match must be that of an entry of --policy, found: " + match);
    }
    if (markers.idle) {
      TiersInput.requireAllTables(files.rollups(), problems);
      problems.refuse("--day", day, "does not go with --idle");
      problems.refuse("--from", from, "does not go with --idle");
      problems.refuse("--to", to, "does not go with --idle");
    }
    if (!problems.isEmpty()) {
      return invocation.refuse();
    }
    ApplyOptions options =
        new ApplyOptions(
            ProgramVersion.of("rollup-job", TiersApplyCommand.class),
            markers.level(),
            Objects.requireNonNull(read),
            Objects.requireNonNull(proofs),
            markers.hfileDir(),
            markers.snapshotRoot(),
            days,
            Objects.requireNonNull(files.schema()),
            Objects.requireNonNull(files.rollups()),
            files.codecs(),
            markers.coverageTable,
            Duration.ofSeconds(Objects.requireNonNull(pause)),
            match);
    return markers.run(
        invocation,
        "nothing was deleted or written",
        hbase -> ended(new TierApply(hbase, options, invocation.clock()).run(markers.dryRun)));
  }

  private static MarkerOptions.Ended ended(ApplyReport applied) {
    DryRun plan = new DryRun();
    if (!applied.table().isEmpty()) {
      plan.line("table", applied.table());
    }
    for (ApplyReport.Planned each : applied.planned()) {
      plan.line(
          each.of().isIdle() ? "series" : "day",
          "%s of %s, %s rows%s"
              .formatted(
                  each.of().rows(),
                  each.of().match(),
                  each.rows(),
                  each.state().isEmpty() ? "" : ", " + each.state()));
    }
    return new MarkerOptions.Ended(applied.exitCode(), applied.message(), applied.report(), plan);
  }

  private @Nullable Window days(Problems problems) {
    if (day != null) {
      problems.refuse("--from", from, "does not go with --day");
      problems.refuse("--to", to, "does not go with --day");
      Long begin = problems.tried(() -> HourParser.day("--day", Objects.requireNonNull(day)));
      return begin == null ? null : new Window(begin, begin + DAY);
    }
    if (from == null || to == null) {
      problems.add("the days are required: --day, or --from and --to");
      return null;
    }
    Long begin = problems.tried(() -> HourParser.day("--from", Objects.requireNonNull(from)));
    Long end = problems.tried(() -> HourParser.day("--to", Objects.requireNonNull(to)));
    if (begin == null || end == null) {
      return null;
    }
    if (begin >= end) {
      problems.add("--from must be before --to, found: " + from + " and " + to);
    }
    return new Window(begin, end);
  }
}
