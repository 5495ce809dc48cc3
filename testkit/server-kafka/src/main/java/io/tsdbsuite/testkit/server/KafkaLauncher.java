package io.tsdbsuite.testkit.server;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Properties;
import kafka.server.KafkaConfig;
import kafka.server.KafkaRaftServer;
import kafka.tools.StorageTool;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.utils.Time;

/**
 * Runs one Kafka node, which is broker and controller.
 *
 * <p>Arguments: {@code dir} (log directory and configuration), {@code port}, {@code
 * controllerPort}, {@code listener.NAME} (ports of further listeners), {@code conf.*} (overrides of
 * server.properties). A directory that is already formatted is reused.
 */
public final class KafkaLauncher {
  private static final String HOST = "127.0.0.1";

  private KafkaLauncher() {}

  /**
   * Starts the broker.
   *
   * @param args see the class comment
   */
  public static void main(String[] args) {
    Launcher.run(args, KafkaLauncher::start);
  }

  private static AutoCloseable start(Map<String, String> arguments, Map<String, String> ready)
      throws IOException {
    Path dir = Path.of(Launcher.required(arguments, "dir"));
    Properties properties = properties(arguments, dir.resolve("log"));
    Path file = dir.resolve("server.properties");
    Files.createDirectories(dir);
    try (OutputStream out = Files.newOutputStream(file)) {
      properties.store(out, "written by the testkit");
    }
    if (!Files.exists(dir.resolve("log").resolve("meta.properties"))) {
      String[] format = {"format", "-t", Uuid.randomUuid().toString(), "-c", file.toString()};
      int rc = StorageTool.execute(format, System.err);
      if (rc != 0) {
        throw new IllegalStateException("StorageTool format ended with " + rc);
      }
    }
    KafkaRaftServer server = new KafkaRaftServer(KafkaConfig.fromProps(properties), Time.SYSTEM);
    server.startup();
    ready.put("port", Launcher.required(arguments, "port"));
    return () -> {
      server.shutdown();
      server.awaitShutdown();
    };
  }

  private static Properties properties(Map<String, String> arguments, Path logDir) {
    StringBuilder listeners = new StringBuilder();
    listeners.append("PLAINTEXT://" + HOST + ":").append(Launcher.required(arguments, "port"));
    Launcher.withPrefix(arguments, "listener.")
        .forEach(
            (name, port) -> listeners.append(",").append(name + "://" + HOST + ":").append(port));
    String controller = HOST + ":" + Launcher.required(arguments, "controllerPort");
    Properties properties = new Properties();
    properties.put("process.roles", "broker,controller");
    properties.put("node.id", "1");
    properties.put("listeners", listeners + ",CONTROLLER://" + controller);
    properties.put("advertised.listeners", listeners.toString());
    properties.put("controller.listener.names", "CONTROLLER");
    properties.put("controller.quorum.voters", "1@" + controller);
    properties.put("log.dirs", logDir.toString());
    properties.put("num.partitions", "1");
    properties.put("auto.create.topics.enable", "false");
    properties.put("offsets.topic.replication.factor", "1");
    properties.put("offsets.topic.num.partitions", "1");
    properties.put("transaction.state.log.replication.factor", "1");
    properties.put("transaction.state.log.min.isr", "1");
    properties.put("transaction.state.log.num.partitions", "1");
    // The first rebalance of a group starts at once, without waiting for further members.
    properties.put("group.initial.rebalance.delay.ms", "0");
    // After a crash the controller accepts the broker only when its former session has expired (9
    // s).
    properties.put("broker.session.timeout.ms", "3000");
    properties.put("broker.heartbeat.interval.ms", "500");
    properties.put("log.cleaner.dedupe.buffer.size", "2097152");
    properties.put("log.cleaner.threads", "1");
    properties.put("num.network.threads", "2");
    properties.put("num.io.threads", "4");
    properties.putAll(Launcher.withPrefix(arguments, "conf."));
    return properties;
  }
}
