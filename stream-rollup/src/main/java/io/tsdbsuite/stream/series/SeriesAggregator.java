package io.tsdbsuite.stream.series;

import io.tsdbsuite.format.row.PointSummary;
import io.tsdbsuite.format.row.Values;
import io.tsdbsuite.message.write.RollupValues;
import org.jspecify.annotations.Nullable;

/**
 * Sums up one series after another: {@link #add} for each point, {@link #advance} when a timer
 * fires. What it keeps is in the array of the series, so one object serves all. Not thread-safe.
 *
 * <pre>
 *   closed buckets         open bucket of       points that wait,      points ahead:
 *   wait for their turn    each interval        in order of time       requests, marks
 *   -----------------------------------------|----------------------|----------------
 *                                        time - slack              time
 *         late: left to repair               |    held
 * </pre>
 *
 * <ol>
 *   <li>The time of the series is the watermark, up to which all records were read, or the time of
 *       its own messages less {@link #LEAD} if that is later. Messages without a usable time have
 *       that of the middle one of the points that wait.
 *   <li>Points older than time less slack are added, the oldest first, to the open bucket of each
 *       interval. A point of another bucket closes the open one. Each interval has a sum of its
 *       own, because sums of doubles depend on their order.
 *   <li>The new point is placed: late, ahead or out of order among very many, then its buckets are
 *       left to repair; at an instant that waits already, then it replaces the value or marks a
 *       conflict; else it waits. Native histograms wait in {@link HistogramCells}, by the same
 *       rules, and are added in one order of time with the points.
 *   <li>{@link #advance} also closes the buckets that have ended, and emits those whose delay, a
 *       hash of the series within the spread, is over: as a rollup, or as a request if anything
 *       left the bucket to repair or messages of its time are missing.
 *   <li>Requests are due when their bucket has ended, and a minute after the first; those of one
 *       hour are one request. Without room for a request, the time of the farthest bucket becomes a
 *       mark: no bucket that opens there is emitted.
 *   <li>The next timer is that of the first bucket, request or mark that is due.
 * </ol>
 *
 * <p>The rules, each with a test in SeriesAggregatorTest, are in docs/stream-rollup.md. Times are
 * those of Kafka's records.
 */
public final class SeriesAggregator {
  private static final int HOUR = 3600;
  private static final long[] NONE = {};
  private static final long MILLIS = 1000;

  /** The state has times of 31 bits, with room for a day and its emission: January 2038. */
  private static final long LAST_SECOND = Integer.MAX_VALUE - 4L * 24 * HOUR;

  /** A start of 0 means no bucket in the state, so the first day of 1970 has none. */
  private static final long FIRST_SECOND = 24L * HOUR;

  /** A gap of messages is requested for its last two days at most, seconds. */
  private static final int MOST_MISSED = 2 * 24 * HOUR;

  /** Requests of one hour that come within this time are one request, seconds. */
  private static final int REQUEST_DELAY = 60;

  /**
   * How far a series may be ahead of the watermark, ms. Normally the source holds its partition
   * back long before; while another partition has no watermark it does not, and the series goes on
   * by the time of its own messages. So it holds no more points than those of this time and the
   * slack.
   */
  public static final long LEAD = 1_800_000;

  /** A series whose messages have no time goes on when it holds this many points at least. */
  private static final int LEAST_HELD = 64;

  /**
   * The state has room for 255 closed buckets; of those that end at once all are emitted before.
   */
  private static final int MANY_CLOSED = 200;

  /**
   * Among this many points none is searched: a producer that shuffles a message of one series must
   * not hold up the task. Twice as many as wait at most of a series with a point every 0.5 s.
   */
  private static final int MOST_SEARCHED = 10_000;

  /** Hours between two marks that become one are told if they are not more. */
  private static final int MOST_TOLD = 48;

  private final StreamIntervals intervals;
  private final IncompleteTimes incomplete;
  private final SeriesOutput output;
  private final SeriesEntry entry;
  private final WaitingPoints waiting;
  private final PointSummary summary = new PointSummary();
  private final RollupValues values = new RollupValues();
  private final MoreSelections selections;
  private final MoreBuckets more;
  private final MoreState moreState;

  /** Of the series, if {@link #selection} was called for it. */
  private MoreSelections.@Nullable Of selection;

  private int nextTimer;

  /** Whether the call has added what may be due before the registered timer. */
  private boolean isSooner;

  /** That of the last call; a series may be ahead of it. */
  private long watermark;

  /** Whether the last call found that the state is not needed any more. */
  private boolean isForgotten;

  /** Whether the last call left nothing that waits, neither in the state nor in the further one. */
  private boolean isIdle;

  /**
   * Creates an aggregator.
   *
   * @param incomplete times of which a bucket is never emitted; may change between calls
   * @param moreState asked for series of metrics that {@code suite} selects
   * @param cellsFrom buckets that begin before may lack native histograms, which a job of another
   *     {@code suite} has read, ms since the epoch; Long.MIN_VALUE if there are none
   */
  public SeriesAggregator(
      StreamIntervals intervals,
      IncompleteTimes incomplete,
      SeriesOutput output,
      MoreState moreState,
      long cellsFrom) {
    this.intervals = intervals;
    this.incomplete = incomplete;
    this.output = output;
    this.entry = new SeriesEntry(intervals.size());
    this.waiting = new WaitingPoints(entry);
    this.selections = new MoreSelections(intervals);
    this.more = new MoreBuckets(entry, intervals, cellsFrom);
    this.moreState = moreState;
  }

  /** Whether a state belongs to the series with these names: two series may have one hash. */
  public boolean isOf(byte[] state, byte[] names) {
    entry.wrap(state);
    return entry.hasNames(names);
  }

  /** Whether {@code suite} selects nothing for the series with a state. */
  public boolean hasNoMore(byte[] state) {
    entry.wrap(state);
    return selections.of(entry.array(), entry.namesOffset()).isEmpty();
  }

  /** Number of native histograms that wait in a state of further values. */
  public int heldCells(byte[] moreState) {
    return more.waitingCells(moreState);
  }

  /** Number of points of a series that wait in the order of time. */
  public int held(byte[] state) {
    entry.wrap(state);
    return entry.points();
  }

  /**
   * The state of today for one that version 1 of the state has written.
   *
   * @param state exactly the bytes in use
   * @param intervals number of intervals
   * @throws IllegalArgumentException when the bytes are no such state
   */
  public static byte[] convertVersion1(byte[] state, int intervals) {
    return SeriesEntryV1.convert(state, intervals);
  }

  /** Length of an array that has room for a state and its next points, bytes. */
  public static int capacity(int length) {
    return length + SeriesEntry.SPARE;
  }

  /** Bytes of a state array that are in use; the rest need not be saved. */
  public static int length(byte[] state) {
    return SeriesEntry.used(state);
  }

  /**
   * Takes a point.
   *
   * @param state what the last call returned by {@link #state}; null for a new series
   * @param point the point
   * @param watermark milliseconds since the epoch; Long.MIN_VALUE before the first one
   */
  public Outcome add(byte @Nullable [] state, StreamPoint point, long watermark) {
    return add(state, point, watermark, NONE);
  }

  /**
   * Takes a point.
   *
   * @param ahead starts of hours in which a new series has points that a job before has read;
   *     seconds since the epoch
   */
  public Outcome add(byte @Nullable [] state, StreamPoint point, long watermark, long[] ahead) {
    this.watermark = watermark;
    isForgotten = false;
    selection = null;
    isSooner = state == null;
    if (state != null) {
      entry.wrap(state);
    }
    long message =
        point.messageMillis >= 0 || state == null
            ? point.messageMillis
            : ownTime(point.messageMillis);
    long own = message < LEAD ? Long.MIN_VALUE : message - LEAD;
    long time = Math.max(watermark, own);
    if (state == null) {
      entry.create(point.names, lateBefore(time));
      for (int i = 0; i < incomplete.size(); i++) {
        if (incomplete.isRequested(i, entry.lateBefore())) {
          missBefore(incomplete.from(i), incomplete.to(i), time);
        }
      }
      for (long hour : ahead) {
        expect(hour, time);
      }
    } else {
      release(point.hash, time);
    }
    if (own > watermark) {
      finish(point.hash, own);
    }
    Outcome outcome = place(point, time);
    schedule(point.hash);
    keepMore();
    return outcome;
  }

  /** What {@code suite} selects for the series; loads its further values with the first call. */
  private MoreSelections.Of selection() {
    MoreSelections.Of known = selection;
    if (known == null) {
      known = selections.of(entry.array(), entry.namesOffset());
      selection = known;
      if (!known.isEmpty()) {
        more.wrap(moreState.load());
        more.match(known);
      }
    }
    return known;
  }

  /** Whether nothing waits; native histograms of a series without points are no part of entry. */
  private boolean isIdle() {
    return entry.isEmpty() && (selection().isEmpty() || more.firstCell() == Long.MAX_VALUE);
  }

  private void keepMore() {
    isIdle = isIdle();
    if (selection != null && !selection.isEmpty()) {
      moreState.save(more.isEmpty() ? null : more.array());
    }
  }

  /**
   * The time of a series whose messages tell none: that of the point in the middle of those that
   * wait, so that one wrong clock moves nothing. It is looked for when their number has grown by an
   * eighth.
   *
   * @param gap {@link StreamPoint#messageMillis}
   * @return milliseconds since the epoch; Long.MIN_VALUE if it must wait for the watermark
   */
  private long ownTime(long gap) {
    int held = entry.points();
    if (held < LEAST_HELD
        || held % (Integer.highestOneBit(held) >> 3) != 0
        || (gap != Long.MIN_VALUE && !incomplete.meets(-gap - 1, -gap))) {
      return Long.MIN_VALUE;
    }
    waiting.last();
    if (waiting.time() - LEAD <= watermark) {
      return Long.MIN_VALUE;
    }
    waiting.middle();
    return waiting.time();
  }

  /** Closes and emits what has ended. */
  private void finish(long hash, long time) {
    int now = (int) Math.floorDiv(time, MILLIS);
    if (!selection().isEmpty()) {
      releaseCells(hash, entry.lateBefore(), now);
    }
    closeEnded(hash, now);
    emitDue(hash, now);
    requestDue(now);
    entry.trim();
  }

  /**
   * Emits what is due.
   *
   * @param time time of the timer, or the watermark; milliseconds since the epoch
   */
  public void advance(byte[] state, long hash, long time) {
    entry.wrap(state);
    isForgotten = false;
    selection = null;
    watermark = time;
    entry.timer(0);
    release(hash, time);
    finish(hash, time);
    schedule(hash);
    keepMore();
  }

  /**
   * Leaves all buckets of a range to repair, also those of which no point was seen. A series
   * without a state does the same with its first point, see {@link IncompleteTimes#isRequested}. So
   * does one whose state is only kept: it may have ended.
   *
   * @param from milliseconds since the epoch
   * @param to exclusive
   * @param watermark milliseconds since the epoch
   */
  public void miss(byte[] state, long hash, long from, long to, long watermark) {
    this.watermark = watermark;
    selection = null;
    entry.wrap(state);
    isIdle = isIdle();
    isForgotten = isIdle && lateUntil() <= watermark;
    if (isForgotten) {
      return;
    }
    release(hash, watermark);
    // No timer can be registered here. Where a point or the registered timer finds the requests
    // within a minute, those of several gaps become one.
    int now = (int) Math.max(0, watermark / MILLIS);
    boolean isSoon = entry.timer() != 0 && entry.timer() <= now + REQUEST_DELAY;
    // The widest first: narrow ones may fill the room for requests.
    for (int i = intervals.size() - 1; i >= 0; i--) {
      miss(i, from / MILLIS, to, isSoon ? now + REQUEST_DELAY : now);
    }
    requestDue(now);
    keepMore();
  }

  /** The same, with the buckets that had ended before and may not have been emitted yet. */
  private void missBefore(long from, long to, long watermark) {
    for (int i = intervals.size() - 1; i >= 0; i--) {
      long first = from / MILLIS - intervals.slack() - intervals.spread(i);
      miss(i, first, to, soon(watermark));
    }
  }

  /** Leaves the buckets of an hour that have not ended to repair. */
  private void expect(long hour, long watermark) {
    if (hour > LAST_SECOND) {
      return;
    }
    for (int i = 0; i < intervals.size(); i++) {
      int start = intervals.start(i, (int) hour);
      for (; start < hour + HOUR; start += intervals.seconds(i)) {
        if ((start + (long) intervals.seconds(i)) * MILLIS > entry.lateBefore()) {
          leaveToRepair(i, start, RequestReason.AHEAD, soon(watermark));
        }
      }
    }
  }

  private void miss(int interval, long from, long to, int soon) {
    long first = Math.max(from, Math.max(FIRST_SECOND, to / MILLIS - MOST_MISSED));
    for (int start = intervals.start(interval, (int) first);
        start * MILLIS < to;
        start += intervals.seconds(interval)) {
      leaveToRepair(interval, start, RequestReason.STARTED, soon);
    }
  }

  /** The state after the last call; null if nothing of the series need be kept. */
  public byte @Nullable [] state() {
    return isIdle && (isForgotten || keptUntil() <= watermark) ? null : entry.array();
  }

  /**
   * Until when a series without points is kept, ms: it knows that it has requested what it may have
   * lacked, and which points are late if it was ahead of the watermark.
   */
  private long keptUntil() {
    return Math.max(incomplete.requestedUntil(), lateUntil());
  }

  /** Until when the state knows that points are late which are not by the watermark, ms. */
  private long lateUntil() {
    long before = entry.lateBefore();
    return before == Long.MIN_VALUE ? before : before + intervals.slack() * MILLIS;
  }

  /** Time of the timer to register, seconds since the epoch; 0 if none is needed. */
  public int nextTimer() {
    return nextTimer;
  }

  private long lateBefore(long watermark) {
    long slack = intervals.slack() * MILLIS;
    return watermark < Long.MIN_VALUE + slack ? Long.MIN_VALUE : watermark - slack;
  }

  private Outcome place(StreamPoint point, long watermark) {
    boolean isCell = point.cell.length > 0;
    int changed = isCell ? selection().histograms() : -1;
    if (point.millis / MILLIS < FIRST_SECOND) {
      output.requestDropped();
      return Outcome.LATE;
    }
    if (point.ahead || point.millis / MILLIS > LAST_SECOND) {
      leaveToRepair(point.millis, changed, RequestReason.AHEAD, watermark);
      return Outcome.AHEAD;
    }
    if (point.millis < entry.lateBefore()) {
      leaveToRepair(point.millis, changed, RequestReason.LATE, watermark);
      return Outcome.LATE;
    }
    if (isCell) {
      isSooner = true;
      Outcome outcome = moreState.isKept() ? more.cells().put(point) : Outcome.LATE;
      if (outcome == Outcome.LATE) {
        leaveToRepair(point.millis, changed, RequestReason.LATE, watermark);
      }
      return outcome;
    }
    if (entry.points() >= MOST_SEARCHED && waiting.isBeforeLast(point.millis)) {
      leaveToRepair(point.millis, changed, RequestReason.LATE, watermark);
      return Outcome.CROWDED;
    }
    if (waiting.seek(point.millis)) {
      replace(point);
      return Outcome.REPLACED;
    }
    isSooner |= waiting.insert(point.millis, point.flags, point.bits);
    return Outcome.HELD;
  }

  /**
   * A put to the same column replaces the value. Another column with the same bytes is the same
   * point for a TSD; with other bytes its answer depends on the cells' timestamps, which only HBase
   * knows.
   */
  private void replace(StreamPoint point) {
    int flags = waiting.flags();
    int marks = flags & (SeriesEntry.TWO_COLUMNS | SeriesEntry.CONFLICT);
    boolean sameColumn = (flags & SeriesEntry.COLUMN) == point.flags;
    // An integer and a float with the same bytes are two values.
    boolean sameBytes =
        waiting.bits() == point.bits
            && (flags & PointColumn.VALUE) == (point.flags & PointColumn.VALUE);
    if (!sameColumn) {
      marks |= sameBytes ? SeriesEntry.TWO_COLUMNS : SeriesEntry.CONFLICT;
    } else if (marks != 0 && !sameBytes) {
      marks |= SeriesEntry.CONFLICT;
    }
    waiting.replace(point.flags | marks, point.bits);
  }

  /** Adds the points that are older than the slack to their buckets. */
  private void release(long hash, long time) {
    long before = lateBefore(time);
    if (before <= entry.lateBefore()) {
      return;
    }
    entry.lateBefore(before);
    int count = 0;
    for (boolean found = waiting.first();
        found && waiting.time() < before;
        found = waiting.next()) {
      aggregate(hash, (int) Math.floorDiv(time, MILLIS));
      count++;
    }
    if (count > 0) {
      waiting.removeBefore(count);
      output.aggregated(count);
    }
  }

  private void aggregate(long hash, int now) {
    int flags = waiting.flags();
    double value =
        Values.toDouble(PointColumn.isFloat(flags), PointColumn.length(flags), waiting.bits());
    int time = (int) (waiting.time() / MILLIS);
    boolean conflict = (flags & SeriesEntry.CONFLICT) != 0;
    MoreSelections.Of selected = selection();
    if (!selected.isEmpty()) {
      releaseCells(hash, waiting.time() + 1, now);
    }
    for (int interval = 0; interval < intervals.size(); interval++) {
      // Of no bucket the start is 0, and no point is of the first day. A division takes longer.
      int before = entry.start(interval);
      if (time < before || time - before >= intervals.seconds(interval)) {
        open(interval, intervals.start(interval, time), hash, now);
      }
      entry.load(interval, summary);
      summary.add(value);
      entry.save(interval, summary);
      if (conflict) {
        entry.reason(interval, RequestReason.DUPLICATE.code());
      }
    }
    if (!selected.isEmpty()) {
      more.add(value, selected);
    }
  }

  /** Adds native histograms of before a time to the sums of their buckets. */
  private void releaseCells(long hash, long before, int now) {
    if (more.firstCell() >= before) {
      return;
    }
    HistogramCells cells = more.cells();
    int count = 0;
    for (; cells.first() < before; cells.remove()) {
      int time = (int) (cells.first() / MILLIS);
      for (int interval = 0; interval < intervals.size(); interval++) {
        if (selection().hasHistogram(interval)) {
          int start = intervals.start(interval, time);
          if (entry.start(interval) != start) {
            open(interval, start, hash, now);
          }
          if (cells.isTwice()) {
            entry.reason(interval, RequestReason.DUPLICATE.code());
          }
          cells.add(interval, start);
        }
      }
      count++;
    }
    output.aggregated(count);
  }

  private void open(int interval, int start, long hash, int now) {
    if (entry.start(interval) != 0) {
      close(interval, hash, now);
    }
    entry.open(interval, start);
    isSooner = true;
    if (selection().has(interval)) {
      more.open(interval, start);
    }
    if (start < entry.unmarkedBefore()) {
      entry.reason(interval, RequestReason.LATE.code());
    }
    for (int i = entry.requests() - 1; i >= 0; i--) {
      if (entry.requestInterval(i) == interval && entry.requestStart(i) == start) {
        entry.reason(interval, entry.requestReason(i));
        entry.removeRequest(i);
      } else if (entry.isMark(i)
          && start < entry.markEnd(i)
          && entry.requestStart(i) < start + intervals.seconds(interval)) {
        entry.reason(interval, RequestReason.AHEAD.code());
      }
    }
  }

  private void close(int interval, long hash, int now) {
    if (entry.closed() >= MANY_CLOSED) {
      emitDue(hash, now);
    }
    if (!selection().isEmpty()) {
      more.close(interval, selection());
    }
    entry.close(interval);
  }

  private void closeEnded(long hash, int now) {
    for (int i = 0; i < intervals.size(); i++) {
      int start = entry.start(i);
      if (start != 0 && (start + (long) intervals.seconds(i)) * MILLIS <= entry.lateBefore()) {
        close(i, hash, now);
      }
    }
  }

  private void emitDue(long hash, int now) {
    for (int i = entry.closed() - 1; i >= 0; i--) {
      int interval = entry.closedInterval(i);
      int start = entry.closedStart(i);
      if (intervals.due(interval, start, hash) <= now) {
        emit(i, interval, start, now);
        entry.removeClosed(i);
        output.closed();
      }
    }
  }

  private void emit(int i, int interval, int start, int now) {
    long from = start * MILLIS;
    if (incomplete.meets(from, from + intervals.seconds(interval) * MILLIS)) {
      entry.closedReason(i, RequestReason.STARTED.code());
    }
    entry.loadClosed(i, summary);
    if (summary.count() > 0) {
      values.set(summary.sum(), summary.min(), summary.max(), summary.count());
    } else {
      values.clear();
    }
    boolean hasAll = selection().isEmpty() || more.take(interval, start, selection(), values);
    boolean hasNothing = values.isDeletion();
    if (hasNothing && !selection().hasHistogram(interval)) {
      // The suite has changed since the histograms were read.
      entry.closedReason(i, RequestReason.STARTED.code());
    }
    if (!values.isFinite()) {
      entry.closedReason(i, RequestReason.NOT_FINITE.code());
    }
    byte reason = entry.closedReason(i);
    if (reason == 0 && hasNothing) {
      output.histogramsLeft();
    } else if (reason == 0) {
      output.rollup(
          entry.array(), entry.namesOffset(), entry.namesLength(), interval, start, values);
      output.emitted();
      if (!hasAll) {
        output.moreDropped();
      }
    } else {
      output.dirty(RequestReason.of(reason));
      if (entry.isFull()) {
        // It is due at once: it takes no room of others.
        output.request(
            entry.array(),
            entry.namesOffset(),
            entry.namesLength(),
            start - start % HOUR,
            1 << interval,
            RequestReason.of(reason));
      } else {
        request(interval, start, reason, now);
      }
    }
  }

  /**
   * Leaves the buckets of an instant to repair.
   *
   * @param changed a bit for each interval whose bucket the point or histogram changes
   */
  private void leaveToRepair(long millis, int changed, RequestReason reason, long watermark) {
    if (millis / MILLIS > LAST_SECOND) {
      output.requestDropped();
      return;
    }
    int second = (int) (millis / MILLIS);
    int added = 0;
    for (int interval = 0; interval < intervals.size(); interval++) {
      if ((changed & (1 << interval)) != 0
          && leaveToRepair(interval, intervals.start(interval, second), reason, soon(watermark))) {
        added |= 1 << interval;
      }
    }
    if (added != 0 && reason == RequestReason.AHEAD) {
      int hour = second - second % HOUR;
      output.ahead(entry.array(), entry.namesOffset(), entry.namesLength(), hour, added);
    }
  }

  /**
   * When a request is due that others may join, seconds since the epoch; 0 if time is not known.
   */
  private static int soon(long watermark) {
    return watermark == Long.MIN_VALUE ? 0 : (int) (watermark / MILLIS + REQUEST_DELAY);
  }

  /** Returns whether it is new that a bucket is left to repair. */
  private boolean leaveToRepair(int interval, int start, RequestReason reason, int soon) {
    if (entry.start(interval) == start) {
      boolean isNew = entry.reason(interval) == 0;
      entry.reason(interval, reason.code());
      return isNew;
    }
    for (int i = 0; i < entry.closed(); i++) {
      if (entry.closedInterval(i) == interval && entry.closedStart(i) == start) {
        entry.closedReason(i, reason.code());
        return false;
      }
    }
    // Not before the bucket has ended: a repair must not write a part of it.
    int ended = start + intervals.seconds(interval) + intervals.slack();
    return request(interval, start, reason.code(), Math.max(ended, soon));
  }

  /**
   * One request for each bucket; a later one does not delay it. If there is no room, that of the
   * farthest bucket of the future makes room: a clock that is wrong for days must not hide what
   * becomes of the present.
   *
   * @return whether it was not known before
   */
  private boolean request(int interval, int start, byte reason, int due) {
    for (int i = 0; i < entry.requests(); i++) {
      if (entry.requestInterval(i) == interval && entry.requestStart(i) == start) {
        return false;
      }
    }
    while (entry.isFull()) {
      output.requestDropped();
      int farthest = farthest();
      if (farthest < 0 || (entry.requestStart(farthest) <= start && entry.hasRoomForMark())) {
        return mark(start, start + intervals.seconds(interval));
      }
      int from = entry.requestStart(farthest);
      int to = from + intervals.seconds(entry.requestInterval(farthest));
      entry.removeRequest(farthest);
      mark(from, to);
    }
    entry.addRequest(start, interval, reason, due);
    return true;
  }

  /** The request of the bucket that begins last, if it has not begun; -1 without. */
  private int farthest() {
    int farthest = -1;
    for (int i = 0; i < entry.requests(); i++) {
      if (!entry.isMark(i)
          && entry.requestStart(i) * MILLIS > entry.lateBefore() + intervals.slack() * MILLIS
          && (farthest < 0 || entry.requestStart(i) > entry.requestStart(farthest))) {
        farthest = i;
      }
    }
    return farthest;
  }

  /**
   * Takes note of times without room for a request: no bucket that opens there is emitted.
   *
   * @return whether they were not known before
   */
  private boolean mark(int start, int end) {
    if (end * MILLIS <= entry.lateBefore()) {
      return false;
    }
    int nearest = -1;
    int least = Integer.MAX_VALUE;
    int marks = 0;
    for (int i = 0; i < entry.requests(); i++) {
      if (entry.isMark(i)) {
        if (entry.requestStart(i) <= start && end <= entry.markEnd(i)) {
          return false;
        }
        marks++;
        int between = Math.max(0, Math.max(start - entry.markEnd(i), entry.requestStart(i) - end));
        if (between < least) {
          least = between;
          nearest = i;
        }
      }
    }
    if (nearest >= 0 && (least == 0 || marks == SeriesEntry.MOST_MARKS)) {
      int from = Math.min(start, entry.requestStart(nearest));
      int to = Math.max(end, entry.markEnd(nearest));
      int between = Math.min(end, entry.markEnd(nearest));
      entry.removeRequest(nearest);
      entry.addMark(from, to);
      tellAhead(between, between + least);
    } else {
      if (!entry.hasRoomForMark()) {
        entry.removeRequest(0);
        output.requestDropped();
      }
      entry.addMark(start, end);
    }
    if (end - start > HOUR) {
      tellAhead(start, end);
    }
    return true;
  }

  /** Tells all hours of a marked time: points ahead in it are told no more. */
  private void tellAhead(int from, int to) {
    if (to <= from || to - from > MOST_TOLD * HOUR) {
      return;
    }
    for (int hour = from - from % HOUR; hour < to; hour += HOUR) {
      int all = -1 >>> (Integer.SIZE - intervals.size());
      output.ahead(entry.array(), entry.namesOffset(), entry.namesLength(), hour, all);
    }
  }

  /** Emits the requests that are due, those of one hour together. */
  private void requestDue(int now) {
    for (int i = entry.requests() - 1; i >= 0; i--) {
      if (entry.isMark(i) && entry.markEnd(i) * MILLIS <= entry.lateBefore()) {
        entry.removeRequest(i);
      }
    }
    int first = nextDue(now);
    while (first >= 0) {
      int start = entry.requestStart(first);
      int hour = start - start % HOUR;
      byte reason = entry.requestReason(first);
      int mask = 0;
      for (int i = entry.requests() - 1; i >= 0; i--) {
        int interval = entry.requestInterval(i);
        if (!entry.isMark(i)
            && entry.requestDue(i) <= now
            && isOf(hour, interval, entry.requestStart(i))) {
          mask |= 1 << interval;
          entry.removeRequest(i);
        }
      }
      output.request(
          entry.array(),
          entry.namesOffset(),
          entry.namesLength(),
          hour,
          mask,
          RequestReason.of(reason));
      first = nextDue(now);
    }
  }

  /** The last request that is due, of the narrowest interval; -1 if none is. */
  private int nextDue(int now) {
    int found = -1;
    for (int i = entry.requests() - 1; i >= 0; i--) {
      if (!entry.isMark(i)
          && entry.requestDue(i) <= now
          && (found < 0 || entry.requestInterval(i) < entry.requestInterval(found))) {
        found = i;
      }
    }
    return found;
  }

  /** Whether a bucket lies in the hour, or contains it. */
  private boolean isOf(int hour, int interval, int start) {
    return intervals.seconds(interval) <= HOUR
        ? start - start % HOUR == hour
        : intervals.start(interval, hour) == start;
  }

  /** Finds the next timer; 0 if the registered one is early enough. */
  private void schedule(long hash) {
    // With requests all is looked at: miss() adds some without a timer.
    if (!isSooner && entry.timer() != 0 && entry.requests() == 0 && !entry.isUnmarked()) {
      nextTimer = 0;
      return;
    }
    int next = Integer.MAX_VALUE;
    int first = waiting.firstSecond();
    // While a cell waits, the timer of its bucket is registered: a point need not look for it.
    if (selection != null && !selection.isEmpty() && more.firstCell() != Long.MAX_VALUE) {
      int cell = (int) (more.firstCell() / MILLIS);
      first = first == 0 ? cell : Math.min(first, cell);
    }
    for (int i = 0; i < intervals.size(); i++) {
      int start = entry.start(i);
      if (start == 0 && first != 0) {
        start = intervals.start(i, first);
      }
      if (start != 0) {
        next = Math.min(next, intervals.due(i, start, hash));
      }
    }
    for (int i = 0; i < entry.closed(); i++) {
      next = Math.min(next, intervals.due(entry.closedInterval(i), entry.closedStart(i), hash));
    }
    for (int i = 0; i < entry.requests(); i++) {
      int due = entry.isMark(i) ? entry.markEnd(i) + intervals.slack() : entry.requestDue(i);
      next = Math.min(next, due);
    }
    if (entry.isUnmarked()) {
      next = Math.min(next, entry.unmarkedBefore() + intervals.slack());
    }
    if (next == Integer.MAX_VALUE && keptUntil() > watermark) {
      next = intervals.forget(keptUntil(), hash);
    }
    int registered = entry.timer();
    if (next == Integer.MAX_VALUE || (registered != 0 && registered <= next)) {
      nextTimer = 0;
    } else {
      entry.timer(next);
      nextTimer = next;
    }
  }
}
