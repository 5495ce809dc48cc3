package io.tsdbsuite.testkit.server;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.HdfsConfiguration;
import org.apache.hadoop.hdfs.server.datanode.DataNode;
import org.apache.hadoop.hdfs.server.namenode.NameNode;
import org.apache.hadoop.metrics2.lib.DefaultMetricsSystem;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.hadoop.yarn.conf.YarnConfiguration;
import org.apache.hadoop.yarn.server.nodemanager.NodeManager;
import org.apache.hadoop.yarn.server.resourcemanager.ResourceManager;

/**
 * Daemons of Hadoop in one JVM: with {@code role=master} a NameNode, a DataNode and a
 * ResourceManager, with {@code role=node} a NodeManager.
 *
 * <p>Arguments: {@code role}, {@code conf} (directory of core-site.xml, hdfs-site.xml and
 * yarn-site.xml), {@code conf.*} (overrides of these files for this JVM). A NameNode's directory
 * that is not formatted is formatted.
 */
public final class HadoopLauncher {
  private HadoopLauncher() {}

  /**
   * Starts the daemons.
   *
   * @param args see the class comment
   */
  public static void main(String[] args) {
    Launcher.run(args, HadoopLauncher::start);
  }

  private static AutoCloseable start(Map<String, String> arguments, Map<String, String> ready)
      throws Exception {
    Configuration conf = new HdfsConfiguration();
    Path directory = Path.of(Launcher.required(arguments, "conf"));
    for (String file : new String[] {"core-site.xml", "hdfs-site.xml", "yarn-site.xml"}) {
      conf.addResource(new org.apache.hadoop.fs.Path(directory.resolve(file).toUri()));
    }
    Launcher.withPrefix(arguments, "conf.").forEach(conf::set);
    UserGroupInformation.setConfiguration(conf);
    String role = Launcher.required(arguments, "role");
    return switch (role) {
      case "master" -> master(conf);
      case "node" -> node(conf);
      default -> throw new IllegalArgumentException("role must be master or node, found " + role);
    };
  }

  private static AutoCloseable master(Configuration conf) throws Exception {
    // Several daemons in one JVM have metrics of the same names.
    DefaultMetricsSystem.setMiniClusterMode(true);
    Path name = Path.of(conf.get("dfs.namenode.name.dir"));
    if (!Files.exists(name.resolve("current"))) {
      NameNode.format(conf);
    }
    NameNode nameNode = new NameNode(conf);
    DataNode dataNode = DataNode.createDataNode(new String[0], conf);
    ResourceManager resourceManager = new ResourceManager();
    resourceManager.init(new YarnConfiguration(conf));
    resourceManager.start();
    return () -> {
      resourceManager.stop();
      dataNode.shutdown();
      nameNode.stop();
      nameNode.join();
    };
  }

  private static AutoCloseable node(Configuration conf) {
    NodeManager nodeManager = new NodeManager();
    nodeManager.init(new YarnConfiguration(conf));
    nodeManager.start();
    return () -> {
      nodeManager.stop();
      // A container that does not end must not outlive its node.
      ProcessHandle.current().descendants().forEach(ProcessHandle::destroyForcibly);
    };
  }
}
