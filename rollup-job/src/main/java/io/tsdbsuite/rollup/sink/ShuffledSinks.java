package io.tsdbsuite.rollup.sink;

import java.io.Serializable;
import java.util.Comparator;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import org.apache.hadoop.conf.Configuration;
import org.apache.spark.Partitioner;
import scala.Tuple2;

/**
 * Makes sinks whose rollups go through a shuffle: the sinks of tasks make records, and behind the
 * shuffle other tasks write them, one for each partition. The driver then tells what was written,
 * before it commits.
 *
 * @param <W> what a task tells the driver of what it has written
 */
public interface ShuffledSinks<W extends Serializable> extends SinkFactory {

  @Override
  default Optional<ShuffledSinks<?>> shuffled() {
    return Optional.of(this);
  }

  /** The sink of one task attempt, which makes records. */
  @Override
  ShuffledSink open(int partition, long attempt);

  /**
   * Where records go, once {@link #check} has passed. The last partition has the books of all tasks
   * and nothing else.
   */
  Partitioner partitions();

  /** The order of records within a partition; serialisable. */
  Comparator<byte[]> order();

  /**
   * Writes the records of a partition.
   *
   * @param conf how to reach the output
   * @param attempt a number that no other attempt of this job has
   * @return null when it has no record
   * @throws SinkException when they are not written, or not found as they were written
   */
  W write(Configuration conf, int partition, long attempt, Iterator<Tuple2<byte[], byte[]>> records)
      throws SinkException;

  /**
   * Takes note of what was written.
   *
   * @param all one for each partition that has records
   * @return how many messages that is
   */
  long written(List<W> all);
}
