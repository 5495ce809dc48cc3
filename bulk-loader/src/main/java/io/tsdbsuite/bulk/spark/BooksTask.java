package io.tsdbsuite.bulk.spark;

import io.tsdbsuite.job.spark.JavaBytes;
import java.util.Iterator;
import org.apache.spark.TaskContext;
import scala.Tuple2;

/**
 * Adds up the books of all units.
 *
 * @param maxSamples rejects to keep
 */
record BooksTask(int maxSamples) implements PartitionTask {
  @Override
  public byte[] run(TaskContext context, Iterator<Tuple2<byte[], byte[]>> records) {
    ReadBooks all = new ReadBooks(maxSamples);
    while (records.hasNext()) {
      all.add(JavaBytes.read(records.next()._2(), UnitBooks.class));
    }
    return JavaBytes.of(all);
  }
}
