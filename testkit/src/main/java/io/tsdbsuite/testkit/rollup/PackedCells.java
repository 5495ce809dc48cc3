package io.tsdbsuite.testkit.rollup;

import io.tsdbsuite.format.packed.PackedRow;
import io.tsdbsuite.format.rollup.RollupCell;
import io.tsdbsuite.format.rollup.RollupConfig;
import io.tsdbsuite.format.rollup.RollupInterval;
import io.tsdbsuite.format.rollup.SuiteConfig;
import io.tsdbsuite.format.row.RowException;
import io.tsdbsuite.testkit.HBaseServer;
import io.tsdbsuite.testkit.RawCell;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;

/**
 * The values of all rollups of an interval in its two tables: by row, slot and aggregator, as bits.
 */
public final class PackedCells {
  /** Column of the marker of a table that a coverage has: docs/coverage.md. */
  private static final byte[] COVERAGE_MARKER = "coverage".getBytes(StandardCharsets.UTF_8);

  private final HBaseServer hbase;
  private final RollupConfig config;

  /**
   * Reads tables.
   *
   * @param hbase with the tables
   * @param config names them
   */
  public PackedCells(HBaseServer hbase, RollupConfig config) {
    this.hbase = hbase;
    this.config = config;
  }

  private RollupInterval interval(String name) {
    return Objects.requireNonNull(config.interval(name));
  }

  private static String key(byte[] row, int slot, String aggregator) {
    return HexFormat.of().formatHex(row) + " " + String.format("%04d", slot) + " " + aggregator;
  }

  /**
   * Those of the plain table, as far as packed rows have them.
   *
   * @param interval the interval
   * @return the bits of each value
   * @throws IOException when HBase refuses
   */
  public Map<String, Long> plain(String interval) throws IOException {
    Map<String, Long> values = new TreeMap<>();
    List<String> further = config.suite().aggregators(interval);
    Map<Integer, String> names = new TreeMap<>();
    config
        .aggregatorIds()
        .forEach(
            (name, id) -> {
              if (further.contains(name) || !SuiteConfig.NAMES.contains(name)) {
                names.put(id, name);
              }
            });
    for (RawCell cell : hbase.cells(interval(interval).table())) {
      byte[] q = cell.qualifier();
      String name = names.get(RollupCell.aggregatorId(q, 0));
      if (name != null) {
        long bits = ByteBuffer.wrap(cell.value()).getLong();
        values.put(key(cell.row(), RollupCell.offset(q, 0), name), bits);
      }
    }
    return values;
  }

  /**
   * Those of the packed table: the view of all parts of each row.
   *
   * @param interval the interval
   * @return the bits of each value
   * @throws IOException when HBase refuses
   * @throws AssertionError about a part that cannot be read, or has another time than its cell
   */
  public Map<String, Long> packed(String interval) throws IOException {
    Map<String, Map<String, PackedRow>> rows = new TreeMap<>();
    Map<String, byte[]> keys = new TreeMap<>();
    int slots = interval(interval).intervalsPerRow();
    for (RawCell cell : hbase.cells(Objects.requireNonNull(config.suite().packedTable(interval)))) {
      byte[] q = cell.qualifier();
      if (Arrays.equals(q, COVERAGE_MARKER)) {
        continue;
      }
      String name = q[0] == 1 ? "" : SuiteConfig.NAMES.get(q[0] - 2);
      String row = HexFormat.of().formatHex(cell.row());
      keys.put(row, cell.row());
      PackedRow view =
          rows.computeIfAbsent(row, none -> new TreeMap<>())
              .computeIfAbsent(name, none -> new PackedRow(PackedRow.kind(name), slots));
      try {
        byte[] v = cell.value();
        view.add(cell.row(), 0, cell.row().length, q, 0, q.length, v, 0, v.length);
      } catch (RowException e) {
        throw new AssertionError(cell.toString(), e);
      }
      long asOf = ByteBuffer.wrap(q, 1, 8).getLong() >>> 16;
      if (asOf != cell.timestamp()) {
        throw new AssertionError("the timestamp must be asOf: " + cell);
      }
    }
    Map<String, Long> values = new TreeMap<>();
    rows.forEach(
        (row, kinds) ->
            kinds.forEach(
                (name, view) ->
                    add(Objects.requireNonNull(keys.get(row)), name, view, slots, values)));
    return values;
  }

  private static void add(
      byte[] row, String name, PackedRow view, int slots, Map<String, Long> to) {
    List<String> four = Arrays.asList("sum", "min", "max");
    for (int slot = 0; slot < slots; slot++) {
      if (!view.has(slot)) {
        continue;
      }
      if (!name.isEmpty()) {
        to.put(key(row, slot, name), Double.doubleToRawLongBits(view.value(0, slot)));
        continue;
      }
      to.put(key(row, slot, "count"), view.count(slot));
      for (int column = 0; column < four.size(); column++) {
        long bits = Double.doubleToRawLongBits(view.value(column, slot));
        to.put(key(row, slot, four.get(column)), bits);
      }
    }
  }
}
