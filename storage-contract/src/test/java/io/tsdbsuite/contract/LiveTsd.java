package io.tsdbsuite.contract;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tsdbsuite.format.row.RowKey;
import io.tsdbsuite.format.schema.StorageSchema;
import io.tsdbsuite.format.schema.TsdConfig;
import io.tsdbsuite.testkit.HBaseServer;
import io.tsdbsuite.testkit.QuerySpec;
import io.tsdbsuite.testkit.RawCell;
import io.tsdbsuite.testkit.Series;
import io.tsdbsuite.testkit.Stack;
import io.tsdbsuite.testkit.TsdClient;
import io.tsdbsuite.testkit.TsdException;
import io.tsdbsuite.testkit.rollup.RollupKey;
import io.tsdbsuite.testkit.rollup.RollupValues;
import io.tsdbsuite.testkit.rollup.TsdOracle;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/** A real TSD with its own data and UID tables, into which tests write cells byte for byte. */
final class LiveTsd {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final String FAMILY = "t";

  /** The number of values of each of two tags; the number of series is their product. */
  private static final int TAG_VALUES = 60;

  private final HBaseServer hbase;
  private final TsdClient client;
  private final StorageSchema schema;
  private final RowKey keys;
  private final Map<String, byte[]> metricUids = new HashMap<>();
  private final Map<String, byte[]> tagkUids = new HashMap<>();
  private final Map<String, byte[]> tagvUids = new HashMap<>();
  private final Map<String, List<RawCell>> cells = new HashMap<>();

  /** Starts a TSD on the stack's HBase. */
  LiveTsd(Stack stack, String name, Map<String, String> configuration) {
    Map<String, String> conf = new TreeMap<>(configuration);
    conf.put("tsd.storage.hbase.data_table", name);
    conf.put("tsd.storage.hbase.uid_table", name + "-uid");
    TsdConfig config = TsdConfig.parse("");
    for (Map.Entry<String, String> entry : conf.entrySet()) {
      config = config.with(entry.getKey(), entry.getValue());
    }
    schema = StorageSchema.from(config);
    keys = new RowKey(schema);
    hbase = stack.hbase();
    client = stack.startTsd(name, conf).client();
    ObjectNode request = JSON.createObjectNode();
    // Not in UID order, so that pairs must be sorted.
    request.putArray("tagk").add("low").add("high");
    for (int i = 0; i < TAG_VALUES; i++) {
      request.withArray("tagv").add("v" + i);
    }
    JsonNode answer = client.post("api/uid/assign", request);
    take(answer, "tagk", tagkUids);
    take(answer, "tagv", tagvUids);
  }

  StorageSchema schema() {
    return schema;
  }

  /** Assigns the UIDs of new metrics through the TSD. */
  void assign(Collection<String> metrics) {
    ObjectNode request = JSON.createObjectNode();
    metrics.forEach(metric -> request.withArray("metric").add(metric));
    take(client.post("api/uid/assign", request), "metric", metricUids);
  }

  private static void take(JsonNode answer, String kind, Map<String, byte[]> into) {
    answer
        .path(kind)
        .properties()
        .forEach(uid -> into.put(uid.getKey(), HexFormat.of().parseHex(uid.getValue().asText())));
  }

  /** The tags of a numbered series; the same for every metric. */
  static SortedMap<String, String> tags(int series) {
    return new TreeMap<>(
        Map.of("low", "v" + series % TAG_VALUES, "high", "v" + series / TAG_VALUES));
  }

  /** The key of a series's row in the data table or in a rollup table. */
  byte[] rowKey(String metric, int series, long baseTime) {
    byte[][] pairs =
        tags(series).entrySet().stream()
            .map(tag -> RawPoint.join(tagkUids.get(tag.getKey()), tagvUids.get(tag.getValue())))
            .toArray(byte[][]::new);
    return keys.encode(metricUids.get(metric), baseTime, pairs);
  }

  /** Adds a row of the data table to the next {@link #write}. */
  void add(String metric, int series, GeneratedRow row) {
    byte[] key = rowKey(metric, series, row.baseTime());
    for (GeneratedCell cell : row.cells()) {
      add(schema.dataTable(), key, cell.qualifier(), cell.timestamp(), cell.value());
    }
  }

  /** Adds a cell of any table to the next {@link #write}. */
  void add(String table, byte[] key, byte[] qualifier, long timestamp, byte[] value) {
    cells
        .computeIfAbsent(table, t -> new ArrayList<>())
        .add(new RawCell(key, FAMILY, qualifier, timestamp, value));
  }

  /** Writes all added cells to HBase. */
  void write() throws IOException {
    for (Map.Entry<String, List<RawCell>> table : cells.entrySet()) {
      hbase.putCells(table.getKey(), table.getValue());
    }
    cells.clear();
  }

  /** The TSD's answers for whole hours of a metric: sum, minimum, maximum and count. */
  SortedMap<RollupKey, RollupValues> hours(String metric, long from, long to) {
    return new TsdOracle(client).rollups(metric, from, to, "1h");
  }

  /** The TSD's error for the sum of one hour of a metric; null if it answers. */
  String refusal(String metric, long hour) {
    try {
      ask(metric, hour, hour + 3600, "1h-sum", "ROLLUP_RAW");
      return null;
    } catch (TsdException e) {
      return e.getMessage();
    }
  }

  /** The TSD's error for the sum of one hour of one series; null if it answers. */
  String refusal(String metric, int series, long hour) {
    QuerySpec query =
        QuerySpec.of(metric, hour, hour + 3598).downsample("1h-sum").rollupUsage("ROLLUP_RAW");
    for (Map.Entry<String, String> tag : tags(series).entrySet()) {
      query = query.tag(tag.getKey(), tag.getValue());
    }
    try {
      client.query(query);
      return null;
    } catch (TsdException e) {
      return e.getMessage();
    }
  }

  /** One query without aggregation, seconds since the epoch, {@code to} exclusive. */
  Map<RollupKey, Double> ask(String metric, long from, long to, String downsample, String usage) {
    Map<RollupKey, Double> answers = new TreeMap<>();
    QuerySpec query = QuerySpec.of(metric, from, to - 2).downsample(downsample).rollupUsage(usage);
    for (Series series : client.query(query)) {
      series
          .points()
          .forEach(
              (millis, value) ->
                  answers.put(
                      new RollupKey(series.metric(), new TreeMap<>(series.tags()), millis / 1000),
                      value));
    }
    return answers;
  }
}
