package io.tsdbsuite.rollup.spark;

import io.tsdbsuite.hbase.AccessFailures;
import io.tsdbsuite.hbase.StorageFailures;
import io.tsdbsuite.job.ExitCode;
import io.tsdbsuite.job.JobException;
import io.tsdbsuite.job.cli.ProgramMain;
import io.tsdbsuite.job.hbase.S3RetryDefaults;
import io.tsdbsuite.job.spark.SparkSettingFailures;
import io.tsdbsuite.job.spark.SparkVersion;
import io.tsdbsuite.rollup.rate.RateLimitPlugin;
import java.util.function.Supplier;
import org.apache.hadoop.conf.Configuration;
import org.apache.spark.SparkConf;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.deploy.SparkHadoopUtil;

/** Starts Spark and explains failures of the start. */
public final class SparkStart {
  private SparkStart() {}

  /**
   * Creates a context on the master that spark-submit has named; the caller closes it.
   *
   * @param rateLimited whether the tasks share a rate limit
   * @throws JobException usage, when no master is named, the jar is for another Spark, or Spark
   *     refuses a setting; outside, when it cannot start
   */
  // From Java 22 on the console is never null; a progress bar in a log file is harmless.
  @SuppressWarnings("SystemConsoleNull")
  public static JavaSparkContext start(boolean rateLimited) {
    SparkConf conf = new SparkConf().setIfMissing("spark.app.name", "rollup-job");
    if (!conf.contains("spark.master")) {
      throw JobException.usage(
          "no Spark master is set: run the job with spark-submit (--master local[2] for a try)");
    }
    // Kryo cannot instantiate Java records, and the serialised objects are small.
    conf.set("spark.serializer", "org.apache.spark.serializer.JavaSerializer");
    // By default Spark shows its progress bar only in its shells.
    conf.setIfMissing("spark.ui.showConsoleProgress", Boolean.toString(System.console() != null));
    if (rateLimited) {
      RateLimitPlugin.addTo(conf);
    }
    return started(conf);
  }

  /**
   * Runs a command that works in the driver alone. If YARN runs the driver, Spark is started for
   * the command, without executors: YARN ends a driver that has no context after 100 s ({@code
   * spark.yarn.am.waitTime}).
   *
   * @return the command's exit code
   * @throws JobException as {@link #start}
   */
  public static ExitCode driverOnly(Supplier<ExitCode> command) {
    if (!ProgramMain.isYarnDriver()) {
      return command.get();
    }
    SparkConf conf = new SparkConf().setIfMissing("spark.app.name", "rollup-job");
    conf.set("spark.dynamicAllocation.enabled", "false");
    conf.set("spark.executor.instances", "0");
    JavaSparkContext spark = started(conf);
    try {
      return command.get();
    } finally {
      spark.close();
    }
  }

  /** The Hadoop configuration given to spark-submit, read without a Spark application. */
  public static Configuration hadoop() {
    Configuration hadoop = SparkHadoopUtil.get().newConfiguration(new SparkConf());
    S3RetryDefaults.apply(hadoop);
    return hadoop;
  }

  private static void shortenLog() {
    try {
      FullDiskLog.shorten();
    } catch (LinkageError e) {
      // Only the log of a full disk is longer then.
    }
  }

  private static JavaSparkContext started(SparkConf conf) {
    SparkVersion.require();
    try {
      JavaSparkContext spark = new JavaSparkContext(conf);
      shortenLog();
      return spark;
    } catch (Exception e) {
      // Includes SparkException, which is checked but not declared by Scala.
      String access = AccessFailures.reason(e);
      if (access != null) {
        throw JobException.usage("Spark could not be started: " + access, e);
      }
      String why = StorageFailures.reason(e);
      throw SparkSettingFailures.is(e)
          ? JobException.usage("Spark refuses its settings: " + why, e)
          : JobException.outside("Spark could not be started: " + why, e);
    }
  }
}
