package io.tsdbsuite.rollup.spark;

import java.util.Comparator;
import org.apache.spark.Partitioner;
import org.apache.spark.api.java.JavaPairRDD;
import org.apache.spark.rdd.RDD;
import org.apache.spark.rdd.ShuffledRDD;
import org.apache.spark.serializer.KryoSerializer;
import scala.Tuple2;

/** Shuffles byte records by Spark. */
public final class ShuffledBytes {
  private ShuffledBytes() {}

  /**
   * Partitions records by key and sorts each partition.
   *
   * @param order serialisable
   */
  public static RDD<Tuple2<byte[], byte[]>> of(
      JavaPairRDD<byte[], byte[]> records, Partitioner partitions, Comparator<byte[]> order) {
    RDD<Tuple2<byte[], byte[]>> sorted =
        records.repartitionAndSortWithinPartitions(partitions, order).rdd();
    if (sorted instanceof ShuffledRDD<?, ?, ?> shuffled) {
      // Java serialization, which the job uses for its few large objects, would double the size of
      // these small arrays.
      shuffled.setSerializer(new KryoSerializer(sorted.sparkContext().conf()));
    }
    return sorted;
  }
}
