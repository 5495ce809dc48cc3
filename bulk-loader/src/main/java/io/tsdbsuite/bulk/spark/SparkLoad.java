package io.tsdbsuite.bulk.spark;

import io.tsdbsuite.bulk.error.Defects;
import io.tsdbsuite.bulk.report.BulkLoaderReport;
import io.tsdbsuite.bulk.run.LoadPreview;
import io.tsdbsuite.bulk.settings.SparkSettings;
import io.tsdbsuite.hbase.AccessFailures;
import io.tsdbsuite.hbase.StorageFailures;
import io.tsdbsuite.job.ExitCode;
import io.tsdbsuite.job.JobException;
import io.tsdbsuite.job.spark.SparkSettingFailures;
import io.tsdbsuite.job.spark.SparkVersion;
import java.io.IOException;
import java.time.Clock;
import java.util.function.BiFunction;
import org.apache.hadoop.conf.Configuration;
import org.apache.spark.SparkConf;
import org.apache.spark.SparkException;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.deploy.SparkHadoopUtil;

/** Loads input on the cluster that spark-submit has named. */
public final class SparkLoad {
  private SparkLoad() {}

  /**
   * Loads.
   *
   * @param end takes the report, with the configuration of file systems, while there is a context
   * @return the result of {@code end}
   * @throws JobException when the load cannot begin; later failures are in the report
   */
  public static ExitCode run(
      SparkSettings settings,
      Clock clock,
      BiFunction<BulkLoaderReport, Configuration, ExitCode> end) {
    SparkVersion.require();
    try (JavaSparkContext spark = context()) {
      BulkLoaderReport report = new SparkLoadJob(settings, spark, clock).run();
      return end.apply(report, spark.hadoopConfiguration());
    } catch (LinkageError e) {
      throw SparkFailures.of(e);
    }
  }

  /**
   * Makes the checks that precede a load, in the driver alone, without an application of Spark.
   *
   * @return the text for {@code --dry-run}
   * @throws JobException as {@link #run}
   */
  public static String preview(SparkSettings settings, Clock clock) {
    SparkVersion.require();
    try {
      Configuration hadoop = SparkHadoopUtil.get().newConfiguration(new SparkConf());
      return LoadPreview.load(settings.tsd(), settings.input(), settings.write(), clock, hadoop);
    } catch (LinkageError e) {
      throw SparkFailures.of(e);
    }
  }

  // From Java 22 on the console is never null; the bar in a log file does no harm there.
  @SuppressWarnings("SystemConsoleNull")
  private static JavaSparkContext context() {
    SparkConf conf = new SparkConf().setIfMissing("spark.app.name", "bulk-loader");
    if (!conf.contains("spark.master")) {
      throw JobException.usage(
          "no Spark master is set: run spark-load with spark-submit (--master local[2] for a try)");
    }
    // Records are byte arrays, which Kryo writes as they are. References between them would cost.
    conf.set("spark.serializer", "org.apache.spark.serializer.KryoSerializer");
    conf.set("spark.kryo.referenceTracking", "false");
    conf.set("spark.kryo.registrationRequired", "false");
    // One record has all points of an hour that came in one piece.
    conf.setIfMissing("spark.kryoserializer.buffer.max", "512m");
    // Spark shows its progress bar in its shells only, unless asked.
    conf.setIfMissing("spark.ui.showConsoleProgress", Boolean.toString(System.console() != null));
    return started(conf);
  }

  /** Spark's exceptions here are checked, though its Java API does not declare them. */
  private static JavaSparkContext started(SparkConf conf) {
    try {
      return new JavaSparkContext(conf);
    } catch (LinkageError e) {
      throw e;
    } catch (Exception e) {
      String access = AccessFailures.reason(e);
      if (access != null) {
        throw JobException.usage("Spark must start, found: " + access, e);
      }
      if (isOfSettings(e)) {
        throw JobException.usage(
            "Spark's configuration must be valid, found: " + StorageFailures.reason(e));
      }
      if (e instanceof IOException || e instanceof SparkException) {
        throw JobException.outside("Spark must start, found: " + StorageFailures.reason(e), e);
      }
      throw Defects.of(e);
    }
  }

  /** Whether Spark refused a setting; the exception has no class of its own. */
  private static boolean isOfSettings(Exception e) {
    return e.getClass() == Exception.class || SparkSettingFailures.is(e);
  }
}
