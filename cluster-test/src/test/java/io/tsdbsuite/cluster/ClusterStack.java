package io.tsdbsuite.cluster;

import io.tsdbsuite.testkit.HBaseCluster;
import io.tsdbsuite.testkit.HadoopCluster;
import io.tsdbsuite.testkit.KafkaServer;
import io.tsdbsuite.testkit.Kdc;
import io.tsdbsuite.testkit.OpenTsdbTables;
import io.tsdbsuite.testkit.TsdServer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.PrivilegedExceptionAction;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.security.access.Permission;
import org.apache.hadoop.hbase.security.access.UserPermission;
import org.apache.hadoop.security.UserGroupInformation;
import org.jspecify.annotations.Nullable;

/** HDFS, YARN, HBase with three region servers, Kafka, and TSDs of the test's own. */
final class ClusterStack implements AutoCloseable {
  static final int REGION_SERVERS = 3;

  static final String RPC_PROTECTION = "hbase.rpc.protection";

  /** Of the rollups. */
  static final List<String> INTERVALS = List.of("1h", "1d");

  /** Between the metrics of {@link Points}, which get the UIDs 1 to 3. */
  private static final List<byte[]> SPLITS =
      List.of(HexFormat.of().parseHex("000002"), HexFormat.of().parseHex("000003"));

  private final Path dir;
  private final HadoopCluster hadoop;
  private final HBaseCluster hbase;
  private final KafkaServer kafka;
  private final @Nullable Kdc kdc;
  private final List<TsdServer> tsds = new ArrayList<>();

  private ClusterStack(
      Path dir, HadoopCluster hadoop, HBaseCluster hbase, KafkaServer kafka, @Nullable Kdc kdc) {
    this.dir = dir;
    this.hadoop = hadoop;
    this.hbase = hbase;
    this.kafka = kafka;
    this.kdc = kdc;
  }

  /**
   * Starts the servers.
   *
   * @param dir all of their files
   * @param nodes NodeManagers
   */
  static ClusterStack open(Path dir, int nodes) {
    HadoopCluster hadoop = HadoopCluster.in(dir.resolve("hadoop")).nodes(nodes).start();
    HBaseCluster hbase =
        HBaseCluster.start(dir.resolve("hbase"), hadoop, null, Map.of(), REGION_SERVERS);
    hadoop.writeSite("hbase-site.xml", hbase.master().clientSite());
    KafkaServer kafka = KafkaServer.start(dir.resolve("kafka"), Map.of());
    return new ClusterStack(dir, hadoop, hbase, kafka, null);
  }

  /**
   * Starts the servers with Kerberos: users {@code tsdb}, who runs jobs and may do all to the
   * tables that it makes, {@code tsd}, for TSDs, and {@code guest}, who may do nothing. This JVM
   * logs in as {@code hbase}, HBase's superuser.
   *
   * @param dir all of their files
   * @param nodes NodeManagers
   * @param ticket lifetime of tickets
   * @param token lifetime of delegation tokens until their renewal; a third of the longest
   * @param more keys of Hadoop and of HBase, for servers and clients
   */
  static ClusterStack secured(
      Path dir, int nodes, Duration ticket, Duration token, Map<String, String> more)
      throws IOException {
    Kdc kdc =
        Kdc.start(
            dir.resolve("kdc"),
            ticket,
            Map.of(
                "hadoop", List.of("hadoop/localhost", "HTTP/localhost"),
                "hbase", List.of("hbase/localhost"),
                "tsdb", List.of("tsdb"),
                "tsd", List.of("tsd"),
                "guest", List.of("guest")));
    Map<String, String> shortTokens =
        Map.of(
            "dfs.namenode.delegation.token.renew-interval", Long.toString(token.toMillis()),
            "dfs.namenode.delegation.token.max-lifetime", Long.toString(3 * token.toMillis()));
    HadoopCluster hadoop =
        HadoopCluster.in(dir.resolve("hadoop"))
            .nodes(nodes)
            .kerberos(kdc)
            .conf(shortTokens)
            .conf(more)
            .start();
    System.setProperty("java.security.krb5.conf", kdc.krb5Conf().toString());
    UserGroupInformation.setConfiguration(hadoop.clientConfiguration());
    makeHomes(hadoop, kdc);
    UserGroupInformation.loginUserFromKeytab(
        "hbase/localhost@" + Kdc.REALM, kdc.keytab("hbase").toString());
    HBaseCluster hbase =
        HBaseCluster.start(
            dir.resolve("hbase"),
            hadoop,
            kdc,
            Map.of("hbase.auth.token.max.lifetime", Long.toString(3 * token.toMillis())),
            REGION_SERVERS);
    hadoop.writeSite("hbase-site.xml", hbase.master().clientSite());
    KafkaServer kafka = KafkaServer.start(dir.resolve("kafka"), Map.of());
    return new ClusterStack(dir, hadoop, hbase, kafka, kdc);
  }

  /** Makes the directories of users, as the superuser of HDFS. */
  private static void makeHomes(HadoopCluster hadoop, Kdc kdc) throws IOException {
    UserGroupInformation superuser =
        UserGroupInformation.loginUserFromKeytabAndReturnUGI(
            "hadoop/localhost@" + Kdc.REALM, kdc.keytab("hadoop").toString());
    try {
      superuser.doAs(
          (PrivilegedExceptionAction<Void>)
              () -> {
                try (FileSystem hdfs = hadoop.fileSystem()) {
                  Map<String, String> homes =
                      Map.of(
                          "/hbase", "hbase",
                          "/exports", "hbase",
                          "/history", "hbase",
                          "/user/tsdb", "tsdb",
                          "/user/guest", "guest",
                          "/jobs", "tsdb");
                  for (Map.Entry<String, String> home : homes.entrySet()) {
                    org.apache.hadoop.fs.Path path = new org.apache.hadoop.fs.Path(home.getKey());
                    hdfs.mkdirs(path);
                    hdfs.setOwner(path, home.getValue(), home.getValue());
                  }
                }
                return null;
              });
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException(e);
    }
  }

  /** The KDC of a secured cluster. */
  Kdc kdc() {
    return Objects.requireNonNull(kdc);
  }

  HadoopCluster hadoop() {
    return hadoop;
  }

  HBaseCluster hbase() {
    return hbase;
  }

  KafkaServer kafka() {
    return kafka;
  }

  /** Flags of each JVM of a job. */
  List<String> jvmFlags() {
    return kdc == null ? List.of() : kdc.jvmFlags();
  }

  /** A new directory of a test. */
  Path directory(String name) throws IOException {
    return Files.createTempDirectory(dir, name + "-");
  }

  /**
   * Starts a TSD on tables of its own, the data table in three regions.
   *
   * @param tables prefix of the tables' names
   */
  TsdServer tsd(String tables) throws IOException {
    Map<String, String> conf = new TreeMap<>();
    for (String table : List.of("data", "uid", "tree", "meta")) {
      conf.put("tsd.storage.hbase." + table + "_table", tables + "-" + table);
    }
    Path directory = Files.createDirectories(dir.resolve(tables));
    conf.put("tsd.rollups.enable", "true");
    conf.put("tsd.rollups.config", rollupConfig(directory, tables).toString());
    try (Admin admin = hbase.master().connection().getAdmin()) {
      OpenTsdbTables made = OpenTsdbTables.of(conf).splits(SPLITS);
      made.create(admin);
      if (kdc != null) {
        for (String table : made.names()) {
          grant(admin, "tsd", table, Permission.Action.READ, Permission.Action.WRITE);
        }
      }
    }
    return tsd(directory, tables, conf, List.of());
  }

  /** Starts a TSD; its tables exist. With Kerberos it is principal {@code tsd}. */
  TsdServer tsd(Path directory, String name, Map<String, String> conf, List<Path> plugins)
      throws IOException {
    Map<String, String> all = new TreeMap<>(conf);
    List<String> flags = new ArrayList<>();
    if (kdc != null) {
      all.putAll(TsdKerberos.conf());
      all.putAll(rpcProtection());
      flags.addAll(TsdKerberos.jvmFlags(kdc, directory));
    }
    TsdServer tsd =
        TsdServer.start(directory, name, hbase.master().zkQuorum(), all, plugins, flags);
    tsds.add(tsd);
    return tsd;
  }

  /**
   * The protection of HBase's connections, if it is not HBase's default; asynchbase's has its name.
   */
  private Map<String, String> rpcProtection() {
    String protection = hbase.master().clientSite().get(RPC_PROTECTION);
    return protection == null ? Map.of() : Map.of(RPC_PROTECTION, protection);
  }

  /** Gives a user rights on a table. */
  static void grant(Admin admin, String user, String table, Permission.Action... rights)
      throws IOException {
    admin.grant(
        new UserPermission(
            user, Permission.newBuilder(TableName.valueOf(table)).withActions(rights).build()),
        true);
  }

  private static Path rollupConfig(Path directory, String tables) throws IOException {
    StringBuilder json =
        new StringBuilder("{'aggregationIds':{'sum':0,'count':2,'min':3,'max':4},'intervals':[")
            .append("{'table':'")
            .append(tables)
            .append("-data','preAggregationTable':'")
            .append(tables)
            .append("-data','interval':'1s','rowSpan':'1h','defaultInterval':true}");
    for (String interval : INTERVALS) {
      String table = tables + "-" + interval;
      json.append(",{'table':'")
          .append(table)
          .append("','preAggregationTable':'")
          .append(table)
          .append("','interval':'")
          .append(interval)
          .append("','rowSpan':'")
          .append(interval.equals("1d") ? "1y" : "1d")
          .append("'}");
    }
    String text = json.append("]}").toString().replace('\'', '"');
    return Files.writeString(directory.resolve("rollup_config.json"), text);
  }

  /** A job of Spark on YARN. */
  YarnSubmit submit(Mode mode, Path directory) {
    return new YarnSubmit(hadoop, mode, directory, jvmFlags());
  }

  @Override
  public void close() {
    tsds.forEach(TsdServer::kill);
    kafka.close();
    hbase.close();
    hadoop.close();
    if (kdc != null) {
      kdc.close();
    }
  }
}
