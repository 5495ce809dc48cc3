package io.tsdbsuite.bulk.parse;

import io.tsdbsuite.bulk.report.Count;
import io.tsdbsuite.bulk.report.RejectReason;
import io.tsdbsuite.bulk.report.SkipKind;

/** Ignores all points. A subclass receives those that it needs. */
class IgnoringHandler implements PointHandler {
  static final IgnoringHandler INSTANCE = new IgnoringHandler();

  @Override
  public void integer(SeriesText series, long timestamp, long value) {}

  @Override
  public void floating(SeriesText series, long timestamp, double value) {}

  @Override
  public void rejected(
      RejectReason reason, long line, String detail, byte[] text, int off, int len) {}

  @Override
  public void skippedPoint(SkipKind kind) {}

  @Override
  public void withoutPoint() {}

  @Override
  public void skipped(Count reason) {}

  @Override
  public boolean at(Position position) {
    return true;
  }
}
