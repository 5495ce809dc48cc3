package io.tsdbsuite.trigger.step;

import io.tsdbsuite.trigger.config.BackupSettings;
import io.tsdbsuite.trigger.config.ComputeSettings;
import io.tsdbsuite.trigger.config.JobSettings;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The options of spark-submit: the sizes of its processes, the regions of S3, and then
 * SPARK_OPTIONS, which win because Spark takes the last value of a setting. Options whose value is
 * a list of files, and which occur more than once, are joined; otherwise the last one would replace
 * the files of the others.
 */
record SparkOptions(BackupSettings backup, JobSettings job) {
  /** Main class of rollup-job; EMR Serverless does not read the jar's manifest. */
  static final String MAIN_CLASS = "io.tsdbsuite.rollup.cli.RollupMain";

  private static final String S3A = "spark.hadoop.fs.s3a.";
  private static final String REGION = "endpoint.region";

  /** The options, before the jar. */
  List<String> list() {
    List<String> options = new ArrayList<>();
    if (job.compute().kind() == ComputeSettings.Kind.SERVERLESS) {
      add(options, "--class", MAIN_CLASS);
    } else if (!job.setsDeployMode()) {
      add(options, "--deploy-mode", "client");
    }
    job.compute().sizes().forEach((name, value) -> set(options, name, value));
    if (job.compute().kind() == ComputeSettings.Kind.SERVERLESS
        && job.compute().sizes().containsKey(ComputeSettings.MAX_EXECUTORS)) {
      // EMR Serverless would start with 3, even if the maximum is less.
      set(options, "spark.executor.instances", "1");
      set(options, "spark.dynamicAllocation.initialExecutors", "1");
    }
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
    options.addAll(joined(job.sparkOptions().words()));
    return List.copyOf(options);
  }

  private static List<String> joined(List<String> options) {
    Map<String, String> files = new LinkedHashMap<>();
    List<String> others = new ArrayList<>();
    for (int i = 0; i < options.size(); i++) {
      String option = options.get(i);
      int equals = option.indexOf('=');
      String name = equals < 0 ? option : option.substring(0, equals);
      if (!JobSettings.FILE_LISTS.contains(name) || (equals < 0 && i + 1 == options.size())) {
        others.add(option);
      } else {
        String value = equals < 0 ? options.get(++i) : option.substring(equals + 1);
        files.merge(name, value, (first, second) -> first + "," + second);
      }
    }
    List<String> all = new ArrayList<>();
    files.forEach((name, value) -> add(all, name, value));
    all.addAll(others);
    return all;
  }

  private static void set(List<String> options, String name, String value) {
    add(options, "--conf", name + "=" + value);
  }

  private static void add(List<String> options, String name, String value) {
    options.add(name);
    options.add(value);
  }
}
