package io.tsdbsuite.job.coverage;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.KeyValue;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.CheckAndMutate;
import org.apache.hadoop.hbase.client.CheckAndMutateResult;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Row;
import org.apache.hadoop.hbase.client.RowMutations;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;

/** A table in memory with one family, and what the marker needs of it. */
final class MemoryTable {
  /** What happens at a call. */
  interface Step {
    void step() throws IOException;
  }

  private final Step step;
  private final AtomicLong time;
  private final TreeMap<String, TreeMap<String, Cell>> rows = new TreeMap<>();

  /**
   * @param step before and after each call
   * @param time of the last change
   */
  MemoryTable(Step step, AtomicLong time) {
    this.step = step;
    this.time = time;
  }

  String value(String row, String column) {
    Cell cell = rows.getOrDefault(row, new TreeMap<>()).get(column);
    return cell == null ? "" : new String(CellUtil.cloneValue(cell), UTF_8);
  }

  Table table() {
    return (Table)
        Proxy.newProxyInstance(
            Table.class.getClassLoader(),
            new Class<?>[] {Table.class},
            (proxy, method, arguments) -> {
              step.step();
              Object answer = call(method.getName(), arguments == null ? "" : arguments[0]);
              step.step();
              return answer;
            });
  }

  private Object call(String method, Object argument) {
    switch (method) {
      case "get":
        return result(text(((Get) argument).getRow()));
      case "getScanner":
        return scanner(text(((Scan) argument).getStartRow()));
      case "checkAndMutate":
        CheckAndMutate check = (CheckAndMutate) argument;
        String wanted = check.getValue() == null ? "" : text(check.getValue());
        boolean success = value(text(check.getRow()), text(check.getQualifier())).equals(wanted);
        if (success) {
          mutate(check.getAction());
        }
        return new CheckAndMutateResult(success, null);
      case "delete":
      case "put":
        if (argument instanceof Row) {
          mutate((Row) argument);
        } else {
          ((List<?>) argument).forEach(change -> mutate((Row) change));
        }
        return null;
      case "getName":
        return TableName.valueOf("memory");
      case "close":
        return null;
      default:
        throw new UnsupportedOperationException(method);
    }
  }

  void mutate(Row change) {
    String row = text(change.getRow());
    if (change instanceof RowMutations) {
      ((RowMutations) change).getMutations().forEach(this::mutate);
    } else if (change instanceof Put) {
      long now = time.incrementAndGet();
      ((Put) change)
          .getFamilyCellMap()
          .values()
          .forEach(cells -> cells.forEach(cell -> put(row, cell, now)));
    } else {
      ((Delete) change)
          .getFamilyCellMap()
          .values()
          .forEach(cells -> cells.forEach(cell -> delete(row, cell)));
    }
  }

  private void put(String row, Cell cell, long now) {
    byte[] column = CellUtil.cloneQualifier(cell);
    rows.computeIfAbsent(row, key -> new TreeMap<>())
        .put(
            text(column),
            new KeyValue(
                row.getBytes(UTF_8),
                CellUtil.cloneFamily(cell),
                column,
                now,
                CellUtil.cloneValue(cell)));
  }

  private void delete(String row, Cell marker) {
    String column = text(CellUtil.cloneQualifier(marker));
    TreeMap<String, Cell> cells = rows.getOrDefault(row, new TreeMap<>());
    cells
        .values()
        .removeIf(
            cell ->
                cell.getTimestamp() <= marker.getTimestamp()
                    && (column.isEmpty() || column.equals(text(CellUtil.cloneQualifier(cell)))));
    if (cells.isEmpty()) {
      rows.remove(row);
    }
  }

  private Result result(String row) {
    return Result.create(rows.getOrDefault(row, new TreeMap<>()).values().toArray(new Cell[0]));
  }

  private ResultScanner scanner(String prefix) {
    List<Result> found = new ArrayList<>();
    rows.keySet().stream()
        .filter(row -> row.startsWith(prefix))
        .map(this::result)
        .forEach(found::add);
    Iterator<Result> left = found.iterator();
    return (ResultScanner)
        Proxy.newProxyInstance(
            Table.class.getClassLoader(),
            new Class<?>[] {ResultScanner.class},
            (proxy, method, arguments) ->
                method.getName().equals("next") && left.hasNext() ? left.next() : null);
  }

  private static String text(byte[] bytes) {
    return new String(bytes, UTF_8);
  }
}
