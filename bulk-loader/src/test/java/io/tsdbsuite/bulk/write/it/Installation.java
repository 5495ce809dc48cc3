package io.tsdbsuite.bulk.write.it;

import io.tsdbsuite.format.row.RowKey;
import io.tsdbsuite.format.schema.StorageSchema;
import io.tsdbsuite.format.schema.TsdConfig;
import io.tsdbsuite.testkit.DataPoint;
import io.tsdbsuite.testkit.HBaseServer;
import io.tsdbsuite.testkit.OpenTsdbTables;
import io.tsdbsuite.testkit.QuerySpec;
import io.tsdbsuite.testkit.RawCell;
import io.tsdbsuite.testkit.Series;
import io.tsdbsuite.testkit.Stack;
import io.tsdbsuite.testkit.TsdServer;
import java.io.IOException;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.UnaryOperator;

/** A TSD with tables of its own, and the row keys of its series. */
final class Installation {
  static final long HOUR = 3600;

  /** A Monday in September 2020, midnight. */
  static final long BASE = 1_600_041_600L;

  final String name;
  final Map<String, String> conf = new TreeMap<>();
  final StorageSchema schema;
  final RowKey keys;
  final TsdServer tsd;
  private final Stack stack;
  private final Map<String, byte[]> uids = new HashMap<>();

  private Installation(
      Stack stack, String name, UnaryOperator<OpenTsdbTables> tables, String... extra)
      throws IOException {
    this.stack = stack;
    this.name = name;
    conf.put("tsd.storage.hbase.data_table", name + "-data");
    conf.put("tsd.storage.hbase.uid_table", name + "-uid");
    conf.put("tsd.storage.hbase.tree_table", name + "-tree");
    conf.put("tsd.storage.hbase.meta_table", name + "-meta");
    conf.put("tsd.storage.fix_duplicates", "false");
    for (int i = 0; i < extra.length; i += 2) {
      conf.put(extra[i], extra[i + 1]);
    }
    TsdConfig config = TsdConfig.parse("");
    for (Map.Entry<String, String> entry : conf.entrySet()) {
      config = config.with(entry.getKey(), entry.getValue());
    }
    schema = StorageSchema.from(config);
    keys = new RowKey(schema);
    stack.create(tables.apply(OpenTsdbTables.of(schema)));
    tsd = stack.startTsd(name, conf);
  }

  static Installation start(String name, String... extra) throws IOException {
    return new Installation(WriteStack.get(), name, tables -> tables, extra);
  }

  static Installation start(
      Stack stack, String name, UnaryOperator<OpenTsdbTables> tables, String... extra)
      throws IOException {
    return new Installation(stack, name, tables, extra);
  }

  /** One more TSD on the same tables. */
  TsdServer another(String suffix, String... extra) {
    Map<String, String> other = new TreeMap<>(conf);
    for (int i = 0; i < extra.length; i += 2) {
      other.put(extra[i], extra[i + 1]);
    }
    return stack.startTsd(name + suffix, other);
  }

  HBaseServer hbase() {
    return stack.hbase();
  }

  String table() {
    return schema.dataTable();
  }

  byte[] uid(String kind, String text) {
    return uids.computeIfAbsent(
        kind + " " + text,
        unused ->
            HexFormat.of()
                .parseHex(
                    tsd.client()
                        .get("api/uid/assign?" + kind + "=" + text)
                        .path(kind)
                        .path(text)
                        .asText()));
  }

  /** Row key of metric and host at a base time. */
  byte[] key(String metric, String host, long base) {
    byte[] tagk = uid("tagk", "host");
    byte[] tagv = uid("tagv", host);
    byte[] pair = Arrays.copyOf(tagk, tagk.length + tagv.length);
    System.arraycopy(tagv, 0, pair, tagk.length, tagv.length);
    return keys.encode(uid("metric", metric), base, pair);
  }

  String tsuid(String metric, String host) {
    byte[] key = key(metric, host, 0);
    return HexFormat.of().withUpperCase().formatHex(keys.tsuid(key, 0, key.length));
  }

  void put(String metric, String host, long timestamp, Object value) {
    uid("metric", metric);
    uid("tagk", "host");
    uid("tagv", host);
    tsd.client().put(List.of(new DataPoint(metric, timestamp, value, Map.of("host", host))));
  }

  /** The answer of a TSD: milliseconds to value. */
  SortedMap<Long, Double> ask(TsdServer which, String metric, String host, long from, long to) {
    SortedMap<Long, Double> points = new TreeMap<>();
    QuerySpec query = QuerySpec.of(metric, from, to - 2).tag("host", host);
    for (Series series : which.client().query(query)) {
      points.putAll(series.points());
    }
    return points;
  }

  SortedMap<Long, Double> ask(String metric, String host) {
    return ask(tsd, metric, host, BASE, BASE + 25 * HOUR);
  }

  List<RawCell> cells(byte[] key) throws IOException {
    return hbase().cells(table()).stream().filter(c -> Arrays.equals(c.row(), key)).toList();
  }
}
