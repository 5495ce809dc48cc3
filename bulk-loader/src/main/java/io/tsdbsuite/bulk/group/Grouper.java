package io.tsdbsuite.bulk.group;

import io.tsdbsuite.bulk.parse.PointHandler;
import io.tsdbsuite.bulk.parse.Position;
import io.tsdbsuite.bulk.parse.SeriesText;
import io.tsdbsuite.bulk.report.Count;
import io.tsdbsuite.bulk.report.RejectForm;
import io.tsdbsuite.bulk.report.RejectReason;
import io.tsdbsuite.bulk.report.SkipKind;
import io.tsdbsuite.bulk.report.Tally;
import io.tsdbsuite.format.row.Qualifier;
import io.tsdbsuite.format.row.Values;
import java.io.IOException;
import java.util.EnumMap;
import org.jspecify.annotations.Nullable;

/**
 * Groups points into partial hours in memory, and spills them when its memory is full or a unit of
 * the input ends. One for each reading thread:
 *
 * <pre>
 *   begin(unit) ( part(file) integer | floating | rejected | skippedPoint | at ... )* end()
 * </pre>
 */
public final class Grouper implements PointHandler {
  /** Buffers of a spill: a block, packed and not, and their tables. */
  private static final long SPILL_BUFFERS = 1 << 20;

  /** Memory for sorting, minus the growth between two positions. */
  private static final int MOST_SERIES = SlotOrder.MAX_SERIES - (1 << 18);

  private static final int ROW_SECONDS = 3600;
  private static final int NO_SLOT = -1;

  private final Grouping grouping;
  private final HourTable hours = new HourTable();
  private final MemoryGauge gauge;
  private final SpillPass spilling;
  private final Tally tally = new Tally();
  private final RefusedPoints refused;
  private SeriesList series;
  private ReadCheckpoint upTo = ReadCheckpoint.start(0);
  private String file = "";
  private RejectForm form = RejectForm.IMPORT_LINES;
  private @Nullable String source;
  private long points;

  /** A count for each kind, in an array of one. */
  private final EnumMap<SkipKind, long[]> skipped = new EnumMap<>(SkipKind.class);

  private long withoutPoint;
  private long otherDatabase;
  private long otherPolicy;

  /** An empty grouper. */
  public Grouper(Grouping grouping) {
    this.grouping = grouping;
    this.gauge = new MemoryGauge(grouping.memoryBytes() - SPILL_BUFFERS);
    this.spilling = new SpillPass(grouping);
    this.refused = new RefusedPoints(grouping);
    this.series = new SeriesList(grouping.check());
  }

  /**
   * Begins a unit, or continues one at its last commit.
   *
   * @param from {@link ReadCheckpoint#start} for a new unit
   */
  public void begin(ReadCheckpoint from) {
    upTo = from;
    source = null;
  }

  /** A part of import lines begins. */
  public void part(int part, String name, Position from) {
    part(part, name, RejectForm.IMPORT_LINES, from);
  }

  /**
   * A part of the unit begins.
   *
   * @param part number of the part in the unit
   * @param name name of the part's file, for messages
   * @param rejectForm form of the part's text
   * @param from position at which reading begins
   */
  public void part(int part, String name, RejectForm rejectForm, Position from) {
    file = name;
    form = rejectForm;
    upTo = new ReadCheckpoint(upTo.unit(), upTo.spills(), part, from, false);
    source = source == null ? name : source.equals(name) ? name : "";
  }

  /** Ends the unit: spills the rest of it. */
  public void end() throws IOException {
    upTo = new ReadCheckpoint(upTo.unit(), upTo.spills(), upTo.part(), upTo.position(), true);
    spill();
  }

  @Override
  public void integer(SeriesText text, long timestamp, long value) throws IOException {
    int length = Values.integerLength(value);
    add(text, timestamp, length - 1, value << (64 - 8 * length), length);
  }

  @Override
  public void floating(SeriesText text, long timestamp, double value) throws IOException {
    float narrow = (float) value;
    if (narrow == value) {
      long bits = (long) Float.floatToRawIntBits(narrow) << 32;
      add(text, timestamp, Qualifier.flags(true, 4), bits, 4);
    } else {
      add(text, timestamp, Qualifier.flags(true, 8), Double.doubleToRawLongBits(value), 8);
    }
  }

  private void add(SeriesText text, long timestamp, int flags, long value, int length)
      throws IOException {
    points++;
    int number = series.number(text);
    if ((timestamp & 0xffffffff00000000L) == 0) {
      int hour = (int) (timestamp / ROW_SECONDS);
      int slot = slot(number, hour);
      if (slot == NO_SLOT) {
        refused.reject(series.refused(number), file, text, timestamp, flags, value, tally);
        return;
      }
      int offset = (int) (timestamp - (long) hour * ROW_SECONDS);
      hours.add(slot, offset * 1000, Qualifier.secondsBits(offset, flags), 2, value, length);
    } else {
      int hour = (int) (timestamp / (ROW_SECONDS * 1000));
      int slot = slot(number, hour);
      if (slot == NO_SLOT) {
        refused.reject(series.refused(number), file, text, timestamp, flags, value, tally);
        return;
      }
      int offset = (int) (timestamp - (long) hour * (ROW_SECONDS * 1000));
      hours.add(slot, offset, Qualifier.millisBits(offset, flags), 4, value, length);
    }
  }

  private int slot(int number, int hour) {
    long recent = series.recent[number];
    return (int) (recent >>> 32) == hour ? (int) recent : otherSlot(number, hour);
  }

  private int otherSlot(int number, int hour) {
    if (series.refused(number) != null || (long) hour * ROW_SECONDS >= grouping.activeFrom()) {
      return NO_SLOT;
    }
    int slot = hours.slot(number, hour);
    series.recent[number] = ((long) hour << 32) | slot;
    return slot;
  }

  @Override
  public void rejected(RejectReason reason, long line, String detail, byte[] text, int off, int len)
      throws IOException {
    points++;
    tally.reject(reason, 1);
    grouping.rejects().rejected(reason, form, file, line, detail, text, off, len);
  }

  @Override
  public void skippedPoint(SkipKind kind) {
    points++;
    skipped.computeIfAbsent(kind, unused -> new long[1])[0]++;
  }

  @Override
  public void withoutPoint() {
    withoutPoint++;
  }

  @Override
  public void skipped(Count reason) {
    if (reason == Count.LINES_OF_OTHER_DATABASE) {
      otherDatabase++;
    } else {
      otherPolicy++;
    }
  }

  @Override
  public void begins(Position position) {
    upTo = new ReadCheckpoint(upTo.unit(), upTo.spills(), upTo.part(), position, false);
  }

  @Override
  public boolean at(Position position) throws IOException {
    Position before = upTo.position();
    tally.add(Count.BYTES_READ, position.bytes() - before.bytes());
    tally.add(Count.LINES_READ, position.lines() - before.lines());
    upTo = new ReadCheckpoint(upTo.unit(), upTo.spills(), upTo.part(), position, false);
    if (gauge.full(used()) || hours.full(gauge.reserve()) || series.size() > MOST_SERIES) {
      spill();
    } else if (gauge.exceeds(held())) {
      hours.trim();
    }
    return grouping
        .watch()
        .reached(position.points() - before.points(), position.bytes() - before.bytes());
  }

  /** Spills everything in memory, and commits. */
  void spill() throws IOException {
    count();
    String from = source == null ? "" : source;
    try (HourSink sink = grouping.sinks().open(upTo.unit(), upTo.spills(), from)) {
      spilling.run(hours, series, sink, from, tally);
      upTo =
          new ReadCheckpoint(
              upTo.unit(), upTo.spills() + 1, upTo.part(), upTo.position(), upTo.unitDone());
      sink.commit(upTo, tally.drain());
    }
    source = file;
    hours.reset();
    series.forgetSlots();
    if (series.used() > grouping.memoryBytes() / 4 || series.size() > MOST_SERIES) {
      series = new SeriesList(grouping.check());
    }
    gauge.emptied(used());
  }

  private void count() {
    tally.add(Count.POINTS_READ, points);
    tally.add(Count.LINES_WITHOUT_POINT, withoutPoint);
    tally.add(Count.LINES_OF_OTHER_DATABASE, otherDatabase);
    tally.add(Count.LINES_OF_OTHER_RETENTION_POLICY, otherPolicy);
    skipped.forEach((kind, count) -> tally.skip(kind, count[0]));
    skipped.clear();
    points = 0;
    withoutPoint = 0;
    otherDatabase = 0;
    otherPolicy = 0;
  }

  /**
   * Counters since the last commit, for the report of a load that fails here.
   *
   * @return empty once a unit was read to its end
   */
  public Tally uncommitted() {
    count();
    return tally.drain();
  }

  /** Memory of points and series, and of their spill, bytes. */
  public long used() {
    return hours.used() + series.used();
  }

  /** Memory as in {@link #used}, and memory kept for the next points, bytes. */
  public long held() {
    return hours.held() + series.used();
  }

  /**
   * Tells when memory is full. It is checked periodically, so it reserves 1.25 times the largest
   * growth seen between two checks.
   */
  private static final class MemoryGauge {
    private static final long FIRST_STEP = 16 << 20;

    private final long budget;
    private long before;
    private long step;

    MemoryGauge(long budget) {
      this.budget = budget;
      this.step = Math.min(FIRST_STEP, budget / 16);
    }

    /** Whether the next step could exceed the budget. */
    boolean full(long used) {
      step = Math.max(step, used - before);
      before = used;
      return exceeds(used);
    }

    /** Whether these bytes and the reserve exceed the budget. */
    boolean exceeds(long bytes) {
      return bytes + reserve() > budget;
    }

    /** Memory that the next step may need, bytes. */
    long reserve() {
      return step + step / 4;
    }

    /** Sets the memory in use after a spill, bytes. */
    void emptied(long used) {
      before = used;
    }
  }
}
