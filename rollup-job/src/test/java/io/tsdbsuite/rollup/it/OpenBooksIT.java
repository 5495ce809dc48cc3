package io.tsdbsuite.rollup.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.tsdbsuite.format.metric.MetricPatterns;
import io.tsdbsuite.format.rollup.RollupConfig;
import io.tsdbsuite.format.schema.StorageSchema;
import io.tsdbsuite.format.schema.TsdConfig;
import io.tsdbsuite.job.ExitCode;
import io.tsdbsuite.message.write.RollupPoint;
import io.tsdbsuite.rollup.input.AsOf;
import io.tsdbsuite.rollup.input.RollupOptions;
import io.tsdbsuite.rollup.input.Tolerance;
import io.tsdbsuite.rollup.input.Window;
import io.tsdbsuite.rollup.job.RollupJob;
import io.tsdbsuite.rollup.job.RunHistory;
import io.tsdbsuite.rollup.plan.HoldBack;
import io.tsdbsuite.rollup.plan.RollupIntervals;
import io.tsdbsuite.rollup.report.RollupReport;
import io.tsdbsuite.rollup.report.RunIdentity;
import io.tsdbsuite.rollup.report.TestReports;
import io.tsdbsuite.rollup.sink.RollupSink;
import io.tsdbsuite.rollup.sink.SinkFactory;
import io.tsdbsuite.rollup.sink.SinkResult;
import io.tsdbsuite.rollup.uid.UidSettings;
import java.time.Clock;
import java.util.List;
import java.util.Map;
import org.apache.spark.SparkConf;
import org.apache.spark.api.java.JavaSparkContext;
import org.junit.jupiter.api.Test;

/** Defects amid a run, which only a sink that has them can show. */
class OpenBooksIT {
  private static final Clock CLOCK = Clock.systemUTC();

  /** Acknowledges one message less than it was given, or breaks with the first. */
  private record FaultySinks(boolean breaks, int rollupsPerMessage) implements SinkFactory {
    private static final long serialVersionUID = 1L;

    @Override
    public void asOf(long millis) {}

    @Override
    public void check() {}

    @Override
    public boolean takesBack() {
      return true;
    }

    @Override
    public RollupSink open(int partition, long attempt) {
      return new FaultySink(breaks, rollupsPerMessage > 1 ? 1 : 0, partition);
    }

    @Override
    public boolean keepsFinished() {
      return true;
    }

    @Override
    public void commit(List<SinkResult> results, RunIdentity run) {
      throw new AssertionError("books that do not close must not be committed");
    }

    @Override
    public void abort() {}
  }

  private static final class FaultySink implements RollupSink {
    private final boolean breaks;
    private final int lost;
    private final int partition;
    private long points;

    private FaultySink(boolean breaks, int lost, int partition) {
      this.breaks = breaks;
      this.lost = lost;
      this.partition = partition;
    }

    @Override
    public void emit(RollupPoint point) {
      if (breaks) {
        throw new IllegalStateException("two points of one key");
      }
      points++;
    }

    @Override
    public SinkResult finish() {
      return new SinkResult(partition, points - lost, points, Math.max(0, points - 1), null);
    }

    @Override
    public void abort() {}

    @Override
    public void close() {}
  }

  private static RollupReport run(SinkFactory sinks) throws Exception {
    SmallData data = SmallData.get();
    RollupConfig rollups = RollupConfig.load(data.rollupConfig().toString());
    RollupOptions options =
        new RollupOptions(
            SharedStack.get().hbase().rootDir(),
            SmallData.DATA_SNAPSHOT,
            UidSettings.ofSnapshot(SmallData.UID_SNAPSHOT),
            StorageSchema.from(TsdConfig.load(data.configFile())),
            new RollupIntervals(List.of(rollups.interval("1h"))),
            new Window(SmallData.FROM, SmallData.TO),
            HoldBack.of(HoldBack.DEFAULT, CLOCK),
            MetricPatterns.all(),
            1L << 20,
            Tolerance.NONE,
            null,
            AsOf.SNAPSHOT,
            false);
    SparkConf conf =
        new SparkConf()
            .setMaster("local[1]")
            .setAppName("defect")
            .set("spark.ui.enabled", "false")
            .set("spark.driver.host", "127.0.0.1")
            .set("spark.driver.bindAddress", "127.0.0.1")
            .set("spark.serializer", "org.apache.spark.serializer.JavaSerializer");
    try (JavaSparkContext spark = new JavaSparkContext(conf)) {
      RunHistory fresh = new RunHistory(new RunIdentity("", Map.of()), null, report -> {});
      return new RollupJob(spark, options, sinks, fresh, null, CLOCK).run();
    }
  }

  private static void requireDefect(RollupReport report, String message) {
    assertThat(report.exitCode()).as(report.message()).isEqualTo(ExitCode.DEFECT);
    assertThat(report.message())
        .contains(message, "a defect of rollup-job")
        .doesNotContain("run it again", "bad input");
    assertThat(report.isResumable()).isFalse();
    assertThat(TestReports.json(report))
        .contains("\"state\" : \"ended\"", "\"exitCode\" : 4")
        .doesNotContain("\"finished\" :");
  }

  @Test
  void booksThatDoNotCloseAreADefect() throws Exception {
    RollupReport report = run(new FaultySinks(false, 1));
    requireDefect(report, "the books do not close");
    assertThat(TestReports.json(report)).contains("\"booksClose\" : false");
  }

  /** Messages of several rollups are counted by the sink alone. */
  @Test
  void aRollupThatASinkLosesIsADefect() throws Exception {
    requireDefect(run(new FaultySinks(false, 24)), "the books do not close: the sink sent");
  }

  @Test
  void anUnforeseenExceptionInATaskIsADefect() throws Exception {
    requireDefect(run(new FaultySinks(true, 1)), "IllegalStateException: two points of one key");
  }
}
