package io.tsdbsuite.bulk.group;

import io.tsdbsuite.bulk.report.RejectForm;
import io.tsdbsuite.bulk.report.Tally;
import io.tsdbsuite.bulk.row.PackedPoints;
import io.tsdbsuite.bulk.series.SeriesRefusal;
import java.io.IOException;

/** Rejects the points of series that turned out to have no UIDs. */
final class RefusedPoints {
  private final HourTable hours;
  private final SeriesList series;
  private final RejectSink rejects;
  private final String source;

  RefusedPoints(HourTable hours, SeriesList series, RejectSink rejects, String source) {
    this.hours = hours;
    this.series = series;
    this.rejects = rejects;
    this.source = source;
  }

  void reject(Tally tally) throws IOException {
    for (int slot = 0; slot < hours.size(); slot++) {
      SeriesRefusal refused = series.refused(hours.series(slot));
      if (refused != null) {
        tally.reject(refused.reason(), hours.count(slot));
        reject(slot, refused);
      }
    }
  }

  private void reject(int slot, SeriesRefusal refused) throws IOException {
    byte[] names = series.sourceNames(hours.series(slot));
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
      rejects.rejected(
          refused.reason(),
          RejectForm.IMPORT_LINES,
          source,
          0,
          refused.detail(),
          line,
          0,
          line.length);
    }
  }
}
