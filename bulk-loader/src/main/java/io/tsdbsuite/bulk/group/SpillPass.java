package io.tsdbsuite.bulk.group;

import io.tsdbsuite.bulk.report.Tally;
import io.tsdbsuite.bulk.series.NewSeries;
import io.tsdbsuite.job.JobException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;

/** Spills everything in memory to a sink: UIDs first, then hours by row key, then series. */
final class SpillPass {
  private static final int HOURS_OF_DAY = 24;

  private final Grouping grouping;
  private final PointDeduplicator deduplicator;
  private final int timeOffset;
  private byte[] key = new byte[64];

  SpillPass(Grouping grouping) {
    this.grouping = grouping;
    this.deduplicator = new PointDeduplicator(grouping.onConflict());
    this.timeOffset = grouping.rowKey().timeOffset();
  }

  /**
   * Spills; the memory is unchanged.
   *
   * @param source file that all points are of, empty if that is not known
   * @param tally counts dropped and refused points
   */
  void run(HourTable hours, SeriesList series, HourSink sink, String source, Tally tally)
      throws IOException {
    if (hours.size() == 0) {
      return;
    }
    if (resolve(hours, series)) {
      new RefusedPoints(grouping).reject(hours, series, source, tally);
    }
    series.rank(grouping.rowKey());
    SeriesSums sums = new SeriesSums(series.size());
    SlotOrder order = new SlotOrder(hours, series);
    Tally days = new Tally();
    int day = -1;
    long ofDay = 0;
    int i = 0;
    while (i < order.size()) {
      int slot = order.slot(i++);
      int count = hours.count(slot);
      boolean ascending = hours.ascending(slot);
      int length = hours.gather(slot, 0);
      // Two names with the same UIDs.
      while (series.twins() && i < order.size() && sameKey(hours, series, slot, order.slot(i))) {
        int twin = order.slot(i++);
        length = hours.gather(twin, length);
        count += hours.count(twin);
        ascending = false;
      }
      hour(hours, series, slot, length, count, ascending, sink, sums, source);
      // The hours of a metric ascend: a day comes once for each, not once for each hour.
      if (hours.hour(slot) / HOURS_OF_DAY != day) {
        days.accept(day, ofDay);
        day = hours.hour(slot) / HOURS_OF_DAY;
        ofDay = 0;
      }
      ofDay += count;
    }
    days.accept(day, ofDay);
    tally.add(days);
    deduplicator.drainTo(tally);
    deduplicator.trim();
    sums.handOver(series, grouping.rowKey(), sink);
  }

  /** Finds row keys for new series that have points; returns whether any series was refused. */
  private boolean resolve(HourTable hours, SeriesList series) {
    BitSet seen = new BitSet(series.size());
    List<NewSeries> batch = new ArrayList<>();
    for (int slot = 0; slot < hours.size(); slot++) {
      int number = hours.series(slot);
      NewSeries named = series.named(number);
      if (named != null && !seen.get(number)) {
        seen.set(number);
        batch.add(named);
      }
    }
    if (batch.isEmpty()) {
      return false;
    }
    grouping.resolver().resolve(batch);
    boolean refused = false;
    for (int i = seen.nextSetBit(0); i >= 0; i = seen.nextSetBit(i + 1)) {
      series.resolved(i);
      refused |= !series.hasRow(i);
    }
    return refused;
  }

  private static boolean sameKey(HourTable hours, SeriesList series, int a, int b) {
    return hours.hour(a) == hours.hour(b)
        && series.row(hours.series(a)).leader == series.row(hours.series(b)).leader;
  }

  private void hour(
      HourTable hours,
      SeriesList series,
      int slot,
      int length,
      int count,
      boolean ascending,
      HourSink sink,
      SeriesSums sums,
      String source)
      throws IOException {
    SeriesRow row = series.row(hours.series(slot));
    long baseTime = hours.hour(slot) * 3600L;
    int keyLength = key(row.template, baseTime);
    if (ascending) {
      sink.hour(key, keyLength, hours.gathered(), 0, length, count);
      sums.add(row.leader, count, count, baseTime, hours.last(slot));
      return;
    }
    try {
      deduplicator.deduplicate(hours.gathered(), 0, length, count);
    } catch (ConflictException e) {
      throw JobException.badInput(
          e.message(series.namesText(hours.series(slot)), baseTime, source), e);
    }
    sink.hour(
        key,
        keyLength,
        deduplicator.packed(),
        deduplicator.off(),
        deduplicator.length(),
        deduplicator.points());
    sums.add(row.leader, count, deduplicator.points(), baseTime, deduplicator.newest());
  }

  private int key(byte[] template, long baseTime) {
    if (key.length < template.length) {
      key = new byte[template.length * 2];
    }
    System.arraycopy(template, 0, key, 0, template.length);
    key[timeOffset] = (byte) (baseTime >>> 24);
    key[timeOffset + 1] = (byte) (baseTime >>> 16);
    key[timeOffset + 2] = (byte) (baseTime >>> 8);
    key[timeOffset + 3] = (byte) baseTime;
    return template.length;
  }
}
