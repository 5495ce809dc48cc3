package io.tsdbsuite.job.spark;

import java.io.Serializable;
import java.util.Iterator;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import org.apache.spark.TaskContext;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.rdd.RDD;
import org.jspecify.annotations.Nullable;
import scala.collection.immutable.List$;
import scala.reflect.ClassTag;
import scala.reflect.ClassTag$;
import scala.runtime.AbstractFunction2;
import scala.runtime.BoxedUnit;

/**
 * Runs jobs over some partitions, and hands each result to the driver as it comes, which Spark's
 * Java API cannot do. Later jobs over a shuffle use the output of the first shuffle.
 */
public final class PartitionJobs {
  private PartitionJobs() {}

  /**
   * Work of a task on its partition.
   *
   * @param <E> its elements
   * @param <R> the result, serialisable
   */
  @FunctionalInterface
  public interface PartitionWork<E, R> extends Serializable {
    /** Runs on an executor; an exception is the task's failure. Null is allowed. */
    @Nullable R run(TaskContext context, Iterator<E> partition);
  }

  /**
   * Work of a task on its one input.
   *
   * @param <T> the input, serialisable
   * @param <R> the result, serialisable
   */
  @FunctionalInterface
  public interface Work<T, R> extends Serializable {
    /** Runs on an executor; an exception is the task's failure. */
    R run(T input, TaskContext context);
  }

  /** The work on an executor. */
  private static final class Apply<E, R>
      extends AbstractFunction2<TaskContext, scala.collection.Iterator<E>, R>
      implements Serializable {
    private static final long serialVersionUID = 1L;

    private final PartitionWork<E, R> work;

    private Apply(PartitionWork<E, R> work) {
      this.work = work;
    }

    @Override
    public @Nullable R apply(TaskContext context, scala.collection.Iterator<E> partition) {
      return work.run(context, new ScalaIterator<>(partition));
    }
  }

  /** Scala's own conversion has another name in 2.12 than in 2.13. */
  private record ScalaIterator<E>(scala.collection.Iterator<E> scala) implements Iterator<E> {
    @Override
    public boolean hasNext() {
      return scala.hasNext();
    }

    @Override
    public E next() {
      return scala.next();
    }
  }

  /** The collection on the driver. */
  private static final class Collect<R> extends AbstractFunction2<Object, R, BoxedUnit> {
    private final Consumer<R> results;

    private Collect(Consumer<R> results) {
      this.results = results;
    }

    @Override
    public synchronized BoxedUnit apply(Object partition, R result) {
      results.accept(result);
      return BoxedUnit.UNIT;
    }
  }

  /** Passes the one element of a partition on. */
  private record OneInput<T, R>(Work<T, R> work) implements PartitionWork<T, R> {
    private static final long serialVersionUID = 1L;

    @Override
    public R run(TaskContext context, Iterator<T> inputs) {
      return work.run(inputs.next(), context);
    }
  }

  /**
   * Runs one task for each partition and returns when all have succeeded.
   *
   * @param partitions numbers, ascending
   * @param results called on the driver, one at a time, once for each partition
   * @throws RuntimeException Spark's, when a task has failed too often or the job was cancelled;
   *     checked exceptions of Spark too, which Scala does not declare
   */
  public static <E, R> void run(
      RDD<E> rdd, List<Integer> partitions, PartitionWork<E, R> work, Consumer<R> results) {
    // Results come one by one, so that nothing makes an array of the type.
    ClassTag<R> tag = ClassTag$.MODULE$.apply(Object.class);
    // A list is what Scala 2.12 and 2.13 both take for a sequence.
    scala.collection.immutable.List<Object> numbers = List$.MODULE$.empty();
    for (int i = partitions.size() - 1; i >= 0; i--) {
      numbers = numbers.$colon$colon(partitions.get(i));
    }
    rdd.sparkContext().runJob(rdd, new Apply<>(work), numbers, new Collect<>(results), tag);
  }

  /**
   * Runs one task for each input and returns when all have succeeded.
   *
   * @param inputs at least one
   * @param results called on the driver, one at a time, once for each task
   * @throws RuntimeException as {@link #run(RDD, List, PartitionWork, Consumer)}
   */
  public static <T, R> void run(
      JavaSparkContext spark, List<T> inputs, Work<T, R> work, Consumer<R> results) {
    // As many slices as elements: one input is one task.
    RDD<T> rdd = spark.parallelize(inputs, inputs.size()).rdd();
    List<Integer> all = IntStream.range(0, inputs.size()).boxed().toList();
    run(rdd, all, new OneInput<>(work), results);
  }
}
