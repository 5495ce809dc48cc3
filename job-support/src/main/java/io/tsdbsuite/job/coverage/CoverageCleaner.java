package io.tsdbsuite.job.coverage;

import static io.tsdbsuite.job.coverage.CoverageTable.bytes;
import static java.util.stream.Collectors.joining;
import static java.util.stream.Collectors.toSet;

import io.tsdbsuite.coverage.CoverageCell;
import io.tsdbsuite.coverage.CoverageFloor;
import io.tsdbsuite.coverage.CoverageMask;
import io.tsdbsuite.coverage.CoverageRows;
import io.tsdbsuite.coverage.CoverageWindow;
import io.tsdbsuite.coverage.TimeRanges;
import java.io.Closeable;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.BiConsumer;
import java.util.stream.Stream;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.TableNotEnabledException;
import org.apache.hadoop.hbase.TableNotFoundException;
import org.apache.hadoop.hbase.client.CheckAndMutate;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.jspecify.annotations.Nullable;

/**
 * Removes windows and masks of the coverage table. It reads row by row, so it also works where
 * {@link io.tsdbsuite.coverage.CoverageReader} refuses the table because it has too many rows or a
 * broken one.
 */
public final class CoverageCleaner implements Closeable {
  private static final byte[] FAMILY = bytes(CoverageRows.FAMILY);

  private final Connection connection;
  private final Table table;
  private final Set<String> broken = new LinkedHashSet<>();

  /**
   * @param connection stays open
   * @param name with its namespace
   * @throws IOException when HBase fails
   */
  public CoverageCleaner(Connection connection, String name) throws IOException {
    this.connection = connection;
    this.table = connection.getTable(TableName.valueOf(name));
  }

  /**
   * A window.
   *
   * @param row what it says
   * @param written when it was written last, by HBase's clock, milliseconds since the epoch
   */
  public record Found(CoverageWindow row, long written) {}

  /**
   * A row of masks.
   *
   * @param key of the row
   * @param masks what it says
   * @param written when a cell was written last, by HBase's clock, milliseconds since the epoch
   */
  public record FoundMasks(String key, List<CoverageMask> masks, long written) {}

  /** What is wrong with the rows that could not be read. */
  public List<String> broken() {
    return List.copyOf(broken);
  }

  /**
   * The windows, those that do not count too.
   *
   * @throws IOException when HBase fails
   */
  public List<Found> windows() throws IOException {
    List<Found> found = new ArrayList<>();
    read(
        CoverageRows.WINDOW_PREFIX,
        (cells, written) -> found.add(new Found(CoverageRows.window(cells), written)));
    return found;
  }

  /**
   * The masks, those that void nothing too.
   *
   * @throws IOException when HBase fails
   */
  public List<FoundMasks> masks() throws IOException {
    List<FoundMasks> found = new ArrayList<>();
    read(
        CoverageRows.MASK_PREFIX,
        (cells, written) -> {
          List<CoverageMask> masks = CoverageRows.masks(cells);
          CoverageMask first = masks.get(0);
          String key = CoverageRows.maskRow(first.from(), first.metric());
          found.add(new FoundMasks(key, masks, written));
        });
    return found;
  }

  private void read(String prefix, BiConsumer<List<CoverageCell>, Long> row) throws IOException {
    Scan scan = new Scan().setStartStopRowForPrefixScan(bytes(prefix)).addFamily(FAMILY);
    try (ResultScanner rows = table.getScanner(scan)) {
      for (Result each = rows.next(); each != null; each = rows.next()) {
        List<CoverageCell> cells = CoverageTable.cells(each);
        try {
          row.accept(cells, CoverageTable.written(cells));
        } catch (IllegalArgumentException e) {
          broken.add(String.valueOf(e.getMessage()));
        }
      }
    }
  }

  /** Which times of a window are to be removed. */
  @FunctionalInterface
  public interface Cuts {
    /** Milliseconds since the epoch, inside the window; none if it stays as it is. */
    TimeRanges of(Found found);

    /** Patterns of metrics that keep these times, in a window with none; null if there are none. */
    default @Nullable String kept(Found found) {
      return null;
    }
  }

  /**
   * Removes times of windows, until none is left to be removed. A program that adds windows at the
   * same time may write what it has found or read before: the markers are changed before each look,
   * so it writes no further row, and what it has written is found. Also if there is nothing to
   * remove, no writer adds a window whose rollups were looked at before the call.
   *
   * @param rollupTables whose markers are changed in any case; then those of the windows
   * @return what was removed, as parts of windows
   * @throws IOException when HBase fails; then some of it may be removed
   */
  public List<CoverageWindow> remove(Collection<String> rollupTables, Cuts cuts)
      throws IOException {
    return remove(rollupTables, cuts, false);
  }

  /**
   * The same, but windows keep the metrics of raw floors below them, in rows of their own: the
   * rollups there were proven once, are the only data, and nothing proves them again.
   *
   * @throws IOException as {@link #remove(Collection, Cuts)}; also when a row of a floor is broken
   */
  public List<CoverageWindow> removeAboveFloors(Collection<String> rollupTables, Cuts cuts)
      throws IOException {
    return remove(rollupTables, cuts, true);
  }

  private List<CoverageWindow> remove(
      Collection<String> rollupTables, Cuts cuts, boolean keepsFloors) throws IOException {
    List<CoverageWindow> removed = new ArrayList<>();
    Set<String> changing = rollupTables.stream().map(CoverageRows::tableName).collect(toSet());
    while (true) {
      for (String name : changing) {
        change(name);
      }
      // One may have risen since the last look, or while what is wrong was looked for.
      List<CoverageFloor> raw = keepsFloors ? rawFloors() : List.of();
      Cuts aboveFloors = found -> aboveFloors(found.row(), cuts.of(found), raw);
      List<Found> wanted = new ArrayList<>(windows());
      wanted.removeIf(found -> aboveFloors.of(found).isEmpty());
      if (wanted.isEmpty()) {
        return removed;
      }
      changing = wanted.stream().map(found -> found.row().table()).collect(toSet());
      for (Found found : wanted) {
        CoverageWindow window = found.row();
        TimeRanges times = aboveFloors.of(found);
        // Other ranges of the window are found by the next look.
        long from = times.from(0) / 1000;
        long to = times.to(0) / 1000;
        for (int i = 0; i < raw.size(); i++) {
          keep(window, from, to, raw.get(i), i);
        }
        String kept = cuts.kept(found);
        if (kept != null) {
          // A part of one that was kept gets the first name again, so that none grows.
          String writer = window.writer().replaceFirst("\\.kept$", "");
          String other = writer.equals(window.writer()) ? writer + ".kept" : writer;
          put(window.part(other, from, to, kept));
        }
        cut(found, from, to);
        removed.add(window.part(window.writer(), from, to, window.metrics()));
      }
    }
  }

  private List<CoverageFloor> rawFloors() throws IOException {
    List<CoverageFloor> floors = new ArrayList<>();
    int before = broken.size();
    read(CoverageRows.FLOOR_PREFIX, (cells, written) -> floors.add(CoverageRows.floor(cells)));
    if (broken.size() > before) {
      throw new IOException(
          "the floors of table %s must be readable, found %s"
              .formatted(table.getName(), String.join("; ", broken)));
    }
    floors.removeIf(floor -> !floor.level().equals(CoverageFloor.RAW));
    return floors;
  }

  /** Times without those below a floor that is of all metrics of the window. */
  private static TimeRanges aboveFloors(
      CoverageWindow window, TimeRanges times, List<CoverageFloor> raw) {
    TimeRanges above = times;
    for (CoverageFloor floor : raw) {
      if (window.metrics().equals(common(window, floor))) {
        above = above.minus(TimeRanges.of(0, floor.before() * 1000));
      }
    }
    return above;
  }

  /** The metrics of both; null if there are none, or no selection says it. */
  private static @Nullable String common(CoverageWindow window, CoverageFloor floor) {
    if (window.metrics().matches(".*[!*?].*")) {
      return CoverageFold.both(window.metrics(), floor.metrics());
    }
    String names =
        Stream.of(window.metrics().split(",", -1)).filter(floor::wants).collect(joining(","));
    return names.isEmpty() ? null : names;
  }

  /**
   * Puts what a window says of the metrics of a floor below it, before the window is cut.
   *
   * @param number tells rows of several floors apart
   */
  private void keep(CoverageWindow window, long from, long to, CoverageFloor floor, int number)
      throws IOException {
    long end = Math.min(to, floor.before());
    String metrics = common(window, floor);
    if (metrics != null && from < end) {
      String writer = window.writer().replaceFirst("\\.floor\\d+$", "") + ".floor" + number;
      put(window.part(writer, from, end, metrics));
    }
  }

  /** Puts a row, unless there is one. */
  private void put(CoverageWindow window) throws IOException {
    Put put = CoverageTable.row(window);
    table.checkAndMutate(
        CheckAndMutate.newBuilder(put.getRow()).ifNotExists(FAMILY, CoverageTable.TO).build(put));
  }

  private void change(String name) throws IOException {
    try (Table rollups = connection.getTable(TableName.valueOf(name))) {
      String unused = new TableMarker(table, rollups, name).change();
    } catch (TableNotFoundException | TableNotEnabledException e) {
      // No writer can add windows of it.
    }
  }

  /** Leaves what is before and after: the later part in a row of its own. */
  private void cut(Found found, long from, long to) throws IOException {
    CoverageWindow window = found.row();
    if (to < window.to()) {
      put(window.part(window.writer(), to, window.to(), window.metrics()));
    }
    if (from > window.from()) {
      // A row that was written again since becomes shorter, too, or is found again.
      CoverageWindow earlier = window.part(window.writer(), window.from(), from, window.metrics());
      byte[] key = bytes(CoverageFold.key(window));
      table.checkAndMutate(
          CheckAndMutate.newBuilder(key)
              .ifEquals(FAMILY, CoverageTable.TO, CoverageTable.to(window))
              .build(new Put(key).addColumn(FAMILY, CoverageTable.TO, CoverageTable.to(earlier))));
    } else {
      // A row that was written again since is found again.
      CoverageTable.remove(table, window, found.written());
    }
  }

  /**
   * Removes a row of masks as it was read; masks that were written again since stay.
   *
   * @throws IOException when HBase fails
   */
  public void remove(FoundMasks found) throws IOException {
    table.delete(new Delete(bytes(found.key())).addFamily(FAMILY, found.written()));
  }

  @Override
  public void close() throws IOException {
    table.close();
  }
}
