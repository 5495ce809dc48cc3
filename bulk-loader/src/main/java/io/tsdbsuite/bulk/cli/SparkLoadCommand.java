package io.tsdbsuite.bulk.cli;

import io.tsdbsuite.bulk.names.NameRules;
import io.tsdbsuite.bulk.settings.InputSettings;
import io.tsdbsuite.bulk.settings.Mode;
import io.tsdbsuite.bulk.settings.SparkSettings;
import io.tsdbsuite.bulk.settings.TsdSettings;
import io.tsdbsuite.bulk.settings.WriteSettings;
import io.tsdbsuite.bulk.spark.SparkLoad;
import io.tsdbsuite.bulk.write.WalMode;
import io.tsdbsuite.job.ExitCode;
import io.tsdbsuite.job.JobException;
import io.tsdbsuite.job.cli.Problems;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The {@code spark-load} command. It loads classes of Spark only if Spark is there. */
@CommandLine.Command(
    name = "spark-load",
    header = "Loads text into OpenTSDB by HFiles, on Spark; runs under spark-submit only.",
    description = {
      "Tasks read and sort the input; then one task for each region writes an HFile, and HBase"
          + " bulk loads all of them at the end. A load that is refused or fails before that leaves"
          + " the data table unchanged. It cannot be resumed: start it again. Points that are"
          + " stored already are not written again.",
      "",
      "  spark-submit --master yarn bulk-loader-VERSION-all.jar spark-load \\",
      "    --tsd-config opentsdb.conf --hfile-dir hdfs://nn/tmp/load \\",
      "    --input 'hdfs://nn/history/*.gz'",
      "",
      "Each executor must be able to open the input; - (standard input) is refused.",
      ""
    })
final class SparkLoadCommand extends Command {
  private static final long LEAST_UNIT = 64 << 10;
  private static final String SPARK = "org.apache.spark.SparkContext";

  @Mixin TsdOptions tsd = new TsdOptions();
  @Mixin InputOptions input = new InputOptions();

  @Option(
      names = "--hfile-dir",
      paramLabel = "URI",
      description =
          "Directory of the HFiles, on HBase's own file system: there the bulk load renames them,"
              + " elsewhere HBase copies them. All executors and HBase must reach it.")
  @Nullable String hfileDir;

  @Option(
      names = "--reject-dir",
      paramLabel = "URI",
      description =
          "Directory of rejected lines, one file for each unit of input that has any. Default:"
              + " _rejected/RUN below --hfile-dir.")
  @Nullable String rejectDir;

  @Option(
      names = "--unit-size",
      paramLabel = "SIZE",
      converter = MemorySize.class,
      description =
          "Stored size of the input of one task: small files together, large plain files of lines"
              + " in slices, other large files whole. Default: a quarter of the input per core, at"
              + " least 16m, at most 512m.")
  @Nullable Long unitSize;

  @Option(
      names = "--report",
      paramLabel = "FILE",
      description = "Write the JSON report to this file: a path on the driver, or a URI.")
  @Nullable String report;

  @Mixin RowOptions rows = new RowOptions();
  @Mixin DryRunOption dryRun = new DryRunOption();

  @Override
  ExitCode run(Invocation invocation) {
    if (!hasSpark()) {
      throw JobException.usage(
          "spark-load runs under spark-submit only, found no Spark on the class path");
    }
    SparkSettings settings = settings(invocation);
    if (dryRun.on) {
      return invocation.print(SparkLoad.preview(settings, invocation.clock()));
    }
    return SparkLoad.run(
        settings,
        invocation.clock(),
        (load, configuration) -> ReportOutput.show(load, report, configuration, invocation));
  }

  private SparkSettings settings(Invocation invocation) {
    Problems problems = invocation.problems();
    TsdSettings target = tsd.read(invocation);
    InputSettings files = input.read(NameRules.NONE, problems);
    if (files.inputs().contains("-")) {
      problems.add("--input must be files, which each executor can open, found: -");
    }
    problems.require("--hfile-dir", hfileDir);
    WriteSettings writing = rows.read(Mode.HFILE, WalMode.SKIP, 0, hfileDir, target, invocation);
    if (unitSize != null && unitSize < LEAST_UNIT) {
      problems.add("--unit-size must be 64k or more, found: " + unitSize + " bytes");
    }
    if (report != null) {
      ReportOutput.check("--report", report, problems);
    }
    return new SparkSettings(
        invocation.valid(target),
        files,
        writing,
        unitSize == null ? SparkSettings.BY_CLUSTER : unitSize,
        rejectDir);
  }

  private static boolean hasSpark() {
    try {
      Class<?> unused = Class.forName(SPARK, false, Thread.currentThread().getContextClassLoader());
      return true;
    } catch (ClassNotFoundException e) {
      return false;
    }
  }
}
