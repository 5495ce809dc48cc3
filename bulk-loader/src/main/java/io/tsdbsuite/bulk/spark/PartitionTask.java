package io.tsdbsuite.bulk.spark;

import io.tsdbsuite.job.spark.JavaBytes;
import io.tsdbsuite.job.spark.PartitionJobs.PartitionWork;
import scala.Tuple2;

/**
 * What an executor makes of a partition of the shuffle, whose records are in {@link
 * ShuffleKey#ORDER}: an object by {@link JavaBytes}.
 */
interface PartitionTask extends PartitionWork<Tuple2<byte[], byte[]>, byte[]> {}
