package io.tsdbsuite.bulk.group;

import io.tsdbsuite.bulk.parse.SeriesText;
import io.tsdbsuite.bulk.report.RejectForm;
import io.tsdbsuite.bulk.report.RejectReason;
import io.tsdbsuite.bulk.report.Tally;
import io.tsdbsuite.bulk.row.PackedPoints;
import io.tsdbsuite.bulk.series.SeriesRefusal;
import io.tsdbsuite.format.row.Qualifier;
import io.tsdbsuite.format.row.Values;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** Rejects parsed points, as import lines: of refused series, and of refused hours. */
final class RefusedPoints {
  private static final int FLOAT = Qualifier.flags(true, 1);

  private final Grouping grouping;

  RefusedPoints(Grouping grouping) {
    this.grouping = grouping;
  }

  /**
   * Rejects a point that was just read.
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
      long value,
      Tally tally)
      throws IOException {
    SeriesRefusal why =
        refused != null
            ? refused
            : new SeriesRefusal(
                RejectReason.ACTIVE_HOUR,
                "the hour must begin before "
                    + grouping.activeFrom()
                    + ", since TSDs may still write into later ones; found "
                    + timestamp);
    tally.reject(why.reason(), 1);
    byte[] line =
        ImportLine.of(
            text.bytes,
            text.metricOff,
            text.metricLen,
            text.tagsOff,
            text.tagsLen,
            timestamp,
            number(flags, value));
    reject(why, file, text.line, line);
  }

  private static String number(int flags, long value) {
    int length = (flags & 7) + 1;
    long raw = value >>> (64 - 8 * length);
    return (flags & FLOAT) != 0
        ? Double.toString(Values.toDouble(true, length, raw))
        : Long.toString(Values.toLong(length, raw));
  }

  private void reject(SeriesRefusal why, String file, long number, byte[] line) throws IOException {
    grouping
        .rejects()
        .rejected(
            why.reason(),
            RejectForm.IMPORT_LINES,
            file,
            number,
            why.detail(),
            line,
            0,
            line.length);
  }

  /**
   * Rejects the points in memory of series that turned out to have no UIDs.
   *
   * @param source file that all points are of, empty if that is not known
   */
  void reject(HourTable hours, SeriesList series, String source, Tally tally) throws IOException {
    for (int slot = 0; slot < hours.size(); slot++) {
      SeriesRefusal refused = series.refused(hours.series(slot));
      if (refused != null) {
        tally.reject(refused.reason(), hours.count(slot));
        reject(hours, slot, series.sourceNames(hours.series(slot)), refused, source);
      }
    }
  }

  private void reject(HourTable hours, int slot, byte[] names, SeriesRefusal refused, String source)
      throws IOException {
    int metric = 0;
    while (names[metric] != ' ') {
      metric++;
    }
    long base = hours.hour(slot) * 3600L;
    int end = hours.gather(slot, 0);
    byte[] packed = hours.gathered();
    for (int at = 0; at < end; at += PackedPoints.length(packed, at)) {
      int offset = PackedPoints.offsetMillis(packed, at);
      byte[] line =
          ImportLine.of(
              names,
              0,
              metric,
              metric + 1,
              names.length - metric - 1,
              PackedPoints.isMillis(packed, at) ? base * 1000 + offset : base + offset / 1000,
              PackedPoints.valueText(packed, at));
      reject(refused, source, 0, line);
    }
  }
}
