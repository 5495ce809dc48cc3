package io.tsdbsuite.bulk.parse;

import io.tsdbsuite.bulk.report.Count;
import io.tsdbsuite.bulk.report.RejectReason;

/** Keeps the details of rejects, one a line. */
final class DetailHandler implements PointHandler {
  private final StringBuilder details;

  DetailHandler(StringBuilder details) {
    this.details = details;
  }

  @Override
  public void integer(SeriesText series, long timestamp, long value) {}

  @Override
  public void floating(SeriesText series, long timestamp, double value) {}

  @Override
  public void rejected(
      RejectReason reason, long line, String detail, byte[] text, int off, int len) {
    details.append(detail).append('\n');
  }

  @Override
  public void withoutPoint() {}

  @Override
  public void skipped(Count reason) {}

  @Override
  public boolean at(Position position) {
    return true;
  }
}
