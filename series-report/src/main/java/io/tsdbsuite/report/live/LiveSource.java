package io.tsdbsuite.report.live;

import com.stumbleupon.async.Deferred;
import io.tsdbsuite.format.meta.TsMetaRow;
import io.tsdbsuite.format.schema.HBaseAddress;
import io.tsdbsuite.job.JobException;
import io.tsdbsuite.report.model.MetaRow;
import io.tsdbsuite.report.model.MetaSource;
import io.tsdbsuite.report.model.TsdConfigFile;
import io.tsdbsuite.report.model.UidNames;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.hbase.async.Config;
import org.hbase.async.HBaseClient;
import org.hbase.async.KeyValue;
import org.hbase.async.Scanner;

/** The tables of a running HBase, located by the TSD's configuration. */
public final class LiveSource implements MetaSource {
  private static final long CLOSE_MILLIS = 5000;

  /** Rows per batch; a row takes some 200 bytes without a TSMeta, twice that with one. */
  private static final int ROWS_PER_RPC = 4096;

  private static final int BYTES_PER_RPC = 8 << 20;

  private static final byte[] FAMILY = TsMetaRow.family();
  private static final byte[] COUNTER = TsMetaRow.counterQualifier();
  private static final byte[] TS_META = TsMetaRow.metaQualifier();

  private final HBaseClient client;
  private final Answers answers;
  private final String table;
  private final LiveNames names;
  private boolean dead;

  private LiveSource(HBaseClient client, Answers answers, TsdConfigFile tsd) {
    this.client = client;
    this.answers = answers;
    table = tsd.schema().metaTable();
    names = new LiveNames(client, answers, tsd.schema().uidTable(), tsd.layout());
  }

  /**
   * Connects.
   *
   * @param tsd names of the tables, widths of UIDs, settings of asynchbase
   * @param hbase address of HBase
   * @param timeoutMillis time-out of each answer of HBase, ms
   * @throws JobException when HBase does not answer or a table is missing
   */
  public static LiveSource open(TsdConfigFile tsd, HBaseAddress hbase, long timeoutMillis) {
    HBaseClient client = new HBaseClient(clientConfig(tsd, hbase));
    Answers answers =
        new Answers(
            "ZooKeeper quorum " + hbase.quorum() + ", base directory " + hbase.znodeParent(),
            timeoutMillis);
    LiveSource source = new LiveSource(client, answers, tsd);
    try {
      source.check(tsd.schema().metaTable(), "tsd.storage.hbase.meta_table");
      source.check(tsd.schema().uidTable(), "tsd.storage.hbase.uid_table");
      return source;
    } catch (JobException e) {
      source.dead = true;
      source.close();
      throw e;
    }
  }

  /**
   * Reads the configuration of asynchbase, like the constructor of TSDB: asynchbase reads the same
   * file, without ZooKeeper's address.
   */
  private static Config clientConfig(TsdConfigFile tsd, HBaseAddress hbase) {
    try {
      Config config = new Config(tsd.file().toString());
      config.overrideConfig("hbase.zookeeper.znode.parent", hbase.znodeParent());
      config.overrideConfig("hbase.zookeeper.quorum", hbase.quorum());
      return config;
    } catch (IOException e) {
      throw JobException.usage("--tsd-config " + tsd.file() + " cannot be read: " + e);
    }
  }

  private void check(String name, String key) {
    answers.of(client.ensureTableFamilyExists(name, "name"), "table " + name + " (" + key + ")");
  }

  @Override
  public UidNames names() {
    return names;
  }

  @Override
  public long time(long now) {
    return now;
  }

  @Override
  public void scan(byte[] start, byte[] stop, Batch batch) throws IOException {
    Scanner scanner = client.newScanner(table);
    scanner.setFamily(FAMILY);
    scanner.setQualifiers(new byte[][] {COUNTER, TS_META});
    scanner.setStartKey(start);
    scanner.setStopKey(stop);
    scanner.setMaxNumRows(ROWS_PER_RPC);
    scanner.setMaxNumKeyValues(-1);
    scanner.setMaxNumBytes(BYTES_PER_RPC);
    // A full scan must not evict the TSD's blocks from the block cache.
    scanner.setServerBlockCache(false);
    String what = "rows of table " + table;
    Deferred<ArrayList<ArrayList<KeyValue>>> next = scanner.nextRows();
    for (; ; ) {
      ArrayList<ArrayList<KeyValue>> rows = answers.of(next, what);
      if (rows == null) {
        return;
      }
      next = scanner.nextRows();
      batch.rows(metaRows(rows));
    }
  }

  private static List<MetaRow> metaRows(List<? extends List<KeyValue>> rows) {
    List<MetaRow> metaRows = new ArrayList<>(rows.size());
    for (List<KeyValue> row : rows) {
      byte[] counter = null;
      byte[] tsMeta = null;
      long timestamp = 0;
      for (KeyValue cell : row) {
        if (Arrays.equals(COUNTER, cell.qualifier())) {
          counter = cell.value();
          timestamp = cell.timestamp();
        } else {
          tsMeta = cell.value();
        }
      }
      metaRows.add(new MetaRow(row.get(0).key(), counter, timestamp, tsMeta));
    }
    return metaRows;
  }

  /** Closes the client, but not after a failure: its shutdown would wait for HBase. */
  @Override
  public void close() {
    if (dead) {
      return;
    }
    try {
      client.shutdown().join(CLOSE_MILLIS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (Exception e) {
      // All rows were read and nothing was written: the exit of the JVM closes the connections.
      dead = true;
    }
  }
}
