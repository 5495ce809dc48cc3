package io.tsdbsuite.rollup.job;

import io.tsdbsuite.rollup.plan.RollupPartition;
import java.io.Serializable;
import java.util.List;
import java.util.function.Consumer;
import org.apache.spark.SparkContext;
import org.apache.spark.TaskContext;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.rdd.RDD;
import scala.collection.Iterator;
import scala.collection.Seq;
import scala.reflect.ClassTag;
import scala.reflect.ClassTag$;
import scala.runtime.AbstractFunction2;
import scala.runtime.BoxedUnit;

/**
 * Runs one task for each partition and hands every result to the driver as it comes, which Spark's
 * Java API cannot do.
 */
final class SparkTasks {
  private SparkTasks() {}

  /** The work on an executor. */
  private static final class Work
      extends AbstractFunction2<TaskContext, Iterator<RollupPartition>, TaskResult>
      implements Serializable {
    private static final long serialVersionUID = 1L;

    private final RollupTask task;

    private Work(RollupTask task) {
      this.task = task;
    }

    @Override
    public TaskResult apply(TaskContext context, Iterator<RollupPartition> partitions) {
      return task.run(partitions.next(), context);
    }
  }

  /** The collection on the driver. */
  private static final class Collect extends AbstractFunction2<Object, TaskResult, BoxedUnit> {
    private final Consumer<TaskResult> results;

    private Collect(Consumer<TaskResult> results) {
      this.results = results;
    }

    @Override
    public BoxedUnit apply(Object partition, TaskResult result) {
      results.accept(result);
      return BoxedUnit.UNIT;
    }
  }

  /**
   * Runs the tasks and returns when all have succeeded.
   *
   * @param results called on the driver, one at a time, once for each partition
   * @throws RuntimeException Spark's, when a task has failed too often or the job was cancelled
   */
  static void run(
      JavaSparkContext spark,
      List<RollupPartition> partitions,
      RollupTask task,
      Consumer<TaskResult> results) {
    ClassTag<TaskResult> tag = ClassTag$.MODULE$.apply(TaskResult.class);
    SparkContext context = spark.sc();
    // As many slices as elements: one partition of the plan is one task.
    RDD<RollupPartition> rdd = spark.parallelize(partitions, partitions.size()).rdd();
    Seq<Object> all = scala.collection.immutable.Range$.MODULE$.apply(0, partitions.size()).toSeq();
    context.runJob(rdd, new Work(task), all, new Collect(results), tag);
  }
}
