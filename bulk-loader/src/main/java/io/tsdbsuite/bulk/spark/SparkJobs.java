package io.tsdbsuite.bulk.spark;

import io.tsdbsuite.job.JobException;
import java.io.Serializable;
import java.util.List;
import java.util.function.Predicate;
import org.apache.spark.TaskContext;
import org.apache.spark.api.java.JavaPairRDD;
import org.apache.spark.api.java.JavaSparkContext;
import scala.Tuple2;
import scala.collection.Iterator;
import scala.collection.JavaConverters;
import scala.collection.Seq;
import scala.reflect.ClassTag;
import scala.reflect.ClassTag$;
import scala.runtime.AbstractFunction2;
import scala.runtime.BoxedUnit;

/**
 * Runs jobs over some partitions of the shuffle, and hands each result to the driver as it comes,
 * which Spark's Java API cannot do. Later jobs find what the first one has shuffled.
 */
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

  /** The work on an executor. */
  private static final class Work
      extends AbstractFunction2<TaskContext, Iterator<Tuple2<byte[], byte[]>>, byte[]>
      implements Serializable {
    private static final long serialVersionUID = 1L;

    private final PartitionTask task;

    private Work(PartitionTask task) {
      this.task = task;
    }

    @Override
    public byte[] apply(TaskContext context, Iterator<Tuple2<byte[], byte[]>> partition) {
      return task.run(context, JavaConverters.asJavaIterator(partition));
    }
  }

  /** The collection on the driver. */
  private final class Collect extends AbstractFunction2<Object, byte[], BoxedUnit> {
    private final Predicate<byte[]> results;
    private boolean cancelled;

    private Collect(Predicate<byte[]> results) {
      this.results = results;
    }

    @Override
    public synchronized BoxedUnit apply(Object partition, byte[] result) {
      if (!results.test(result) && !cancelled) {
        cancelled = true;
        spark.sc().cancelJobGroup(group);
      }
      return BoxedUnit.UNIT;
    }

    synchronized boolean isCancelled() {
      return cancelled;
    }
  }

  /**
   * Runs one task for each partition, and returns when all have succeeded, or one result has ended
   * the job.
   *
   * @param partitions numbers, ascending
   * @param description for Spark's page
   * @param results called on the driver, one at a time, once for each partition; false ends the job
   * @throws JobException what the task threw that has failed too often, or what the driver did
   */
  void run(
      List<Integer> partitions, String description, PartitionTask task, Predicate<byte[]> results) {
    TaskFailures failures = new TaskFailures();
    Collect collect = new Collect(results);
    ClassTag<byte[]> tag = ClassTag$.MODULE$.apply(byte[].class);
    Seq<Object> numbers = JavaConverters.asScalaBuffer(List.<Object>copyOf(partitions)).toSeq();
    spark.sc().addSparkListener(failures);
    spark.setJobGroup(group, description, true);
    try {
      spark.sc().runJob(records.rdd(), new Work(task), numbers, collect, tag);
    } catch (Exception e) {
      // SparkException among them: it is checked, but Scala does not declare it.
      failures.awaitIdle();
      if (!collect.isCancelled()) {
        JobException known = SparkFailures.isOfDriver(e) ? null : failures.last();
        throw known == null ? SparkFailures.of(e, spark.sc().isStopped()) : known;
      }
    } finally {
      spark.clearJobGroup();
      spark.sc().removeSparkListener(failures);
    }
  }
}
