package io.tsdbsuite.format.schema;

import java.io.Serializable;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The address of a TSD's HBase: the ZooKeeper servers and HBase's parent znode. Immutable.
 *
 * <pre>
 *   tsd.storage.hbase.zk_quorum    host[:port],host[:port]...[/chroot]    default localhost
 *   tsd.storage.hbase.zk_basedir   /znode                                 default /hbase
 * </pre>
 *
 * <p>A TSD passes the quorum to ZooKeeper's client unchanged, so each server has its own port, by
 * default 2181, and a path at the end (chroot) precedes every znode.
 */
public final class HBaseAddress implements Serializable {
  private static final long serialVersionUID = 1L;

  /** The key of the ZooKeeper servers. */
  public static final String ZK_QUORUM = "tsd.storage.hbase.zk_quorum";

  /** The key of HBase's parent znode. */
  public static final String ZK_BASEDIR = "tsd.storage.hbase.zk_basedir";

  /** The port of a ZooKeeper server without one. */
  public static final int DEFAULT_PORT = 2181;

  private static final int MAX_PORT = 65535;

  private final String quorum;
  private final String znodeParent;

  private HBaseAddress(String quorum, String znodeParent) {
    this.quorum = quorum;
    this.znodeParent = znodeParent;
  }

  /**
   * The address that a TSD with this configuration uses.
   *
   * @throws SchemaException with all problems, when a server has no name, a port is not in
   *     1..65535, or a path does not begin with a slash or ends with one
   */
  public static HBaseAddress from(TsdConfig config) {
    List<String> problems = new ArrayList<>();
    String servers = valueOr(config, ZK_QUORUM, "localhost");
    String basedir = valueOr(config, ZK_BASEDIR, "/hbase");
    String chroot = "";
    int slash = servers.indexOf('/');
    if (slash >= 0) {
      chroot = path(ZK_QUORUM, servers.substring(slash).trim(), problems);
      servers = servers.substring(0, slash);
    }
    StringBuilder quorum = new StringBuilder();
    for (String server : servers.split(",", -1)) {
      quorum.append(quorum.length() == 0 ? "" : ",").append(server(server.trim(), problems));
    }
    String parent = chroot + path(ZK_BASEDIR, basedir.trim(), problems);
    if (!problems.isEmpty()) {
      throw new SchemaException("TSD configuration", problems);
    }
    return new HBaseAddress(quorum.toString(), parent);
  }

  private static String valueOr(TsdConfig config, String key, String absent) {
    String value = config.get(key);
    return value == null ? absent : value;
  }

  private static String server(String server, List<String> problems) {
    int colon = server.endsWith("]") ? -1 : server.lastIndexOf(':');
    String host = colon < 0 ? server : server.substring(0, colon);
    boolean bracketed = host.startsWith("[") && host.endsWith("]");
    if (host.isEmpty() || (!bracketed && host.indexOf(':') >= 0)) {
      problems.add(
          String.format(
              "%s: must be a comma-separated list of host or host:port, found '%s'",
              ZK_QUORUM, server));
    } else if (colon >= 0 && !isPort(server.substring(colon + 1))) {
      problems.add(
          ZK_QUORUM + ": a port must be from 1 to " + MAX_PORT + ", found '" + server + "'");
    }
    return server;
  }

  private static boolean isPort(String text) {
    try {
      int port = Integer.parseInt(text);
      return port >= 1 && port <= MAX_PORT;
    } catch (NumberFormatException e) {
      return false;
    }
  }

  private static String path(String key, String path, List<String> problems) {
    if (path.length() < 2 || path.charAt(0) != '/' || path.endsWith("/")) {
      problems.add(key + ": a path must begin with / and not end with it, found '" + path + "'");
    }
    return path;
  }

  /** The servers, {@code host} or {@code host:port}, comma-separated, without blanks. */
  public String quorum() {
    return quorum;
  }

  /** HBase's parent znode, including the chroot. */
  public String znodeParent() {
    return znodeParent;
  }

  /**
   * The address as HBase configuration keys. They set the port of servers without one, because
   * HBase would otherwise read it from an hbase-site.xml, which a TSD does not read.
   *
   * @return unmodifiable
   */
  public Map<String, String> hbaseProperties() {
    Map<String, String> properties = new LinkedHashMap<>();
    properties.put("hbase.zookeeper.quorum", quorum);
    properties.put("hbase.zookeeper.property.clientPort", Integer.toString(DEFAULT_PORT));
    properties.put("zookeeper.znode.parent", znodeParent);
    return Collections.unmodifiableMap(properties);
  }

  /** For messages: {@code quorum, znode /hbase}. */
  @Override
  public String toString() {
    return quorum + ", znode " + znodeParent;
  }
}
