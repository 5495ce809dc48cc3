package io.tsdbsuite.trigger.step;

import io.tsdbsuite.trigger.config.BackupSettings;
import io.tsdbsuite.trigger.config.ComputeSettings;
import io.tsdbsuite.trigger.config.JobSettings;
import java.util.ArrayList;
import java.util.List;

/**
 * The options of spark-submit: the sizes of its processes, the regions of S3, and then
 * SPARK_OPTIONS, which win because Spark takes the last value of a setting.
 */
final class SparkOptions {
  /** Main class of rollup-job; EMR Serverless does not read the jar's manifest. */
  static final String MAIN_CLASS = "io.tsdbsuite.rollup.cli.RollupMain";

  private static final String S3A = "spark.hadoop.fs.s3a.";
  private static final String REGION = "endpoint.region";

  private final BackupSettings backup;
  private final JobSettings job;

  SparkOptions(BackupSettings backup, JobSettings job) {
    this.backup = backup;
    this.job = job;
  }

  /** The options, before the jar. */
  List<String> list() {
    List<String> options = new ArrayList<>();
    if (job.compute().kind() == ComputeSettings.Kind.SERVERLESS) {
      add(options, "--class", MAIN_CLASS);
    } else if (!job.setsDeployMode()) {
      add(options, "--deploy-mode", "client");
    }
    job.compute().sizes().forEach((name, value) -> set(options, name, value));
    String heap = job.compute().sizes().get(ComputeSettings.EXECUTOR_MEMORY);
    if (heap != null && !job.setsSpark(ComputeSettings.EXECUTOR_MEMORY, "--executor-memory")) {
      // Otherwise G1 keeps the heap small and collects often (docs/rollup-job.md).
      set(options, "spark.executor.extraJavaOptions", "-Xms" + heap);
    }
    // Without it Hadoop 3.4 asks us-east-2 for the bucket, which hangs in a subnet that reaches S3
    // through a gateway endpoint of its own region only.
    set(options, S3A + REGION, backup.region());
    if (!backup.backupRegion().equals(backup.region())) {
      set(options, S3A + "bucket." + backup.root().bucket() + "." + REGION, backup.backupRegion());
    }
    options.addAll(job.sparkOptions());
    return List.copyOf(options);
  }

  private static void set(List<String> options, String name, String value) {
    add(options, "--conf", name + "=" + value);
  }

  private static void add(List<String> options, String name, String value) {
    options.add(name);
    options.add(value);
  }
}
