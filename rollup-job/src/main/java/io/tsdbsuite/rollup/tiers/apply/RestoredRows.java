package io.tsdbsuite.rollup.tiers.apply;

import io.tsdbsuite.coverage.Coverage;
import io.tsdbsuite.format.rollup.RollupCell;
import io.tsdbsuite.format.rollup.RollupInterval;
import io.tsdbsuite.format.row.RowKey;
import io.tsdbsuite.hbase.load.HFileDir;
import io.tsdbsuite.hbase.load.HFileLoader;
import io.tsdbsuite.hbase.load.RegionHFiles;
import io.tsdbsuite.hbase.load.TableLayout;
import io.tsdbsuite.hbase.snapshot.SnapshotRegion;
import io.tsdbsuite.rollup.hfile.RunDir;
import io.tsdbsuite.rollup.threads.Workers;
import java.io.IOException;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Comparator;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.RegionLocator;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.Table;
import org.jspecify.annotations.Nullable;

/**
 * The cells of the rows for which an apply has made markers: of the proof's snapshot, beside what
 * the table has, hidden cells and markers included.
 *
 * @param hbase client configuration of HBase and the file systems
 * @param rows of the snapshot
 * @param manifest of the apply
 * @param dir for HFiles of this proof alone
 * @param clock gives the creation time of the files
 * @param ttl time after which HBase hides a cell, milliseconds: it does not come back; {@link
 *     Long#MAX_VALUE}: never
 * @param newer receives what came later than the markers; null if it does not matter
 */
record RestoredRows(
    Configuration hbase,
    Connection connection,
    SnapshotRows rows,
    MarkerManifest manifest,
    Path dir,
    InstantSource clock,
    long ttl,
    @Nullable Set<Newer> newer) {
  private static final long DAY = 86400;
  private static final int THREADS = 8;
  private static final int DIGITS = 16;

  /**
   * What has become of the rows.
   *
   * @param rows for which markers were made
   * @param open rows of which the table lacks a cell of the snapshot, or hides one
   * @param cells that it lacks
   */
  record Count(long rows, long open, long cells) {
    Count plus(Count other) {
      return new Count(rows + other.rows, open + other.open, cells + other.cells);
    }
  }

  /**
   * A day of a metric with cells, or markers of others, that are newer than the apply's.
   *
   * @param metric its UID
   * @param day its start, seconds since the epoch
   */
  record Newer(long metric, long day) implements Comparable<Newer> {
    @Override
    public int compareTo(Newer other) {
      return Comparator.comparingLong(Newer::metric)
          .thenComparingLong(Newer::day)
          .compare(this, other);
    }
  }

  /** Work on a row. */
  @FunctionalInterface
  private interface Row {
    /**
     * Does it.
     *
     * @param wanted cells of the snapshot
     * @param found all cells and markers of the table
     */
    void of(List<Cell> wanted, List<Cell> found) throws IOException;
  }

  /** Work on a region of the snapshot. */
  @FunctionalInterface
  private interface Region<T> {
    T of(MarkerManifest.Part part) throws IOException;
  }

  private <T> List<T> each(Region<T> work) throws IOException {
    try (Workers workers = new Workers("tiers-undo", THREADS)) {
      return workers.mapUntilFailure(manifest.parts(), work::of);
    }
  }

  private Map<Long, MarkerRows.Count> rows(MarkerManifest.Part part, Row each) throws IOException {
    return rows(part, rows.table(), each);
  }

  private Map<Long, MarkerRows.Count> rows(MarkerManifest.Part part, TierTable table, Row each)
      throws IOException {
    Map<String, SnapshotRegion> regions =
        rows.regions().stream()
            .collect(Collectors.toMap(SnapshotRegion::encodedName, region -> region));
    BitSet unmarked = part.unmarkedRows();
    return rows.markers(
        Objects.requireNonNull(regions.get(part.region())),
        of -> {
          try (Table live = connection.getTable(table.hbase());
              LiveRows found = LiveRows.raw(live, table, rows.from(), rows.to())) {
            for (int row = 0; of.next(); row++) {
              if (!unmarked.get(row)) {
                Result result = found.find(of.row());
                List<Cell> cells = result == null ? List.of() : Arrays.asList(result.rawCells());
                if (table.equals(rows.table())) {
                  note(of.row(), cells);
                }
                each.of(of.cells().stream().filter(cell -> lasts(cell, 0)).toList(), cells);
              }
            }
          }
          return of.counts();
        });
  }

  /**
   * Whether the TTL does not hide a cell.
   *
   * @param time from now, milliseconds
   */
  private boolean lasts(Cell cell, long time) {
    return cell.getTimestamp() >= clock.millis() + time - ttl;
  }

  private void note(byte[] row, List<Cell> cells) {
    RollupInterval rollups = rows.table().rollups();
    RowKey keys = new RowKey(rows.table().schema());
    for (Cell cell : cells) {
      byte[] column = CellUtil.cloneQualifier(cell);
      boolean counts =
          cell.getType() != Cell.Type.Put || rows.table().isOfProof(column, 0, column.length);
      if (newer != null && counts && cell.getTimestamp() > rows.stamp()) {
        long from = keys.baseTime(row, 0);
        long to = from + 1;
        if (rollups != null && RollupCell.is(column, 0, column.length)) {
          from += RollupCell.offset(column, 0) * rollups.seconds();
          to = from + 1;
        } else if (rollups != null) {
          to = rollups.rowEnd(from);
        }
        for (long day = from - from % DAY; day < to; day += DAY) {
          newer.add(new Newer(keys.metricUid(row, 0), day));
        }
      }
    }
  }

  /**
   * The regions with markers that hide cells of the snapshot, or their packed copies, names by
   * their hex.
   *
   * @param table that of the rows, or the one with packed copies of them
   * @throws IOException when HBase or storage fails
   */
  SortedMap<String, byte[]> hidingRegions(TierTable table) throws IOException {
    Map<String, byte[]> found = new ConcurrentHashMap<>();
    try (RegionLocator locator = connection.getRegionLocator(table.hbase())) {
      List<Map<Long, MarkerRows.Count>> unused =
          each(
              part ->
                  rows(
                      part,
                      table,
                      (wanted, cells) -> {
                        if (wanted.stream().anyMatch(cell -> isHidden(cell, cells))) {
                          byte[] region =
                              locator
                                  .getRegionLocation(CellUtil.cloneRow(wanted.get(0)))
                                  .getRegion()
                                  .getRegionName();
                          found.put(HexFormat.of().formatHex(region), region);
                        }
                      }));
    }
    return new TreeMap<>(found);
  }

  /** Whether markers among the cells of a row hide a cell. */
  private static boolean isHidden(Cell cell, List<Cell> row) {
    for (Cell marker : row) {
      boolean hides =
          switch (marker.getType()) {
            case DeleteFamily -> marker.getTimestamp() >= cell.getTimestamp();
            case DeleteFamilyVersion -> marker.getTimestamp() == cell.getTimestamp();
            case DeleteColumn ->
                marker.getTimestamp() >= cell.getTimestamp()
                    && CellUtil.matchingQualifier(marker, cell);
            case Delete ->
                marker.getTimestamp() == cell.getTimestamp()
                    && CellUtil.matchingQualifier(marker, cell);
            case Put -> false;
          };
      if (hides) {
        return true;
      }
    }
    return false;
  }

  private static boolean isThere(Cell cell, List<Cell> row) {
    return row.stream()
        .anyMatch(
            found ->
                found.getType() == Cell.Type.Put
                    && found.getTimestamp() == cell.getTimestamp()
                    && CellUtil.matchingQualifier(found, cell)
                    && CellUtil.matchingValue(found, cell));
  }

  /** Whether a later cell has replaced it, which HBase's compactions remove. */
  private static boolean isReplaced(Cell cell, List<Cell> row) {
    return row.stream()
        .anyMatch(
            found ->
                found.getType() == Cell.Type.Put
                    && found.getTimestamp() > cell.getTimestamp()
                    && CellUtil.matchingQualifier(found, cell));
  }

  private HFileDir hfiles() throws IOException {
    return new HFileDir(
        hbase,
        RunDir.table(dir, rows.table().name()).toString(),
        RowKey.FAMILY,
        RunDir.prefix(manifest.proof().substring(0, DIGITS)));
  }

  /**
   * Writes the cells that the table lacks to HFiles.
   *
   * @throws IOException when HBase or storage fails, or the rows are not those of the manifest
   */
  Count write() throws IOException {
    remove();
    TableLayout layout = TableLayout.read(connection, rows.table().hbase(), RowKey.family());
    try (HFileDir files = hfiles()) {
      return each(part -> write(files, layout, part)).stream()
          .reduce(new Count(0, 0, 0), Count::plus);
    }
  }

  private Count write(HFileDir files, TableLayout layout, MarkerManifest.Part part)
      throws IOException {
    long[] counts = new long[3];
    try (RegionHFiles hfiles =
        new RegionHFiles(files, part.region(), layout, Long.MAX_VALUE, clock)) {
      Map<Long, MarkerRows.Count> found =
          rows(
              part,
              (wanted, cells) -> {
                List<Cell> missing = new ArrayList<>(wanted);
                missing.removeIf(cell -> isThere(cell, cells));
                if (!missing.isEmpty()) {
                  hfiles.append(missing);
                  counts[1]++;
                }
                counts[0]++;
                counts[2] += missing.size();
              });
      hfiles.end();
      long read = found.values().stream().mapToLong(MarkerRows.Count::allRows).sum();
      if (read != part.rows()) {
        throw new IOException(
            "region %s of the snapshot must have the %s rows of %s, found %s"
                .formatted(part.region(), part.rows(), MarkerDir.MANIFEST, read));
      }
    }
    return new Count(counts[0], counts[1], counts[2]);
  }

  /**
   * Hands the HFiles to HBase.
   *
   * @return their number
   * @throws IOException when HBase or storage fails
   */
  int load() throws IOException {
    try (HFileDir files = hfiles()) {
      return new HFileLoader(hbase, rows.table().hbase(), RowKey.family()).load(files).files();
    }
  }

  /** Removes the HFiles. */
  void remove() throws IOException {
    boolean unused = dir.getFileSystem(hbase).delete(dir, true);
  }

  /**
   * Looks at what the table has. The clocks of HBase may be ahead of this one: cells that the TTL
   * is about to hide do not count.
   *
   * @throws IOException when HBase or storage fails
   */
  Count look() throws IOException {
    return each(this::look).stream().reduce(new Count(0, 0, 0), Count::plus);
  }

  private Count look(MarkerManifest.Part part) throws IOException {
    long[] counts = new long[3];
    Map<Long, MarkerRows.Count> unused =
        rows(
            part,
            (wanted, cells) -> {
              long open =
                  wanted.stream()
                      .filter(cell -> lasts(cell, Coverage.CLOCK_SKEW))
                      .filter(
                          cell ->
                              isHidden(cell, cells)
                                  || !(isThere(cell, cells) || isReplaced(cell, cells)))
                      .count();
              counts[0]++;
              counts[1] += open > 0 ? 1 : 0;
              counts[2] += open;
            });
    return new Count(counts[0], counts[1], counts[2]);
  }
}
