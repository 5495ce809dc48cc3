package io.tsdbsuite.rollup.it;

import io.tsdbsuite.testkit.DataPoint;
import io.tsdbsuite.testkit.HBaseServer;
import io.tsdbsuite.testkit.OpenTsdbTables;
import io.tsdbsuite.testkit.QuerySpec;
import io.tsdbsuite.testkit.Series;
import io.tsdbsuite.testkit.Stack;
import io.tsdbsuite.testkit.TsdServer;
import io.tsdbsuite.testkit.rollup.RollupKey;
import io.tsdbsuite.testkit.rollup.RollupValues;
import io.tsdbsuite.testkit.rollup.TsdOracle;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Predicate;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptor;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;

/**
 * Three days of hourly rows of a few series, with snapshots and the TSD's answers; made once and
 * never changed.
 *
 * <p>The data table has five regions, two of which cannot hold a row of the second day, two HFiles
 * in each region, and small blocks, so that its HFiles have hundreds of them and leaf index blocks.
 */
final class SmallData {
  static final long HOUR = 3600;
  static final long DAY = 24 * HOUR;

  /** 2025-11-18T00:00:00Z, seconds since the epoch. */
  static final long START = 1763424000;

  /** The day in the middle. */
  static final long FROM = START + DAY;

  static final long TO = FROM + DAY;
  static final long END = TO + DAY;

  static final List<String> METRICS = List.of("a.a", "a.b", "a.c", "b.a");
  static final int SERIES_PER_METRIC = 30;
  static final int ROWS_PER_HOUR = METRICS.size() * SERIES_PER_METRIC;

  private static final int UID_WIDTH = 3;

  static final String TABLE = "small-data";
  static final String UID_TABLE = "small-uid";
  static final String DATA_SNAPSHOT = "small-data-snapshot";
  static final String UID_SNAPSHOT = "small-uid-snapshot";

  /** Metric UID and base time; metrics are numbered from 1 as they come. */
  private static final List<byte[]> REGIONS =
      List.of(row(2, TO), row(3, 0), row(3, FROM), row(4, FROM + DAY / 2));

  private static final String BLOCK_BYTES = "1024";

  private final Path configFile;
  private final Path rollupConfig;
  private final SortedMap<RollupKey, RollupValues> answers = new TreeMap<>();
  private final SortedMap<RollupKey, RollupValues> days = new TreeMap<>();
  private final Map<String, byte[]> tsuids = new HashMap<>();

  private static final class Holder {
    private static final SmallData DATA = make();
  }

  private SmallData(Path configFile) {
    this.configFile = configFile;
    this.rollupConfig = TestFiles.rollupConfig(TestFiles.directory("small"));
  }

  static SmallData get() {
    return Holder.DATA;
  }

  private static SmallData make() {
    Stack stack = SharedStack.get();
    HBaseServer hbase = stack.hbase();
    Map<String, String> conf = CorrectnessIT.conf("small");
    try {
      stack.create(OpenTsdbTables.of(conf).splits(REGIONS));
      smallBlocks(hbase);
      TsdServer tsd = stack.startTsd("small", conf);
      SmallData data = new SmallData(tsd.configFile());
      // Two HFiles in each region: every second hour, then those between.
      for (int odd = 0; odd < 2; odd++) {
        tsd.client().put(points(odd), 3000);
        hbase.flush(TABLE);
      }
      hbase.snapshot(TABLE, DATA_SNAPSHOT);
      hbase.snapshot(UID_TABLE, UID_SNAPSHOT);
      TsdOracle oracle = new TsdOracle(tsd.client());
      for (String metric : METRICS) {
        data.answers.putAll(oracle.rollups(metric, START, END, "1h"));
        data.days.putAll(oracle.rollups(metric, START, END, "1d"));
        for (Series series : tsd.client().query(QuerySpec.of(metric, FROM, FROM + HOUR))) {
          data.tsuids.put(
              metric + new TreeMap<>(series.tags()),
              HexFormat.of().withUpperCase().parseHex(series.tsuids().get(0)));
        }
      }
      tsd.stop();
      return data;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static void smallBlocks(HBaseServer hbase) throws IOException {
    try (Admin admin = hbase.connection().getAdmin()) {
      TableName name = TableName.valueOf(TABLE);
      ColumnFamilyDescriptor family = admin.getDescriptor(name).getColumnFamilies()[0];
      admin.modifyTable(
          TableDescriptorBuilder.newBuilder(admin.getDescriptor(name))
              .modifyColumnFamily(
                  ColumnFamilyDescriptorBuilder.newBuilder(family)
                      .setBlocksize(Integer.parseInt(BLOCK_BYTES))
                      .setConfiguration("hfile.index.block.max.size", BLOCK_BYTES)
                      .build())
              .build());
    }
  }

  private static byte[] row(int metric, long baseTime) {
    return HexFormat.of().parseHex(String.format("%06x%08x", metric, baseTime));
  }

  private static List<DataPoint> points(int odd) {
    List<DataPoint> points = new ArrayList<>();
    for (String metric : METRICS) {
      for (long hour = START + odd * HOUR; hour < END; hour += 2 * HOUR) {
        for (int i = 0; i < SERIES_PER_METRIC; i++) {
          Map<String, String> tags = Map.of("host", "h" + i, "dc", "dc" + i % 3);
          long time = hour + (hour / HOUR * 37 + i * 11L) % 3000;
          points.add(new DataPoint(metric, time, hour / HOUR % 24 + i, tags));
          points.add(new DataPoint(metric, time + 60, i + 0.25, tags));
          points.add(new DataPoint(metric, time + 500, -1.5 * i, tags));
        }
      }
    }
    return points;
  }

  /** The TSD's answers for a window. */
  SortedMap<RollupKey, RollupValues> answers(long from, long to) {
    return answers(key -> key.timestamp() >= from && key.timestamp() < to);
  }

  SortedMap<RollupKey, RollupValues> answers(Predicate<RollupKey> wanted) {
    SortedMap<RollupKey, RollupValues> some = new TreeMap<>(answers);
    some.keySet().removeIf(wanted.negate());
    return some;
  }

  /** The TSD's answers for whole days. */
  SortedMap<RollupKey, RollupValues> days(long from, long to) {
    SortedMap<RollupKey, RollupValues> some = new TreeMap<>(days);
    some.keySet().removeIf(key -> key.timestamp() < from || key.timestamp() >= to);
    return some;
  }

  /** The row that a rollup is made of; of a day that of its first hour. */
  byte[] row(RollupKey key) {
    byte[] tsuid = tsuids.get(key.metric() + key.tags());
    return ByteBuffer.allocate(tsuid.length + Integer.BYTES)
        .put(tsuid, 0, UID_WIDTH)
        .putInt((int) key.timestamp())
        .put(tsuid, UID_WIDTH, tsuid.length - UID_WIDTH)
        .array();
  }

  /** Options for both snapshots below a root, and the files of configuration; no window. */
  String[] input(String root) {
    return input(root, DATA_SNAPSHOT, UID_SNAPSHOT);
  }

  /** The same for other snapshots. */
  String[] input(String root, String dataSnapshot, String uidSnapshot) {
    return new String[] {
      "--snapshot-root=" + root,
      "--data-snapshot=" + dataSnapshot,
      "--uid-snapshot=" + uidSnapshot,
      "--tsd-config=" + configFile,
      "--rollup-config=" + rollupConfig
    };
  }

  /** Options for a window. */
  static String[] window(long from, long to) {
    return new String[] {"--from=" + from, "--to=" + to};
  }

  Path configFile() {
    return configFile;
  }

  Path rollupConfig() {
    return rollupConfig;
  }
}
