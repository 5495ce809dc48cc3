package io.tsdbsuite.testkit;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import org.apache.flink.api.common.eventtime.WatermarkStrategy;
import org.apache.flink.api.common.functions.OpenContext;
import org.apache.flink.api.common.functions.RichFilterFunction;
import org.apache.flink.api.common.state.ListState;
import org.apache.flink.api.common.state.ListStateDescriptor;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.api.connector.source.lib.NumberSequenceSource;
import org.apache.flink.runtime.state.FunctionInitializationContext;
import org.apache.flink.runtime.state.FunctionSnapshotContext;
import org.apache.flink.streaming.api.checkpoint.CheckpointedFunction;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.streaming.api.functions.sink.v2.DiscardingSink;

/**
 * A job for {@link FlinkIT}: counts the numbers 1, 2, 3, ... and fails when the count is not the
 * number, that is when the state and the source's position are not of one moment. It never ends by
 * itself.
 *
 * <p>Argument: a file, to which each start and each clean end of the counting task append a line.
 */
public final class CountingJob {
  private CountingJob() {}

  /** Starts it. */
  public static void main(String[] args) throws Exception {
    if (args.length != 1) {
      throw new IllegalArgumentException("the file is missing");
    }
    StreamExecutionEnvironment env = StreamExecutionEnvironment.getExecutionEnvironment();
    env.fromSource(
            new NumberSequenceSource(1, Long.MAX_VALUE),
            WatermarkStrategy.noWatermarks(),
            "numbers")
        .filter(new Count(args[0]))
        .uid("count")
        .name("count")
        .sinkTo(new DiscardingSink<>());
    env.execute("count");
  }

  /** Counts, and lets nothing pass. */
  static final class Count extends RichFilterFunction<Long> implements CheckpointedFunction {
    private static final long serialVersionUID = 1;

    /** So that the job does not take a whole core. */
    private static final long PAUSE_NANOS = Duration.ofMillis(1).toNanos();

    private final String file;
    private transient ListState<Long> state;
    private transient long count;

    Count(String file) {
      this.file = file;
    }

    @Override
    public void initializeState(FunctionInitializationContext context) throws Exception {
      state =
          context
              .getOperatorStateStore()
              .getListState(new ListStateDescriptor<>("count", Types.LONG));
      for (long part : state.get()) {
        count += part;
      }
      write((context.isRestored() ? "restored " : "started ") + count);
    }

    @Override
    public void open(OpenContext context) {
      getRuntimeContext().getMetricGroup().gauge("numbersCounted", () -> count);
    }

    @Override
    public boolean filter(Long number) {
      count++;
      if (number != count) {
        throw new IllegalStateException("number " + number + " has the count " + count);
      }
      LockSupport.parkNanos(PAUSE_NANOS);
      return false;
    }

    @Override
    public void snapshotState(FunctionSnapshotContext context) throws Exception {
      state.update(List.of(count));
    }

    @Override
    public void close() throws IOException {
      write("closed " + count);
    }

    private void write(String line) throws IOException {
      Files.writeString(
          Path.of(file), line + "\n", StandardOpenOption.CREATE, StandardOpenOption.APPEND);
    }
  }
}
