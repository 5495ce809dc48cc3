package io.tsdbsuite.quickstart.stream;

import io.tsdbsuite.quickstart.data.RequestRate;
import io.tsdbsuite.testkit.Await;
import io.tsdbsuite.testkit.TsdClient;
import io.tsdbsuite.testkit.rollup.RollupKey;
import io.tsdbsuite.testkit.rollup.RollupValues;
import io.tsdbsuite.testkit.rollup.TsdOracle;
import java.time.Duration;
import java.util.Formatter;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.SortedMap;
import java.util.TreeMap;

/** A point of an hour that has its rollups already, and what becomes of them. */
public final class LatePoint {
  /** The intervals that stream-rollup makes. */
  public static final List<String> INTERVALS = List.of("10m", "1h", "6h", "1d");

  private static final int SERVER = 0;
  private static final long VALUE = 1_000_000;

  /** Between two points of the series. */
  private static final int OFFSET = 1805;

  private static final Map<String, Integer> WIDTHS =
      Map.of("10m", 600, "1h", 3600, "6h", 21600, "1d", 86400);
  private static final Duration REPAIRED = Duration.ofMinutes(5);

  private static final String STORED = "after";
  private static final String LINE = "%-7s %-16s %18s %12s %7s%n";

  private final long time;
  private final SortedMap<String, String> tags;
  private final Map<String, TsdOracle> answers = new LinkedHashMap<>();
  private final Map<String, RollupValues> before;

  /**
   * Reads the rollups of its buckets.
   *
   * @param tsd answers from stored rollups, whether they are proven or not, and from raw points
   * @param plugin answers as rollup-query does; it chooses what to read
   * @param rate its series
   * @param hour first second of its hour, since the epoch
   */
  public LatePoint(TsdClient tsd, TsdClient plugin, RequestRate rate, long hour) {
    time = hour + OFFSET;
    tags = new TreeMap<>(rate.tags(SERVER));
    answers.put(STORED, TsdOracle.ofStoredRollups(tsd));
    answers.put("from raw points", new TsdOracle(tsd));
    answers.put("by the plugin", TsdOracle.ofStoredRollups(plugin));
    before = rollups(STORED);
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
          Map<String, RollupValues> now = rollups(STORED);
          return INTERVALS.stream()
              .allMatch(interval -> of(now, interval).count() == of(before, interval).count() + 1);
        });
  }

  /** Whether the rollups and rollup-query have the values that the TSD computes from raw points. */
  public boolean isRepaired() {
    return answers.keySet().stream().map(this::rollups).distinct().count() == 1;
  }

  /**
   * Its rollups before and now, what the TSD computes from raw points now, and what rollup-query
   * answers.
   */
  public String table() {
    Map<String, Map<String, RollupValues>> all = new LinkedHashMap<>();
    all.put("before", before);
    answers.keySet().forEach(when -> all.put(when, rollups(when)));
    Formatter out = new Formatter(Locale.ROOT);
    out.format(LINE, "bucket", "", "sum", "max", "count");
    for (String interval : INTERVALS) {
      String bucket = interval;
      for (Map.Entry<String, Map<String, RollupValues>> each : all.entrySet()) {
        RollupValues found = of(each.getValue(), interval);
        out.format(LINE, bucket, each.getKey(), found.sum(), found.max(), found.count());
        bucket = "";
      }
    }
    return out.toString();
  }

  /** The series, as text. */
  public String series() {
    return RequestRate.METRIC + tags;
  }

  /** Its time, seconds since the epoch. */
  public long time() {
    return time;
  }

  /** The rollups of its buckets by interval, from one of the answers. */
  private Map<String, RollupValues> rollups(String when) {
    Map<String, RollupValues> found = new LinkedHashMap<>();
    for (String interval : INTERVALS) {
      int width = of(WIDTHS, interval);
      long start = time - time % width;
      RollupValues values =
          of(answers, when)
              .rollups(RequestRate.METRIC, start, start + width, interval)
              .get(new RollupKey(RequestRate.METRIC, tags, start));
      if (values == null) {
        throw new IllegalStateException(series() + " must have a " + interval + " at " + start);
      }
      found.put(interval, values);
    }
    return found;
  }

  private static <T> T of(Map<String, T> values, String key) {
    return Objects.requireNonNull(values.get(key), key);
  }
}
