package io.tsdbsuite.bulk.parse;

import io.tsdbsuite.bulk.report.Count;
import io.tsdbsuite.bulk.report.RejectReason;
import io.tsdbsuite.bulk.report.SkipKind;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/** Writes down what a reader hands over, one line of text for each call. */
public final class Recorder implements PointHandler {
  private final List<String> events = new ArrayList<>();
  private final List<Position> positions = new ArrayList<>();
  private final List<Integer> eventsAt = new ArrayList<>();
  private long stopAfter = Long.MAX_VALUE;
  private Position begun = Position.START;

  /** Stops the reader at the n-th position. */
  public Recorder stopAfter(int calls) {
    stopAfter = calls;
    return this;
  }

  /** Reads all of a text. */
  public static List<String> read(Format format, String text) throws IOException {
    return read(format, ParseOptions.DEFAULT, text);
  }

  /** Reads all of a text. */
  public static List<String> read(Format format, ParseOptions options, String text)
      throws IOException {
    Recorder recorder = new Recorder();
    InputStream in = new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8));
    format.reader(options).read(in, Position.START, Long.MAX_VALUE, recorder);
    return recorder.events();
  }

  /** {@code metric{tags} timestamp value}, {@code REASON line text}, or empty for no point. */
  public List<String> events() {
    return events;
  }

  /** What was told, in order. */
  public List<Position> positions() {
    return positions;
  }

  /** Where the last part began. */
  public Position begun() {
    return begun;
  }

  /** How many events there were before the n-th position. */
  public int eventsAt(int position) {
    return eventsAt.get(position);
  }

  @Override
  public void integer(SeriesText series, long timestamp, long value) {
    events.add(name(series) + " " + timestamp + " " + value);
  }

  @Override
  public void floating(SeriesText series, long timestamp, double value) {
    events.add(name(series) + " " + timestamp + " " + value + "f");
  }

  @Override
  public void rejected(
      RejectReason reason, long line, String detail, byte[] text, int off, int len) {
    String rejected = new String(text, off, Math.min(len, 200), StandardCharsets.UTF_8);
    events.add(reason + " " + line + " " + rejected);
  }

  @Override
  public void skippedPoint(SkipKind kind) {
    events.add("skipped " + kind.key());
  }

  @Override
  public void withoutPoint() {
    events.add("");
  }

  @Override
  public void skipped(Count reason) {
    events.add(reason.key());
  }

  @Override
  public void begins(Position position) {
    begun = position;
  }

  @Override
  public boolean at(Position position) {
    positions.add(position);
    eventsAt.add(events.size());
    return positions.size() < stopAfter;
  }

  private static String name(SeriesText series) {
    return new String(series.bytes, series.metricOff, series.metricLen, StandardCharsets.UTF_8)
        + "{"
        + new String(series.bytes, series.tagsOff, series.tagsLen, StandardCharsets.UTF_8)
        + "}";
  }
}
