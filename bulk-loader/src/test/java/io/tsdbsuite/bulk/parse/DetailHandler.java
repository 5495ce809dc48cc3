package io.tsdbsuite.bulk.parse;

import io.tsdbsuite.bulk.report.RejectReason;

/** Keeps the details of rejects, one a line. */
final class DetailHandler extends IgnoringHandler {
  private final StringBuilder details;

  DetailHandler(StringBuilder details) {
    this.details = details;
  }

  @Override
  public void rejected(
      RejectReason reason, long line, String detail, byte[] text, int off, int len) {
    details.append(detail).append('\n');
  }
}
