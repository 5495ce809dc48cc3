package io.tsdbsuite.rollup.job;

import io.tsdbsuite.rollup.error.RollupException;
import io.tsdbsuite.rollup.error.StorageFailures;
import io.tsdbsuite.rollup.plan.MetricPatterns;
import io.tsdbsuite.rollup.plan.RegionPart;
import io.tsdbsuite.rollup.read.ReadSource;
import io.tsdbsuite.rollup.uid.UidNames;
import io.tsdbsuite.rollup.verify.StoredBooks;
import io.tsdbsuite.rollup.verify.StoredRows;
import io.tsdbsuite.rollup.verify.StoredTable;
import java.io.IOException;
import java.io.Serializable;
import java.util.Iterator;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.exceptions.DeserializationException;
import org.apache.spark.TaskContext;
import org.apache.spark.api.java.function.PairFlatMapFunction;
import org.apache.spark.broadcast.Broadcast;
import org.apache.spark.util.SerializableConfiguration;
import scala.Tuple2;

/**
 * Reads parts of rollup tables on the executors.
 *
 * @param root of the snapshots, which gives the file system
 */
record StoredTask(
    Broadcast<UidNames> names,
    Broadcast<SerializableConfiguration> conf,
    String root,
    MetricPatterns metrics)
    implements PairFlatMapFunction<StoredTask.Part, byte[], byte[]> {
  private static final long serialVersionUID = 1L;

  /**
   * What a task reads.
   *
   * @param number among all parts
   * @param family the column family's descriptor, in HBase's serialised form
   */
  record Part(int number, StoredTable table, byte[] family, RegionPart part)
      implements Serializable {}

  @Override
  public Iterator<Tuple2<byte[], byte[]>> call(Part part) {
    StoredBooks books = new StoredBooks();
    PulledRecords records = new PulledRecords();
    StoredRows rows;
    try {
      rows =
          new StoredRows(
              part.table(),
              source(part),
              part.part(),
              new MetricSelector(metrics, names.value())::excludes,
              books);
    } catch (IOException e) {
      throw RollupException.outside(StorageFailures.describe(e), e);
    }
    PulledRecords.Source source =
        new PulledRecords.Source() {
          @Override
          public boolean step() throws IOException {
            return rows.step(records::add);
          }

          @Override
          public void close() {
            rows.close();
          }
        };
    return records.from(
        source, TaskContext.get(), () -> new BooksRecord(null, books).record(part.number()));
  }

  private ReadSource source(Part part) throws IOException {
    Configuration configuration = conf.value().value();
    try {
      return new ReadSource(
          configuration,
          new Path(root).getFileSystem(configuration),
          ColumnFamilyDescriptorBuilder.parseFrom(part.family()));
    } catch (DeserializationException e) {
      throw new IllegalStateException("a column family descriptor must survive serialisation", e);
    }
  }
}
