package io.tsdbsuite.meta.write;

import java.util.LinkedHashMap;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * New series of this clock hour and the last one, written and suppressed, and their top metrics.
 * Thread-safe.
 */
final class NewSeries {
  private static final Logger LOG = LoggerFactory.getLogger(NewSeries.class);
  private static final int TOP = 5;
  private static final int HOUR = 3600;

  private final NameCache names;
  private final Clock clock;
  private final int perHour;
  private int hour;
  private NewSeriesTopK current = new NewSeriesTopK();
  private NewSeriesTopK last = new NewSeriesTopK();
  private long suppressedThisHour;
  private long created;
  private long suppressed;

  /**
   * Starts with this hour.
   *
   * @param perHour limit of the guard, 0 for none
   */
  NewSeries(NameCache names, Clock clock, int perHour) {
    this.names = names;
    this.clock = clock;
    this.perHour = perHour;
    this.hour = clock.now() / HOUR;
  }

  /** A series was added to the meta table. */
  synchronized void created(byte[] tsuid) {
    roll();
    created++;
    current.add(names.metric(tsuid));
  }

  /** A new series was not added to the meta table, because of the limit. */
  synchronized void suppressed(byte[] tsuid) {
    roll();
    suppressed++;
    current.add(names.metric(tsuid));
    if (suppressedThisHour++ == 0) {
      report(current, true);
    }
  }

  /** Ends an hour that is over, and requests the names of the top metrics. */
  synchronized void tick() {
    roll();
    names.keep(both().top(TOP));
  }

  private void roll() {
    int now = clock.now() / HOUR;
    if (now == hour) {
      return;
    }
    if (current.total() > 0) {
      report(current, false);
    }
    NewSeriesTopK free = last;
    last = current;
    if (now != hour + 1) {
      last.clear();
    }
    free.clear();
    current = free;
    suppressedThisHour = 0;
    hour = now;
  }

  private void report(NewSeriesTopK topK, boolean full) {
    long[] top = topK.top(TOP);
    long[] counts = new long[top.length];
    for (int i = 0; i < top.length; i++) {
      counts[i] = topK.count(top[i]);
    }
    long total = topK.total();
    long refused = suppressedThisHour;
    names
        .keep(top)
        .addBoth(
            done -> {
              if (full) {
                LOG.warn(
                    "tsd.meta.cache.max_new_series_per_hour {} is reached: new series are not"
                        + " written to the meta table until the hour ends; most are of {}",
                    perHour,
                    list(top, counts));
              } else {
                LOG.info(
                    "new series in the last hour: {}, of them not written {}; most are of {}",
                    total,
                    refused,
                    list(top, counts));
              }
              return null;
            });
  }

  private String list(long[] metrics, long[] counts) {
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < metrics.length; i++) {
      text.append(i == 0 ? "" : ", ").append(names.name(metrics[i])).append(' ').append(counts[i]);
    }
    return text.toString();
  }

  private NewSeriesTopK both() {
    NewSeriesTopK both = new NewSeriesTopK();
    both.addAll(current);
    both.addAll(last);
    return both;
  }

  /** The metrics with the most new series of both hours, most first. */
  synchronized Map<String, Long> top() {
    roll();
    NewSeriesTopK both = both();
    Map<String, Long> top = new LinkedHashMap<>();
    for (long metric : both.top(TOP)) {
      top.put(names.name(metric), both.count(metric));
    }
    return top;
  }

  /** Series that were new, since the start. */
  synchronized long created() {
    return created;
  }

  /** Times that a new series was not written, since the start. */
  synchronized long suppressed() {
    return suppressed;
  }
}
