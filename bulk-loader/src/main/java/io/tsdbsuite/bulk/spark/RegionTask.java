package io.tsdbsuite.bulk.spark;

import io.tsdbsuite.bulk.report.Tally;
import io.tsdbsuite.bulk.row.RowBuilder;
import io.tsdbsuite.bulk.row.RowSource;
import io.tsdbsuite.bulk.run.HFileRows;
import io.tsdbsuite.bulk.spill.RunMerger;
import io.tsdbsuite.bulk.uid.TsuidNames;
import io.tsdbsuite.bulk.write.BulkLoad;
import io.tsdbsuite.format.row.RowKey;
import io.tsdbsuite.hbase.StorageFailures;
import io.tsdbsuite.hbase.load.HFileDir;
import io.tsdbsuite.job.ExitCode;
import io.tsdbsuite.job.JobException;
import io.tsdbsuite.job.spark.JavaBytes;
import java.io.IOException;
import java.io.Serializable;
import java.time.InstantSource;
import java.util.Iterator;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.spark.TaskContext;
import org.apache.spark.broadcast.Broadcast;
import org.apache.spark.util.SerializableConfiguration;
import org.jspecify.annotations.Nullable;
import scala.Tuple2;

/**
 * Writes the rows of a region to an HFile, which has the attempt in its name: a speculative
 * attempt, or one that Spark has abandoned, touches only its own files.
 *
 * @param conf configuration of HBase's client and of file systems
 */
record RegionTask(LoadPlan plan, Broadcast<SerializableConfiguration> conf)
    implements PartitionTask {
  /**
   * Result of the task of a region.
   *
   * @param files names of finished HFiles
   * @param failure null after a success
   */
  record Result(int region, List<String> files, Tally tally, @Nullable PermanentFailure failure)
      implements Serializable {}

  @Override
  public byte[] run(TaskContext context, Iterator<Tuple2<byte[], byte[]>> records) {
    int region = context.partitionId();
    if (!records.hasNext()) {
      return JavaBytes.of(new Result(region, List.of(), new Tally(), null));
    }
    ExecutorHBase hbase = ExecutorHBase.of(plan, conf.value().value());
    try {
      return JavaBytes.of(write(context, hbase, records));
    } catch (ShuffledHours.Conflict e) {
      return refused(region, conflict(e, hbase));
    } catch (JobException e) {
      return refused(region, PermanentFailure.of(e));
    } catch (IOException e) {
      throw JobException.outside(
          "HFiles in " + plan.write().hfileDir() + ": " + StorageFailures.reason(e), e);
    }
  }

  private Result write(
      TaskContext context, ExecutorHBase hbase, Iterator<Tuple2<byte[], byte[]>> records)
      throws IOException {
    int region = context.partitionId();
    Configuration configuration = conf.value().value();
    Tally tally = new Tally();
    ShuffledHours hours = new ShuffledHours(records, plan.onConflict());
    try (HFileDir dir = BulkLoad.directory(configuration, plan.write().hfileDir(), plan.runId());
        RowSource rows = new RunMerger(hours, plan.rowKey(), RowBuilder.DEFAULT_LIMIT);
        HFileRows hfiles = new HFileRows(hbase.target(), dir, InstantSource.system())) {
      List<String> files =
          hfiles.write(
              "r" + region + "-a" + context.taskAttemptId(),
              rows,
              (lastKey, since) -> tally.add(since));
      return new Result(region, files, tally, null);
    }
  }

  private static byte[] refused(int region, PermanentFailure failure) {
    return JavaBytes.of(new Result(region, List.of(), new Tally(), failure));
  }

  private PermanentFailure conflict(ShuffledHours.Conflict e, ExecutorHBase hbase) {
    RowKey rowKey = plan.rowKey();
    byte[] tsuid = rowKey.tsuid(e.key(), 0, e.key().length);
    String names = TsuidNames.of(hbase.hbase().connection(), plan.schema(), tsuid);
    return new PermanentFailure(
        ExitCode.BAD_INPUT, e.values().message(names, rowKey.baseTime(e.key(), 0), ""), e.units());
  }
}
