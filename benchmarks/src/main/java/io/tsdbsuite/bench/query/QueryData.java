package io.tsdbsuite.bench.query;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tsdbsuite.bench.query.QueryCase.Times;
import io.tsdbsuite.coverage.CoverageWindow;
import io.tsdbsuite.format.histogram.Sketch;
import io.tsdbsuite.format.packed.PackedRow;
import io.tsdbsuite.format.rollup.Level;
import io.tsdbsuite.format.rollup.RollupCell;
import io.tsdbsuite.format.rollup.RollupConfig;
import io.tsdbsuite.format.rollup.RollupInterval;
import io.tsdbsuite.format.row.CompactedCell;
import io.tsdbsuite.format.row.Percentiles;
import io.tsdbsuite.format.row.PointBuffer;
import io.tsdbsuite.format.row.RowKey;
import io.tsdbsuite.format.schema.StorageSchema;
import io.tsdbsuite.testkit.TsdClient;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.LongSummaryStatistics;
import java.util.Objects;
import java.util.stream.LongStream;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.BufferedMutator;
import org.apache.hadoop.hbase.client.BufferedMutatorParams;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.Durability;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.util.Bytes;

/**
 * The series of a metric, a point a minute, and their rollups, written as cells: a row of raw data
 * has one compacted cell, as after a TSD's compaction.
 */
final class QueryData {
  private static final String DATA_TABLE = "tsdb";
  private static final String TAG = "host";
  private static final String HOST = "host";

  private static final byte[] FAMILY = "t".getBytes(StandardCharsets.US_ASCII);

  /** A column 06 and the seconds in the hour. */
  private static final byte[] HISTOGRAM_OF_HOUR = {6, 0, 0};

  private static final int MINUTE = 60;
  private static final int BUFFER_BYTES = 8 << 20;

  private final Connection connection;
  private final RollupConfig rollups;
  private final RowKey keys = new RowKey(StorageSchema.defaults());
  private final String metric;
  private final byte[] metricUid;
  private final List<byte[]> tagPairs = new ArrayList<>();
  private final List<CoverageWindow> windows = new ArrayList<>();
  private final long writtenMillis = System.currentTimeMillis();

  /**
   * The data of a metric.
   *
   * @param uids answer of {@link #assign}
   * @param series how many; each has one of the hosts
   */
  QueryData(Connection connection, RollupConfig rollups, JsonNode uids, String metric, int series) {
    this.connection = connection;
    this.rollups = rollups;
    this.metric = metric;
    metricUid = uid(uids.path("metric").path(metric));
    byte[] key = uid(uids.path("tagk").path(TAG));
    for (int i = 0; i < series; i++) {
      tagPairs.add(Bytes.add(key, uid(uids.path("tagv").path(HOST + i))));
    }
  }

  /** Assigns the UIDs of metrics and hosts. */
  static JsonNode assign(TsdClient tsd, List<String> metrics, int hosts) {
    ObjectNode names = new ObjectMapper().createObjectNode();
    metrics.forEach(names.putArray("metric")::add);
    names.putArray("tagk").add(TAG);
    for (int i = 0; i < hosts; i++) {
      names.withArray("tagv").add(HOST + i);
    }
    return tsd.post("api/uid/assign", names);
  }

  private static byte[] uid(JsonNode text) {
    return HexFormat.of().parseHex(text.asText());
  }

  /** The value of a series at a minute, 0 to 1023, different for all. */
  private static long value(int series, long time) {
    return ((series * 7919L + time / MINUTE) * 0x9E3779B97F4A7C15L) >>> 54;
  }

  /** Writes a point a minute. */
  void writeRaw(long from, long to) throws IOException {
    try (BufferedMutator table = open(DATA_TABLE)) {
      for (long hour = from; hour < to; hour += Times.HOUR) {
        for (int series = 0; series < tagPairs.size(); series++) {
          PointBuffer points = new PointBuffer();
          for (int second = 0; second < Times.HOUR; second += MINUTE) {
            points.addInteger(second * 1000, false, value(series, hour + second));
          }
          CompactedCell cell = CompactedCell.encode(points);
          table.mutate(add(put(series, hour), cell.qualifier(), cell.value()));
        }
      }
    }
  }

  /** Writes the rollups of an interval, from and to multiples of it, and notes them as covered. */
  void writeRollups(String name, long from, long to) throws IOException {
    writeRollups(name, from, to, List.of());
  }

  /** The same with percentiles. */
  void writeRollups(String name, long from, long to, List<String> percentiles) throws IOException {
    RollupInterval interval = Objects.requireNonNull(rollups.interval(name));
    try (BufferedMutator table = open(interval.table())) {
      for (int series = 0; series < tagPairs.size(); series++) {
        long base = interval.baseTime(from);
        Put row = put(series, base);
        for (long time = from; time < to; time += interval.seconds()) {
          if (interval.baseTime(time) != base) {
            table.mutate(row);
            base = interval.baseTime(time);
            row = put(series, base);
          }
          int offset = RollupCell.offset(interval, base, time);
          addRollup(row, series, time, interval.seconds(), offset);
          addPercentiles(row, series, time, interval.seconds(), offset, percentiles);
        }
        table.mutate(row);
      }
    }
    addWindow(name, interval.table(), from, to);
    for (String percentile : percentiles) {
      addWindow(Level.text(name, percentile), interval.table(), from, to);
    }
  }

  /** Writes a packed row for each row of an interval, and notes them as covered; no rollups. */
  void writePacked(String name, long from, long to) throws IOException {
    RollupInterval interval = Objects.requireNonNull(rollups.interval(name));
    Level level = Objects.requireNonNull(rollups.level(Level.text(name, Level.PACKED)));
    PackedRow row = new PackedRow(PackedRow.kind(""), interval.intervalsPerRow());
    try (BufferedMutator table = open(level.table())) {
      for (int series = 0; series < tagPairs.size(); series++) {
        for (long time = from; time < to; time += interval.seconds()) {
          long base = interval.baseTime(time);
          int slot = (int) ((time - base) / interval.seconds());
          LongSummaryStatistics of = summary(series, time, interval.seconds());
          row.put(
              slot,
              writtenMillis,
              (double) of.getSum(),
              (double) of.getMin(),
              (double) of.getMax(),
              of.getCount());
          long next = time + interval.seconds();
          if (next >= to || interval.baseTime(next) != base) {
            Put put = put(series, base);
            byte[] value = row.value();
            table.mutate(
                add(put, row.qualifier(put.getRow(), 0, put.getRow().length, value), value));
            row.clear();
          }
        }
      }
    }
    addWindow(level.text(), level.table(), from, to);
  }

  /** Writes the sketches of an interval, and notes them as covered; bounds as of rollups. */
  void writeSketches(String name, long from, long to, int codec) throws IOException {
    RollupInterval interval = Objects.requireNonNull(rollups.interval(name));
    Level level = Objects.requireNonNull(rollups.level(Level.text(name, Level.HISTOGRAM)));
    try (BufferedMutator table = open(level.table())) {
      for (long time = from; time < to; time += interval.seconds()) {
        for (int series = 0; series < tagPairs.size(); series++) {
          double[] values = values(series, time, interval.seconds());
          Sketch sketch = new Sketch();
          sketch.addAll(values, 0, values.length);
          byte[] value = Bytes.add(new byte[] {(byte) codec}, sketch.bytes());
          table.mutate(add(put(series, time), HISTOGRAM_OF_HOUR, value));
        }
      }
    }
    addWindow(level.text(), level.table(), from, to);
  }

  private void addWindow(String level, String table, long from, long to) {
    windows.add(
        CoverageWindow.of(level, from, to, metric, table, writtenMillis, metric, "bench-query"));
  }

  private void addPercentiles(
      Put row, int series, long from, long seconds, int offset, List<String> percentiles) {
    if (!percentiles.isEmpty()) {
      double[] values = values(series, from, seconds);
      Arrays.sort(values);
      for (String name : percentiles) {
        double value = Percentiles.of(values, 0, values.length, Percentiles.rank(name));
        addDouble(row, name, offset, value);
      }
    }
  }

  private static double[] values(int series, long from, long seconds) {
    return LongStream.range(0, seconds / MINUTE)
        .mapToDouble(minute -> value(series, from + minute * MINUTE))
        .toArray();
  }

  private void addRollup(Put row, int series, long from, long seconds, int offset) {
    LongSummaryStatistics of = summary(series, from, seconds);
    addDouble(row, "sum", offset, (double) of.getSum());
    addDouble(row, "min", offset, (double) of.getMin());
    addDouble(row, "max", offset, (double) of.getMax());
    add(row, RollupCell.countQualifier(id("count"), offset), RollupCell.countValue(of.getCount()));
  }

  private static LongSummaryStatistics summary(int series, long from, long seconds) {
    LongSummaryStatistics summary = new LongSummaryStatistics();
    for (long time = from; time < from + seconds; time += MINUTE) {
      summary.accept(value(series, time));
    }
    return summary;
  }

  private void addDouble(Put row, String aggregator, int offset, double value) {
    add(row, RollupCell.doubleQualifier(id(aggregator), offset), RollupCell.doubleValue(value));
  }

  private int id(String aggregator) {
    return Objects.requireNonNull(rollups.aggregatorId(aggregator));
  }

  private BufferedMutator open(String table) throws IOException {
    return connection.getBufferedMutator(
        new BufferedMutatorParams(TableName.valueOf(table)).writeBufferSize(BUFFER_BYTES));
  }

  private Put put(int series, long base) {
    return new Put(keys.encode(metricUid, base, tagPairs.get(series)))
        .setDurability(Durability.SKIP_WAL);
  }

  private Put add(Put row, byte[] qualifier, byte[] value) {
    return row.addColumn(FAMILY, qualifier, writtenMillis, value);
  }

  /** What was written, for the coverage. */
  List<CoverageWindow> windows() {
    return windows;
  }
}
