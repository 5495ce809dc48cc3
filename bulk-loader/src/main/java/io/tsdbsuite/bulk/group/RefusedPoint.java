package io.tsdbsuite.bulk.group;

import io.tsdbsuite.bulk.parse.SeriesText;
import io.tsdbsuite.bulk.report.RejectForm;
import io.tsdbsuite.bulk.report.RejectReason;
import io.tsdbsuite.bulk.report.Tally;
import io.tsdbsuite.bulk.series.SeriesRefusal;
import io.tsdbsuite.format.row.Qualifier;
import io.tsdbsuite.format.row.Values;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** Rejects a point that was just read. */
final class RefusedPoint {
  private static final int FLOAT = Qualifier.flags(true, 1);

  private final Grouping grouping;
  private final Tally tally;

  RefusedPoint(Grouping grouping, Tally tally) {
    this.grouping = grouping;
    this.tally = tally;
  }

  /**
   * Counts it and hands it to the sink as an import line.
   *
   * @param refused why its series is refused; null if its hour is refused
   * @param flags type and length of the value
   * @param value its bytes at the high end
   */
  void reject(
      @Nullable SeriesRefusal refused,
      String file,
      SeriesText text,
      long timestamp,
      int flags,
      long value)
      throws IOException {
    RejectReason reason = refused == null ? RejectReason.ACTIVE_HOUR : refused.reason();
    String detail = refused == null ? activeHour(timestamp) : refused.detail();
    byte[] line =
        ImportLine.of(
            text.bytes,
            text.metricOff,
            text.metricLen,
            text.tagsOff,
            text.tagsLen,
            timestamp,
            number(flags, value));
    tally.reject(reason, 1);
    grouping
        .rejects()
        .rejected(reason, RejectForm.IMPORT_LINES, file, text.line, detail, line, 0, line.length);
  }

  private String activeHour(long timestamp) {
    return "the hour must begin before "
        + grouping.activeFrom()
        + ", since TSDs may still write into later ones; found "
        + timestamp;
  }

  private static String number(int flags, long value) {
    int length = (flags & 7) + 1;
    long raw = value >>> (64 - 8 * length);
    return (flags & FLOAT) != 0
        ? Double.toString(Values.toDouble(true, length, raw))
        : Long.toString(Values.toLong(length, raw));
  }
}
