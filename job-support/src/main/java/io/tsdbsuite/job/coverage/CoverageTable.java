package io.tsdbsuite.job.coverage;

import io.tsdbsuite.coverage.Coverage;
import io.tsdbsuite.coverage.CoverageCell;
import io.tsdbsuite.coverage.CoverageFloor;
import io.tsdbsuite.coverage.CoverageMask;
import io.tsdbsuite.coverage.CoverageReader;
import io.tsdbsuite.coverage.CoverageRows;
import io.tsdbsuite.coverage.CoverageWindow;
import io.tsdbsuite.format.rollup.Level;
import io.tsdbsuite.format.rollup.RollupConfig;
import java.io.Closeable;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.TableNotFoundException;
import org.apache.hadoop.hbase.client.CheckAndMutate;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.filter.FirstKeyOnlyFilter;
import org.jspecify.annotations.Nullable;

/**
 * The coverage table of an HBase cluster.
 *
 * <p>A window is written in this order, so that at no time it claims too much: the marker of its
 * rollup table is changed ({@link TableMarker}), then the writer looks whether the rollups are
 * there, then the window is put if the marker is still the same.
 */
public final class CoverageTable implements Closeable {
  private static final int ROWS_PER_CALL = 1000;

  /** Not before any window: whether their times are right is for readers. */
  private static final long ANY_TIME = Long.MAX_VALUE / 2;

  private static final byte[] FAMILY = bytes(CoverageRows.FAMILY);
  static final byte[] TO = bytes("to");
  private static final byte[] EVIDENCE = bytes("evidence");

  private final Connection connection;
  private final Table table;

  /**
   * @param connection stays open
   * @param name with its namespace
   * @throws IOException when HBase fails
   */
  public CoverageTable(Connection connection, String name) throws IOException {
    this.connection = connection;
    this.table = connection.getTable(TableName.valueOf(name));
  }

  /**
   * Reads the coverage.
   *
   * @param tables the rollup table of each level, as rollup_config.json writes them
   * @param now milliseconds since the epoch
   * @throws IOException when HBase fails
   */
  public Coverage read(Map<String, String> tables, long now) throws IOException {
    CoverageReader reader = rows();
    Map<String, String> ids = new HashMap<>();
    for (String name : Set.copyOf(tables.values())) {
      String id = id(name);
      if (!id.isEmpty()) {
        ids.put(name, id);
      }
    }
    return reader.coverage(tables, ids, now);
  }

  /**
   * The floors of the table, for who only reads: also of a table whose other rows are broken.
   *
   * @param now milliseconds since the epoch
   * @throws IOException when HBase fails
   * @throws CoverageRefusedException when the rows of the floors or of the version are broken
   */
  public List<CoverageFloor> knownFloors(long now) throws IOException, CoverageRefusedException {
    Coverage coverage = read(Map.of(), now);
    if (!coverage.floorsKnown()) {
      throw new CoverageRefusedException(
          "the floors of table %s must be readable, found: %s"
              .formatted(table.getName(), coverage.reason()));
    }
    return coverage.floors();
  }

  /**
   * When a floor of a level was raised or lowered last.
   *
   * @param level of floors
   * @return by HBase's clock, milliseconds since the epoch; 0 if the level has no floor
   * @throws IOException when HBase fails
   */
  public long floorsChanged(String level) throws IOException {
    byte[] prefix = bytes(CoverageRows.floorRow(level, ""));
    Scan scan = new Scan().setStartStopRowForPrefixScan(prefix).addFamily(FAMILY);
    long changed = 0;
    try (ResultScanner rows = table.getScanner(scan)) {
      for (Result row = rows.next(); row != null; row = rows.next()) {
        changed = Math.max(changed, written(cells(row)));
      }
    }
    return changed;
  }

  private CoverageReader rows() throws IOException {
    return rows(Set.of(), new HashMap<>());
  }

  /**
   * @param without rows that are left out
   * @param written receives the time of the last write of each row, by HBase's clock, milliseconds
   *     since the epoch
   */
  private CoverageReader rows(Set<String> without, Map<String, Long> written) throws IOException {
    CoverageReader reader = new CoverageReader();
    Scan scan = new Scan().addFamily(FAMILY).setCaching(ROWS_PER_CALL);
    try (ResultScanner rows = table.getScanner(scan)) {
      for (Result row = rows.next(); row != null; row = rows.next()) {
        List<CoverageCell> cells = cells(row);
        String key = new String(row.getRow(), StandardCharsets.UTF_8);
        written.put(key, written(cells));
        if (!without.contains(key) && !reader.row(cells)) {
          break;
        }
      }
    }
    return reader;
  }

  static List<CoverageCell> cells(Result row) {
    List<CoverageCell> cells = new ArrayList<>();
    for (Cell cell : row.rawCells()) {
      cells.add(
          new CoverageCell(
              row.getRow(),
              CellUtil.cloneQualifier(cell),
              CellUtil.cloneValue(cell),
              cell.getTimestamp()));
    }
    return cells;
  }

  /** When a cell was written last, by HBase's clock, milliseconds since the epoch. */
  static long written(List<CoverageCell> cells) {
    return cells.stream().mapToLong(CoverageCell::time).max().orElse(0);
  }

  /**
   * Removes the row of a window as it was read. A row that was written again since stays, as a
   * whole.
   *
   * @param written {@link #written(List)}
   */
  static void remove(Table table, CoverageWindow window, long written) throws IOException {
    byte[] key = key(window);
    table.checkAndMutate(
        CheckAndMutate.newBuilder(key)
            .ifEquals(FAMILY, TO, to(window))
            .build(new Delete(key).addFamily(FAMILY, written)));
  }

  /** The id in a rollup table; empty if it has none. */
  private String id(String name) throws IOException {
    try (Table rollups = connection.getTable(TableName.valueOf(name))) {
      return TableMarker.id(rollups);
    } catch (TableNotFoundException e) {
      return "";
    }
  }

  /**
   * The windows of the table, also those that do not count.
   *
   * @throws IOException when HBase fails
   * @throws CoverageRefusedException when no reader takes the table
   */
  public List<CoverageWindow> windows() throws IOException, CoverageRefusedException {
    requireVersion();
    return taken(rows()).windows();
  }

  private Coverage taken(CoverageReader reader) throws CoverageRefusedException {
    Coverage all = reader.coverage(Map.of(), Map.of(), ANY_TIME);
    if (!all.reason().isEmpty()) {
      throw new CoverageRefusedException(
          "table " + table.getName() + " would prove nothing: " + all.reason());
    }
    return all;
  }

  /**
   * Gives a rollup table another id: after all rollups of windows to be added can be read, and
   * before the writer looks whether they are there ({@link #add}). Old windows of a table that was
   * truncated or made again since they were written are removed.
   *
   * @param rollupTable with its namespace
   * @return the id
   * @throws IOException when HBase fails
   * @throws CoverageRefusedException when the coverage table has another version
   */
  public String mark(String rollupTable) throws IOException, CoverageRefusedException {
    requireVersion();
    try (Table rollups = connection.getTable(TableName.valueOf(rollupTable))) {
      return new TableMarker(table, rollups, rollupTable).change();
    }
  }

  /**
   * When the marker of a rollup table was changed last.
   *
   * @param rollupTable with its namespace
   * @return by HBase's clock, which writes the times of masks, milliseconds since the epoch; 0 if
   *     it has none
   * @throws IOException when HBase fails
   */
  public long markedAt(String rollupTable) throws IOException {
    byte[] row = bytes(CoverageRows.markerRow(rollupTable));
    byte[] column = bytes(CoverageRows.ID_COLUMN);
    Cell cell = table.get(new Get(row).addFamily(FAMILY)).getColumnLatestCell(FAMILY, column);
    return cell == null ? 0 : cell.getTimestamp();
  }

  /**
   * Windows and refreshes without the times below a floor of any of their metrics, of raw data or
   * of their interval: data of it may be gone, so that nothing proves these rollups.
   *
   * @throws IOException when HBase fails
   * @throws CoverageRefusedException when no reader takes the table
   */
  public List<CoverageWindow> aboveFloors(List<CoverageWindow> windows)
      throws IOException, CoverageRefusedException {
    requireVersion();
    Coverage read = taken(rows());
    List<CoverageWindow> above = new ArrayList<>();
    for (CoverageWindow window : windows) {
      long from = Math.max(window.from(), read.floor(window));
      if (from < window.to()) {
        above.add(window.part(window.writer(), from, window.to(), window.metrics()));
      }
    }
    return above;
  }

  /**
   * Adds windows whose rollups were found in tables that are still the same, and raises those that
   * refreshes have rolled up again. Windows that say nothing any more are removed, and neighbours
   * become one ({@link CoverageFold}).
   *
   * @param windows with refreshes, which have no rows
   * @param marks the id that {@link #mark} gave each rollup table before its rollups were looked
   *     for, by the table of the windows
   * @param now milliseconds since the epoch
   * @throws IOException when HBase fails, then some of the windows may be there; when a rollup
   *     table has another id by now, because it was truncated, made again or restored, or because
   *     another program adds or removes windows: look again
   * @throws CoverageRefusedException when no reader would take the table with these windows, or one
   *     is older than {@link Coverage#MAX_PROOF_AGE} or begins below a floor ({@link #aboveFloors})
   */
  public void add(List<CoverageWindow> windows, Map<String, String> marks, long now)
      throws IOException, CoverageRefusedException {
    for (CoverageWindow window : windows) {
      requireMasks(window, now);
    }
    requireVersion();
    Map<String, Long> written = new HashMap<>();
    Coverage read = taken(rows(Set.of(), written));
    for (CoverageWindow window : windows) {
      if (window.from() < read.floor(window)) {
        throw new CoverageRefusedException(
            "a window must not begin below the floor of its metrics %s, %s, found %s"
                .formatted(
                    window.metrics(),
                    Instant.ofEpochSecond(read.floor(window)),
                    Instant.ofEpochSecond(window.from())));
      }
    }
    // Those of other tables are for who marks these.
    Map<Boolean, List<CoverageWindow>> known =
        read.windows().stream()
            .collect(Collectors.partitioningBy(window -> marks.containsKey(window.table())));
    CoverageFold fold =
        new CoverageFold(known.getOrDefault(true, List.of()), known.getOrDefault(false, List.of()));
    fold.add(windows, now);
    List<CoverageWindow> changed = fold.changed();
    CoverageReader reader =
        rows(changed.stream().map(CoverageFold::key).collect(Collectors.toSet()), new HashMap<>());
    changed.forEach(window -> reader.row(cells(window)));
    Coverage unused = taken(reader);
    for (CoverageWindow window : windows) {
      requireMark(window.table(), marks);
    }
    for (CoverageWindow window : changed) {
      CoverageWindow old = fold.before(window);
      if (!replace(key(window), old, window)) {
        throw new CoverageChangedException(
            "row %s of table %s: another program has written or removed windows since it was read"
                .formatted(CoverageFold.key(window), table.getName()));
      }
      try {
        requireMark(window.table(), marks);
      } catch (CoverageChangedException e) {
        // Who removes windows may have looked before HBase took the row.
        boolean unusedResult = replace(key(window), window, old);
        throw e;
      }
    }
    for (CoverageWindow old : fold.gone()) {
      remove(table, old, written.getOrDefault(CoverageFold.key(old), 0L));
    }
  }

  /**
   * Replaces a row, null for none.
   *
   * @return whether it was done; not if the row has another end by now or, with null as the old
   *     one, exists. A row with the same end is replaced, also if another program has raised it:
   *     the markers keep two writers apart
   */
  private boolean replace(byte[] key, @Nullable CoverageWindow old, @Nullable CoverageWindow window)
      throws IOException {
    CheckAndMutate.Builder check = CheckAndMutate.newBuilder(key);
    check = old == null ? check.ifNotExists(FAMILY, TO) : check.ifEquals(FAMILY, TO, to(old));
    return table
        .checkAndMutate(
            window == null
                ? check.build(new Delete(key).addFamily(FAMILY))
                : check.build(row(window)))
        .isSuccess();
  }

  /** The column of the end. */
  static byte[] to(CoverageWindow window) {
    return bytes(CoverageRows.columns(window).getOrDefault("to", ""));
  }

  private void requireMark(String name, Map<String, String> marks) throws IOException {
    String mark = marks.getOrDefault(name, "");
    String found = id(name);
    if (mark.isEmpty() || !mark.equals(found)) {
      throw new CoverageChangedException(
          ("table %s must have the marker of this load, %s, found %s: it was truncated,"
                  + " made again or restored, or another program has written or removed windows")
              .formatted(name, mark, found.isEmpty() ? "none" : found));
    }
  }

  /** Another program has changed the marker of a rollup table, or a row of windows. */
  private static final class CoverageChangedException extends IOException {
    private static final long serialVersionUID = 1L;

    CoverageChangedException(String message) {
      super(message);
    }
  }

  private static void requireMasks(CoverageWindow window, long now)
      throws CoverageRefusedException {
    if (window.asOf() < now - Coverage.MAX_PROOF_AGE) {
      throw new CoverageRefusedException(
          "the data snapshot must be at most "
              + Duration.ofMillis(Coverage.MAX_PROOF_AGE).toDays()
              + " days old, found one of "
              + Instant.ofEpochMilli(window.asOf())
              + ": masks of points that were late since may have been deleted");
    }
  }

  /**
   * Deletes the masks that no window needs any more; for who writes windows.
   *
   * @param rollups of the TSDs
   * @param now milliseconds since the epoch
   * @return the number of deleted rows
   * @throws IOException when HBase fails; then some of them may be deleted
   */
  public int deleteVoidMasks(RollupConfig rollups, long now) throws IOException {
    List<Delete> deletes = new ArrayList<>();
    read(tables(rollups), now)
        .voidMasks(widths(rollups), now)
        .forEach((row, time) -> deletes.add(new Delete(bytes(row)).addFamily(FAMILY, time)));
    int rows = deletes.size();
    // The list loses what is deleted.
    table.delete(deletes);
    return rows;
  }

  /**
   * Deletes the masks of lost rollups that a look has found: those of before the look, of hours all
   * of whose rollups were there.
   *
   * @param rollups of the TSDs
   * @param found windows that were added after the look
   * @param looked when the look began, by HBase's clock, milliseconds since the epoch
   * @param now milliseconds since the epoch
   * @return the number of masks
   * @throws IOException when HBase fails; then some of them may be deleted
   */
  public int deleteFoundMasks(
      RollupConfig rollups, List<CoverageWindow> found, long looked, long now) throws IOException {
    List<CoverageMask> masks = read(tables(rollups), now).found(found, widths(rollups), looked);
    for (CoverageMask mask : masks) {
      byte[] row = bytes(CoverageRows.maskRow(mask.from(), mask.metric()));
      Delete delete = new Delete(row);
      for (Cell cell : table.get(new Get(row).addFamily(FAMILY)).rawCells()) {
        byte[] column = CellUtil.cloneQualifier(cell);
        if (cell.getTimestamp() <= mask.time()
            && CoverageRows.isOf(mask, new String(column, StandardCharsets.UTF_8))) {
          delete.addColumns(FAMILY, column, cell.getTimestamp());
        }
      }
      if (!delete.isEmpty()) {
        table.delete(delete);
      }
    }
    return masks.size();
  }

  /**
   * Writes masks with the time of HBase; one that is there gets it as well.
   *
   * @param masks columns by row key
   * @throws IOException when HBase fails; then some of them may be written
   * @throws CoverageRefusedException when the coverage table has another version
   */
  public void mask(Map<String, String> masks) throws IOException, CoverageRefusedException {
    requireVersion();
    List<Put> puts = new ArrayList<>();
    masks.forEach(
        (row, column) ->
            puts.add(new Put(bytes(row)).addColumn(FAMILY, bytes(column), new byte[0])));
    table.put(puts);
  }

  /**
   * The number of rows of masks.
   *
   * @throws IOException when HBase fails
   */
  public int maskRows() throws IOException {
    Scan scan =
        new Scan()
            .setStartStopRowForPrefixScan(bytes(CoverageRows.MASK_PREFIX))
            .addFamily(FAMILY)
            .setFilter(new FirstKeyOnlyFilter())
            .setCaching(ROWS_PER_CALL);
    int found = 0;
    try (ResultScanner rows = table.getScanner(scan)) {
      while (rows.next() != null) {
        found++;
      }
    }
    return found;
  }

  private static Map<String, String> tables(RollupConfig rollups) {
    return rollups.levels().stream().collect(Collectors.toMap(Level::text, Level::table));
  }

  /** Milliseconds. */
  private static Map<String, Long> widths(RollupConfig rollups) {
    return rollups.levels().stream()
        .collect(Collectors.toMap(Level::text, each -> each.interval().seconds() * 1000));
  }

  private static List<CoverageCell> cells(CoverageWindow window) {
    return cells(CoverageFold.key(window), CoverageRows.columns(window));
  }

  private static List<CoverageCell> cells(String row, Map<String, String> columns) {
    List<CoverageCell> cells = new ArrayList<>();
    columns.forEach(
        (column, value) -> cells.add(new CoverageCell(bytes(row), bytes(column), bytes(value), 0)));
    return cells;
  }

  static Put row(CoverageWindow window) {
    Put put = new Put(key(window));
    CoverageRows.columns(window)
        .forEach((column, value) -> put.addColumn(FAMILY, bytes(column), bytes(value)));
    return put;
  }

  private static byte[] key(CoverageWindow window) {
    return bytes(CoverageFold.key(window));
  }

  /**
   * The version of the table's format.
   *
   * @return empty if it has none, as before the first write of a window
   * @throws IOException when HBase fails
   */
  public String version() throws IOException {
    byte[] found =
        table
            .get(new Get(bytes(CoverageRows.FORMAT_ROW)))
            .getValue(FAMILY, bytes(CoverageRows.VERSION_COLUMN));
    return found == null ? "" : new String(found, StandardCharsets.UTF_8);
  }

  /**
   * Whether the table may have windows of levels ({@link CoverageRows#LEVEL_VERSION}). {@link #add}
   * refuses them in others.
   *
   * @throws IOException when HBase fails
   */
  public boolean hasLevels() throws IOException {
    return CoverageRows.hasLevels(version());
  }

  /**
   * Whether {@link #upgrade(String)} would raise the version.
   *
   * @throws IOException when HBase fails
   * @throws CoverageRefusedException when the coverage table has a version that is not known
   */
  public boolean canUpgrade(String to) throws IOException, CoverageRefusedException {
    String version = version();
    return version.isEmpty() || known(version).compareTo(to) < 0;
  }

  /** Raises the format of the table to the version that has floors, as {@link #upgrade(String)}. */
  public boolean upgrade() throws IOException, CoverageRefusedException {
    return upgrade(CoverageRows.FLOOR_VERSION);
  }

  /**
   * Raises the format of the table; for ever. Programs of releases that do not know the version
   * prove nothing from then on, and their TSDs read raw data.
   *
   * @param to {@link CoverageRows#FLOOR_VERSION} or {@link CoverageRows#LEVEL_VERSION}
   * @return whether it had a lower version before
   * @throws IOException when HBase fails
   * @throws CoverageRefusedException when the coverage table has a version that is not known
   */
  public boolean upgrade(String to) throws IOException, CoverageRefusedException {
    byte[] row = bytes(CoverageRows.FORMAT_ROW);
    byte[] column = bytes(CoverageRows.VERSION_COLUMN);
    Put put = new Put(row).addColumn(FAMILY, column, bytes(to));
    // Another program may raise it at the same time, maybe less.
    for (String version = requireVersion(); version.compareTo(to) < 0; version = requireVersion()) {
      CheckAndMutate raise =
          CheckAndMutate.newBuilder(row).ifEquals(FAMILY, column, bytes(version)).build(put);
      if (table.checkAndMutate(raise).isSuccess()) {
        return true;
      }
    }
    return false;
  }

  /**
   * The floors of the table.
   *
   * @throws IOException when HBase fails
   * @throws CoverageRefusedException when no reader takes the table
   */
  public List<CoverageFloor> floors() throws IOException, CoverageRefusedException {
    requireVersion();
    return taken(rows()).floors();
  }

  /**
   * Refuses a table of the version without floors.
   *
   * @throws IOException when HBase fails
   * @throws CoverageRefusedException when the table has no version with floors
   */
  public void requireFloors() throws IOException, CoverageRefusedException {
    if (!CoverageRows.hasFloors(requireVersion())) {
      throw new CoverageRefusedException(
          ("table %s must have the version %s, found %s: run rollup-job coverage upgrade when all"
                  + " TSDs and jobs know it")
              .formatted(table.getName(), CoverageRows.FLOOR_VERSION, CoverageRows.VERSION));
    }
  }

  /**
   * Raises a floor, before the first datum below it goes. A floor that is as high stays as it is.
   * Each change of a floor must give it another evidence: it is what is compared when it is set.
   *
   * @param now milliseconds since the epoch
   * @throws IOException when HBase fails, or another program has changed the floor meanwhile
   * @throws CoverageRefusedException when the table has no version with floors, no reader would
   *     take it with this one, it is above {@link CoverageFloor#highestAt}, or the floor of the
   *     same level and writer is of other metrics
   */
  public void raise(CoverageFloor floor, long now) throws IOException, CoverageRefusedException {
    requireFloors();
    long highest = CoverageFloor.highestAt(now);
    if (floor.before() > highest) {
      throw new CoverageRefusedException(
          "floor %s must not be above the midnight before the last one, %s, found %s"
              .formatted(
                  floor, Instant.ofEpochSecond(highest), Instant.ofEpochSecond(floor.before())));
    }
    CoverageReader reader = rows(Set.of(floor.toString()), new HashMap<>());
    boolean unusedRow = reader.row(cells(floor));
    Coverage unused = taken(reader);
    CoverageFloor old = null;
    for (CoverageFloor each : floors()) {
      old = each.toString().equals(floor.toString()) ? each : old;
    }
    if (old != null && !old.metrics().equals(floor.metrics())) {
      throw new CoverageRefusedException(
          "row %s of table %s must be of the metrics %s, found %s"
              .formatted(floor, table.getName(), floor.metrics(), old.metrics()));
    }
    if (old == null || old.before() < floor.before()) {
      replace(floor.toString(), old, floor);
    }
  }

  /**
   * Lowers a floor, after the data below it are back; or gives it other evidence.
   *
   * @param floor as it was read
   * @param lower of the same level, writer and metrics; null to remove the floor
   * @throws IOException when HBase fails, or another program has changed the floor meanwhile
   */
  public void lower(CoverageFloor floor, @Nullable CoverageFloor lower) throws IOException {
    replace(floor.toString(), floor, lower);
  }

  private void replace(String row, @Nullable CoverageFloor old, @Nullable CoverageFloor floor)
      throws IOException {
    byte[] key = bytes(row);
    CheckAndMutate.Builder check = CheckAndMutate.newBuilder(key);
    check =
        old == null
            ? check.ifNotExists(FAMILY, EVIDENCE)
            : check.ifEquals(FAMILY, EVIDENCE, bytes(old.evidence()));
    CheckAndMutate change;
    if (floor == null) {
      change = check.build(new Delete(key).addFamily(FAMILY));
    } else {
      Put put = new Put(key);
      for (CoverageCell cell : cells(floor)) {
        put.addColumn(FAMILY, cell.qualifier(), cell.value());
      }
      change = check.build(put);
    }
    if (!table.checkAndMutate(change).isSuccess()) {
      throw new CoverageChangedException(
          "row %s of table %s: another program has changed the floor since it was read"
              .formatted(row, table.getName()));
    }
  }

  private static List<CoverageCell> cells(CoverageFloor floor) {
    return cells(floor.toString(), CoverageRows.columns(floor));
  }

  /**
   * Writes the version if the table has none.
   *
   * @return the version
   */
  private String requireVersion() throws IOException, CoverageRefusedException {
    byte[] row = bytes(CoverageRows.FORMAT_ROW);
    byte[] column = bytes(CoverageRows.VERSION_COLUMN);
    byte[] version = bytes(CoverageRows.VERSION);
    table.checkAndMutate(
        CheckAndMutate.newBuilder(row)
            .ifNotExists(FAMILY, column)
            .build(new Put(row).addColumn(FAMILY, column, version)));
    return known(version());
  }

  private String known(String version) throws CoverageRefusedException {
    if (!CoverageRows.isKnown(version)) {
      throw new CoverageRefusedException(
          "table %s must have the version %s, found %s"
              .formatted(
                  table.getName(), CoverageRows.VERSIONS, version.isEmpty() ? "none" : version));
    }
    return version;
  }

  @Override
  public void close() throws IOException {
    table.close();
  }

  static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }
}
