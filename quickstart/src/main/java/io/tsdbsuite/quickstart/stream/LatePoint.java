package io.tsdbsuite.quickstart.stream;

import io.tsdbsuite.quickstart.data.RequestRate;
import io.tsdbsuite.testkit.Await;
import io.tsdbsuite.testkit.TsdClient;
import io.tsdbsuite.testkit.rollup.RollupKey;
import io.tsdbsuite.testkit.rollup.RollupValues;
import io.tsdbsuite.testkit.rollup.TsdOracle;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;

/** A point of an hour that has its rollups already, and what becomes of them. */
public final class LatePoint {
  private static final int SERVER = 0;
  private static final long VALUE = 1_000_000;

  /** Between two points of the series. */
  private static final int OFFSET = 1805;

  private static final int HOUR = 3600;
  private static final Map<String, Integer> WIDTHS =
      new TreeMap<>(Map.of("10m", 600, "1h", 3600, "6h", 21600, "1d", 86400));
  private static final Duration REPAIRED = Duration.ofMinutes(5);

  private final TsdClient tsd;
  private final TsdClient plugin;
  private final long time;
  private final RollupKey series;
  private final Map<String, RollupValues> before;

  /**
   * Reads the rollups of its buckets.
   *
   * @param tsd answers from stored rollups, whether they are proven or not
   * @param plugin answers as rollup-query does
   * @param rate its series
   * @param hour first second of its hour, since the epoch
   */
  public LatePoint(TsdClient tsd, TsdClient plugin, RequestRate rate, long hour) {
    this.tsd = tsd;
    this.plugin = plugin;
    this.time = hour + OFFSET;
    this.series = new RollupKey(RequestRate.METRIC, new TreeMap<>(rate.tags(SERVER)), hour);
    this.before = stored();
  }

  /** Sends it to the topic of the points. */
  public void send(PointFeed feed) {
    feed.late(SERVER, time, VALUE);
  }

  /** Waits until all rollups of its buckets count one point more. */
  public void awaitRepair() {
    Await.until(
        "the rollups of a late point to be repaired",
        REPAIRED,
        () -> {
          Map<String, RollupValues> now = stored();
          return StreamRollup.INTERVALS.stream()
              .allMatch(interval -> of(now, interval).count() == of(before, interval).count() + 1);
        });
  }

  private static RollupValues of(Map<String, RollupValues> rollups, String interval) {
    return Objects.requireNonNull(rollups.get(interval), interval);
  }

  /** Whether the rollups and rollup-query have the values that the TSD computes from raw points. */
  public boolean isRepaired() {
    Map<String, RollupValues> raw = computed();
    return stored().equals(raw) && answered().equals(raw);
  }

  /**
   * Its rollups before and now, what the TSD computes from raw points now, and what rollup-query
   * answers.
   */
  public String table() {
    Map<String, RollupValues> now = stored();
    Map<String, RollupValues> raw = computed();
    Map<String, RollupValues> answered = answered();
    StringBuilder out = new StringBuilder();
    line(out, "bucket", "", "sum", "max", "count");
    for (String interval : StreamRollup.INTERVALS) {
      line(out, interval, "before", of(before, interval));
      line(out, "", "after", of(now, interval));
      line(out, "", "from raw points", of(raw, interval));
      line(out, "", "by the plugin", of(answered, interval));
    }
    return out.toString();
  }

  /** The series, as text. */
  public String series() {
    return series.metric() + series.tags();
  }

  /** Its time, seconds since the epoch. */
  public long time() {
    return time;
  }

  /** The stored rollups. */
  private Map<String, RollupValues> stored() {
    Map<String, RollupValues> found = new LinkedHashMap<>();
    for (String interval : StreamRollup.INTERVALS) {
      found.put(interval, read(TsdOracle.ofStoredRollups(tsd), interval, hour() + HOUR));
    }
    return found;
  }

  /** What the TSD computes from raw points. */
  private Map<String, RollupValues> computed() {
    return whole(new TsdOracle(tsd));
  }

  /** What rollup-query answers; it chooses what to read. */
  private Map<String, RollupValues> answered() {
    return whole(TsdOracle.ofStoredRollups(plugin));
  }

  private Map<String, RollupValues> whole(TsdOracle answers) {
    Map<String, RollupValues> found = new LinkedHashMap<>();
    for (String interval : StreamRollup.INTERVALS) {
      long end = start(interval) + WIDTHS.getOrDefault(interval, 0);
      found.put(interval, read(answers, interval, end));
    }
    return found;
  }

  private long hour() {
    return time - time % HOUR;
  }

  private long start(String interval) {
    return time - time % WIDTHS.getOrDefault(interval, 1);
  }

  private RollupValues read(TsdOracle answers, String interval, long to) {
    long start = start(interval);
    RollupValues values =
        answers
            .rollups(series.metric(), start, to, interval)
            .get(new RollupKey(series.metric(), series.tags(), start));
    if (values == null) {
      throw new IllegalStateException(series() + " must have a " + interval + " at " + start);
    }
    return values;
  }

  private static void line(StringBuilder out, String bucket, String when, RollupValues values) {
    line(
        out,
        bucket,
        when,
        Double.toString(values.sum()),
        Double.toString(values.max()),
        Long.toString(values.count()));
  }

  private static void line(
      StringBuilder out, String bucket, String when, String sum, String max, String count) {
    out.append(
        String.format(Locale.ROOT, "%-7s %-16s %18s %12s %7s%n", bucket, when, sum, max, count));
  }
}
