package io.tsdbsuite.coverage;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Which rollups are proven to be stored. It may claim too little, never too much: what it does not
 * name is read from raw data. Immutable, for many threads.
 */
public final class Coverage {
  /** For a range of which not every rollup is proven. */
  public static final long NOT_PROVEN = AsOfTimes.NEVER;

  /**
   * How much newer than a mask a reading must be to show what the mask stands for, milliseconds:
   * the clocks of two of HBase's servers may differ by 30 seconds each way.
   */
  static final long CLOCK_SKEW = 60_000;

  /** How long a coverage may be used after its reading began, milliseconds. */
  public static final long MAX_AGE = 60_000;

  private static final long HOUR = 3_600_000;

  // Beyond that many combinations of windows, each call computes its times anew.
  private static final int MAX_CACHED = 1000;

  private final String reason;
  private final List<CoverageWindow> windows;
  private final List<CoverageMask> masks;
  private final Map<String, String> voidTables;
  private final Map<String, Windows> byInterval = new HashMap<>();
  private final Map<String, List<CoverageMask>> byMetric = new HashMap<>();

  private Coverage(
      String reason,
      List<CoverageWindow> windows,
      List<CoverageMask> masks,
      Map<String, String> voidTables) {
    this.reason = reason;
    this.windows = Collections.unmodifiableList(new ArrayList<>(windows));
    this.masks = Collections.unmodifiableList(new ArrayList<>(masks));
    this.voidTables = Collections.unmodifiableMap(new TreeMap<>(voidTables));
  }

  /** Nothing is proven. */
  public static Coverage nothing(String reason) {
    return new Coverage(
        reason, Collections.emptyList(), Collections.emptyList(), Collections.emptyMap());
  }

  /**
   * @param windows those that count and those that do not
   * @param voidTables why the windows of a table do not count, by its name
   * @param tables the rollup table of each interval; windows of other tables do not count
   * @param now milliseconds since the epoch; windows that have expired do not count
   */
  static Coverage of(
      List<CoverageWindow> windows,
      List<CoverageMask> masks,
      Map<String, String> voidTables,
      Map<String, String> tables,
      long now) {
    Coverage coverage = new Coverage("", windows, masks, voidTables);
    for (CoverageWindow window : windows) {
      if (window.table().equals(tables.get(window.interval()))
          && !voidTables.containsKey(window.table())
          && window.expires() > now + MAX_AGE) {
        coverage
            .byInterval
            .computeIfAbsent(window.interval(), interval -> new Windows())
            .add(window);
      }
    }
    List<CoverageMask> byHour = new ArrayList<>(masks);
    byHour.sort(Comparator.comparingLong(CoverageMask::hour));
    for (CoverageMask mask : byHour) {
      coverage.byMetric.computeIfAbsent(mask.metric(), metric -> new ArrayList<>()).add(mask);
    }
    return coverage;
  }

  /** The windows of an interval, by the metrics that they select. */
  private static final class Windows {
    private final Map<String, List<CoverageWindow>> bySelection = new LinkedHashMap<>();
    private final Map<String, AsOfTimes> known = new ConcurrentHashMap<>();

    void add(CoverageWindow window) {
      bySelection.computeIfAbsent(window.metrics(), metrics -> new ArrayList<>()).add(window);
    }

    /** As of when the rollups of a metric are stored. */
    AsOfTimes of(String metric, long width) {
      BitSet selections = new BitSet();
      int i = 0;
      for (List<CoverageWindow> each : bySelection.values()) {
        selections.set(i++, each.get(0).wants(metric));
      }
      String key = width + " " + selections;
      AsOfTimes times = known.get(key);
      if (times == null) {
        times = AsOfTimes.of(selected(selections), width);
        if (known.size() < MAX_CACHED) {
          known.put(key, times);
        }
      }
      return times;
    }

    private List<CoverageWindow> selected(BitSet selections) {
      List<CoverageWindow> selected = new ArrayList<>();
      int i = 0;
      for (List<CoverageWindow> each : bySelection.values()) {
        if (selections.get(i++)) {
          selected.addAll(each);
        }
      }
      return selected;
    }
  }

  /**
   * The times for which every rollup of an interval is stored and shows all raw points: whole
   * buckets {@code [n * width, (n + 1) * width)}, of windows that select the metric, without those
   * that a mask voids.
   *
   * @param interval as rollup_config.json writes it, for example {@code 1h}
   * @param width of the interval, milliseconds
   * @param metric its name
   * @return milliseconds since the epoch
   */
  public TimeRanges proven(String interval, long width, String metric) {
    Windows of = byInterval.get(interval);
    if (of == null) {
      return TimeRanges.none();
    }
    AsOfTimes times = of.of(metric, width);
    TimeRanges proven = times.proven();
    List<CoverageMask> open = byMetric.get(metric);
    return open == null ? proven : proven.minus(masked(open, times, width));
  }

  /** The buckets that masks void: those that have a time of the mask's hour. */
  private static TimeRanges masked(List<CoverageMask> open, AsOfTimes times, long width) {
    TimeRanges.Builder masked = new TimeRanges.Builder();
    long end = Long.MIN_VALUE;
    for (CoverageMask mask : open) {
      long hour = mask.hour() * 1000;
      long from = Math.floorDiv(hour, width) * width;
      long to = -Math.floorDiv(-(hour + HOUR), width) * width;
      if (to > end && times.oldest(from, to) <= mask.time() + CLOCK_SKEW) {
        masked.add(Math.max(from, end), to);
        end = to;
      }
    }
    return masked.build();
  }

  /**
   * As of when the rollups of a range show the raw points: all points stored by then are in them.
   *
   * @param from milliseconds since the epoch, inclusive
   * @param to milliseconds since the epoch, exclusive
   * @return milliseconds since the epoch, of the oldest rollup; {@link #NOT_PROVEN} if the range is
   *     not in {@link #proven}
   */
  public long asOf(String interval, long width, String metric, long from, long to) {
    Windows of = byInterval.get(interval);
    return of == null || !proven(interval, width, metric).contains(from, to)
        ? NOT_PROVEN
        : of.of(metric, width).oldest(from, to);
  }

  /** Why nothing is proven; empty if the table could be read. */
  public String reason() {
    return reason;
  }

  /** All windows of the table, also those that do not count; unmodifiable. */
  public List<CoverageWindow> windows() {
    return windows;
  }

  /** All masks of the table; unmodifiable. */
  public List<CoverageMask> masks() {
    return masks;
  }

  /** Why the windows of a rollup table do not count, by the table's name; unmodifiable. */
  public Map<String, String> voidTables() {
    return voidTables;
  }
}
