package io.tsdbsuite.rollup.job;

import io.tsdbsuite.rollup.error.ExitCode;
import io.tsdbsuite.rollup.error.RollupException;
import io.tsdbsuite.rollup.plan.RollupPlan;
import io.tsdbsuite.rollup.plan.RollupPlanner;
import io.tsdbsuite.rollup.plan.RowWindow;
import io.tsdbsuite.rollup.report.Books;
import io.tsdbsuite.rollup.report.RollupReport;
import io.tsdbsuite.rollup.sink.SinkException;
import io.tsdbsuite.rollup.sink.SinkFactory;
import io.tsdbsuite.rollup.snapshot.Snapshot;
import io.tsdbsuite.rollup.snapshot.SnapshotLoader;
import io.tsdbsuite.rollup.uid.UidNames;
import java.time.Clock;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.broadcast.Broadcast;
import org.apache.spark.util.SerializableConfiguration;

/**
 * Rolls up a time window of a snapshot of OpenTSDB's data table. Reads the HFiles where they are,
 * writes nothing below the snapshot's root, and closes its books.
 */
public final class RollupJob {
  /** The data table's one family. */
  private static final String FAMILY = "t";

  private final JavaSparkContext spark;
  private final RollupOptions options;
  private final SinkFactory sinks;
  private final int messagesPerInterval;
  private final Clock clock;
  private final Phases phases = new Phases(System::nanoTime);
  private final Map<String, String> input = new LinkedHashMap<>();
  private final List<String> warnings = new ArrayList<>();
  private final Instant started;
  private final Books books = new Books();
  private RollupPlan plan;

  /**
   * @param sinks where the rollups go
   * @param messagesPerInterval messages or lines that one rollup makes in {@code sinks}
   * @param clock for the report
   */
  public RollupJob(
      JavaSparkContext spark,
      RollupOptions options,
      SinkFactory sinks,
      int messagesPerInterval,
      Clock clock) {
    this.spark = spark;
    this.options = options;
    this.sinks = sinks;
    this.messagesPerInterval = messagesPerInterval;
    this.clock = clock;
    this.started = clock.instant();
    input.put("snapshotRoot", options.snapshotRoot());
    input.put("dataSnapshot", options.dataSnapshot());
    if (options.uidSnapshot() != null) {
      input.put("uidSnapshot", options.uidSnapshot());
    }
  }

  /**
   * Works out what {@link #run} would read. Reads the manifest and the indexes of the HFiles, no
   * data, and neither the UIDs nor the sink.
   *
   * @throws RollupException as {@link #run} would report it
   */
  public RollupPlan plan() {
    return phases.time("plan", () -> plan(loadData()));
  }

  /**
   * Runs the job.
   *
   * @return the report, also when the job failed; its exit code says how it went
   */
  public RollupReport run() {
    ExitCode exit;
    String message;
    try {
      message = rollUp();
      exit = message.isEmpty() ? ExitCode.DONE : ExitCode.BAD_INPUT;
    } catch (RollupException e) {
      exit = e.exitCode();
      message = e.getMessage();
    } catch (RuntimeException | LinkageError e) {
      sinks.abort();
      throw e;
    }
    if (exit != ExitCode.DONE) {
      sinks.abort();
    }
    return new RollupReport(
        exit,
        message,
        started,
        clock.instant(),
        new LinkedHashMap<>(input),
        options.interval().interval(),
        Instant.ofEpochSecond(options.from()),
        Instant.ofEpochSecond(options.to()),
        options.holdBack(),
        plan,
        books,
        phases.seconds(),
        List.copyOf(warnings));
  }

  /** Answers why the output must not be used, or nothing. */
  private String rollUp() {
    Snapshot data = phases.time("manifests", this::loadData);
    warnIfIncomplete(data);
    phases.time("sink check", this::checkSink);
    UidNames names =
        phases.time("UIDs", () -> new UidSetup(options, hadoop()).load(data, warnings));
    try {
      plan = phases.time("plan", () -> plan(data));
      TaskCollector results = phases.time("roll up", () -> rollUp(data, names));
      books.add(results.books());
      if (results.isStopped() || books.rowsFailed() > options.maxFailedRows()) {
        return tooManyFailed(results.isStopped());
      }
      if (!books.close()) {
        return "the books do not close: something was lost or counted twice; this is a defect";
      }
      phases.time("commit", () -> commit(results));
      if (books.ambiguousDuplicates() > 0) {
        warnings.add(
            books.ambiguousDuplicates()
                + " duplicate points have the same HBase timestamp; the first in column order was"
                + " kept, a TSD may keep another");
      }
      return "";
    } finally {
      names.close();
    }
  }

  private String tooManyFailed(boolean stopped) {
    String text =
        books.rowsFailed()
            + " rows failed where "
            + options.maxFailedRows()
            + " are allowed (--max-failed-rows)";
    String first =
        books.samples().entrySet().stream()
            .flatMap(entry -> entry.getValue().stream().map(s -> entry.getKey().text() + ": " + s))
            .findFirst()
            .map(sample -> "; one of them: " + sample)
            .orElse("");
    return text + (stopped ? "; stopped, the rest was not read" : "") + first;
  }

  private Snapshot loadData() {
    Snapshot data =
        new SnapshotLoader(hadoop(), options.snapshotRoot()).load(options.dataSnapshot(), FAMILY);
    input.put("dataTable", data.table());
    input.put("dataSnapshotTime", Instant.ofEpochMilli(data.creationTime()).toString());
    return data;
  }

  private void warnIfIncomplete(Snapshot data) {
    if (!data.flushed()) {
      warnings.add(
          "the data snapshot was taken with SKIP_FLUSH: points that were in memory only are not in"
              + " it");
    }
    if (data.creationTime() < options.to() * 1000) {
      warnings.add(
          "the window ends after the snapshot was taken ("
              + Instant.ofEpochMilli(data.creationTime())
              + "): its last hours are incomplete");
    }
  }

  private RollupPlan plan(Snapshot data) {
    return new RollupPlanner(data, window(), options.partitionBytes()).plan();
  }

  private RowWindow window() {
    return new RowWindow(options.schema(), options.from(), options.to());
  }

  private Configuration hadoop() {
    return spark.hadoopConfiguration();
  }

  private Void checkSink() {
    try {
      sinks.check();
      return null;
    } catch (SinkException e) {
      throw failure(e);
    }
  }

  private Void commit(TaskCollector results) {
    try {
      sinks.commit(results.sinkResults());
      return null;
    } catch (SinkException e) {
      throw failure(e);
    }
  }

  private static RollupException failure(SinkException e) {
    return e instanceof SinkException.Fatal
        ? RollupException.usage(e.getMessage(), e)
        : RollupException.outside(e.getMessage(), e);
  }

  private TaskCollector rollUp(Snapshot data, UidNames names) {
    TaskCollector results = new TaskCollector(spark, options.maxFailedRows());
    if (plan.partitions().isEmpty()) {
      return results;
    }
    Broadcast<UidNames> broadcastNames = spark.broadcast(names);
    Broadcast<SerializableConfiguration> broadcastConf =
        spark.broadcast(new SerializableConfiguration(data.conf()));
    try {
      results.run(
          plan.partitions(),
          new RollupTask(
              broadcastNames,
              broadcastConf,
              options.snapshotRoot(),
              ColumnFamilyDescriptorBuilder.toByteArray(data.family()),
              options.schema(),
              options.interval(),
              window(),
              options.metrics(),
              options.maxFailedRows(),
              messagesPerInterval,
              sinks.sharedBy(Concurrency.of(spark.sc(), plan.partitions().size())),
              new Progress(spark.sc())));
      return results;
    } finally {
      broadcastNames.destroy();
      broadcastConf.destroy();
    }
  }
}
