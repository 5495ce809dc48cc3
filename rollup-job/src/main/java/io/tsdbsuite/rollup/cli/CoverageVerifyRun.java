package io.tsdbsuite.rollup.cli;

import io.tsdbsuite.coverage.Coverage;
import io.tsdbsuite.coverage.CoverageMask;
import io.tsdbsuite.coverage.CoverageReader;
import io.tsdbsuite.coverage.CoverageWindow;
import io.tsdbsuite.format.rollup.RollupConfig;
import io.tsdbsuite.format.rollup.RollupInterval;
import io.tsdbsuite.job.ExitCode;
import io.tsdbsuite.job.JobException;
import io.tsdbsuite.job.cli.DryRun;
import io.tsdbsuite.job.cli.Problems;
import io.tsdbsuite.job.coverage.CoverageCleaner;
import io.tsdbsuite.job.coverage.CoverageTable;
import io.tsdbsuite.job.hbase.S3RetryDefaults;
import io.tsdbsuite.rollup.coverage.CoverageBounds;
import io.tsdbsuite.rollup.coverage.CoverageListing;
import io.tsdbsuite.rollup.coverage.CoverageRemove;
import io.tsdbsuite.rollup.coverage.CoverageVerify;
import io.tsdbsuite.rollup.plan.RollupIntervals;
import io.tsdbsuite.rollup.uid.UidSettings;
import io.tsdbsuite.rollup.verify.VerifyOptions;
import io.tsdbsuite.rollup.verify.job.VerifyJob;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.spark.api.java.JavaSparkContext;

/** Runs {@code rollup-job coverage verify}. */
final class CoverageVerifyRun {
  private static final long HOUR = 3600;
  private static final long DAY = 86400;

  private CoverageVerifyRun() {}

  /** Runs if the options have no problems; otherwise prints all problems. */
  static ExitCode of(CoverageVerifyCommand command, Invocation invocation) {
    Problems problems = invocation.problems();
    VerifyCommand verify = command.comparison();
    InputReader reader = new InputReader(verify.common(), false, invocation);
    UidSettings uids =
        UidSettingsReader.read(verify.common(), false, true, reader.files().config(), problems);
    problems.require(
        "--against-snapshot", command.againstSnapshot.isEmpty() ? null : command.againstSnapshot);
    VerifyOptions options =
        command.againstSnapshot.isEmpty()
            ? null
            : new VerifyOptionsReader(verify, problems).read(reader.files());
    CoverageHBase hbase =
        new CoverageHBase(command.coverageTable, reader.files(), command.input.hbase, invocation);
    if (options == null || !problems.isEmpty()) {
      return invocation.console().refuse(problems);
    }
    reader.warnings().forEach(invocation.console()::warn);
    try (JavaSparkContext spark = SparkStart.start(false)) {
      S3RetryDefaults.apply(spark.hadoopConfiguration());
      return hbase.with(
          spark.hadoopConfiguration(),
          connection ->
              verify(
                  command,
                  reader,
                  connection,
                  check(command, reader),
                  part -> {
                    List<String> patterns =
                        part.metrics().equals("*")
                            ? List.of()
                            : List.of(part.metrics().split(",", -1));
                    return new VerifyJob(
                            spark,
                            reader.part(uids, part.from(), part.to(), patterns),
                            options.with(part.metrics()),
                            invocation.clock())
                        .run();
                  },
                  invocation.clock().millis(),
                  invocation.console()));
    }
  }

  private static CoverageVerify check(CoverageVerifyCommand command, InputReader reader) {
    RollupIntervals intervals = Objects.requireNonNull(reader.intervals());
    WindowReader.Window window = Objects.requireNonNull(reader.window());
    Map<String, String> tables =
        intervals.all().stream()
            .collect(Collectors.toMap(RollupInterval::interval, RollupInterval::table));
    return new CoverageVerify(
        tables,
        new CoverageBounds(tables.keySet(), window.from(), window.to(), List.of(), Set.of()),
        String.join(",", command.metrics),
        intervals.needsDays() ? DAY : HOUR);
  }

  private static List<CoverageMask> masks(
      CoverageVerifyCommand command, Connection connection, InputReader reader, long now)
      throws IOException {
    RollupConfig rollups = Objects.requireNonNull(reader.files().rollups());
    try (CoverageTable table = new CoverageTable(connection, command.coverageTable)) {
      Coverage read = table.read(CoverageListing.tables(rollups), now);
      if (!read.reason().isEmpty() && !read.reason().equals(CoverageReader.EMPTY)) {
        throw JobException.badInput("the coverage table must be readable, found: " + read.reason());
      }
      return read.masks();
    }
  }

  private static ExitCode verify(
      CoverageVerifyCommand command,
      InputReader reader,
      Connection connection,
      CoverageVerify check,
      CoverageVerify.Comparison comparison,
      long now,
      Console console)
      throws IOException {
    try (CoverageCleaner table = new CoverageCleaner(connection, command.coverageTable)) {
      if (command.dryRun) {
        List<CoverageWindow> windows = check.windows(table.windows());
        windows.forEach(window -> console.println("would compare " + CoverageVerify.text(window)));
        console.print(new DryRun().end("nothing was compared or removed"));
        return ExitCode.DONE;
      }
      check.run(table, masks(command, connection, reader, now), comparison);
      check.lines().forEach(console::println);
      CoverageRemove.requireReadable(table);
      if (check.exitCode() != ExitCode.DONE) {
        console.error(check.message());
      }
      return check.exitCode();
    }
  }
}
