package io.tsdbsuite.ingest.it;

import io.tsdbsuite.format.rollup.RollupCell;
import io.tsdbsuite.format.rollup.RollupConfig;
import io.tsdbsuite.format.rollup.RollupInterval;
import io.tsdbsuite.format.row.Qualifier;
import io.tsdbsuite.format.row.RowKey;
import io.tsdbsuite.format.row.Values;
import io.tsdbsuite.format.schema.StorageSchema;
import io.tsdbsuite.testkit.CellDiff;
import io.tsdbsuite.testkit.HBaseServer;
import io.tsdbsuite.testkit.RawCell;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.IntStream;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.kafka.clients.producer.ProducerRecord;

/**
 * Messages that have cells of their own each, and these cells.
 *
 * <p>Half of them are raw points of every width, half are rollups with four values. The cells are
 * made by storage-format from the UIDs that are in HBase: neither the TSD nor the plugin is asked.
 */
final class Load {
  /** 2025-11-19T00:00:00Z, the start of a row of each table. */
  private static final long START = 1763510400L;

  private static final int HOSTS = 250;
  private static final int STEP_SECONDS = 60;
  private static final int VALUES = 4;

  /** By so many messages an older value comes before the one that counts. */
  private static final int OLDER = 4_000;

  private final String name;
  private final int messages;
  private final RollupConfig rollups = RollupConfig.parse(IngestStack.ROLLUP_CONFIG);
  private final RollupInterval hour = rollups.interval("1h");
  private final RowKey keys = new RowKey(StorageSchema.defaults());

  /**
   * The same for the same arguments.
   *
   * @param name the metrics start with it; no other load has them
   */
  Load(String name, int messages) {
    this.name = name;
    this.messages = messages;
  }

  int messages() {
    return messages;
  }

  /** The messages as they are sent; made one by one. */
  Iterable<ProducerRecord<byte[], byte[]>> records(String topic) {
    return () -> IntStream.range(0, messages).mapToObj(i -> record(topic, i, i)).iterator();
  }

  /**
   * The same with older values of the rollups, which must not be there in the end: one some time
   * before each, and one right before some.
   */
  Iterable<ProducerRecord<byte[], byte[]>> recordsAndOlderOnes(String topic) {
    return () ->
        IntStream.range(0, messages + OLDER)
            .boxed()
            .flatMap(
                at -> {
                  List<ProducerRecord<byte[], byte[]>> records = new ArrayList<>();
                  if (at < messages && !isRaw(at)) {
                    records.add(record(topic, at, at + 1_000_000));
                  }
                  int i = at - OLDER;
                  if (i >= 0) {
                    if (i % 25 == 1 && !isRaw(i)) {
                      records.add(record(topic, i, i + 2_000_000));
                    }
                    records.add(record(topic, i, i));
                  }
                  return records.stream();
                })
            .iterator();
  }

  private ProducerRecord<byte[], byte[]> record(String topic, int i, int value) {
    String message =
        isRaw(i)
            ? String.format(
                Locale.ROOT,
                "{\"type\":\"Metric\",\"metric\":\"%s\",\"timestamp\":%d,\"value\":%s,"
                    + "\"tags\":{\"host\":\"%s\"}}",
                metric(i),
                timestamp(i),
                rawText(i),
                host(i))
            : String.format(
                Locale.ROOT,
                "{\"type\":\"Rollup\",\"v\":1,\"metric\":\"%s\",\"tags\":{\"host\":\"%s\"},"
                    + "\"timestamp\":%d,\"interval\":\"1h\",\"values\":"
                    + "{\"sum\":%d.5,\"min\":-%d.0,\"max\":%d,\"count\":%d}}",
                metric(i),
                host(i),
                timestamp(i),
                value,
                value,
                value,
                count(value));
    String key = metric(i) + "{host=" + host(i) + "}";
    return new ProducerRecord<>(
        topic, key.getBytes(StandardCharsets.UTF_8), message.getBytes(StandardCharsets.UTF_8));
  }

  private static boolean isRaw(int i) {
    return i % 2 == 0;
  }

  private String metric(int i) {
    return name + (isRaw(i) ? ".raw" : ".rollup");
  }

  private static String host(int i) {
    return "load" + i / 2 % HOSTS;
  }

  private static long timestamp(int i) {
    long step = i / 2 / HOSTS;
    return START + step * (isRaw(i) ? STEP_SECONDS : 3600);
  }

  private static String rawText(int i) {
    switch (i / 2 % 3) {
      case 0:
        return Integer.toString(i);
      case 1:
        return i + ".25";
      default:
        return i + ".1";
    }
  }

  private static int count(int i) {
    return 1 + i % 3600;
  }

  /** What is wrong with the tables, in words; nothing if they hold exactly the load's cells. */
  List<String> differences() throws IOException {
    List<String> differences = new ArrayList<>();
    differences.addAll(CellDiff.of(expected(true), found(true), 5));
    differences.addAll(CellDiff.of(expected(false), found(false), 5));
    return differences;
  }

  /** How many of the messages are in the tables; rollups count by their values. */
  long messagesInTables() throws IOException {
    long rollupCells = found(false).size();
    if (rollupCells % VALUES != 0) {
      throw new AssertionError("a message is stored in part: " + rollupCells + " rollup cells");
    }
    return found(true).size() + rollupCells / VALUES;
  }

  private List<RawCell> found(boolean raw) throws IOException {
    HBaseServer hbase = IngestStack.get().hbase();
    List<RawCell> cells = new ArrayList<>();
    Scan scan = new Scan().setCaching(5000);
    scan.setStartStopRowForPrefixScan(new Uids().metric(metric(raw ? 0 : 1)));
    try (Table table = hbase.connection().getTable(TableName.valueOf(table(raw)));
        ResultScanner scanner = table.getScanner(scan)) {
      for (Result result : scanner) {
        for (Cell cell : result.rawCells()) {
          cells.add(
              new RawCell(
                  CellUtil.cloneRow(cell),
                  Bytes.toString(CellUtil.cloneFamily(cell)),
                  CellUtil.cloneQualifier(cell),
                  0,
                  CellUtil.cloneValue(cell)));
        }
      }
    }
    return cells;
  }

  private String table(boolean raw) {
    return raw ? rollups.defaultInterval().table() : hour.table();
  }

  private List<RawCell> expected(boolean raw) throws IOException {
    Uids uids = new Uids();
    byte[] metric = uids.metric(metric(raw ? 0 : 1));
    List<byte[]> pairs = new ArrayList<>();
    for (int h = 0; h < Math.min(HOSTS, messages / 2); h++) {
      pairs.add(Bytes.add(uids.tagk("host"), uids.tagv(host(2 * h))));
    }
    List<RawCell> cells = new ArrayList<>();
    for (int i = raw ? 0 : 1; i < messages; i += 2) {
      byte[] pair = pairs.get(i / 2 % HOSTS);
      if (raw) {
        addRaw(cells, i, metric, pair);
      } else {
        addRollup(cells, i, metric, pair);
      }
    }
    return cells;
  }

  private void addRaw(List<RawCell> cells, int i, byte[] metric, byte[] pair) {
    long time = timestamp(i);
    long base = time - time % RowKey.ROW_SPAN_SECONDS;
    byte[] value;
    switch (i / 2 % 3) {
      case 0:
        value = Values.encodeInteger(i);
        break;
      case 1:
        value = Values.encodeFloat(i + 0.25f);
        break;
      default:
        value = Values.encodeDouble(Double.parseDouble(rawText(i)));
    }
    byte[] qualifier = Qualifier.ofSeconds((int) (time - base), i / 2 % 3 != 0, value.length);
    cells.add(cell(keys.encode(metric, base, pair), qualifier, value));
  }

  private void addRollup(List<RawCell> cells, int i, byte[] metric, byte[] pair) {
    long base = hour.baseTime(timestamp(i));
    int offset = RollupCell.offset(hour, base, timestamp(i));
    byte[] row = keys.encode(metric, base, pair);
    double[] values = {i + 0.5, -1.0 * i, i};
    String[] names = {"sum", "min", "max"};
    for (int n = 0; n < values.length; n++) {
      int id = rollups.aggregatorId(names[n]);
      cells.add(
          cell(row, RollupCell.doubleQualifier(id, offset), RollupCell.doubleValue(values[n])));
    }
    int id = rollups.aggregatorId("count");
    cells.add(cell(row, RollupCell.countQualifier(id, offset), RollupCell.countValue(count(i))));
  }

  private static RawCell cell(byte[] row, byte[] qualifier, byte[] value) {
    return new RawCell(row, "t", qualifier, 0, value);
  }
}
