package io.tsdbsuite.stream.series;

import io.tsdbsuite.message.write.RollupPoint;
import io.tsdbsuite.message.write.RollupValues;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** A series with its state and timers, as Flink keeps them. */
final class OneSeries implements SeriesOutput, MoreState {
  final StreamIntervals intervals;
  final IncompleteTimes incomplete = new IncompleteTimes();
  final Map<Outcome, Integer> outcomes = new EnumMap<>(Outcome.class);
  final List<String> requests = new ArrayList<>();

  /** Hours and intervals that were told at once. */
  final List<String> told = new ArrayList<>();

  /** Hours that a job before has told. */
  long[] before = {};

  /** Emitted rollups by interval and start. */
  final Map<String, List<Object>> rollups = new TreeMap<>();

  final List<RequestReason> dirty = new ArrayList<>();
  int aggregated;
  int emitted;
  int closed;
  int dropped;
  byte @Nullable [] state;

  /** State of the further values; dropped or replaced by tests. */
  byte @Nullable [] more;

  /** The values of emitted rollups, by interval and start. */
  final Map<String, RollupValues> values = new TreeMap<>();

  int moreDropped;
  int histogramsLeft;

  /** False stands for a series of the same hash as another. */
  boolean isKept = true;

  /** Whether the further values are changed in place, as in Flink's heap. */
  boolean isInPlace;

  /** How often the further values were asked for. */
  int loads;

  private final SeriesAggregator aggregator;
  private final TreeSet<Long> timers = new TreeSet<>();
  private final StreamPoint point = new StreamPoint();
  private long watermark = Long.MIN_VALUE;

  OneSeries(StreamIntervals intervals) {
    this(intervals, Long.MIN_VALUE);
  }

  /** A series in a job that knows the native histograms from a time on, seconds. */
  OneSeries(StreamIntervals intervals, long histogramsFrom) {
    this.intervals = intervals;
    this.aggregator =
        new SeriesAggregator(
            intervals,
            incomplete,
            this,
            this,
            histogramsFrom == Long.MIN_VALUE ? histogramsFrom : histogramsFrom * 1000);
    byte[] names = new SeriesNames().encode("m", Map.of("host", "a"));
    if (names == null) {
      throw new AssertionError("legal names");
    }
    point.names = names;
    point.hash = SeriesHash.murmur3().of(names);
  }

  /** The same series in a job with other settings, from a checkpoint of now. */
  OneSeries in(StreamIntervals other) {
    return in(other, Long.MIN_VALUE);
  }

  OneSeries in(StreamIntervals other, long histogramsFrom) {
    OneSeries next = new OneSeries(other, histogramsFrom);
    next.state = state == null ? null : state.clone();
    next.more = more == null ? null : more.clone();
    next.timers.addAll(timers);
    next.watermark = watermark;
    return next;
  }

  /** Adds an integer on 8 bytes, with a time in seconds. */
  Outcome second(long seconds, long value) {
    return add(seconds * 1000, PointColumn.flags(false, false, 8), value);
  }

  Outcome add(long millis, int flags, long bits) {
    point.bits = bits;
    return add(millis, flags, StreamPoint.NO_CELL);
  }

  /** Adds a native histogram with a time in seconds, or in milliseconds. */
  Outcome histogram(long millis, boolean inMillis, byte[] cell) {
    return add(millis, PointColumn.flags(inMillis, false, 1), cell);
  }

  private Outcome add(long millis, int flags, byte[] cell) {
    point.millis = millis;
    point.flags = flags;
    point.cell = cell;
    Outcome outcome = aggregator.add(state, point, watermark, before);
    outcomes.merge(outcome, 1, Integer::sum);
    keep();
    return outcome;
  }

  void ahead(boolean ahead) {
    point.ahead = ahead;
  }

  /** The time of the messages of the next points, seconds since the epoch. */
  void message(long seconds) {
    point.messageMillis = seconds * 1000;
  }

  /** The next points come behind a gap of messages that ends at a time, seconds since the epoch. */
  void gap(long seconds) {
    point.messageMillis = -seconds * 1000;
  }

  /** The next points are of messages whose time is not known. */
  void noMessageTime() {
    point.messageMillis = Long.MIN_VALUE;
  }

  /** Advances the watermark, seconds since the epoch. */
  void watermark(long seconds) {
    watermark = seconds * 1000;
    while (!timers.isEmpty() && timers.first() <= watermark) {
      long time = timers.pollFirst();
      if (state != null) {
        aggregator.advance(state, point.hash, time);
        keep();
      }
    }
  }

  /** As {@link #watermark}, and a timer of this time fires. */
  void timer(long seconds) {
    timers.add(seconds * 1000);
    watermark(seconds);
  }

  void miss(long from, long to) {
    incomplete.add(from * 1000, to * 1000);
    if (state != null) {
      aggregator.miss(state, point.hash, from * 1000, to * 1000, watermark);
      state = aggregator.state();
    }
  }

  private void keep() {
    byte[] after = aggregator.state();
    // As a checkpoint does: nothing may depend on the spare bytes.
    state = after == null ? null : Arrays.copyOf(after, SeriesAggregator.length(after));
    if (aggregator.nextTimer() != 0) {
      timers.add(aggregator.nextTimer() * 1000L);
    }
  }

  int held() {
    return state == null ? 0 : aggregator.held(state);
  }

  int heldCells() {
    return more == null ? 0 : aggregator.heldCells(more);
  }

  int due(int interval, int start) {
    return intervals.due(interval, start, point.hash);
  }

  @Override
  public void rollup(
      byte[] names, int offset, int length, int interval, int start, RollupValues values) {
    RollupPoint series = new RollupPoint();
    SeriesNames.decode(names, offset, length, series);
    RollupValues copy = new RollupValues();
    copy.set(values);
    this.values.put(intervals.name(interval) + " " + start, copy);
    List<Object> before =
        rollups.put(
            intervals.name(interval) + " " + start,
            List.of(
                values.sum(),
                values.min(),
                values.max(),
                values.count(),
                series.metric().toString(),
                series.tagValue(0).toString()));
    if (before != null) {
      throw new AssertionError("emitted twice: " + intervals.name(interval) + " " + start);
    }
  }

  @Override
  public void request(
      byte[] names, int offset, int length, int hour, int mask, RequestReason reason) {
    requests.add(hour + wanted(mask) + " " + reason.text());
  }

  private String wanted(int mask) {
    StringBuilder wanted = new StringBuilder();
    for (int i = 0; i < intervals.size(); i++) {
      if ((mask & (1 << i)) != 0) {
        wanted.append(' ').append(intervals.name(i));
      }
    }
    return wanted.toString();
  }

  @Override
  public void ahead(byte[] names, int offset, int length, int hour, int mask) {
    told.add(hour + wanted(mask));
  }

  @Override
  public void aggregated(int points) {
    aggregated += points;
  }

  @Override
  public void closed() {
    closed++;
  }

  @Override
  public void emitted() {
    emitted++;
  }

  @Override
  public void moreDropped() {
    moreDropped++;
  }

  @Override
  public void histogramsLeft() {
    histogramsLeft++;
  }

  @Override
  public boolean isKept() {
    return isKept;
  }

  @Override
  public byte @Nullable [] load() {
    loads++;
    return more;
  }

  @Override
  public void save(byte @Nullable [] newMore) {
    more = newMore == null || isInPlace ? newMore : newMore.clone();
  }

  @Override
  public void dirty(RequestReason reason) {
    dirty.add(reason);
  }

  @Override
  public void requestDropped() {
    dropped++;
  }
}
