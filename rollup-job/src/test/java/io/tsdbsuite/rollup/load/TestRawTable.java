package io.tsdbsuite.rollup.load;

import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.TreeMap;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellComparator;
import org.apache.hadoop.hbase.KeyValue;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.Table;

/** A table of raw points in memory, which can be read with a list of gets. */
final class TestRawTable {
  private final TreeMap<String, List<Cell>> rows = new TreeMap<>();
  private int gets;

  /** An integer of one byte. */
  TestRawTable put(byte[] key, int second, int value) {
    byte[] column = {(byte) (second >> 4), (byte) (second << 4)};
    return put(key, column, new byte[] {(byte) value}, 1);
  }

  TestRawTable put(byte[] key, byte[] column, byte[] value, long stamp) {
    rows.computeIfAbsent(HexFormat.of().formatHex(key), row -> new ArrayList<>())
        .add(new KeyValue(key, new byte[] {'t'}, column, stamp, value));
    return this;
  }

  /** Rows asked for. */
  int gets() {
    return gets;
  }

  Table table() {
    return (Table)
        Proxy.newProxyInstance(
            Table.class.getClassLoader(),
            new Class<?>[] {Table.class},
            (proxy, method, arguments) ->
                arguments[0] instanceof Get one
                    ? result(HexFormat.of().formatHex(one.getRow()))
                    : ((List<?>) arguments[0])
                        .stream()
                            .map(get -> result(HexFormat.of().formatHex(((Get) get).getRow())))
                            .toArray(Result[]::new));
  }

  private Result result(String row) {
    gets++;
    List<Cell> cells = new ArrayList<>(rows.getOrDefault(row, List.of()));
    cells.sort(CellComparator.getInstance());
    return Result.create(cells);
  }
}
