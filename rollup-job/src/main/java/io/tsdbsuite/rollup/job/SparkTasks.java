package io.tsdbsuite.rollup.job;

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
 * Runs one task for each input and hands every result to the driver as it comes, which Spark's Java
 * API cannot do.
 */
final class SparkTasks {
  private SparkTasks() {}

  /**
   * What a task does with its input.
   *
   * @param <T> the input
   * @param <R> the result
   */
  @FunctionalInterface
  interface Work<T, R> extends Serializable {
    /** Runs on an executor; what it throws is the task's failure. */
    R run(T input, TaskContext context);
  }

  /** The work on an executor. */
  private static final class Apply<T, R> extends AbstractFunction2<TaskContext, Iterator<T>, R>
      implements Serializable {
    private static final long serialVersionUID = 1L;

    private final Work<T, R> work;

    private Apply(Work<T, R> work) {
      this.work = work;
    }

    @Override
    public R apply(TaskContext context, Iterator<T> inputs) {
      return work.run(inputs.next(), context);
    }
  }

  /** The collection on the driver. */
  private static final class Collect<R> extends AbstractFunction2<Object, R, BoxedUnit> {
    private final Consumer<R> results;

    private Collect(Consumer<R> results) {
      this.results = results;
    }

    @Override
    public BoxedUnit apply(Object partition, R result) {
      results.accept(result);
      return BoxedUnit.UNIT;
    }
  }

  /**
   * Runs the tasks and returns when all have succeeded.
   *
   * @param inputs one for each task, at least one
   * @param results called on the driver, one at a time, once for each task
   * @throws RuntimeException Spark's, when a task has failed too often or the job was cancelled
   */
  static <T, R> void run(
      JavaSparkContext spark,
      List<T> inputs,
      Work<T, R> work,
      Class<R> result,
      Consumer<R> results) {
    ClassTag<R> tag = ClassTag$.MODULE$.apply(result);
    SparkContext context = spark.sc();
    // As many slices as elements: one input is one task.
    RDD<T> rdd = spark.parallelize(inputs, inputs.size()).rdd();
    Seq<Object> all = scala.collection.immutable.Range$.MODULE$.apply(0, inputs.size()).toSeq();
    context.runJob(rdd, new Apply<>(work), all, new Collect<>(results), tag);
  }
}
