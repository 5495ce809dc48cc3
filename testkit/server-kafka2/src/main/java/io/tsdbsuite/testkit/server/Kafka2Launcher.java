package io.tsdbsuite.testkit.server;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Properties;
import kafka.server.KafkaConfig;
import kafka.server.KafkaServer;
import org.apache.kafka.common.utils.Time;
import org.apache.zookeeper.server.NIOServerCnxnFactory;
import org.apache.zookeeper.server.ZooKeeperServer;
import scala.Option;

/**
 * Runs one Kafka 2 broker with its ZooKeeper in the same JVM; KRaft was a preview in Kafka 2.
 *
 * <p>Arguments: {@code dir} (all of its files), {@code port}, {@code controllerPort} (ZooKeeper's),
 * {@code conf.*} (overrides of server.properties).
 */
public final class Kafka2Launcher {
  private static final String HOST = "127.0.0.1";
  private static final int TICK_MILLIS = 500;
  private static final int CONNECTIONS = 100;

  private Kafka2Launcher() {}

  /**
   * Starts the broker.
   *
   * @param args see the class comment
   */
  public static void main(String[] args) {
    Launcher.run(args, Kafka2Launcher::start);
  }

  private static AutoCloseable start(Map<String, String> arguments, Map<String, String> ready)
      throws IOException, InterruptedException {
    Path dir = Path.of(Launcher.required(arguments, "dir"));
    Path zkDir = Files.createDirectories(dir.resolve("zookeeper"));
    int zkPort = Integer.parseInt(Launcher.required(arguments, "controllerPort"));
    NIOServerCnxnFactory zookeeper = new NIOServerCnxnFactory();
    zookeeper.configure(
        new InetSocketAddress(InetAddress.getLoopbackAddress(), zkPort), CONNECTIONS, false);
    ZooKeeperServer zookeeperServer =
        new ZooKeeperServer(zkDir.toFile(), zkDir.toFile(), TICK_MILLIS);
    zookeeper.startup(zookeeperServer, true);
    // After a crash the former broker's session still exists, and ZooKeeper rejects a second broker
    // 1. No other process uses this ZooKeeper, so all sessions can be closed. Requests are served
    // in order.
    for (long session : zookeeperServer.getZKDatabase().getSessions()) {
      zookeeperServer.closeSession(session);
    }

    KafkaServer server =
        new KafkaServer(
            KafkaConfig.fromProps(properties(arguments, dir.resolve("log"), zkPort)),
            Time.SYSTEM,
            Option.empty(),
            false);
    server.startup();
    ready.put("port", Launcher.required(arguments, "port"));
    return () -> {
      server.shutdown();
      server.awaitShutdown();
      zookeeper.shutdown();
    };
  }

  private static Properties properties(Map<String, String> arguments, Path logDir, int zkPort) {
    String broker = HOST + ":" + Launcher.required(arguments, "port");
    Properties properties = new Properties();
    properties.put("broker.id", "1");
    properties.put("zookeeper.connect", HOST + ":" + zkPort);
    properties.put("listeners", "PLAINTEXT://" + broker);
    properties.put("advertised.listeners", "PLAINTEXT://" + broker);
    properties.put("log.dirs", logDir.toString());
    properties.put("num.partitions", "1");
    properties.put("auto.create.topics.enable", "false");
    properties.put("offsets.topic.replication.factor", "1");
    properties.put("offsets.topic.num.partitions", "1");
    properties.put("transaction.state.log.replication.factor", "1");
    properties.put("transaction.state.log.min.isr", "1");
    properties.put("transaction.state.log.num.partitions", "1");
    properties.put("group.initial.rebalance.delay.ms", "0");
    properties.put("log.cleaner.dedupe.buffer.size", "2097152");
    properties.put("log.cleaner.threads", "1");
    properties.put("num.network.threads", "2");
    properties.put("num.io.threads", "4");
    properties.putAll(Launcher.withPrefix(arguments, "conf."));
    return properties;
  }
}
