package io.tsdbsuite.rollup.it;

import io.tsdbsuite.testkit.HBaseServer;
import io.tsdbsuite.testkit.OpenTsdbTables;
import io.tsdbsuite.testkit.Stack;
import io.tsdbsuite.testkit.TsdServer;
import io.tsdbsuite.testkit.rollup.RollupKey;
import io.tsdbsuite.testkit.rollup.RollupValues;
import io.tsdbsuite.testkit.rollup.TsdOracle;
import java.io.IOException;
import java.nio.file.Path;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.apache.hadoop.hbase.io.compress.Compression;
import org.apache.hadoop.hbase.io.encoding.DataBlockEncoding;

/** Rollup tables for {@link SmallData}, each in three regions, and a TSD that reads them. */
final class RollupStore implements AutoCloseable {
  private static final List<byte[]> SPLITS =
      List.of(HexFormat.of().parseHex("000002"), HexFormat.of().parseHex("000004"));

  static final int REGIONS = 3;

  /** The numbers of the aggregators. */
  static final String IDS = "{'sum':0,'count':2,'min':3,'max':4}";

  private final HBaseServer hbase;
  private final TsdServer tsd;
  private final String name;
  private final List<String> intervals;

  private RollupStore(HBaseServer hbase, TsdServer tsd, String name, List<String> intervals) {
    this.hbase = hbase;
    this.tsd = tsd;
    this.name = name;
    this.intervals = intervals;
  }

  /**
   * Makes tables and starts the TSD.
   *
   * @param name of both, as a prefix
   */
  static RollupStore start(String name, String... intervals) throws IOException {
    SmallData unused = SmallData.get();
    Stack stack = SharedStack.get();
    Map<String, String> conf = CorrectnessIT.conf("small");
    conf.put("tsd.rollups.enable", "true");
    conf.put("tsd.rollups.config", config(SmallData.TABLE, name, IDS, List.of(intervals)));
    stack.create(
        OpenTsdbTables.of(conf)
            .compression(Compression.Algorithm.SNAPPY)
            .encoding(DataBlockEncoding.FAST_DIFF)
            .splits(SPLITS));
    return new RollupStore(
        stack.hbase(), stack.startTsd(name.replace(':', '-'), conf), name, List.of(intervals));
  }

  /**
   * A rollup configuration with no more tables than it needs.
   *
   * @param raw table of the points
   * @param tables prefix of the rollup tables
   * @param ids of the aggregators
   */
  static String config(String raw, String tables, String ids, List<String> intervals) {
    StringBuilder text = new StringBuilder("{'aggregationIds':" + ids + ",'intervals':[");
    text.append(interval(raw, "1s", "1h")).append(",'defaultInterval':true}");
    for (String interval : intervals) {
      String span =
          switch (interval) {
            case "1d" -> "1y";
            case "6h" -> "1n";
            default -> "1d";
          };
      text.append(',').append(interval(table(tables, interval), interval, span)).append('}');
    }
    return text.append("]}").toString().replace('\'', '"');
  }

  private static String interval(String table, String interval, String span) {
    return String.format(
        "{'table':'%s','preAggregationTable':'%s','interval':'%s','rowSpan':'%s'",
        table, table, interval, span);
  }

  private static String table(String tables, String interval) {
    return tables + "-" + interval;
  }

  /** The prefix of the tables. */
  String name() {
    return name;
  }

  Path configFile() {
    return tsd.configFile();
  }

  String table(String interval) {
    return table(name, interval);
  }

  /** A run of the job that writes HFiles for the tables, for a window. */
  JobRun job(Path directory, long from, long to) {
    return job(SmallData.DATA_SNAPSHOT, directory, from, to);
  }

  /** The same from another snapshot of the data. */
  JobRun job(String snapshot, Path directory, long from, long to) {
    return new JobRun(directory)
        .with(
            "--snapshot-root=" + hbase.rootDir(),
            "--data-snapshot=" + snapshot,
            "--tsd-config=" + configFile(),
            "--interval=" + String.join(",", intervals),
            "--sink=hfile",
            "--hfile-dir=" + directory.resolve("hfiles").toUri())
        .with(SmallData.window(from, to));
  }

  /** What the TSD answers from the table of an interval. */
  SortedMap<RollupKey, RollupValues> answers(String interval, long from, long to) {
    return answers(TsdOracle.ofStoredRollups(tsd.client()), interval, from, to);
  }

  /** What it answers from raw data. */
  SortedMap<RollupKey, RollupValues> rawAnswers(String interval, long from, long to) {
    return answers(new TsdOracle(tsd.client()), interval, from, to);
  }

  private static SortedMap<RollupKey, RollupValues> answers(
      TsdOracle oracle, String interval, long from, long to) {
    SortedMap<RollupKey, RollupValues> all = new TreeMap<>();
    for (String metric : SmallData.METRICS) {
      all.putAll(oracle.rollups(metric, from, to, interval));
    }
    return all;
  }

  @Override
  public void close() {
    tsd.stop();
  }
}
