package io.tsdbsuite.rollup.job;

import java.util.Comparator;
import org.apache.spark.Partitioner;
import org.apache.spark.api.java.JavaPairRDD;
import org.apache.spark.rdd.RDD;
import org.apache.spark.rdd.ShuffledRDD;
import org.apache.spark.serializer.KryoSerializer;
import scala.Tuple2;

/** Records of bytes behind Spark's shuffle. */
final class ShuffledBytes {
  private ShuffledBytes() {}

  /**
   * Divides records by their keys, and sorts each partition.
   *
   * @param order serialisable
   */
  static RDD<Tuple2<byte[], byte[]>> of(
      JavaPairRDD<byte[], byte[]> records, Partitioner partitions, Comparator<byte[]> order) {
    RDD<Tuple2<byte[], byte[]>> sorted =
        records.repartitionAndSortWithinPartitions(partitions, order).rdd();
    if (sorted instanceof ShuffledRDD<?, ?, ?> shuffled) {
      // Java's own, which the job has for its few large objects, would double these small arrays.
      shuffled.setSerializer(new KryoSerializer(sorted.sparkContext().conf()));
    }
    return sorted;
  }
}
