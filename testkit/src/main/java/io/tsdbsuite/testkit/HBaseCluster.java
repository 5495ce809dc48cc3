package io.tsdbsuite.testkit;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * HBase on HDFS: ZooKeeper and a master in one JVM, and region servers in a JVM each, so that one
 * of them can be killed. A region server that died is noticed after 15 s.
 */
public final class HBaseCluster implements AutoCloseable {
  private final HBaseServer master;
  private final List<HBaseRegionServer> regionServers = new ArrayList<>();

  private HBaseCluster(HBaseServer master) {
    this.master = master;
  }

  /**
   * Starts a cluster; its root is {@code /hbase} on HDFS.
   *
   * @param dir all of its local files
   * @param hadoop gives HDFS
   * @param kdc null without Kerberos; else its keytab {@code hbase} has {@code hbase/localhost}
   * @param conf overrides of hbase-site
   * @param regionServers their number
   * @return the running cluster
   * @throws ServerException with the end of the log of the server that does not start
   */
  public static HBaseCluster start(
      Path dir,
      HadoopCluster hadoop,
      @Nullable Kdc kdc,
      Map<String, String> conf,
      int regionServers) {
    Map<String, String> all = new LinkedHashMap<>(hadoop.clientSite());
    all.put("hbase.rootdir", hadoop.uri() + "/hbase");
    all.put("hbase.unsafe.stream.capability.enforce", "true");
    all.put("zookeeper.session.timeout", "15000");
    // It reaches into classes that Java 17 closes.
    all.put("hbase.filesystem.reorder.blocks", "false");
    ServerKind kind = ServerKind.HBASE_ON_HADOOP.with(List.of("-Xmx512m"));
    // Hadoop's own libraries here have no MapReduce.
    ServerKind tools = ServerKind.HBASE;
    if (kdc != null) {
      all.putAll(kerberos(kdc));
      kind = kind.with(kdc.jvmFlags());
      tools = tools.with(kdc.jvmFlags());
    }
    all.putAll(conf);
    HBaseCluster cluster = new HBaseCluster(HBaseServer.startMaster(dir, all, kind, tools));
    for (int i = 0; i < regionServers; i++) {
      String name = "regionserver-" + i;
      cluster.regionServers.add(
          new HBaseRegionServer(
              name, dir.toAbsolutePath().resolve(name), kind, all, cluster.master.zkPort()));
    }
    try {
      List<ParallelStart.Start> starts = new ArrayList<>();
      cluster.regionServers.forEach(server -> starts.add(server::start));
      ParallelStart.run(starts);
    } catch (RuntimeException e) {
      cluster.close();
      throw e;
    }
    return cluster;
  }

  private static Map<String, String> kerberos(Kdc kdc) {
    Map<String, String> conf = new LinkedHashMap<>();
    String principal = "hbase/localhost@" + Kdc.REALM;
    conf.put("hbase.security.authentication", "kerberos");
    conf.put("hbase.security.authorization", "true");
    conf.put("hbase.superuser", "hbase");
    for (String role : List.of("master", "regionserver")) {
      conf.put("hbase." + role + ".kerberos.principal", principal);
      conf.put("hbase." + role + ".keytab.file", kdc.keytab("hbase").toString());
    }
    String rights = "org.apache.hadoop.hbase.security.access.AccessController";
    conf.put("hbase.coprocessor.master.classes", rights);
    conf.put("hbase.coprocessor.regionserver.classes", rights);
    conf.put(
        "hbase.coprocessor.region.classes",
        "org.apache.hadoop.hbase.security.token.TokenProvider," + rights);
    return conf;
  }

  /**
   * The master with ZooKeeper, and all that clients of the cluster do: tables, snapshots, exports,
   * splits.
   *
   * @return the server
   */
  public HBaseServer master() {
    return master;
  }

  /**
   * A region server.
   *
   * @param index from 0
   * @return the server
   */
  public HBaseRegionServer regionServer(int index) {
    return regionServers.get(index);
  }

  /** Stops the cluster in order; kills what does not stop. */
  @Override
  public void close() {
    try {
      master.close();
    } finally {
      for (HBaseRegionServer server : regionServers) {
        if (server.isStarted() && server.isAlive()) {
          server.kill();
        }
      }
    }
  }
}
