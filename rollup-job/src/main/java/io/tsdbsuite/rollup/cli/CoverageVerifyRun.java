package io.tsdbsuite.rollup.cli;

import io.tsdbsuite.coverage.Coverage;
import io.tsdbsuite.coverage.CoverageWindow;
import io.tsdbsuite.format.rollup.RollupInterval;
import io.tsdbsuite.job.ExitCode;
import io.tsdbsuite.job.cli.DryRun;
import io.tsdbsuite.job.coverage.CoverageCleaner;
import io.tsdbsuite.job.hbase.S3RetryDefaults;
import io.tsdbsuite.rollup.coverage.CoverageBounds;
import io.tsdbsuite.rollup.coverage.CoverageHBase;
import io.tsdbsuite.rollup.coverage.CoverageRemove;
import io.tsdbsuite.rollup.coverage.CoverageText;
import io.tsdbsuite.rollup.coverage.CoverageVerify;
import io.tsdbsuite.rollup.input.Window;
import io.tsdbsuite.rollup.plan.RollupIntervals;
import io.tsdbsuite.rollup.spark.SparkStart;
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

/**
 * The work of {@code rollup-job coverage verify}.
 *
 * <p>Not in the command: the help loads that, and has no Spark.
 */
record CoverageVerifyRun(
    CoverageVerifyCommand command, CommonInput common, CoverageHBase hbase, Invocation invocation) {
  private static final long HOUR = 3600;
  private static final long DAY = 86400;

  /** Compares the windows, and removes those that are wrong. */
  ExitCode run(UidSettings uids, VerifyOptions options) {
    try (JavaSparkContext spark = SparkStart.start(false)) {
      S3RetryDefaults.apply(spark.hadoopConfiguration());
      return hbase.with(
          spark.hadoopConfiguration(),
          connection -> verify(connection, check(), uids, options, spark));
    }
  }

  private CoverageVerify check() {
    RollupIntervals intervals = Objects.requireNonNull(common.intervals());
    Window window = Objects.requireNonNull(common.window());
    Map<String, String> tables =
        intervals.all().stream()
            .collect(Collectors.toMap(RollupInterval::interval, RollupInterval::table));
    return new CoverageVerify(
        tables,
        new CoverageBounds(tables.keySet(), window.from(), window.to(), List.of(), Set.of()),
        String.join(",", command.metrics),
        intervals.needsDays() ? DAY : HOUR);
  }

  private CoverageVerify.Comparison comparison(
      UidSettings uids, VerifyOptions options, JavaSparkContext spark) {
    return part -> {
      List<String> patterns =
          part.metrics().equals("*") ? List.of() : List.of(part.metrics().split(",", -1));
      return new VerifyJob(
              spark,
              common.part(uids, new Window(part.from(), part.to()), patterns),
              options.with(part.metrics()),
              invocation.clock())
          .run();
    };
  }

  private ExitCode verify(
      Connection connection,
      CoverageVerify check,
      UidSettings uids,
      VerifyOptions options,
      JavaSparkContext spark)
      throws IOException {
    try (CoverageCleaner table = new CoverageCleaner(connection, hbase.table())) {
      if (command.dryRun) {
        List<CoverageWindow> windows = check.windows(table.windows());
        windows.forEach(window -> invocation.println("would compare " + CoverageText.of(window)));
        invocation.print(new DryRun().end("nothing was compared or removed"));
        return ExitCode.DONE;
      }
      Coverage read = hbase.read(connection, invocation.clock().millis());
      check.run(table, read, comparison(uids, options.withFloors(read.floors()), spark));
      check.lines().forEach(invocation::println);
      CoverageRemove.requireReadable(table);
      if (check.exitCode() != ExitCode.DONE) {
        invocation.error(check.message());
      }
      return check.exitCode();
    }
  }
}
