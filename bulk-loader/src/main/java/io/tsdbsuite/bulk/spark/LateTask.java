package io.tsdbsuite.bulk.spark;

import io.tsdbsuite.bulk.run.LateRanges;
import io.tsdbsuite.bulk.write.BulkLoad;
import io.tsdbsuite.hbase.StorageFailures;
import io.tsdbsuite.hbase.load.HFileDir;
import io.tsdbsuite.job.JobException;
import io.tsdbsuite.job.spark.JavaBytes;
import java.io.IOException;
import java.time.Instant;
import java.util.Iterator;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.spark.TaskContext;
import org.apache.spark.broadcast.Broadcast;
import org.apache.spark.util.SerializableConfiguration;
import scala.Tuple2;

/**
 * Compares a finished HFile with the table once more. Its partition is one {@link FinishedFile}.
 *
 * @param conf configuration of HBase's client and of file systems
 * @param began start of the load
 */
record LateTask(LoadPlan plan, Broadcast<SerializableConfiguration> conf, Instant began)
    implements PartitionTask {
  @Override
  public byte[] run(TaskContext context, Iterator<Tuple2<byte[], byte[]>> records) {
    FinishedFile file = JavaBytes.read(records.next()._2(), FinishedFile.class);
    Configuration configuration = conf.value().value();
    ExecutorHBase hbase = ExecutorHBase.of(plan, configuration);
    try (HFileDir dir = BulkLoad.directory(configuration, plan.write().hfileDir(), plan.runId())) {
      String row =
          new LateRanges(hbase.target(), began)
              .first(dir, dir.finished(List.of(file.name())).get(0));
      return JavaBytes.of(new LateRow(file.region(), row));
    } catch (IOException e) {
      throw JobException.outside(
          "HFiles in " + plan.write().hfileDir() + ": " + StorageFailures.reason(e), e);
    }
  }
}
