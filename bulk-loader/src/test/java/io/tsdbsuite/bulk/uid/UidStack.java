package io.tsdbsuite.bulk.uid;

import io.tsdbsuite.bulk.series.NewSeries;
import io.tsdbsuite.format.row.RowKey;
import io.tsdbsuite.format.schema.StorageSchema;
import io.tsdbsuite.format.schema.TsdConfig;
import io.tsdbsuite.testkit.DataPoint;
import io.tsdbsuite.testkit.QuerySpec;
import io.tsdbsuite.testkit.Stack;
import io.tsdbsuite.testkit.TsdServer;
import java.io.IOException;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** A TSD and an assigner with the same configuration. */
final class UidStack implements AutoCloseable {
  static final long TIME = 1_600_000_200;

  final Stack stack;
  final TsdServer tsd;
  final StorageSchema schema;
  final UidAssigner uids;

  private UidStack(Stack stack, TsdServer tsd, StorageSchema schema, boolean create)
      throws IOException {
    this.stack = stack;
    this.tsd = tsd;
    this.schema = schema;
    this.uids = new UidAssigner(stack.hbase().connection(), schema, create);
  }

  /** Starts a further TSD, with tables of its own. */
  static UidStack start(Stack stack, String name, Map<String, String> conf) throws IOException {
    Map<String, String> all = new HashMap<>(conf);
    for (String table : List.of("data", "uid", "meta", "tree")) {
      all.put("tsd.storage.hbase." + table + "_table", name + "-" + table);
    }
    TsdServer tsd = stack.startTsd(name, all);
    return new UidStack(stack, tsd, StorageSchema.from(TsdConfig.load(tsd.configFile())), true);
  }

  /** Another assigner on the same tables, with nothing in its cache. */
  UidStack fresh(boolean create) throws IOException {
    return new UidStack(stack, tsd, schema, create);
  }

  NewSeries resolve(String metric, String... tags) {
    NewSeries series = new NewSeries(metric, List.of(tags));
    new UidSeriesResolver(uids, schema).resolve(List.of(series));
    return series;
  }

  /** The TSUID of a series that was resolved, as a TSD writes it. */
  String tsuid(NewSeries series) {
    byte[] key = series.template();
    return HexFormat.of().withUpperCase().formatHex(new RowKey(schema).tsuid(key, 0, key.length));
  }

  void put(NewSeries series, long value) {
    tsd.client().put(List.of(new DataPoint(series.metric(), TIME, value, tags(series))));
  }

  /** The TSUID that the TSD finds for the point that was put. */
  String tsdTsuid(NewSeries series) {
    QuerySpec query = QuerySpec.of(series.metric(), TIME - 10, TIME + 10);
    for (Map.Entry<String, String> tag : tags(series).entrySet()) {
      query = query.tag(tag.getKey(), tag.getValue());
    }
    return tsd.client().query(query).get(0).tsuids().get(0);
  }

  private static Map<String, String> tags(NewSeries series) {
    Map<String, String> tags = new TreeMap<>();
    for (int i = 0; i < series.tags().size(); i += 2) {
      tags.put(series.tags().get(i), series.tags().get(i + 1));
    }
    return tags;
  }

  @Override
  public void close() {
    uids.close();
  }
}
