package io.tsdbsuite.ingest.it;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tsdbsuite.format.rollup.RollupCell;
import io.tsdbsuite.testkit.QuerySpec;
import io.tsdbsuite.testkit.RawCell;
import io.tsdbsuite.testkit.Series;
import io.tsdbsuite.testkit.TsdServer;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Map;
import java.util.TreeMap;

/** Rollups of metrics that have one series each: as stored, and as a TSD computes them. */
final class StoredRollups {
  /** One interval's cells. */
  record Rollup(double sum, double min, double max, double count) {}

  private static final int UID = 3;

  private StoredRollups() {}

  /**
   * The rollups in a table, by their start, seconds since the epoch.
   *
   * @param seconds width of the table's interval
   */
  static Map<Long, Rollup> of(String table, long seconds, String metric) throws IOException {
    Map<Long, double[]> values = new TreeMap<>();
    for (RawCell cell : cells(table, metric)) {
      long base = Integer.toUnsignedLong(ByteBuffer.wrap(cell.row()).getInt(UID));
      byte[] q = cell.qualifier();
      double[] all =
          values.computeIfAbsent(
              base + seconds * RollupCell.offset(q, 0),
              start -> {
                double[] none = new double[5];
                Arrays.fill(none, Double.NaN);
                return none;
              });
      int id = RollupCell.aggregatorId(q, 0);
      if (!Double.isNaN(all[id])) {
        throw new AssertionError("two cells of one value: " + cell);
      }
      all[id] = RollupCell.decode(q, 0, cell.value(), 0, cell.value().length);
    }
    Map<Long, Rollup> rollups = new TreeMap<>();
    // The ids of IngestStack.ROLLUP_CONFIG.
    values.forEach((start, all) -> rollups.put(start, new Rollup(all[0], all[3], all[4], all[2])));
    return rollups;
  }

  /**
   * The answers of a stock TSD to percentiles 50 and 99.9 of all series of a metric: values by
   * time, by the name of the percentile.
   *
   * @param to the second after the last one
   * @param preAggregate whether from the histogram table that is the default interval's table of
   *     pre-aggregates; else from the table of raw points
   */
  static Map<String, JsonNode> percentiles(
      TsdServer tsd, String metric, String interval, long from, long to, boolean preAggregate) {
    ObjectNode body = JsonNodeFactory.instance.objectNode().put("start", from).put("end", to - 2);
    ObjectNode query = body.putArray("queries").addObject();
    query.put("metric", metric).put("aggregator", "sum").put("downsample", interval + "-sum");
    query.put("rollupUsage", "ROLLUP_RAW").put("preAggregate", preAggregate);
    query.putArray("percentiles").add(50).add(99.9);
    Map<String, JsonNode> answers = new TreeMap<>();
    for (JsonNode each : tsd.client().post("api/query", body)) {
      answers.put(each.get("metric").asText().replace(metric + "_pct_", ""), each.get("dps"));
    }
    return answers;
  }

  /** The cells of a metric in a table without salt. */
  static Iterable<RawCell> cells(String table, String metric) throws IOException {
    byte[] uid = new Uids().metric(metric);
    return IngestStack.get().hbase().cells(table).stream()
        .filter(cell -> Arrays.equals(Arrays.copyOf(cell.row(), UID), uid))
        .toList();
  }

  /**
   * What a TSD computes from the raw points of a whole number of hours, by start.
   *
   * @param from first second, to: the second after the last one
   */
  static Map<Long, Rollup> computed(
      TsdServer tsd, String interval, String metric, long from, long to) {
    Map<Long, double[]> values = new TreeMap<>();
    String[] aggregators = {"sum", "min", "max", "count"};
    for (int i = 0; i < aggregators.length; i++) {
      // A TSD adds a second to the end and would read the next hour.
      QuerySpec query =
          QuerySpec.of(metric, from, to - 2)
              .downsample(interval + "-" + aggregators[i])
              .rollupUsage("ROLLUP_RAW");
      for (Series series : tsd.client().query(query)) {
        for (Map.Entry<Long, Double> point : series.points().entrySet()) {
          values.computeIfAbsent(point.getKey() / 1000, start -> new double[4])[i] =
              point.getValue();
        }
      }
    }
    Map<Long, Rollup> rollups = new TreeMap<>();
    values.forEach((start, all) -> rollups.put(start, new Rollup(all[0], all[1], all[2], all[3])));
    return rollups;
  }
}
