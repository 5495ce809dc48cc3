package io.tsdbsuite.rollup.cli;

import io.tsdbsuite.hbase.read.HBaseVersion;
import io.tsdbsuite.job.ExitCode;
import io.tsdbsuite.rollup.load.LoadReport;
import io.tsdbsuite.rollup.load.LoadReportJson;
import org.apache.hadoop.conf.Configuration;
import org.apache.spark.SparkConf;
import org.apache.spark.deploy.SparkHadoopUtil;
import picocli.CommandLine;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The raw options of {@code rollup-job load}; {@link LoadOptions} checks them. */
@CommandLine.Command(
    name = "load",
    mixinStandardHelpOptions = true,
    versionProvider = Version.class,
    sortOptions = false,
    usageHelpAutoWidth = true,
    header = "Loads the HFiles of a run of rollup-job --sink hfile into HBase.",
    description =
        """
        Checks manifest, files, tables and configuration, hands the files to HBase's own bulk load \
        tool, and counts their cells in the table. Can be retried after any failure.

          spark-submit --class io.tsdbsuite.rollup.cli.RollupMain rollup-job.jar load \\
            --hfile-dir hdfs:///rollups/1-20261120T031500Z_0a1b2c --tsd-config opentsdb.conf
        """,
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {
      "0:loaded, and every cell was found",
      "1:bad input: a file is missing, damaged or foreign",
      "2:wrong usage or configuration",
      "3:HBase or storage failed; run it again",
      "4:a defect of rollup-job: please report it with its log"
    })
final class LoadCommand implements Command {
  @Option(
      names = "--hfile-dir",
      paramLabel = "DIR",
      description = "The directory of one run, which contains manifest.json.")
  String hfileDir;

  @Mixin TsdOptions tsd = new TsdOptions();

  @Mixin HBaseOptions hbase = new HBaseOptions();

  @Option(
      names = "--report",
      paramLabel = "FILE",
      description =
          "Also write the report as JSON, even if the load fails: a local file, or a"
              + " URI with its scheme.")
  String report;

  @Override
  public ExitCode run(Invocation invocation) {
    LoadOptions options = new LoadOptions(this, invocation);
    return invocation.problems().isEmpty()
        ? load(options, invocation)
        : invocation.console().refuse(invocation.problems());
  }

  private ExitCode load(LoadOptions options, Invocation invocation) {
    HBaseVersion.require();
    // The Hadoop configuration given to spark-submit, read without a Spark application.
    Configuration hadoop = SparkHadoopUtil.get().newConfiguration(new SparkConf());
    S3RetryDefaults.apply(hadoop);
    ReportFile file = report == null ? null : ReportFile.of(report, hadoop);
    if (file != null) {
      file.check();
    }
    LoadReport result = options.job(hadoop, invocation.clock()).run();
    Console console = invocation.console();
    console.print(result.text());
    if (result.exitCode() != ExitCode.DONE) {
      console.error(result.message());
    }
    if (file != null) {
      file.write(stream -> LoadReportJson.write(result, stream));
    }
    return result.exitCode();
  }
}
