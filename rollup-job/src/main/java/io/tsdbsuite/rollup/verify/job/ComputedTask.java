package io.tsdbsuite.rollup.verify.job;

import io.tsdbsuite.format.row.RowKey;
import io.tsdbsuite.format.schema.StorageSchema;
import io.tsdbsuite.rollup.compute.PartitionRoller;
import io.tsdbsuite.rollup.compute.PartitionTask;
import io.tsdbsuite.rollup.plan.RollupIntervals;
import io.tsdbsuite.rollup.plan.RollupPartition;
import io.tsdbsuite.rollup.report.Books;
import io.tsdbsuite.rollup.spark.PulledRecords;
import io.tsdbsuite.rollup.verify.SeriesSample;
import java.util.Iterator;
import org.apache.spark.TaskContext;
import org.apache.spark.api.java.function.PairFlatMapFunction;
import scala.Tuple2;

/**
 * Rolls up partitions of the raw snapshot on the executors, for a comparison.
 *
 * @param work reads and rolls up the partitions
 */
record ComputedTask(
    PartitionTask work, StorageSchema schema, RollupIntervals intervals, SeriesSample sample)
    implements PairFlatMapFunction<RollupPartition, byte[], byte[]> {
  private static final long serialVersionUID = 1L;

  @Override
  public Iterator<Tuple2<byte[], byte[]>> call(RollupPartition partition) {
    Books books = new Books();
    PulledRecords records = new PulledRecords();
    VerifySink sink = new VerifySink(new RowKey(schema), intervals, sample, records::add);
    PartitionRoller.Rolling rolling = work.begin(partition, sink, books);
    return records.from(
        rolling::step,
        rolling,
        TaskContext.get(),
        () -> new BooksRecord(books, null).record(partition.index()));
  }
}
