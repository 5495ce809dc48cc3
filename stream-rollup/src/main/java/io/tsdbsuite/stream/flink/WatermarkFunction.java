package io.tsdbsuite.stream.flink;

import io.tsdbsuite.message.write.RollupWatermarkEncoder;
import io.tsdbsuite.stream.series.StreamIntervals;
import java.nio.charset.StandardCharsets;
import org.apache.flink.api.common.functions.OpenContext;
import org.apache.flink.api.common.state.MapState;
import org.apache.flink.api.common.state.MapStateDescriptor;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.api.java.tuple.Tuple3;
import org.apache.flink.streaming.api.functions.KeyedProcessFunction;
import org.apache.flink.util.Collector;

/**
 * Tells up to when each interval is complete. One task: its watermark is the smallest of all tasks
 * that emit rollups. An element only registers the first timer.
 */
final class WatermarkFunction
    extends KeyedProcessFunction<Byte, Byte, Tuple3<Byte, byte[], byte[]>> {
  private static final long serialVersionUID = 1L;

  /** Time between two looks, ms; a divisor of the intervals' emission. */
  private static final long STEP = 10_000;

  /** Of a start in the state; no interval has this name. */
  private static final String START = "";

  private final StreamIntervals intervals;
  private final String group;
  private final long firstTime;
  private final long completeFrom;
  private transient RollupWatermarkEncoder encoder;
  private transient MapState<String, Long> told;

  /**
   * Creates the function.
   *
   * @param group the consumer group
   * @param start of a job without a checkpoint in place of another; else its times are 0. It tells
   *     the start before a checkpoint has the offsets of what it read, and nothing else before: its
   *     series have yet to be seen to request what the job before left
   */
  @SuppressWarnings("NullAway.Init") // open sets the transient fields.
  WatermarkFunction(StreamIntervals intervals, String group, RollupStart start) {
    this.intervals = intervals;
    this.group = group;
    this.firstTime = start.firstTime();
    this.completeFrom = start.completeFrom();
  }

  @Override
  public void open(OpenContext context) {
    encoder = new RollupWatermarkEncoder();
    told =
        getRuntimeContext().getMapState(new MapStateDescriptor<>("told", Types.STRING, Types.LONG));
  }

  @Override
  public void processElement(
      Byte tick, Context context, Collector<Tuple3<Byte, byte[], byte[]>> out) throws Exception {
    if (completeFrom > 0 && told.isEmpty()) {
      told.put(START, completeFrom);
      out.collect(
          Tuple3.of(
              OutMessages.WATERMARK,
              RollupStart.key(group),
              new RollupStart(firstTime, completeFrom).encode()));
    }
    register(context);
  }

  private static void register(Context context) {
    long now = Math.max(0, context.timerService().currentWatermark());
    context.timerService().registerEventTimeTimer(now - now % STEP + STEP);
  }

  @Override
  public void onTimer(
      long time, OnTimerContext context, Collector<Tuple3<Byte, byte[], byte[]>> out)
      throws Exception {
    if (context.timerService().currentWatermark() == Long.MAX_VALUE) {
      return;
    }
    long watermark = context.timerService().currentWatermark() / 1000;
    for (int i = 0; i < intervals.size(); i++) {
      String interval = intervals.name(i);
      long completeTo = intervals.completeTo(i, watermark);
      Long before = told.get(interval);
      if (completeTo > 0
          && (before == null ? completeTo * 1000 >= completeFrom : before < completeTo)) {
        told.put(interval, completeTo);
        out.collect(
            Tuple3.of(
                OutMessages.WATERMARK,
                interval.getBytes(StandardCharsets.UTF_8),
                encoder.encode(interval, completeTo)));
      }
    }
    register(context);
  }
}
