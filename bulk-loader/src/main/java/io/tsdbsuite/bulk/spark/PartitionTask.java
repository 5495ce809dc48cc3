package io.tsdbsuite.bulk.spark;

import io.tsdbsuite.job.spark.JavaBytes;
import io.tsdbsuite.job.spark.KeyOrder;
import io.tsdbsuite.job.spark.PartitionJobs.PartitionWork;
import scala.Tuple2;

/**
 * Work of an executor on a partition of the shuffle, whose records are in {@link KeyOrder}. The
 * result is an object, serialized by {@link JavaBytes}.
 */
interface PartitionTask extends PartitionWork<Tuple2<byte[], byte[]>, byte[]> {}
