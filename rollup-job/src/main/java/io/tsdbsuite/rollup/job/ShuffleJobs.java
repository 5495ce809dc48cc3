package io.tsdbsuite.rollup.job;

import java.io.Serializable;
import java.util.Iterator;
import java.util.function.Consumer;
import org.apache.spark.TaskContext;
import org.apache.spark.rdd.RDD;
import scala.Tuple2;
import scala.collection.JavaConverters;
import scala.collection.Seq;
import scala.reflect.ClassTag;
import scala.reflect.ClassTag$;
import scala.runtime.AbstractFunction2;
import scala.runtime.BoxedUnit;

/**
 * Runs jobs over some partitions of a shuffle, and hands each result to the driver as it comes,
 * which Spark's Java API cannot do. Later jobs find what the first one has shuffled.
 */
final class ShuffleJobs {
  private final RDD<Tuple2<byte[], byte[]>> records;

  ShuffleJobs(RDD<Tuple2<byte[], byte[]>> records) {
    this.records = records;
  }

  /** The work of one task. */
  @FunctionalInterface
  interface PartitionTask<T extends Serializable> extends Serializable {
    /** What the driver gets; null is allowed. */
    T run(TaskContext context, Iterator<Tuple2<byte[], byte[]>> partition);
  }

  /** The work on an executor. */
  private static final class Work<T extends Serializable>
      extends AbstractFunction2<TaskContext, scala.collection.Iterator<Tuple2<byte[], byte[]>>, T>
      implements Serializable {
    private static final long serialVersionUID = 1L;

    private final PartitionTask<T> task;

    private Work(PartitionTask<T> task) {
      this.task = task;
    }

    @Override
    public T apply(
        TaskContext context, scala.collection.Iterator<Tuple2<byte[], byte[]>> partition) {
      return task.run(context, JavaConverters.asJavaIterator(partition));
    }
  }

  /** The collection on the driver. */
  private static final class Collect<T extends Serializable>
      extends AbstractFunction2<Object, T, BoxedUnit> {
    private final Consumer<T> results;

    private Collect(Consumer<T> results) {
      this.results = results;
    }

    @Override
    public synchronized BoxedUnit apply(Object partition, T result) {
      results.accept(result);
      return BoxedUnit.UNIT;
    }
  }

  /**
   * Runs one task for each partition and returns when all have succeeded.
   *
   * @param from first partition
   * @param to behind the last one
   * @param results called on the driver, one at a time, once for each partition
   * @throws RuntimeException Spark's, when a task has failed too often or the job was cancelled
   */
  <T extends Serializable> void run(int from, int to, PartitionTask<T> task, Consumer<T> results) {
    // Results come one by one, so that nothing makes an array of the type.
    ClassTag<T> tag = ClassTag$.MODULE$.apply(Serializable.class);
    Seq<Object> partitions = scala.collection.immutable.Range$.MODULE$.apply(from, to).toSeq();
    records
        .sparkContext()
        .runJob(records, new Work<>(task), partitions, new Collect<>(results), tag);
  }
}
