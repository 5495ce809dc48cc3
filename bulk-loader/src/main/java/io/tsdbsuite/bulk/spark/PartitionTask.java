package io.tsdbsuite.bulk.spark;

import java.io.Serializable;
import java.util.Iterator;
import org.apache.spark.TaskContext;
import scala.Tuple2;

/** What an executor makes of a partition of the shuffle. */
interface PartitionTask extends Serializable {
  /**
   * Works.
   *
   * @param records in {@link ShuffleOrder}
   * @return an object by {@link JavaBytes}
   */
  byte[] run(TaskContext context, Iterator<Tuple2<byte[], byte[]>> records);
}
