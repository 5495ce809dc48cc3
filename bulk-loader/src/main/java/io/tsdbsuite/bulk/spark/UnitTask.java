package io.tsdbsuite.bulk.spark;

import io.tsdbsuite.bulk.parse.InfluxContexts;
import io.tsdbsuite.bulk.report.Tally;
import io.tsdbsuite.bulk.row.RowBuilder;
import io.tsdbsuite.bulk.spill.SpilledRows;
import io.tsdbsuite.hbase.StorageFailures;
import io.tsdbsuite.job.JobException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Iterator;
import java.util.function.Function;
import org.apache.hadoop.conf.Configuration;
import org.apache.spark.TaskContext;
import org.apache.spark.api.java.function.PairFlatMapFunction;
import org.apache.spark.broadcast.Broadcast;
import org.apache.spark.util.SerializableConfiguration;
import scala.Tuple2;

/**
 * Reads one unit of the input, sorts it on the local disk, and passes it to the shuffle.
 *
 * @param conf configuration of HBase's client and of file systems
 * @param maxSamples rejects that each unit shows
 */
record UnitTask(LoadPlan plan, Broadcast<SerializableConfiguration> conf, int maxSamples)
    implements PairFlatMapFunction<byte[], byte[], byte[]> {
  @Override
  public Iterator<Tuple2<byte[], byte[]>> call(byte[] bytes) {
    Configuration configuration = conf.value().value();
    InfluxContexts contexts = new InfluxContexts(plan.influxChoice());
    UnitCodec.Sent sent = UnitCodec.read(bytes, configuration, plan.options(), contexts);
    RejectDir dir = new RejectDir(plan.rejectDir(), configuration);
    int ordinal = sent.unit().ordinal();
    if (dir.isStopped(ordinal)) {
      return new UnitRecords(plan, ordinal, null, ended -> UnitBooks.unread(ordinal));
    }
    TaskContext context = TaskContext.get();
    UnitRejects rejects = new UnitRejects(dir, ordinal, context.taskAttemptId(), maxSamples);
    TaskRoom.atEnd(context, rejects::close);
    UnitRecords records = read(sent, configuration, dir, rejects, context);
    TaskRoom.atEnd(context, () -> close(records));
    return records;
  }

  private UnitRecords read(
      UnitCodec.Sent sent,
      Configuration configuration,
      RejectDir dir,
      UnitRejects rejects,
      TaskContext context) {
    int ordinal = sent.unit().ordinal();
    ExecutorHBase hbase = ExecutorHBase.of(plan, configuration);
    CountedResolver resolver = new CountedResolver(hbase.uids(), plan.schema());
    UnitReading reading =
        new UnitReading(
            plan,
            resolver,
            TaskRoom.directory(context, ordinal),
            TaskRoom.memory(plan.slots()),
            rejects);
    Tally tally = reading.tally();
    Function<UnitRecords, UnitBooks> books =
        records -> {
          if (records.refusal() != null || isOver(rejects)) {
            dir.stop(ordinal);
          }
          return new UnitBooks(
              ordinal,
              tally,
              rejects.batch().counts(),
              records.metrics(),
              rejects.batch().samples(),
              rejects.finish(),
              records.oldestMillis(),
              resolver.assigned(),
              sent.formats().contexts().loaded(),
              records.refusal(),
              true);
        };
    try {
      reading.read(sent, () -> !context.isInterrupted());
      context.killTaskIfInterrupted();
      if (isOver(rejects)) {
        return new UnitRecords(plan, ordinal, null, books);
      }
      SpilledRows rows =
          new SpilledRows(
              reading.runs(), plan.onConflict(), plan.rowKey(), RowBuilder.DEFAULT_LIMIT);
      return new UnitRecords(plan, ordinal, rows, tally, books);
    } catch (JobException e) {
      return new UnitRecords(plan, ordinal, Refusal.of(e), books);
    } catch (LinkageError e) {
      return new UnitRecords(plan, ordinal, Refusal.of(HadoopMismatch.of(e)), books);
    } catch (IOException e) {
      throw JobException.outside("Spark's local directory: " + StorageFailures.reason(e), e);
    }
  }

  /** Whether the whole load has too many rejects by this unit alone. */
  private boolean isOver(UnitRejects rejects) {
    return plan.limits().isExceededSoFar(rejects.batch().counts());
  }

  private static void close(UnitRecords records) {
    try {
      records.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
