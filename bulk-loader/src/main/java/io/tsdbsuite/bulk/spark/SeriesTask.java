package io.tsdbsuite.bulk.spark;

import io.tsdbsuite.bulk.meta.MetaRows;
import io.tsdbsuite.bulk.spill.SeriesTotal;
import io.tsdbsuite.job.spark.JavaBytes;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.InstantSource;
import java.util.Iterator;
import org.apache.spark.TaskContext;
import org.apache.spark.broadcast.Broadcast;
import org.apache.spark.util.SerializableConfiguration;
import org.jspecify.annotations.Nullable;
import scala.Tuple2;

/**
 * Makes rows of tsdb-meta for the series of a partition.
 *
 * @param conf configuration of HBase's client
 */
record SeriesTask(LoadPlan plan, Broadcast<SerializableConfiguration> conf)
    implements PartitionTask {
  @Override
  public byte[] run(TaskContext context, Iterator<Tuple2<byte[], byte[]>> records) {
    ExecutorHBase hbase = ExecutorHBase.of(plan, conf.value().value());
    try (MetaRows rows =
        new MetaRows(hbase.hbase().connection(), plan.schema(), InstantSource.system())) {
      return JavaBytes.of(rows.write(new Sums(records)).series());
    } catch (IOException e) {
      throw new IllegalStateException("records in memory cannot fail to be read", e);
    }
  }

  /** Each series once, from the sums of all units. */
  private static final class Sums implements MetaRows.Source {
    private final Iterator<Tuple2<byte[], byte[]>> records;
    private @Nullable Tuple2<byte[], byte[]> ahead;

    Sums(Iterator<Tuple2<byte[], byte[]>> records) {
      this.records = records;
      this.ahead = read();
    }

    private @Nullable Tuple2<byte[], byte[]> read() {
      return records.hasNext() ? records.next() : null;
    }

    @Override
    public @Nullable SeriesTotal next() {
      Tuple2<byte[], byte[]> record = ahead;
      if (record == null) {
        return null;
      }
      byte[] first = record._1();
      long points = 0;
      long newestMillis = Long.MIN_VALUE;
      while (record != null && ShuffleKey.sameInner(record._1(), first)) {
        ByteBuffer value = ByteBuffer.wrap(record._2());
        points += value.getLong();
        newestMillis = Math.max(newestMillis, value.getLong());
        record = read();
      }
      ahead = record;
      return new SeriesTotal(ShuffleKey.inner(first), "", points, points, newestMillis);
    }
  }
}
