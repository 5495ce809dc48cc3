package io.tsdbsuite.bulk.plan;

import io.tsdbsuite.bulk.parse.NamesParser;
import io.tsdbsuite.bulk.parse.PointHandler;
import io.tsdbsuite.bulk.parse.Position;
import io.tsdbsuite.bulk.parse.SeriesNames;
import io.tsdbsuite.bulk.parse.SeriesText;
import io.tsdbsuite.bulk.report.RejectReason;
import io.tsdbsuite.format.row.Values;
import java.nio.charset.StandardCharsets;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/** Counts what a part of the input has. A sample fits in memory, so this is not the hot path. */
final class Sample implements PointHandler {
  private static final int HOUR = 3600;

  private final NamesParser names;
  private final long activeFrom;
  private final Map<String, SeriesNames> series = new HashMap<>();
  private final Map<String, Set<Long>> hours = new HashMap<>();
  private final EnumMap<RejectReason, Long> rejects = new EnumMap<>(RejectReason.class);
  private String firstReject = "";
  private String file = "";
  private long limit;
  private long points;
  private long valueBytes;
  private long active;
  private long bytes;
  private long oldest = Long.MAX_VALUE;
  private long newest = Long.MIN_VALUE;
  private long partBytes;

  Sample(NamesParser names, long activeFrom) {
    this.names = names;
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
    point(text, timestamp, Values.integerLength(value));
  }

  @Override
  public void floating(SeriesText text, long timestamp, double value) {
    point(text, timestamp, (float) value == value ? 4 : 8);
  }

  private void point(SeriesText text, long timestamp, int length) {
    boolean millis = (timestamp & 0xffffffff00000000L) != 0;
    long seconds = millis ? timestamp / 1000 : timestamp;
    long base = seconds - seconds % HOUR;
    String key =
        new String(text.bytes, text.metricOff, text.metricLen, StandardCharsets.UTF_8)
            + " "
            + new String(text.bytes, text.tagsOff, text.tagsLen, StandardCharsets.UTF_8);
    SeriesNames found = series.computeIfAbsent(key, unused -> names.parse(text));
    points++;
    if (!found.isGood()) {
      reject(found.reason(), text.line, found.detail());
      return;
    }
    if (base >= activeFrom) {
      active++;
    }
    hours.computeIfAbsent(key, unused -> new HashSet<>()).add(base);
    valueBytes += length + (millis ? 4 : 2);
    oldest = Math.min(oldest, seconds);
    newest = Math.max(newest, seconds);
  }

  @Override
  public void rejected(
      RejectReason reason, long line, String detail, byte[] text, int off, int len) {
    points++;
    reject(reason, line, detail);
  }

  private void reject(RejectReason reason, long line, String detail) {
    rejects.merge(reason, 1L, Long::sum);
    if (firstReject.isEmpty()) {
      firstReject = file + ":" + line + " " + reason.key() + ": " + detail;
    }
  }

  @Override
  public void withoutPoint() {
    // Nothing is made of it.
  }

  @Override
  public boolean at(Position position) {
    bytes += position.bytes() - partBytes;
    partBytes = position.bytes();
    return partBytes < limit;
  }

  Map<String, SeriesNames> series() {
    return series;
  }

  /** Base times of each series. */
  Map<String, Set<Long>> hours() {
    return hours;
  }

  Map<RejectReason, Long> rejects() {
    return rejects;
  }

  String firstReject() {
    return firstReject;
  }

  long points() {
    return points;
  }

  /** Qualifiers and values. */
  long valueBytes() {
    return valueBytes;
  }

  /** Points in hours that TSDs may still write. */
  long active() {
    return active;
  }

  /** Decompressed text. */
  long bytes() {
    return bytes;
  }

  /** Seconds since the epoch; meaningless without a point. */
  long oldest() {
    return oldest;
  }

  long newest() {
    return newest;
  }
}
