package io.tsdbsuite.coverage;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Makes a {@link Coverage} of the rows of the coverage table. It never guesses: if it does not
 * understand one row, nothing is proven. For one reading and one thread: {@link #row} for each row,
 * then the ids of the rollup tables, then {@link #coverage}.
 */
public final class CoverageReader {
  /** More rows of windows are refused. */
  public static final int MAX_WINDOWS = 10_000;

  /** More masks are refused. */
  public static final int MAX_MASKS = 100_000;

  /** More cells are refused. */
  public static final int MAX_CELLS = 500_000;

  /** {@link Coverage#reason} of a table without rows. */
  public static final String EMPTY = "the table is empty: nothing was written yet";

  /** {@link Coverage#voidTables}: no window of the table was ever written. */
  public static final String NO_MARKER = "the coverage has no marker of the table";

  private static final int MAX_MARKERS = 1000;

  /** More floors are refused. */
  static final int MAX_FLOORS = 1000;

  /** More different selections of metrics are refused: each is matched with each metric. */
  static final int MAX_SELECTIONS = 5000;

  // A clock that is farther ahead is wrong, and a time of it would void masks that came later.
  private static final long FUTURE = Coverage.CLOCK_SKEW;

  private final List<CoverageWindow> windows = new ArrayList<>();
  private final List<CoverageMask> masks = new ArrayList<>();
  private final List<CoverageFloor> floors = new ArrayList<>();
  private final Map<String, Map<String, String>> markers = new TreeMap<>();
  private final Set<String> selections = new HashSet<>();
  private int cells;
  private boolean floorsBroken;
  private @Nullable String version;
  private @Nullable String problem;

  /**
   * Takes a row; rows come in the order of their keys, so floors and the version first.
   *
   * @param row its cells, at least one
   * @return whether it is worth to go on; after a problem nothing is proven, and only floors and
   *     the version are still read
   */
  public boolean row(List<CoverageCell> row) {
    boolean ofFloors = isOfFloors(row.get(0).row());
    if (problem == null || ofFloors) {
      try {
        read(row);
      } catch (IllegalArgumentException e) {
        problem = problem == null ? e.getMessage() : problem;
        floorsBroken |= ofFloors;
      }
    }
    return problem == null || (version == null && !floorsBroken && cells <= MAX_CELLS);
  }

  /** Whether there may be windows of levels, when the row of the version was taken. */
  public boolean mayHaveLevels() {
    return CoverageRows.hasLevels(version);
  }

  /** Rows behind the version could not be read: nothing is proven, and floors are known. */
  public void failed(String why) {
    problem = problem == null ? why : problem;
  }

  private static boolean isOfFloors(byte[] key) {
    String row = new String(key, StandardCharsets.UTF_8);
    return row.startsWith(CoverageRows.FLOOR_PREFIX) || row.equals(CoverageRows.FORMAT_ROW);
  }

  private void read(List<CoverageCell> cellsOfRow) {
    cells += cellsOfRow.size();
    bound("cells", cells, MAX_CELLS);
    String row = CoverageRows.row(cellsOfRow.get(0).row());
    if (row.startsWith(CoverageRows.FLOOR_PREFIX)) {
      floors.add(CoverageRows.floor(row, CoverageRows.texts(row, cellsOfRow)));
      bound("floors", floors.size(), MAX_FLOORS);
    } else if (row.equals(CoverageRows.FORMAT_ROW)) {
      version = CoverageRows.texts(row, cellsOfRow).get(CoverageRows.VERSION_COLUMN);
    } else if (row.startsWith(CoverageRows.WINDOW_PREFIX)) {
      windows.add(CoverageRows.window(row, CoverageRows.texts(row, cellsOfRow)));
      bound("windows", windows.size(), MAX_WINDOWS);
      selections.add(windows.get(windows.size() - 1).metrics());
      bound("selections of metrics", selections.size(), MAX_SELECTIONS);
    } else if (row.startsWith(CoverageRows.MASK_PREFIX)) {
      masks.addAll(CoverageRows.masks(row, CoverageRows.times(row, cellsOfRow)));
      bound("masks", masks.size(), MAX_MASKS);
    } else if (row.startsWith(CoverageRows.MARKER_PREFIX)) {
      Map<String, String> columns = CoverageRows.texts(row, cellsOfRow);
      CoverageRows.checkMarker(row, columns);
      markers.put(CoverageRows.markerTable(row), columns);
      bound("markers", markers.size(), MAX_MARKERS);
    } else {
      throw CoverageRows.unknown(row);
    }
  }

  private static void bound(String what, int found, int most) {
    if (found > most) {
      throw new IllegalArgumentException("more than " + most + " " + what);
    }
  }

  /**
   * The coverage of the rows.
   *
   * @param tables the rollup table of each level, both as rollup_config.json writes them; windows
   *     of other levels are void
   * @param ids the id that each rollup table has in its row {@link CoverageRows#tableMarkerRow()},
   *     read after the rows; a table without one is missing
   * @param now milliseconds since the epoch
   */
  public Coverage coverage(Map<String, String> tables, Map<String, String> ids, long now) {
    if (problem == null) {
      problem = wrong(now);
    }
    if (problem != null) {
      // kafka-ingest writes masks into a table without a version, which has no floors then.
      boolean hasNone = version == null && floors.isEmpty() && cells <= MAX_CELLS;
      return !floorsBroken && (hasNone || wrongVersion() == null)
          ? Coverage.nothing(problem, floors, true, version)
          : Coverage.nothing(problem);
    }
    Map<String, String> ofInterval = new HashMap<>();
    tables.forEach((interval, table) -> ofInterval.put(interval, CoverageRows.tableName(table)));
    Map<String, String> found = new HashMap<>();
    ids.forEach((table, id) -> found.put(CoverageRows.tableName(table), id));
    Map<String, String> voidTables = new TreeMap<>();
    for (String table : ofInterval.values()) {
      String defect = defect(markers.get(table), found.get(table));
      if (defect != null) {
        voidTables.put(table, defect);
      }
    }
    return Coverage.of(windows, masks, floors, version, voidTables, ofInterval, now);
  }

  /** What is wrong with the whole. */
  private @Nullable String wrong(long now) {
    if (version == null
        && floors.isEmpty()
        && windows.isEmpty()
        && masks.isEmpty()
        && markers.isEmpty()) {
      return EMPTY;
    }
    String wrongVersion = wrongVersion();
    if (wrongVersion != null) {
      return wrongVersion;
    }
    for (CoverageFloor floor : floors) {
      if (floor.before() * 1000 > now) {
        floorsBroken = true;
        return "row " + floor + ": before must not be in the future, found " + floor.before();
      }
    }
    for (CoverageWindow window : windows) {
      if (!CoverageRows.hasLevels(version)
          && !CoverageRows.interval(window.interval()).equals(window.interval())) {
        String row = CoverageRows.windowRow(window.interval(), window.from(), window.writer());
        return needs(row, CoverageRows.LEVEL_VERSION);
      }
      if (window.asOf() > now + FUTURE) {
        return "window " + window + ": asOf must not be in the future, found " + window.asOf();
      }
    }
    return null;
  }

  private @Nullable String wrongVersion() {
    if (!CoverageRows.isKnown(version)) {
      return String.format(
          "row format must have the version %s, found %s",
          CoverageRows.VERSIONS, version == null ? "none" : version);
    }
    return floors.isEmpty() || CoverageRows.hasFloors(version)
        ? null
        : needs(floors.get(0).toString(), CoverageRows.FLOOR_VERSION);
  }

  private String needs(String row, String needed) {
    return String.format(
        "row %s needs the version %s of row format, found %s", row, needed, version);
  }

  /** Why the windows of a table prove nothing. */
  private static @Nullable String defect(
      @Nullable Map<String, String> marker, @Nullable String found) {
    if (marker == null) {
      return NO_MARKER;
    }
    if (found == null) {
      return "the table has no marker: it is new, or was truncated or made again";
    }
    return found.equals(marker.get(CoverageRows.ID_COLUMN))
            || found.equals(marker.get(CoverageRows.NEXT_COLUMN))
        ? null
        : "the table has another marker: it was made again, or restored from a snapshot";
  }
}
