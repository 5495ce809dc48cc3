package io.tsdbsuite.bulk.input;

import io.tsdbsuite.bulk.parse.PointHandler;
import io.tsdbsuite.bulk.parse.Position;
import io.tsdbsuite.bulk.parse.SeriesText;
import io.tsdbsuite.bulk.report.Count;
import io.tsdbsuite.bulk.report.RejectReason;
import io.tsdbsuite.bulk.report.SkipKind;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/** Every call of a reader with all that it says, and how the reading ended. */
final class CallList implements PointHandler {
  final List<String> calls = new ArrayList<>();
  private final int stopAfter;
  private int positions;

  /**
   * A list.
   *
   * @param stopAfter the position at which the reader is stopped, from 1
   */
  CallList(int stopAfter) {
    this.stopAfter = stopAfter;
  }

  @Override
  public void integer(SeriesText series, long timestamp, long value) {
    calls.add(name(series) + " " + timestamp + " " + value);
  }

  @Override
  public void floating(SeriesText series, long timestamp, double value) {
    calls.add(name(series) + " " + timestamp + " " + Double.doubleToRawLongBits(value) + "f");
  }

  private static String name(SeriesText series) {
    return series.line
        + ": "
        + new String(series.bytes, series.metricOff, series.metricLen, StandardCharsets.UTF_8)
        + "{"
        + new String(series.bytes, series.tagsOff, series.tagsLen, StandardCharsets.UTF_8)
        + "}";
  }

  @Override
  public void rejected(
      RejectReason reason, long line, String detail, byte[] text, int off, int len) {
    String rejected = new String(text, off, len, StandardCharsets.ISO_8859_1);
    calls.add(line + ": " + reason + " " + detail + " " + len + " " + rejected.hashCode());
  }

  @Override
  public void skippedPoint(SkipKind kind) {
    calls.add("skipped " + kind);
  }

  @Override
  public void withoutPoint() {
    calls.add("without point");
  }

  @Override
  public void skipped(Count reason) {
    calls.add("skipped line " + reason);
  }

  @Override
  public boolean at(Position position) {
    calls.add(position.toString());
    positions++;
    return positions < stopAfter;
  }
}
