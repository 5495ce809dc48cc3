package io.tsdbsuite.bulk.spark;

import io.tsdbsuite.bulk.group.Grouping;
import io.tsdbsuite.bulk.parse.InfluxContexts;
import io.tsdbsuite.bulk.report.Tally;
import io.tsdbsuite.bulk.row.RowBuilder;
import io.tsdbsuite.bulk.series.NewSeries;
import io.tsdbsuite.bulk.series.SeriesResolver;
import io.tsdbsuite.bulk.spill.SpilledRows;
import io.tsdbsuite.bulk.uid.UidAssigner;
import io.tsdbsuite.bulk.uid.UidSeriesResolver;
import io.tsdbsuite.format.schema.StorageSchema;
import io.tsdbsuite.format.uid.UidKind;
import io.tsdbsuite.hbase.StorageFailures;
import io.tsdbsuite.job.JobException;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.spark.SparkEnv;
import org.apache.spark.TaskContext;
import org.apache.spark.api.java.function.PairFlatMapFunction;
import org.apache.spark.broadcast.Broadcast;
import org.apache.spark.util.SerializableConfiguration;
import org.apache.spark.util.TaskCompletionListener;
import scala.Tuple2;

/**
 * Reads one unit of the input, sorts it on the local disk, and passes it to the shuffle.
 *
 * @param conf configuration of HBase's client and of file systems
 * @param maxSamples rejects that each unit shows
 */
record UnitTask(LoadPlan plan, Broadcast<SerializableConfiguration> conf, int maxSamples)
    implements PairFlatMapFunction<byte[], byte[], byte[]> {
  /** Memory that Spark reserves for itself, bytes. */
  private static final long RESERVED = 300L << 20;

  /** The rest is for UIDs and small objects. */
  private static final double FOR_POINTS = 0.75;

  @Override
  public Iterator<Tuple2<byte[], byte[]>> call(byte[] bytes) {
    Configuration configuration = conf.value().value();
    InfluxContexts contexts = new InfluxContexts(plan.influxChoice());
    UnitCodec.Sent sent = UnitCodec.read(bytes, configuration, plan.options(), contexts);
    RejectDir dir = new RejectDir(plan.rejectDir(), configuration);
    int ordinal = sent.unit().ordinal();
    if (dir.isStopped(ordinal)) {
      return new UnitRecords(plan, ordinal, null, ended -> UnitResult.unread());
    }
    TaskContext context = TaskContext.get();
    UnitRejects rejects = new UnitRejects(dir, ordinal, context.taskAttemptId(), maxSamples);
    atEnd(context, rejects::close);
    UnitRecords records = read(sent, configuration, dir, rejects, context);
    atEnd(context, () -> close(records));
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
        new UnitReading(plan, resolver, directory(context, ordinal), memory(plan.slots()), rejects);
    Tally tally = reading.tally();
    Function<UnitRecords, UnitResult> result =
        records -> {
          if (records.failure() != null || isOver(rejects)) {
            dir.stop(ordinal);
          }
          return new UnitResult(
              1,
              tally,
              rejects.batch().counts(),
              records.metrics(),
              rejects.batch().samples(),
              rejects.finish(),
              records.oldestMillis(),
              records.below(),
              resolver.assigned(),
              sent.formats().contexts().loaded(),
              records.failure(),
              true);
        };
    try {
      reading.read(sent, () -> !context.isInterrupted());
      context.killTaskIfInterrupted();
      if (isOver(rejects)) {
        return new UnitRecords(plan, ordinal, null, result);
      }
      SpilledRows rows =
          new SpilledRows(
              reading.runs(), plan.onConflict(), plan.rowKey(), RowBuilder.DEFAULT_LIMIT);
      return new UnitRecords(plan, ordinal, rows, tally, result);
    } catch (JobException e) {
      return new UnitRecords(plan, ordinal, PermanentFailure.of(e), result);
    } catch (LinkageError e) {
      return new UnitRecords(plan, ordinal, PermanentFailure.of(SparkFailures.of(e)), result);
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

  /**
   * A share of the heap that Spark leaves alone ({@code 1 - spark.memory.fraction}), bytes.
   *
   * @param slots tasks at the same time, 0 for one on each processor
   */
  private static long memory(int slots) {
    double fraction = SparkEnv.get().conf().getDouble("spark.memory.fraction", 0.6);
    int tasks = slots > 0 ? slots : Runtime.getRuntime().availableProcessors();
    double left = (Runtime.getRuntime().maxMemory() - RESERVED) * (1 - fraction) * FOR_POINTS;
    return Math.max(Grouping.MIN_MEMORY, (long) (left / tasks));
  }

  /** A directory on one of Spark's local disks, deleted at the end of the task. */
  private static Path directory(TaskContext context, int unit) {
    File[] disks = SparkEnv.get().blockManager().diskBlockManager().localDirs();
    Path disk = disks[unit % disks.length].toPath();
    try {
      Path directory = Files.createTempDirectory(disk, "bulk-load-");
      atEnd(context, () -> delete(directory));
      return directory;
    } catch (IOException e) {
      throw JobException.outside(
          "Spark's local directory " + disk + ": " + StorageFailures.reason(e), e);
    }
  }

  /** Runs something when the task has ended, however it did. */
  private static void atEnd(TaskContext context, Runnable action) {
    TaskContext unused =
        context.addTaskCompletionListener((TaskCompletionListener) ended -> action.run());
  }

  private static void delete(Path directory) {
    try (Stream<Path> files = Files.walk(directory)) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.deleteIfExists(file);
      }
    } catch (IOException | UncheckedIOException e) {
      // Spark removes its local directories with all that is in them when the application ends.
    }
  }

  /** Counts the UIDs assigned for one task; all tasks of an executor share the assigner. */
  private static final class CountedResolver implements SeriesResolver {
    private final UidAssigner uids;
    private final UidSeriesResolver resolver;
    private final Map<UidKind, Long> assigned = new EnumMap<>(UidKind.class);

    CountedResolver(UidAssigner uids, StorageSchema schema) {
      this.uids = uids;
      this.resolver = new UidSeriesResolver(uids, schema);
    }

    @Override
    public void resolve(List<NewSeries> series) {
      // The assigner serializes its calls anyway.
      synchronized (uids) {
        count(-1);
        resolver.resolve(series);
        count(1);
      }
    }

    private void count(int sign) {
      for (UidKind kind : UidKind.values()) {
        assigned.merge(kind, sign * uids.assigned(kind), Long::sum);
      }
    }

    /** Number of assigned UIDs by kind. */
    Map<UidKind, Long> assigned() {
      return new EnumMap<>(assigned);
    }
  }
}
