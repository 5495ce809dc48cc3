package io.tsdbsuite.testkit.server;

import java.io.File;
import java.io.IOException;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HBaseConfiguration;
import org.apache.hadoop.hbase.LocalHBaseCluster;
import org.apache.hadoop.hbase.io.compress.Compression;
import org.apache.hadoop.hbase.master.HMaster;
import org.apache.hadoop.hbase.regionserver.HRegionServer;
import org.apache.hadoop.hbase.snapshot.ExportSnapshot;
import org.apache.hadoop.hbase.zookeeper.MiniZooKeeperCluster;
import org.apache.hadoop.metrics2.impl.JmxCacheBuster;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.hadoop.util.ToolRunner;
import org.apache.zookeeper.Watcher;
import org.apache.zookeeper.ZooKeeper;
import org.apache.zookeeper.data.Stat;

/**
 * HBase: with {@code role=standalone}, the default, ZooKeeper, one master and one region server in
 * this JVM; with {@code role=master} ZooKeeper and a master, with {@code role=regionserver} a
 * region server that finds its master by ZooKeeper.
 *
 * <p>Arguments: {@code dir} (directory of all files), {@code rootDir} (URI of HBase's root, default
 * {@code root} in {@code dir}), {@code zkPort} (port of ZooKeeper), {@code conf.*} (overrides of
 * hbase-site). With {@code export=<snapshot>} and {@code to=<URI>} the launcher runs ExportSnapshot
 * instead of a server, with {@code overwrite=true} also onto an existing export; the READY line
 * then means that the export is complete. The READY line of {@code role=master} means that the
 * master has started: it is ready for clients when a region server has joined it.
 */
public final class HBaseLauncher {
  private static final String CODECS = "org.apache.hadoop.hbase.io.compress.aircompressor.";
  private static final long POLL_MILLIS = 20;
  private static final int ZK_TIMEOUT_MILLIS = 30_000;

  private HBaseLauncher() {}

  /**
   * Starts the server or the tool.
   *
   * @param args see the class comment
   */
  public static void main(String[] args) {
    Launcher.run(args, HBaseLauncher::start);
  }

  private static AutoCloseable start(Map<String, String> arguments, Map<String, String> ready)
      throws Exception {
    Configuration conf = configuration(arguments);
    UserGroupInformation.setConfiguration(conf);
    if (arguments.containsKey("export")) {
      if (UserGroupInformation.isSecurityEnabled()) {
        UserGroupInformation.loginUserFromKeytab(
            conf.get("hbase.master.kerberos.principal"), conf.get("hbase.master.keytab.file"));
      }
      export(conf, arguments);
      return () -> {};
    }
    // Whenever a region has opened or closed HBase registers all of its metrics again: a sixth of
    // its CPU here. stop() needs one that is scheduled.
    JmxCacheBuster.clearJmxCache();
    JmxCacheBuster.stop();
    String role = arguments.getOrDefault("role", "standalone");
    if (role.equals("regionserver")) {
      conf.setBoolean("hbase.cluster.distributed", true);
      return regionServer(conf);
    }
    int zkPort = Integer.parseInt(Launcher.required(arguments, "zkPort"));
    MiniZooKeeperCluster zk = new MiniZooKeeperCluster(conf);
    zk.addClientPort(zkPort);
    int gotPort = zk.startup(new File(Launcher.required(arguments, "dir"), "zookeeper"), 1);
    if (gotPort != zkPort) {
      throw new IllegalStateException(
          "ZooKeeper's port " + zkPort + " is taken, it got " + gotPort);
    }
    forgetCrashedServers(zkPort);
    ready.put("zkPort", Integer.toString(gotPort));
    if (role.equals("master")) {
      conf.setBoolean("hbase.cluster.distributed", true);
      return master(conf, zk);
    }
    // A master that does not know that there is but one region server waits 4.5 s for others.
    conf.setIfUnset("hbase.master.wait.on.regionservers.maxtostart", "1");
    LocalHBaseCluster cluster = new LocalHBaseCluster(conf, 1);
    cluster.startup();
    awaitInitialized(cluster);
    return () -> {
      cluster.shutdown();
      cluster.join();
      zk.shutdown();
    };
  }

  private static AutoCloseable master(Configuration conf, MiniZooKeeperCluster zk) {
    HMaster master = HMaster.constructMaster(HMaster.class, conf);
    master.start();
    return () -> {
      // Stops the region servers too.
      master.shutdown();
      master.join();
      zk.shutdown();
    };
  }

  private static AutoCloseable regionServer(Configuration conf)
      throws IOException, InterruptedException {
    HRegionServer server = new HRegionServer(conf);
    server.start();
    while (!server.isOnline()) {
      if (!server.isAlive()) {
        throw new IllegalStateException("the region server ended while it started");
      }
      Thread.sleep(POLL_MILLIS);
    }
    return () -> {
      server.stop("the testkit stops it");
      server.join();
    };
  }

  /**
   * Deletes the znodes that the former master and region server left in a crash. Otherwise these
   * znodes exist until their sessions expire, which takes longer than a master waits. No other
   * process uses this ZooKeeper.
   */
  private static void forgetCrashedServers(int zkPort) throws Exception {
    CountDownLatch connected = new CountDownLatch(1);
    ZooKeeper zk =
        new ZooKeeper(
            "localhost:" + zkPort,
            ZK_TIMEOUT_MILLIS,
            event -> {
              if (event.getState() == Watcher.Event.KeeperState.SyncConnected) {
                connected.countDown();
              }
            });
    try {
      if (!connected.await(ZK_TIMEOUT_MILLIS, TimeUnit.MILLISECONDS)) {
        throw new IllegalStateException("ZooKeeper does not answer on port " + zkPort);
      }
      for (String parent : List.of("/hbase", "/hbase/rs", "/hbase/backup-masters")) {
        if (zk.exists(parent, false) == null) {
          continue;
        }
        for (String child : zk.getChildren(parent, false)) {
          String path = parent + "/" + child;
          Stat stat = zk.exists(path, false);
          if (stat != null && stat.getEphemeralOwner() != 0) {
            zk.delete(path, -1);
          }
        }
      }
    } finally {
      zk.close();
    }
  }

  private static void awaitInitialized(LocalHBaseCluster cluster) throws InterruptedException {
    for (; ; ) {
      HMaster master = cluster.getActiveMaster();
      if (master != null && master.isInitialized()) {
        return;
      }
      if (cluster.getLiveMasters().isEmpty() || cluster.getLiveRegionServers().isEmpty()) {
        throw new IllegalStateException("HBase ended while it started");
      }
      Thread.sleep(POLL_MILLIS);
    }
  }

  private static void export(Configuration conf, Map<String, String> arguments) throws Exception {
    // Without -no-checksum-verify the export fails: file: and s3a: checksums are not comparable.
    List<String> options =
        new ArrayList<>(
            List.of(
                "-snapshot",
                Launcher.required(arguments, "export"),
                "-copy-to",
                Launcher.required(arguments, "to"),
                "-no-checksum-verify",
                "-mappers",
                "1"));
    if (Boolean.parseBoolean(arguments.get("overwrite"))) {
      options.add("-overwrite");
    }
    int rc = ToolRunner.run(conf, new ExportSnapshot(), options.toArray(new String[0]));
    if (rc != 0) {
      throw new IllegalStateException("ExportSnapshot " + options + " ended with " + rc);
    }
  }

  private static Configuration configuration(Map<String, String> arguments) {
    File dir = new File(Launcher.required(arguments, "dir"));
    Configuration conf = HBaseConfiguration.create();
    conf.set(
        "hbase.rootdir", arguments.getOrDefault("rootDir", new File(dir, "root").toURI() + ""));
    conf.set("hbase.tmp.dir", new File(dir, "tmp").getPath());
    conf.set("hadoop.tmp.dir", new File(dir, "hadoop").getPath());
    // The default is a fixed path below the system's tmp directory.
    conf.set("mapreduce.jobtracker.staging.root.dir", new File(dir, "hadoop/staging").getPath());
    conf.set("hbase.zookeeper.quorum", "localhost");
    conf.set("hbase.zookeeper.property.clientPort", arguments.getOrDefault("zkPort", "0"));
    conf.setBoolean("hbase.cluster.distributed", false);
    conf.setBoolean("hbase.unsafe.stream.capability.enforce", false);
    conf.set("hbase.wal.provider", "filesystem");
    for (String role : List.of("master", "regionserver")) {
      conf.set("hbase." + role + ".hostname", "localhost");
      conf.set("hbase." + role + ".ipc.address", "127.0.0.1");
      conf.setInt("hbase." + role + ".port", 0);
      conf.setInt("hbase." + role + ".info.port", -1);
    }
    // The master waits for the first report of a region server, and the default interval is 3 s. A
    // shorter one costs all the time: 4 % of a core with 100 tables and 100 ms, 2 % with 1 s.
    conf.setInt("hbase.regionserver.msginterval", 500);
    conf.setInt("hbase.master.wait.on.regionservers.mintostart", 1);
    conf.setInt("hbase.master.wait.on.regionservers.interval", 100);
    // A busy machine may take longer than the 30 s that LocalHBaseCluster waits for its master.
    conf.setInt("hbase.master.start.timeout.localHBaseCluster", 110_000);
    conf.setInt("hbase.regionserver.handler.count", 8);
    // No automatic compaction: tests count the flushed files.
    conf.setInt("hbase.hstore.compaction.min", 1000);
    conf.setInt("hbase.hstore.blockingStoreFiles", 100_000);
    conf.setLong("hbase.hregion.majorcompaction", 0);
    // No automatic split either: the default splits a table's first region at 256 MB.
    conf.set(
        "hbase.regionserver.region.split.policy",
        "org.apache.hadoop.hbase.regionserver.ConstantSizeRegionSplitPolicy");
    List<String> codecs = List.of("Snappy", "Lz4", "Lzo", "Zstd");
    for (String codec : codecs) {
      conf.set(
          "hbase.io.compress." + codec.toLowerCase(Locale.ROOT) + ".codec",
          CODECS + codec + "Codec");
    }
    Launcher.withPrefix(arguments, "conf.").forEach(conf::set);
    // HBase reads codecs from an hbase-site.xml on the class path, which does not exist here.
    for (String codec : codecs) {
      reload(Compression.Algorithm.valueOf(codec.toUpperCase(Locale.ROOT)), conf);
    }
    return conf;
  }

  /** HBase before 2.5 has fixed codecs, and no such method. */
  private static void reload(Compression.Algorithm algorithm, Configuration conf) {
    Method reload;
    try {
      reload = Compression.Algorithm.class.getMethod("reload", Configuration.class);
    } catch (NoSuchMethodException e) {
      return;
    }
    try {
      reload.invoke(algorithm, conf);
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException("the codec of " + algorithm + " cannot be set", e);
    }
  }
}
