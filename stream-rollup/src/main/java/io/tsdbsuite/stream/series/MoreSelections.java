package io.tsdbsuite.stream.series;

import io.tsdbsuite.format.rollup.Selection;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * What the rollups of each metric have beside the four values. It is looked up for each point, so
 * metrics are found by their bytes, without an object. Not thread-safe.
 */
final class MoreSelections {
  /** Percentiles, first and last need all points of a bucket: of at most an hour, seconds. */
  private static final int WIDEST_NAMED = 3600;

  /** This many metrics are remembered. Series have few metrics; a million of them must not stay. */
  private static final int MOST_METRICS = 1 << 17;

  /**
   * What the rollups of a metric have.
   *
   * @param names further aggregators by interval; empty above 1h
   * @param histograms a bit for each interval
   * @param isEmpty whether there is nothing
   */
  record Of(List<List<String>> names, int histograms, boolean isEmpty) {
    static final Of NONE = new Of(List.of(), 0, true);

    boolean has(int interval) {
      return !isEmpty && (hasHistogram(interval) || !names.get(interval).isEmpty());
    }

    boolean hasHistogram(int interval) {
      return (histograms & (1 << interval)) != 0;
    }
  }

  private static final long FACTOR = 0x9e3779b97f4a7c15L;
  private static final VarHandle LONG =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

  private final StreamIntervals intervals;

  /** Hash table with open addressing: each metric is in the first free place from its hash on. */
  private byte[][] metrics = {};

  private Of[] selections = {};
  private int used;

  MoreSelections(StreamIntervals intervals) {
    this.intervals = intervals;
    clear(64);
  }

  private void clear(int size) {
    metrics = new byte[size][];
    selections = new Of[size];
    used = 0;
  }

  /** The selection of a series' metric. {@code names}: see {@link SeriesNames}. */
  Of of(byte[] names, int offset) {
    if (intervals.suite().isEmpty()) {
      return Of.NONE;
    }
    int from = offset + 2;
    int to = from + ((names[offset] & 0xff) << 8 | (names[offset + 1] & 0xff));
    int place = place(names, from, to);
    if (metrics[place] == null) {
      byte[] metric = Arrays.copyOfRange(names, from, to);
      if (2 * used >= metrics.length) {
        grow();
        place = place(metric, 0, metric.length);
      }
      metrics[place] = metric;
      selections[place] = select(new String(metric, StandardCharsets.ISO_8859_1));
      used++;
    }
    return selections[place];
  }

  private int place(byte[] names, int from, int to) {
    long hash = FACTOR;
    int at = from;
    for (; at <= to - Long.BYTES; at += Long.BYTES) {
      hash = mix(hash ^ (long) LONG.get(names, at));
    }
    for (; at < to; at++) {
      hash = mix(hash ^ names[at]);
    }
    int place = (int) hash & metrics.length - 1;
    while (metrics[place] != null
        && !Arrays.equals(metrics[place], 0, metrics[place].length, names, from, to)) {
      place = place + 1 & metrics.length - 1;
    }
    return place;
  }

  private static long mix(long hash) {
    long product = hash * FACTOR;
    return product ^ (product >>> 32);
  }

  private void grow() {
    byte[][] oldMetrics = metrics;
    Of[] old = selections;
    boolean isFull = used >= MOST_METRICS;
    clear(isFull ? metrics.length : 2 * metrics.length);
    for (int i = 0; i < oldMetrics.length && !isFull; i++) {
      if (oldMetrics[i] != null) {
        int place = place(oldMetrics[i], 0, oldMetrics[i].length);
        metrics[place] = oldMetrics[i];
        selections[place] = old[i];
        used++;
      }
    }
  }

  private Of select(String metric) {
    Selection selection = intervals.suite().selection(metric);
    List<List<String>> names = new ArrayList<>();
    int histograms = 0;
    boolean isEmpty = true;
    for (int i = 0; i < intervals.size(); i++) {
      boolean isNamed = intervals.seconds(i) <= WIDEST_NAMED;
      names.add(isNamed ? selection.aggregators(intervals.name(i)) : List.of());
      histograms |= selection.histogram(intervals.name(i)) ? 1 << i : 0;
      isEmpty &= names.get(i).isEmpty();
    }
    return isEmpty && histograms == 0 ? Of.NONE : new Of(names, histograms, false);
  }
}
