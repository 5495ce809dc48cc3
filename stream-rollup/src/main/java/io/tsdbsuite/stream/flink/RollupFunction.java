package io.tsdbsuite.stream.flink;

import io.tsdbsuite.message.write.MessageEncoder;
import io.tsdbsuite.message.write.MessageFormat;
import io.tsdbsuite.message.write.RollupPoint;
import io.tsdbsuite.message.write.RollupRequestEncoder;
import io.tsdbsuite.message.write.RollupValues;
import io.tsdbsuite.message.write.SeriesKey;
import io.tsdbsuite.stream.series.IncompleteTimes;
import io.tsdbsuite.stream.series.MoreState;
import io.tsdbsuite.stream.series.Outcome;
import io.tsdbsuite.stream.series.RequestReason;
import io.tsdbsuite.stream.series.SeriesAggregator;
import io.tsdbsuite.stream.series.SeriesNames;
import io.tsdbsuite.stream.series.SeriesOutput;
import io.tsdbsuite.stream.series.StreamIntervals;
import io.tsdbsuite.stream.series.StreamPoint;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.flink.api.common.state.ListState;
import org.apache.flink.api.common.state.ListStateDescriptor;
import org.apache.flink.api.common.state.MapState;
import org.apache.flink.api.common.state.MapStateDescriptor;
import org.apache.flink.api.common.state.ValueState;
import org.apache.flink.api.common.state.ValueStateDescriptor;
import org.apache.flink.api.common.typeinfo.PrimitiveArrayTypeInfo;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.api.common.typeutils.base.StringSerializer;
import org.apache.flink.api.java.tuple.Tuple2;
import org.apache.flink.api.java.tuple.Tuple3;
import org.apache.flink.metrics.Gauge;
import org.apache.flink.runtime.state.FunctionInitializationContext;
import org.apache.flink.runtime.state.FunctionSnapshotContext;
import org.apache.flink.streaming.api.TimerService;
import org.apache.flink.streaming.api.checkpoint.CheckpointedFunction;
import org.apache.flink.streaming.api.functions.co.KeyedBroadcastProcessFunction;
import org.apache.flink.util.Collector;
import org.apache.flink.util.OutputTag;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * All series of one task: finds the state of a series, gives it to {@link SeriesAggregator}, which
 * has the rules, and sends what comes out.
 *
 * <pre>
 *   points, by hash of the names          times of missing messages, to all tasks
 *                |                                       |
 *        processElement                       processBroadcastElement
 *                |                                       |
 *   +------------v---------------------------------------v---------------+
 *   | by hash:  series      one array, see SeriesEntry                   |
 *   |           more        of some series one array, see MoreBuckets    |
 *   |           collisions  names to array: other series of that hash    |
 *   | by task:  incomplete times, hours with points ahead, watermark     |
 *   +------------^-----------------------------+-------------------------+
 *                |                             |
 *             onTimer                    Emitter: rollups, requests, books
 * </pre>
 *
 * <ol>
 *   <li>A point goes to the array of its hash if that has its names or is not there yet, else to
 *       the array of its names in the collisions. A series stays where it began.
 *   <li>The aggregator changes the array, calls the emitter, and names its next timer. The state is
 *       updated only if the array is another one, or if the state is not one in the heap.
 *   <li>Of a series that {@code suite} selects the aggregator also changes the array in {@code
 *       more}. Series in the collisions have none: their rollups lack what it is for. A job of
 *       another {@code suite} has not read all native histograms: buckets that begin before its
 *       checkpoint was continued have no sums of them.
 *   <li>A timer, in event time, closes and emits what has ended. The last watermark of the
 *       checkpoint is the least one: the watermark starts at the beginning after a restart, and a
 *       late point would open its bucket a second time.
 *   <li>A range of missing messages is widened to ten minutes. If it is new, the buckets in it of
 *       each series are left to repair at once, because no timer can be registered there. Several
 *       tasks may report the same range.
 *   <li>A checkpoint has what belongs to the task in lists that each task reads whole, so that
 *       tasks can be added: the watermarks, and by the first task the incomplete times and the
 *       hours ahead. Intervals and slack must be those of the checkpoint.
 * </ol>
 */
final class RollupFunction
    extends KeyedBroadcastProcessFunction<
        Long, StreamPoint, Tuple2<Long, Long>, Tuple3<Byte, byte[], byte[]>>
    implements CheckpointedFunction {
  /** The times of which messages are missing; part of the state, for tasks that are added. */
  static final MapStateDescriptor<Long, Long> MISSED =
      new MapStateDescriptor<>("missed", Types.LONG, Types.LONG);

  /** One element of each task, for the timers of {@link WatermarkFunction}. */
  static final OutputTag<Byte> TICK = new OutputTag<>("tick", Types.BYTE);

  private static final long serialVersionUID = 1L;

  private static final Logger LOG = LoggerFactory.getLogger(RollupFunction.class);

  /**
   * Its {@code value()} returns the stored array, copied before if a checkpoint still needs it, so
   * that changes in it are kept. Every {@code update} would make the collector look at the series
   * again. Other states, such as RocksDB's or those with a changelog, need the update.
   */
  static final String HEAP_STATE = "org.apache.flink.runtime.state.heap.HeapValueState";

  private static final long MILLIS = 1000;
  private static final long DAY = 86_400_000;

  /** Ranges of missing messages are widened to multiples of this: many partitions have one. */
  private static final long ROUND_MILLIS = 600_000;

  private static final long[] NONE = {};

  private final StreamIntervals intervals;
  private final long firstTime;
  private final long completeFrom;
  private final Clock clock;
  private final HashMap<String, ArrayList<Long>> told;

  private transient Map<String, long[]> ahead;
  private transient ListState<Tuple2<String, Long>> aheadState;
  private transient Books books;
  private transient IncompleteTimes incomplete;
  private transient Emitter emitter;
  private transient SeriesAggregator aggregator;
  private transient More more;

  /** Whether {@link #more} may have values of series that {@code suite} selects no longer. */
  private transient boolean mayHaveLeft;

  private transient ValueStateDescriptor<byte[]> seriesState;
  private transient ValueState<byte[]> series;
  private transient boolean isStoredArray;
  private transient MapStateDescriptor<String, byte[]> collisionState;
  private transient MapState<String, byte[]> collisions;
  private transient ListState<Long> watermarks;
  private transient ListState<Tuple2<Long, Long>> incompleteState;
  private transient ListState<String> settings;

  /** The suite, and from when on the job has read its native histograms, ms since the epoch. */
  private transient ListState<Tuple2<String, Long>> histogramsState;

  private transient long histogramsFrom;
  private transient long restoredWatermark;
  private transient boolean ticked;
  private transient boolean crowdLogged;

  /** Of the first element or timer; read by the threads of metrics. */
  private transient volatile @Nullable TimerService timers;

  /**
   * Creates the function.
   *
   * @param firstTime time of the first message that is read if the job starts without a checkpoint,
   *     or before, milliseconds since the epoch; what had ended by then may not have been written
   * @param completeFrom time from which all messages are read if the job starts without a
   *     checkpoint, milliseconds since the epoch; a bucket that begins before is not emitted
   * @param told starts of hours with points ahead of their messages that a job before has read,
   *     seconds since the epoch, by the names in {@link SeriesNames} as ISO-8859-1
   * @param clock for the watermark's delay; must be serializable
   */
  @SuppressWarnings("NullAway.Init") // initializeState sets the transient fields.
  RollupFunction(
      StreamIntervals intervals,
      long firstTime,
      long completeFrom,
      Map<String, List<Long>> told,
      Clock clock) {
    this.told = new HashMap<>();
    told.forEach((names, hours) -> this.told.put(names, new ArrayList<>(hours)));
    this.intervals = intervals;
    this.firstTime = firstTime;
    this.clock = clock;
    this.completeFrom = completeFrom;
  }

  @Override
  public void initializeState(FunctionInitializationContext context) throws Exception {
    books =
        Books.open(
            context,
            getRuntimeContext(),
            Count.AGGREGATED,
            Count.REPLACED,
            Count.LATE,
            Count.AHEAD,
            Count.HELD,
            Count.CLOSED,
            Count.EMITTED,
            Count.DIRTY,
            Count.INCOMPLETE,
            Count.REQUESTED,
            Count.NOT_REQUESTED,
            Count.SERIES,
            Count.MORE_DROPPED,
            Count.HISTOGRAMS_LEFT);
    getRuntimeContext()
        .getMetricGroup()
        .addGroup(Books.GROUP)
        .gauge("watermarkDelay", (Gauge<Long>) this::watermarkDelay);
    incomplete = new IncompleteTimes();
    watermarks =
        context
            .getOperatorStateStore()
            .getUnionListState(new ListStateDescriptor<>("watermarks", Types.LONG));
    incompleteState =
        context
            .getOperatorStateStore()
            .getUnionListState(
                new ListStateDescriptor<>("incomplete", Types.TUPLE(Types.LONG, Types.LONG)));
    settings =
        context
            .getOperatorStateStore()
            .getUnionListState(new ListStateDescriptor<>("intervals", Types.STRING));
    aheadState =
        context
            .getOperatorStateStore()
            .getUnionListState(
                new ListStateDescriptor<>("ahead", Types.TUPLE(Types.STRING, Types.LONG)));
    histogramsState =
        context
            .getOperatorStateStore()
            .getUnionListState(
                new ListStateDescriptor<>("histograms", Types.TUPLE(Types.STRING, Types.LONG)));
    histogramsFrom = Long.MIN_VALUE;
    ahead = new HashMap<>();
    restoredWatermark = Long.MIN_VALUE;
    if (context.isRestored()) {
      Map<String, Set<Long>> restored = new HashMap<>();
      for (Tuple2<String, Long> each : aheadState.get()) {
        restored.computeIfAbsent(each.f0, names -> new HashSet<>()).add(each.f1);
      }
      restored.forEach((names, hours) -> ahead.put(names, array(hours)));
      for (String before : settings.get()) {
        if (!before.equals(fixed())) {
          throw StateVersionException.intervals(before, fixed());
        }
      }
      // After a restart the watermark starts at the beginning; without the old one a late point
      // would open its
      // bucket a second time.
      for (Long each : watermarks.get()) {
        restoredWatermark = Math.max(restoredWatermark, each);
      }
      for (Tuple2<Long, Long> each : incompleteState.get()) {
        incomplete.add(each.f0, each.f1);
      }
      // A message is ahead of the clock by the slack at most, and a histogram of its message.
      histogramsFrom = clock.millis() + 2 * MILLIS * intervals.slack();
      for (Tuple2<String, Long> each : histogramsState.get()) {
        if (each.f0.equals(intervals.suite().text())) {
          histogramsFrom = each.f1;
        }
      }
    } else {
      told.forEach((names, hours) -> ahead.put(names, array(hours)));
      incomplete.add(Long.MIN_VALUE, Math.min(firstTime, completeFrom));
      if (firstTime < completeFrom) {
        incomplete.add(firstTime, completeFrom);
      }
    }
    seriesState = new ValueStateDescriptor<>("series", new SeriesStateSerializer(intervals));
    series = context.getKeyedStateStore().getState(seriesState);
    isStoredArray = series.getClass().getName().equals(HEAP_STATE);
    collisionState =
        new MapStateDescriptor<>(
            "collisions", StringSerializer.INSTANCE, new SeriesStateSerializer(intervals));
    collisions = context.getKeyedStateStore().getMapState(collisionState);
    emitter = new Emitter(intervals, books);
    more =
        new More(
            context
                .getKeyedStateStore()
                .getState(
                    new ValueStateDescriptor<>(
                        "more", PrimitiveArrayTypeInfo.BYTE_PRIMITIVE_ARRAY_TYPE_INFO)),
            isStoredArray);
    mayHaveLeft = context.isRestored();
    aggregator = new SeriesAggregator(intervals, incomplete, emitter, more, histogramsFrom);
  }

  @Override
  public void snapshotState(FunctionSnapshotContext context) throws Exception {
    books.save();
    settings.update(List.of(fixed()));
    watermarks.update(List.of(Math.max(restoredWatermark, emitter.watermark)));
    List<Tuple2<Long, Long>> ranges = new ArrayList<>();
    List<Tuple2<String, Long>> hours = new ArrayList<>();
    // All tasks have them all.
    if (getRuntimeContext().getTaskInfo().getIndexOfThisSubtask() == 0) {
      for (int i = 0; i < incomplete.size(); i++) {
        ranges.add(Tuple2.of(incomplete.from(i), incomplete.to(i)));
      }
      long now = emitter.watermark;
      ahead.values().removeIf(all -> all[all.length - 1] * MILLIS + DAY + DAY < now);
      ahead.forEach(
          (names, all) -> {
            for (long hour : all) {
              hours.add(Tuple2.of(names, hour));
            }
          });
    }
    histogramsState.update(
        intervals.suite().hasHistograms()
            ? List.of(Tuple2.of(intervals.suite().text(), histogramsFrom))
            : List.of());
    incompleteState.update(ranges);
    aheadState.update(hours);
  }

  @Override
  public void processElement(
      StreamPoint point, ReadOnlyContext context, Collector<Tuple3<Byte, byte[], byte[]>> out)
      throws Exception {
    long watermark = watermark(context.currentWatermark());
    emitter.out = out;
    if (!ticked) {
      context.output(TICK, (byte) 0);
      ticked = true;
      timers = context.timerService();
    }
    byte[] before = series.value();
    if (before == null ? isCollision(point) : !aggregator.isOf(before, point.names)) {
      collide(point, watermark);
    } else {
      count(aggregator.add(before, point, watermark, aheadOf(before, point)), point);
      countSeries(before, aggregator.state());
      update(before);
    }
    register(context.timerService());
  }

  private long[] aheadOf(byte @Nullable [] before, StreamPoint point) {
    return before != null || ahead.isEmpty()
        ? NONE
        : ahead.getOrDefault(new String(point.names, StandardCharsets.ISO_8859_1), NONE);
  }

  private static long[] array(Collection<Long> hours) {
    return hours.stream().mapToLong(Long::longValue).sorted().toArray();
  }

  private void update(byte @Nullable [] before) throws Exception {
    byte[] after = aggregator.state();
    if (after != before || !isStoredArray) {
      series.update(after);
    }
    if (after == null && mayHaveLeft) {
      clearMore();
    }
  }

  /** Drops what a job of another suite has kept. */
  private void clearMore() throws IOException {
    byte[] left = more.state.value();
    if (left != null) {
      int held = aggregator.heldCells(left);
      if (held > 0) {
        emitter.aggregated(held);
      }
      more.state.clear();
    }
  }

  /** Whether a series keeps the state of a collision whose other series has ended. */
  private boolean isCollision(StreamPoint point) throws Exception {
    return !collisions.isEmpty()
        && collisions.contains(new String(point.names, StandardCharsets.ISO_8859_1));
  }

  /** Another series of the same hash has a state of its own. */
  private void collide(StreamPoint point, long watermark) throws Exception {
    String names = new String(point.names, StandardCharsets.ISO_8859_1);
    byte[] before = collisions.get(names);
    more.isOfCollision = true;
    count(aggregator.add(before, point, watermark, aheadOf(before, point)), point);
    more.isOfCollision = false;
    countSeries(before, aggregator.state());
    keep(collisions, names, aggregator.state());
  }

  /** What must not change between a checkpoint and the job that reads it. */
  private String fixed() {
    return SeriesStateSerializer.text(intervals) + " with a slack of " + intervals.slack() + " s";
  }

  private static void keep(MapState<String, byte[]> states, String names, byte @Nullable [] state)
      throws Exception {
    if (state == null) {
      states.remove(names);
    } else {
      states.put(names, state);
    }
  }

  /** A copy, since the states change while they are visited. */
  private static List<Map.Entry<String, byte[]>> entries(MapState<String, byte[]> states)
      throws Exception {
    List<Map.Entry<String, byte[]>> all = new ArrayList<>();
    states.entries().forEach(entry -> all.add(Map.entry(entry.getKey(), entry.getValue())));
    return all;
  }

  private void count(Outcome outcome, StreamPoint point) {
    switch (outcome) {
      case HELD -> books.add(Count.HELD, 1);
      case REPLACED -> books.add(Count.REPLACED, 1);
      case LATE -> books.add(Count.LATE, 1);
      case CROWDED -> {
        books.add(Count.LATE, 1);
        if (!crowdLogged) {
          crowdLogged = true;
          LOG.error(
              "very many points of {} wait, so further ones that are out of order are left to"
                  + " repair (late). Other such series are not named before the next start",
              emitter.name(point.names));
        }
      }
      case AHEAD -> books.add(Count.AHEAD, 1);
    }
  }

  private void countSeries(byte @Nullable [] before, byte @Nullable [] after) {
    if ((before == null) != (after == null)) {
      books.add(Count.SERIES, before == null ? 1 : -1);
    }
  }

  /** How far the watermark is behind the clock, ms; -1 before the first element. */
  private long watermarkDelay() {
    TimerService known = timers;
    long watermark = known == null ? Long.MIN_VALUE : known.currentWatermark();
    return watermark == Long.MIN_VALUE || watermark == Long.MAX_VALUE
        ? -1
        : clock.millis() - watermark;
  }

  private long watermark(long current) {
    long watermark = Math.max(restoredWatermark, current);
    emitter.watermark = watermark;
    return watermark;
  }

  private void register(TimerService timers) {
    int next = aggregator.nextTimer();
    if (next != 0) {
      timers.registerEventTimeTimer(next * MILLIS);
    }
  }

  @Override
  public void onTimer(
      long time, OnTimerContext context, Collector<Tuple3<Byte, byte[], byte[]>> out)
      throws Exception {
    if (context.currentWatermark() == Long.MAX_VALUE) {
      // The job is drained: no bucket that is open is complete.
      return;
    }
    if (timers == null) {
      timers = context.timerService();
    }
    watermark(context.currentWatermark());
    emitter.out = out;
    long hash = context.getCurrentKey();
    byte[] before = series.value();
    if (before != null) {
      if (mayHaveLeft && aggregator.hasNoMore(before)) {
        clearMore();
      }
      aggregator.advance(before, hash, time);
      countSeries(before, aggregator.state());
      update(before);
      register(context.timerService());
    }
    if (!collisions.isEmpty()) {
      more.isOfCollision = true;
      for (Map.Entry<String, byte[]> each : entries(collisions)) {
        aggregator.advance(each.getValue(), hash, time);
        countSeries(each.getValue(), aggregator.state());
        keep(collisions, each.getKey(), aggregator.state());
        register(context.timerService());
      }
      more.isOfCollision = false;
    }
  }

  @Override
  public void processBroadcastElement(
      Tuple2<Long, Long> missed, Context context, Collector<Tuple3<Byte, byte[], byte[]>> out)
      throws Exception {
    emitter.out = out;
    long watermark = watermark(context.currentWatermark());
    if (watermark != Long.MIN_VALUE) {
      incomplete.forget(watermark - 2 * DAY);
    }
    long from = missed.f0 - Math.floorMod(missed.f0, ROUND_MILLIS);
    long to = missed.f1 + Math.floorMod(-missed.f1, ROUND_MILLIS);
    if (!incomplete.add(from, to)) {
      // Several tasks may tell it.
      return;
    }
    // Timers cannot be registered here.
    context.applyToKeyedState(
        seriesState,
        (hash, state) -> {
          byte[] before = state.value();
          if (before != null) {
            aggregator.miss(before, hash, from, to, watermark);
            countSeries(before, aggregator.state());
            // Of the present key, whose state this is.
            update(before);
          }
        });
    more.isOfCollision = true;
    context.applyToKeyedState(
        collisionState,
        (hash, state) -> {
          for (Map.Entry<String, byte[]> each : entries(state)) {
            aggregator.miss(each.getValue(), hash, from, to, watermark);
            countSeries(each.getValue(), aggregator.state());
            keep(state, each.getKey(), aggregator.state());
          }
        });
    more.isOfCollision = false;
  }

  /** The further values of the series with the present key. */
  private static final class More implements MoreState {
    private final ValueState<byte[]> state;
    private final boolean isStoredArray;
    private byte @Nullable [] loaded;

    /** The state is that of the first series of the key. */
    private boolean isOfCollision;

    More(ValueState<byte[]> state, boolean isStoredArray) {
      this.state = state;
      this.isStoredArray = isStoredArray;
    }

    @Override
    public boolean isKept() {
      return !isOfCollision;
    }

    @Override
    public byte @Nullable [] load() {
      try {
        loaded = isOfCollision ? null : state.value();
        return loaded;
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }

    @Override
    public void save(byte @Nullable [] more) {
      if (isOfCollision || (more == loaded && (more == null || isStoredArray))) {
        return;
      }
      try {
        state.update(more);
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }

  /** Makes the messages of one task. */
  private static final class Emitter implements SeriesOutput {
    private final StreamIntervals intervals;
    private final Books books;
    private final RollupPoint point = new RollupPoint();
    private final SeriesKey key = new SeriesKey();
    private final MessageEncoder rollups = MessageFormat.ROLLUP.encoder(0);
    private final RollupRequestEncoder requests = new RollupRequestEncoder();
    private @Nullable Collector<Tuple3<Byte, byte[], byte[]>> out;
    private long watermark = Long.MIN_VALUE;

    Emitter(StreamIntervals intervals, Books books) {
      this.intervals = intervals;
      this.books = books;
    }

    @Override
    public void rollup(
        byte[] names, int offset, int length, int interval, int start, RollupValues values) {
      SeriesNames.decode(names, offset, length, point);
      point.set(start, intervals.name(interval));
      point.rollup().set(values);
      // A histogram alone deletes the values of its time. They win if the bucket is emitted again,
      // by a job that restarts and then finds points.
      long end = (start + (long) intervals.seconds(interval)) * MILLIS;
      rollups.asOf(values.hasValues() ? end : end - 1);
      send(OutMessages.ROLLUP, rollups.encode(point, 0).toByteArray());
    }

    @Override
    public void request(
        byte[] names, int offset, int length, int hour, int mask, RequestReason reason) {
      ask(names, offset, length, hour, mask, reason);
      books.add(Count.REQUESTED, 1);
    }

    /** kafka-ingest leaves buckets alone that had not ended when they were requested. */
    @Override
    public void ahead(byte[] names, int offset, int length, int hour, int mask) {
      ask(names, offset, length, hour, mask, RequestReason.AHEAD);
    }

    private void ask(
        byte[] names, int offset, int length, int hour, int mask, RequestReason reason) {
      SeriesNames.decode(names, offset, length, point);
      List<String> wanted = new ArrayList<>();
      for (int i = 0; i < intervals.size(); i++) {
        if ((mask & (1 << i)) != 0) {
          wanted.add(intervals.name(i));
        }
      }
      send(OutMessages.REQUEST, requests.encode(point, hour, wanted, reason.text()));
    }

    String name(byte[] names) {
      SeriesNames.decode(names, 0, names.length, point);
      return new String(key.of(point).toByteArray(), StandardCharsets.UTF_8);
    }

    private void send(byte topic, byte[] value) {
      Collector<Tuple3<Byte, byte[], byte[]>> target = out;
      if (target == null) {
        throw new IllegalStateException("no collector");
      }
      target.collect(Tuple3.of(topic, key.of(point).toByteArray(), value));
    }

    @Override
    public void aggregated(int points) {
      books.add(Count.AGGREGATED, points);
      books.add(Count.HELD, -points);
    }

    @Override
    public void closed() {
      books.add(Count.CLOSED, 1);
    }

    @Override
    public void emitted() {
      books.add(Count.EMITTED, 1);
    }

    @Override
    public void moreDropped() {
      books.add(Count.MORE_DROPPED, 1);
    }

    @Override
    public void histogramsLeft() {
      books.add(Count.HISTOGRAMS_LEFT, 1);
    }

    @Override
    public void dirty(RequestReason reason) {
      books.add(reason == RequestReason.STARTED ? Count.INCOMPLETE : Count.DIRTY, 1);
    }

    @Override
    public void requestDropped() {
      books.add(Count.NOT_REQUESTED, 1);
    }
  }
}
