package io.tsdbsuite.bulk.plan;

import io.tsdbsuite.bulk.parse.NamesParser;
import io.tsdbsuite.bulk.parse.PointHandler;
import io.tsdbsuite.bulk.parse.Position;
import io.tsdbsuite.bulk.parse.SeriesText;
import io.tsdbsuite.bulk.report.Count;
import io.tsdbsuite.bulk.report.RejectReason;
import io.tsdbsuite.bulk.report.SkipKind;
import io.tsdbsuite.bulk.run.BelowFloors;
import io.tsdbsuite.bulk.series.NewSeries;
import io.tsdbsuite.bulk.series.SeriesRefusal;
import io.tsdbsuite.format.row.Values;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/** Counters of a sample of the input. A sample fits in memory, so this is not the hot path. */
final class Sample implements PointHandler {
  private static final int HOUR = 3600;

  private final NamesParser names;
  private final long activeFrom;
  private final BelowFloors below;
  final Map<String, SampledSeries> series = new HashMap<>();
  private final Map<String, Integer> numbers = new HashMap<>();
  private final InstantValues values = new InstantValues();

  /** Rejected points. */
  final EnumMap<RejectReason, Long> rejects = new EnumMap<>(RejectReason.class);

  /** Points left out by {@code --skip}. */
  final EnumMap<SkipKind, Long> skippedPoints = new EnumMap<>(SkipKind.class);

  /** The first rejected point of each reason. */
  final EnumMap<RejectReason, String> firstRejects = new EnumMap<>(RejectReason.class);

  /** Two values of one instant, empty if there are none. */
  String firstConflict = "";

  private String file = "";
  private long limit;
  long points;

  /** Lines of InfluxDB exports that were left out. */
  long skipped;

  /** Bytes of qualifiers and values. */
  long valueBytes;

  /** Bytes of decompressed text. */
  long bytes;

  /** Seconds since the epoch; meaningless without a point. */
  long oldest = Long.MAX_VALUE;

  long newest = Long.MIN_VALUE;
  private long partBytes;

  /** A series, in one of its spellings. */
  static final class SampledSeries {
    final NewSeries names;

    /** Its names in the source; empty if they cannot be parsed. */
    final String source;

    /** Base times of its rows. */
    final Set<Long> hours = new HashSet<>();

    /** The same for all spellings of a series. */
    private final int number;

    /** Points that are not rejected. */
    long points;

    private SampledSeries(NewSeries names, String source, int number) {
      this.names = names;
      this.source = source;
      this.number = number;
    }
  }

  /**
   * @param activeFrom base time from which on hours are refused, seconds since the epoch
   * @param below receives the points
   */
  Sample(NamesParser names, long activeFrom, BelowFloors below) {
    this.names = names;
    this.below = below;
    this.activeFrom = activeFrom;
  }

  /** A part begins, of which so many bytes are read. */
  void part(String name, long limitBytes) {
    file = name;
    limit = limitBytes;
    partBytes = 0;
  }

  @Override
  public void integer(SeriesText text, long timestamp, long value) {
    point(text, timestamp, Values.integerLength(value), Long.rotateLeft(value, 1), "" + value);
  }

  @Override
  public void floating(SeriesText text, long timestamp, double value) {
    long bits = Long.rotateLeft(Double.doubleToRawLongBits(value), 1) ^ 1;
    point(text, timestamp, (float) value == value ? 4 : 8, bits, "" + value);
  }

  private void point(SeriesText text, long timestamp, int length, long bits, String value) {
    boolean millis = (timestamp & 0xffffffff00000000L) != 0;
    long seconds = millis ? timestamp / 1000 : timestamp;
    long base = seconds - seconds % HOUR;
    String key =
        new String(text.bytes, text.metricOff, text.metricLen, StandardCharsets.UTF_8)
            + " "
            + new String(text.bytes, text.tagsOff, text.tagsLen, StandardCharsets.UTF_8);
    SampledSeries found = series.computeIfAbsent(key, unused -> sampled(text));
    points++;
    SeriesRefusal refused = found.names.refusal();
    if (refused != null) {
      reject(refused.reason(), text.line, refused.detail());
      return;
    }
    if (base >= activeFrom) {
      reject(
          RejectReason.ACTIVE_HOUR,
          text.line,
          "TSDs may still write into the hour, found " + timestamp);
      return;
    }
    below.add(found.names.metric(), base, 1);
    found.points++;
    found.hours.add(base);
    if (firstConflict.isEmpty()
        && !values.agrees(found.number, millis ? timestamp : timestamp * 1000, bits)) {
      firstConflict =
          "%s and another value at %s (%s) of %s in %s"
              .formatted(
                  value,
                  timestamp,
                  millis ? Instant.ofEpochMilli(timestamp) : Instant.ofEpochSecond(timestamp),
                  key,
                  file);
    }
    valueBytes += length + (millis ? 4 : 2);
    oldest = Math.min(oldest, seconds);
    newest = Math.max(newest, seconds);
  }

  private SampledSeries sampled(SeriesText text) {
    NewSeries found = names.check(text);
    NewSeries source = NamesParser.source(text);
    return new SampledSeries(
        found,
        source.refusal() == null ? Planner.text(source) : "",
        numbers.computeIfAbsent(canonical(found), unused -> numbers.size()));
  }

  private static String canonical(NewSeries names) {
    TreeMap<String, String> sorted = new TreeMap<>();
    for (int i = 0; i < names.tags().size(); i += 2) {
      sorted.put(names.tags().get(i), names.tags().get(i + 1));
    }
    return names.metric() + sorted;
  }

  @Override
  public void rejected(
      RejectReason reason, long line, String detail, byte[] text, int off, int len) {
    points++;
    reject(reason, line, detail);
  }

  private void reject(RejectReason reason, long line, String detail) {
    rejects.merge(reason, 1L, Long::sum);
    firstRejects.putIfAbsent(reason, file + ":" + line + " " + reason.key() + ": " + detail);
  }

  @Override
  public void skippedPoint(SkipKind kind) {
    points++;
    skippedPoints.merge(kind, 1L, Long::sum);
  }

  @Override
  public void withoutPoint() {
    // Comments are not counted.
  }

  @Override
  public void skipped(Count reason) {
    skipped++;
  }

  @Override
  public void begins(Position position) {
    partBytes = position.bytes();
  }

  @Override
  public boolean at(Position position) {
    bytes += position.bytes() - partBytes;
    partBytes = position.bytes();
    return partBytes < limit;
  }
}
