package io.tsdbsuite.stream.series;

import io.tsdbsuite.format.histogram.HistogramCodecs;
import io.tsdbsuite.format.rollup.RollupInterval;
import io.tsdbsuite.format.rollup.SuiteConfig;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * The intervals of a job, what their rollups have beside the four values, and the time at which
 * each bucket is emitted. Immutable.
 *
 * <pre>
 *   start          end      end + slack                       next end
 *     |   bucket    |  slack  |  emission, spread by hash       |
 * </pre>
 *
 * <p>Every series has its own delay after the slack, so that the series do not all emit in the
 * first second of an hour.
 */
public final class StreamIntervals implements Serializable {
  private static final long serialVersionUID = 1L;

  private final String[] names;
  private final int[] seconds;
  private final int[] spreads;
  private final int slack;
  private final SuiteConfig suite;
  private final HistogramCodecs codecs;

  /**
   * Creates the table.
   *
   * @param intervals at least one, at most 32, in any order; each {@link
   *     RollupInterval#dividesHourOrDay}
   * @param slack time for which points are put in order, seconds; at most a third of each interval
   * @param spread longest time over which buckets of one interval are emitted, seconds, at least 1;
   *     the interval without the slack if that is less
   * @param suite which rollups have more than the four values
   * @param codecs of native histograms
   * @throws IllegalArgumentException when a rule is broken
   */
  public StreamIntervals(
      List<RollupInterval> intervals,
      int slack,
      int spread,
      SuiteConfig suite,
      HistogramCodecs codecs) {
    List<RollupInterval> sorted = new ArrayList<>(intervals);
    sorted.sort(Comparator.comparingLong(RollupInterval::seconds));
    if (sorted.isEmpty() || sorted.size() > Integer.SIZE) {
      throw new IllegalArgumentException("1 to 32 intervals are possible, found " + sorted.size());
    }
    this.names = new String[sorted.size()];
    this.seconds = new int[sorted.size()];
    this.spreads = new int[sorted.size()];
    this.slack = slack;
    this.suite = suite;
    this.codecs = codecs;
    for (int i = 0; i < names.length; i++) {
      RollupInterval interval = sorted.get(i);
      if (!interval.dividesHourOrDay()) {
        throw new IllegalArgumentException(
            "interval must divide the hour, or be whole hours that divide the day, found "
                + interval.interval());
      }
      if (slack < 0 || slack > interval.seconds() / 3) {
        throw new IllegalArgumentException(
            "slack must be 0 s to a third of each interval, found %s s with %s"
                .formatted(slack, interval.interval()));
      }
      names[i] = interval.interval();
      seconds[i] = (int) interval.seconds();
      spreads[i] = Math.max(1, Math.min(spread, seconds[i] - slack));
    }
  }

  /** Which rollups have more than the four values. */
  public SuiteConfig suite() {
    return suite;
  }

  /** The codecs of native histograms. */
  public HistogramCodecs codecs() {
    return codecs;
  }

  /** Number of intervals. */
  public int size() {
    return names.length;
  }

  /** The interval as rollup_config.json writes it; the narrowest is 0. */
  public String name(int interval) {
    return names[interval];
  }

  /** Width of the interval, seconds. */
  public int seconds(int interval) {
    return seconds[interval];
  }

  /** Time for which points are put in order, seconds. */
  public int slack() {
    return slack;
  }

  /**
   * Start of the bucket that contains an instant.
   *
   * @param time seconds since the epoch
   */
  public int start(int interval, int time) {
    return time - time % seconds[interval];
  }

  /**
   * When a bucket is emitted, seconds since the epoch.
   *
   * @param start start of the bucket, seconds since the epoch
   * @param hash of the series
   */
  public int due(int interval, int start, long hash) {
    return start + seconds[interval] + slack + (int) ((hash >>> 1) % spreads[interval]);
  }

  /** Time over which the buckets of an interval are emitted, seconds. */
  int spread(int interval) {
    return spreads[interval];
  }

  /**
   * When a series without points need not be kept any more: not all in one second.
   *
   * @param until milliseconds since the epoch
   * @return seconds since the epoch
   */
  int forget(long until, long hash) {
    return (int) (until / 1000) + 1 + (int) ((hash >>> 1) % spreads[spreads.length - 1]);
  }

  /**
   * The end of the newest bucket that every series has emitted.
   *
   * @param watermark seconds since the epoch
   * @return seconds since the epoch; a multiple of the interval
   */
  public long completeTo(int interval, long watermark) {
    long end = watermark - slack - spreads[interval];
    return end - Math.floorMod(end, (long) seconds[interval]);
  }
}
