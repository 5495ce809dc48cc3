package io.tsdbsuite.bulk.spark;

import io.tsdbsuite.job.JobException;
import io.tsdbsuite.job.spark.PartitionJobs;
import io.tsdbsuite.job.spark.TaskFailures;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Predicate;
import org.apache.spark.api.java.JavaPairRDD;
import org.apache.spark.api.java.JavaSparkContext;

/** Runs jobs over some partitions of the shuffle until all are done, or one result ends the job. */
final class SparkJobs {
  private final JavaSparkContext spark;
  private final JavaPairRDD<byte[], byte[]> records;
  private final String group;

  /**
   * @param group names the jobs
   */
  SparkJobs(JavaSparkContext spark, JavaPairRDD<byte[], byte[]> records, String group) {
    this.spark = spark;
    this.records = records;
    this.group = group;
  }

  /**
   * Runs one task for each partition, and returns when all have succeeded, or one result has ended
   * the job.
   *
   * @param partitions numbers, ascending
   * @param description for Spark's page
   * @param results called on the driver, one at a time, once for each partition; false ends the job
   * @throws JobException from the task that has failed too often, or from the driver
   */
  void run(
      List<Integer> partitions, String description, PartitionTask task, Predicate<byte[]> results) {
    AtomicBoolean cancelled = new AtomicBoolean();
    spark.setJobGroup(group, description, true);
    try {
      TaskFailures.watch(
          spark,
          SparkFailures.RULES,
          () ->
              PartitionJobs.run(
                  records.rdd(),
                  partitions,
                  task,
                  result -> {
                    if (!results.test(result) && !cancelled.getAndSet(true)) {
                      spark.sc().cancelJobGroup(group);
                    }
                  }),
          cancelled::get);
    } finally {
      spark.clearJobGroup();
    }
  }
}
