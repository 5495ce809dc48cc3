package io.tsdbsuite.rollup.it;

import io.tsdbsuite.testkit.HBaseServer;
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
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.io.compress.Compression;
import org.apache.hadoop.hbase.io.encoding.DataBlockEncoding;
import org.apache.hadoop.hbase.regionserver.BloomType;

/** A rollup table for {@link SmallData}, in three regions, and a TSD that reads it. */
final class RollupStore implements AutoCloseable {
  private static final List<byte[]> SPLITS =
      List.of(HexFormat.of().parseHex("000002"), HexFormat.of().parseHex("000004"));

  static final int REGIONS = 3;

  /** The numbers of the aggregators. */
  static final String IDS = "{'sum':0,'count':2,'min':3,'max':4}";

  private final HBaseServer hbase;
  private final TsdServer tsd;
  private final String name;

  private RollupStore(HBaseServer hbase, TsdServer tsd, String name) {
    this.hbase = hbase;
    this.tsd = tsd;
    this.name = name;
  }

  /**
   * Makes tables and starts the TSD.
   *
   * @param name of both, as a prefix
   */
  static RollupStore start(String name) throws IOException {
    SmallData unused = SmallData.get();
    Stack stack = SharedStack.get();
    String table = name + "-1h";
    try (Admin admin = stack.hbase().connection().getAdmin()) {
      admin.createTable(
          TableDescriptorBuilder.newBuilder(TableName.valueOf(table))
              .setColumnFamily(
                  ColumnFamilyDescriptorBuilder.newBuilder(new byte[] {'t'})
                      .setCompressionType(Compression.Algorithm.SNAPPY)
                      .setDataBlockEncoding(DataBlockEncoding.FAST_DIFF)
                      .setBloomFilterType(BloomType.ROW)
                      .build())
              .build(),
          SPLITS.toArray(byte[][]::new));
    }
    Map<String, String> conf = CorrectnessIT.conf("small");
    conf.put("tsd.rollups.enable", "true");
    conf.put("tsd.rollups.config", config(SmallData.TABLE, name, IDS));
    return new RollupStore(stack.hbase(), stack.startTsd(name, conf), name);
  }

  /**
   * A rollup configuration.
   *
   * @param dataTable the table of raw data
   * @param name of the rollup tables, as a prefix
   */
  static String config(String dataTable, String name, String ids) {
    return String.format(
            "{'aggregationIds':%s,'intervals':["
                + "{'table':'%s','preAggregationTable':'%s-agg','interval':'1m','rowSpan':'1h',"
                + "'defaultInterval':true},"
                + "{'table':'%s-10m','preAggregationTable':'%s-10m-agg','interval':'10m',"
                + "'rowSpan':'1d'},"
                + "{'table':'%s-1h','preAggregationTable':'%s-1h-agg','interval':'1h',"
                + "'rowSpan':'1d'}]}",
            ids, dataTable, dataTable, name, name, name, name)
        .replace('\'', '"');
  }

  Path configFile() {
    return tsd.configFile();
  }

  String table() {
    return name + "-1h";
  }

  /** A run of the job that writes HFiles for the table, for a window. */
  JobRun job(Path directory, long from, long to) {
    return new JobRun(directory)
        .with(
            "--snapshot-root=" + hbase.rootDir(),
            "--data-snapshot=" + SmallData.DATA_SNAPSHOT,
            "--tsd-config=" + configFile(),
            "--sink=hfile",
            "--hfile-dir=" + directory.resolve("hfiles").toUri())
        .with(SmallData.window(from, to));
  }

  /** What the TSD answers from the table. */
  SortedMap<RollupKey, RollupValues> answers(long from, long to) {
    TsdOracle oracle = TsdOracle.ofStoredRollups(tsd.client());
    SortedMap<RollupKey, RollupValues> all = new TreeMap<>();
    for (String metric : SmallData.METRICS) {
      all.putAll(oracle.rollups(metric, from, to, "1h"));
    }
    return all;
  }

  @Override
  public void close() {
    tsd.stop();
  }
}
