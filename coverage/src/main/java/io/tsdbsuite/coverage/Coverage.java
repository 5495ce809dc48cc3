package io.tsdbsuite.coverage;

import io.tsdbsuite.format.rollup.Level;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Collections;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

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
  public static final long CLOCK_SKEW = 60_000;

  /** How long a coverage may be used after its reading began, milliseconds. */
  public static final long MAX_AGE = 60_000;

  /** How long before HBase removes its first rollups a window is void; clocks differ. */
  private static final long EXPIRY_MARGIN = 5 * MAX_AGE;

  /**
   * How old a proof may be when it is written, milliseconds: no writer adds a window whose {@code
   * asOf} is older, because the masks of that time may be deleted.
   */
  public static final long MAX_PROOF_AGE = 7 * 86_400_000L;

  /**
   * Windows become one only if their {@link CoverageWindow#fullAsOf} lie in the same multiples of
   * this time, milliseconds: so much of it is not known then.
   */
  public static final long FULL_SPAN = 28 * 86_400_000L;

  /**
   * How much later than the end of a bucket's last hour it must have been read, milliseconds:
   * points that are stored up to a minute after their hour have no mask, and clocks differ.
   */
  static final long SETTLED = 300_000;

  private static final long HOUR = 3_600_000;

  // Beyond that many metrics and combinations of windows, each call computes its times anew.
  private static final int MAX_CACHED = 1000;

  private final String reason;
  private final List<CoverageWindow> windows;
  private final List<CoverageMask> masks;
  private final List<CoverageFloor> floors;
  private final boolean floorsKnown;
  private final @Nullable String version;
  private final Map<String, String> voidTables;
  private final Map<String, Windows> byInterval = new HashMap<>();
  private final Set<CoverageWindow> counting = Collections.newSetFromMap(new IdentityHashMap<>());
  private final Map<String, List<CoverageMask>> byMetric = new HashMap<>();
  private final Map<String, Long> knownFloors = new ConcurrentHashMap<>();

  private Coverage(
      String reason,
      List<CoverageWindow> windows,
      List<CoverageMask> masks,
      List<CoverageFloor> floors,
      boolean floorsKnown,
      @Nullable String version,
      Map<String, String> voidTables) {
    this.reason = reason;
    this.windows = Collections.unmodifiableList(new ArrayList<>(windows));
    this.masks = Collections.unmodifiableList(new ArrayList<>(masks));
    this.floors = Collections.unmodifiableList(new ArrayList<>(floors));
    this.floorsKnown = floorsKnown;
    this.version = version;
    this.voidTables = Collections.unmodifiableMap(new TreeMap<>(voidTables));
  }

  /**
   * The end of the last bucket that a reading can prove: 5 minutes before it the last hour was over
   * that the bucket has a part of.
   *
   * @param asOf of the reading, milliseconds since the epoch
   * @param width of the interval, milliseconds
   * @return milliseconds since the epoch
   */
  public static long settled(long asOf, long width) {
    long lastHour = Math.floorDiv(asOf - SETTLED, HOUR) * HOUR;
    return Math.floorDiv(lastHour, width) * width;
  }

  /** Nothing is proven, and the floors are not known. */
  public static Coverage nothing(String reason) {
    return nothing(reason, Collections.emptyList(), false, null);
  }

  /**
   * Nothing is proven, but the floors are known.
   *
   * @param floors empty if there is no coverage table
   */
  public static Coverage nothing(String reason, List<CoverageFloor> floors) {
    return nothing(reason, floors, true, floors.isEmpty() ? null : CoverageRows.FLOOR_VERSION);
  }

  static Coverage nothing(
      String reason, List<CoverageFloor> floors, boolean floorsKnown, @Nullable String version) {
    return new Coverage(
        reason,
        Collections.emptyList(),
        Collections.emptyList(),
        floors,
        floorsKnown,
        version,
        Collections.emptyMap());
  }

  /**
   * @param windows those that count and those that do not
   * @param version of the table
   * @param voidTables why the windows of a table do not count, by its name
   * @param tables the rollup table of each level; windows of other tables do not count
   * @param now milliseconds since the epoch; windows that have expired do not count
   */
  static Coverage of(
      List<CoverageWindow> windows,
      List<CoverageMask> masks,
      List<CoverageFloor> floors,
      @Nullable String version,
      Map<String, String> voidTables,
      Map<String, String> tables,
      long now) {
    Coverage coverage = new Coverage("", windows, masks, floors, true, version, voidTables);
    for (CoverageWindow window : windows) {
      if (window.table().equals(tables.get(window.interval()))
          && !voidTables.containsKey(window.table())
          && !isExpired(window, now)) {
        coverage.counting.add(window);
        coverage
            .byInterval
            .computeIfAbsent(window.interval(), interval -> new Windows())
            .add(window);
      }
    }
    for (CoverageMask mask : masks) {
      coverage.byMetric.computeIfAbsent(mask.metric(), metric -> new ArrayList<>()).add(mask);
    }
    return coverage;
  }

  /**
   * Whether HBase has removed rollups of a window by its TTL, or does so within 5 minutes.
   *
   * @param now milliseconds since the epoch
   */
  public static boolean isExpired(CoverageWindow window, long now) {
    return window.expires() <= now + EXPIRY_MARGIN;
  }

  /** The windows of an interval, by the metrics that they select. */
  private static final class Windows {
    private final Map<String, List<CoverageWindow>> bySelection = new LinkedHashMap<>();
    private final Map<String, TimeRanges> unmasked = new ConcurrentHashMap<>();

    /** By width and metric, and by width and selections, which metrics share. */
    private final Map<List<Object>, AsOfTimes> known = new ConcurrentHashMap<>();

    void add(CoverageWindow window) {
      bySelection.computeIfAbsent(window.metrics(), metrics -> new ArrayList<>()).add(window);
    }

    /** As of when the rollups of a metric are stored. */
    AsOfTimes of(String metric, long width) {
      List<Object> ofMetric = Arrays.asList(width, metric);
      AsOfTimes times = known.get(ofMetric);
      if (times == null) {
        BitSet selections = selections(metric);
        List<Object> ofSelections = Arrays.asList(width, selections);
        times = known.get(ofSelections);
        if (times == null) {
          times = AsOfTimes.of(selected(selections), width);
        }
        if (known.size() < MAX_CACHED) {
          known.put(ofSelections, times);
          known.put(ofMetric, times);
        }
      }
      return times;
    }

    private BitSet selections(String metric) {
      BitSet selections = new BitSet();
      int i = 0;
      for (List<CoverageWindow> each : bySelection.values()) {
        selections.set(i++, each.get(0).wants(metric));
      }
      return selections;
    }

    /** As of when the rollups of all metrics are stored. */
    AsOfTimes ofAll(long width) {
      return AsOfTimes.of(
          bySelection.getOrDefault(CoverageMask.ALL_METRICS, Collections.emptyList()), width);
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
   * that a mask voids, and those below the floor of the interval.
   *
   * @param interval as {@link CoverageWindow#interval()}, for example {@code 1h} or {@code 1h.p99}
   * @param width of the interval, milliseconds
   * @param metric its name
   * @return milliseconds since the epoch
   */
  public TimeRanges proven(String interval, long width, String metric) {
    Windows of = byInterval.get(interval);
    if (of == null) {
      return TimeRanges.none();
    }
    if (!byMetric.containsKey(metric) && !byMetric.containsKey(CoverageMask.ALL_METRICS)) {
      return aboveFloor(interval, metric, of.of(metric, width).proven());
    }
    String key = width + " " + metric;
    TimeRanges proven = of.unmasked.get(key);
    if (proven == null) {
      AsOfTimes times = of.of(metric, width);
      proven =
          times
              .proven()
              .minus(masked(metric, metric, times))
              .minus(masked(CoverageMask.ALL_METRICS, metric, times));
      if (of.unmasked.size() < MAX_CACHED) {
        of.unmasked.put(key, proven);
      }
    }
    return aboveFloor(interval, metric, proven);
  }

  /** A floor is where a row of its table begins, so buckets below it are those of rows below it. */
  private TimeRanges aboveFloor(String interval, String metric, TimeRanges times) {
    long floor = floor(interval, metric);
    return floor == 0 ? times : times.minus(TimeRanges.of(0, floor * 1000));
  }

  /**
   * The times for which every rollup of an interval is stored, as {@link #proven}, but also those
   * that a mask voids: their rollups can be read, and may lack new points.
   */
  public TimeRanges stored(String interval, long width, String metric) {
    Windows of = byInterval.get(interval);
    return of == null
        ? TimeRanges.none()
        : aboveFloor(interval, metric, of.of(metric, width).proven());
  }

  /**
   * The buckets of a metric that masks void. Those of hours below its floor are void themselves:
   * they would hide the only data.
   *
   * @param named {@link CoverageMask#metric} of the masks
   */
  private TimeRanges masked(String named, String metric, AsOfTimes times) {
    List<TimeRanges> masked = new ArrayList<>();
    long floor = floor(CoverageFloor.RAW, metric);
    for (CoverageMask mask : byMetric.getOrDefault(named, Collections.emptyList())) {
      if (mask.to() > floor) {
        masked.add(times.masked(mask.from(floor)));
      }
    }
    return TimeRanges.union(masked);
  }

  /**
   * The floor of a metric: data of rows that begin before it may be gone from a table.
   *
   * @param level {@link CoverageFloor#RAW}, or that of windows
   * @return seconds since the epoch, a midnight (UTC); 0 if nothing is gone. Says nothing unless
   *     {@link #floorsKnown}
   */
  public long floor(String level, String metric) {
    if (floors.isEmpty()) {
      return 0;
    }
    String key = level + " " + metric;
    Long known = knownFloors.get(key);
    if (known == null) {
      known = CoverageFloor.highest(floors, level, metric);
      if (knownFloors.size() < MAX_CACHED) {
        knownFloors.put(key, known);
      }
    }
    return known;
  }

  /**
   * The highest floor, of raw data or of its interval, that may be of a metric of a window, seconds
   * since the epoch; 0 if there is none. No writer adds or raises a window below it. That of raw
   * data is not one of packed rows: what they must equal, the interval's rows, is there.
   */
  public long floor(CoverageWindow window) {
    long own = floor(window.interval(), window);
    return Level.isPacked(window.interval())
        ? own
        : Math.max(floor(CoverageFloor.RAW, window), own);
  }

  private long floor(String level, CoverageWindow window) {
    long highest = 0;
    for (CoverageFloor floor : floors) {
      if (floor.isOf(level) && floor.mayShare(window)) {
        highest = Math.max(highest, floor.before());
      }
    }
    return highest;
  }

  /** Whether a mask is void for all its metrics; of one of all metrics that is not known. */
  public boolean isVoid(CoverageMask mask) {
    return !mask.metric().equals(CoverageMask.ALL_METRICS) && isBelowFloor(mask, mask.metric());
  }

  /** Whether a mask is void for a metric: all its hours are below the raw floor of the metric. */
  public boolean isBelowFloor(CoverageMask mask, String metric) {
    return mask.to() <= floor(CoverageFloor.RAW, metric);
  }

  /**
   * Whether the floors of the table could be read. If not, absent raw data may be data that are
   * gone.
   */
  public boolean floorsKnown() {
    return floorsKnown;
  }

  /**
   * Whether the table has the version of floors: then one may rise at any time after the reading.
   */
  public boolean mayHaveFloors() {
    return CoverageRows.hasFloors(version);
  }

  /** Whether the table has the version of windows of levels, also if nothing is proven. */
  public boolean mayHaveLevels() {
    return CoverageRows.hasLevels(version);
  }

  /** All floors of the table; unmodifiable. */
  public List<CoverageFloor> floors() {
    return floors;
  }

  /**
   * The rows of masks that no window needs any more, with the newest time of their cells: a writer
   * may delete the cells up to it. They change nothing that is proven, and are older than {@link
   * #MAX_PROOF_AGE}, so that no later window needs them either. Windows of packed rows need none:
   * no refresh raises them, and they are read only where the interval is proven.
   *
   * @param widths of the levels, milliseconds; masks that windows of others need stay
   * @param now milliseconds since the epoch
   * @return times in milliseconds since the epoch, by row key
   */
  public Map<String, Long> voidMasks(Map<String, Long> widths, long now) {
    Map<String, Long> voids = new TreeMap<>();
    Map<String, Boolean> needed = new HashMap<>();
    for (CoverageMask mask : masks) {
      String row = CoverageRows.maskRow(mask.from(), mask.metric());
      voids.merge(row, mask.time(), Math::max);
      needed.merge(row, isNeeded(mask, widths, now), Boolean::logicalOr);
    }
    voids.keySet().removeIf(needed::get);
    return voids;
  }

  private boolean isNeeded(CoverageMask mask, Map<String, Long> widths, long now) {
    if (mask.time() + MAX_PROOF_AGE >= now) {
      return true;
    }
    boolean ofAll = mask.metric().equals(CoverageMask.ALL_METRICS);
    if (isVoid(mask)) {
      return false;
    }
    for (CoverageWindow window : windows) {
      if (window.from() < mask.to()
          && window.to() > mask.from()
          && !Level.isPacked(window.interval())
          && window.asOf(mask.kind()) <= mask.shownAfter()
          && (ofAll || window.wants(mask.metric()))
          && !isAsked(window, widths, ofAll)) {
        return true;
      }
    }
    for (Map.Entry<String, Windows> each : byInterval.entrySet()) {
      Long width = widths.get(each.getKey());
      Windows of = each.getValue();
      if (width != null
          && !Level.isPacked(each.getKey())
          && !(ofAll ? of.ofAll(width) : of.of(mask.metric(), width)).isVoid(mask)) {
        return true;
      }
    }
    return false;
  }

  /**
   * The masks of lost rollups of named series that no window needs, because a look has found all
   * rollups of their hours. What was lost later, or may have been of a run over newer raw points,
   * stays; masks of all series may stand for raw points that no rollup shows yet.
   *
   * @param found windows all of whose rollups were seen in their tables
   * @param widths of all intervals and their levels, milliseconds
   * @param looked when the look began, milliseconds since the epoch
   */
  public List<CoverageMask> found(
      List<CoverageWindow> found, Map<String, Long> widths, long looked) {
    List<CoverageMask> masksOf = new ArrayList<>();
    for (CoverageMask mask : masks) {
      if (mask.kind() == CoverageMask.Kind.LOST
          && mask.series() > 0
          && !mask.metric().equals(CoverageMask.ALL_METRICS)
          && mask.shownAfter() < looked
          && isFound(mask, found, widths)) {
        masksOf.add(mask);
      }
    }
    return masksOf;
  }

  private boolean isFound(CoverageMask mask, List<CoverageWindow> found, Map<String, Long> widths) {
    for (CoverageWindow window : windows) {
      if (window.from() < mask.to()
          && window.to() > mask.from()
          && window.wants(mask.metric())
          && found.stream()
              .noneMatch(
                  each ->
                      each.interval().equals(window.interval())
                          && each.table().equals(window.table())
                          && each.asOf() >= window.asOf())) {
        return false;
      }
    }
    for (Map.Entry<String, Long> each : widths.entrySet()) {
      if (!CoverageRows.interval(each.getKey()).equals(each.getKey())
          && windows.stream().noneMatch(window -> isOf(window, each.getKey(), mask))) {
        // A later window of it is a look of its own.
        continue;
      }
      long width = each.getValue();
      List<TimeRanges> ranges = new ArrayList<>();
      for (CoverageWindow window : found) {
        if (window.interval().equals(each.getKey())
            && !window.isRefresh()
            && window.wants(mask.metric())) {
          ranges.add(TimeRanges.of(window.from() * 1000, window.to() * 1000));
        }
      }
      long from = Math.floorDiv(mask.from() * 1000, width) * width;
      long to = -Math.floorDiv(-mask.to() * 1000, width) * width;
      if (!TimeRanges.union(ranges).contains(from, to)) {
        return false;
      }
    }
    return !widths.isEmpty();
  }

  private static boolean isOf(CoverageWindow window, String level, CoverageMask mask) {
    return window.interval().equals(level)
        && window.from() < mask.to()
        && window.to() > mask.from()
        && window.wants(mask.metric());
  }

  /**
   * Whether a window counts for the answer of {@link AsOfTimes#isVoid}. One that does not count may
   * count again, when its table is restored; one of a part of the metrics does not answer for all.
   */
  private boolean isAsked(CoverageWindow window, Map<String, Long> widths, boolean ofAll) {
    return counting.contains(window)
        && widths.containsKey(window.interval())
        && (!ofAll || window.metrics().equals(CoverageMask.ALL_METRICS));
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

  /**
   * The end of the newest window of an interval that counts, whatever metrics it selects.
   *
   * @return seconds since the epoch; 0 if there is none
   */
  public long end(String interval) {
    long end = 0;
    Windows of = byInterval.get(interval);
    if (of != null) {
      for (List<CoverageWindow> selection : of.bySelection.values()) {
        for (CoverageWindow window : selection) {
          end = Math.max(end, window.to());
        }
      }
    }
    return end;
  }

  /**
   * The proven times of each selection of metrics that the windows of an interval have, with those
   * of all metrics, as {@link #proven} has them for a metric that no other window selects and that
   * has the highest floor, and without regard to masks.
   *
   * @param width of the interval, milliseconds
   * @return milliseconds since the epoch, by the selection as it stands in the windows
   */
  public Map<String, TimeRanges> provenBySelection(String interval, long width) {
    Map<String, TimeRanges> proven = new LinkedHashMap<>();
    Windows of = byInterval.get(interval);
    if (of != null) {
      for (String selection : of.bySelection.keySet()) {
        List<CoverageWindow> windows = new ArrayList<>(of.bySelection.get(selection));
        if (!selection.equals("*")) {
          windows.addAll(of.bySelection.getOrDefault("*", Collections.emptyList()));
        }
        long floor = floor(interval, windows.get(0));
        proven.put(
            selection, AsOfTimes.of(windows, width).proven().minus(TimeRanges.of(0, floor * 1000)));
      }
    }
    return proven;
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
