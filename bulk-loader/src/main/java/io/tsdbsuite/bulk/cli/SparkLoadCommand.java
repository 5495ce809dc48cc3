package io.tsdbsuite.bulk.cli;

import io.tsdbsuite.bulk.settings.SparkSettings;
import io.tsdbsuite.bulk.spark.SparkLoad;
import io.tsdbsuite.job.ExitCode;
import io.tsdbsuite.job.JobException;
import io.tsdbsuite.job.cli.Problems;
import io.tsdbsuite.job.cli.ProgramVersion;
import picocli.CommandLine;
import picocli.CommandLine.Mixin;

/** The {@code spark-load} command. It loads classes of Spark only if Spark is there. */
@CommandLine.Command(
    name = "spark-load",
    mixinStandardHelpOptions = true,
    versionProvider = ProgramVersion.class,
    sortOptions = false,
    usageHelpAutoWidth = true,
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
final class SparkLoadCommand implements Command {
  private static final String SPARK = "org.apache.spark.SparkContext";

  @Mixin TsdOptions tsd = new TsdOptions();
  @Mixin InputOptions input = new InputOptions();
  @Mixin SparkOptions spark = new SparkOptions();
  @Mixin RowOptions rows = new RowOptions();
  @Mixin DryRunOption dryRun = new DryRunOption();

  @Override
  public ExitCode run(Invocation invocation, Problems problems) {
    if (!hasSpark()) {
      throw JobException.usage(
          "spark-load runs under spark-submit only, found no Spark on the class path");
    }
    SparkSettings settings =
        new SettingsReader(invocation, problems).spark(tsd, input, rows, spark);
    if (dryRun.on) {
      invocation.out().print(SparkLoad.preview(settings, invocation.clock()));
      invocation.out().flush();
      return ExitCode.DONE;
    }
    return SparkLoad.run(
        settings,
        invocation.clock(),
        (report, configuration) ->
            ReportOutput.show(report, spark.report, configuration, invocation));
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
