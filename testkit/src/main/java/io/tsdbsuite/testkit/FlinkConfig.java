package io.tsdbsuite.testkit;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;

/** The configuration files of a Flink cluster on loopback. */
final class FlinkConfig {
  private static final String HOST = "127.0.0.1";

  private static final String LOG4J =
      """
      status = error
      rootLogger.level = ${sys:testkit.log.level:-INFO}
      rootLogger.appenderRef.console.ref = console
      appender.console.type = Console
      appender.console.name = console
      appender.console.target = SYSTEM_ERR
      appender.console.layout.type = PatternLayout
      appender.console.layout.pattern = %d{ISO8601} %-5p [%t] %c{1}: %m%n
      logger.pekko.name = org.apache.pekko
      logger.pekko.level = WARN
      logger.kafka.name = org.apache.kafka
      logger.kafka.level = WARN
      """;

  private FlinkConfig() {}

  /**
   * The defaults of the testkit: all addresses on loopback, checkpoints and savepoints below the
   * cluster's directory, quick detection of processes that have ended, and a REST API that answers
   * without old values.
   *
   * @param dir the cluster's directory
   * @param rpcPort the JobManager's port for TaskManagers
   * @param restPort the JobManager's port for clients
   */
  static Map<String, String> defaults(Path dir, int rpcPort, int restPort) {
    Map<String, String> conf = new TreeMap<>();
    conf.put("jobmanager.rpc.address", HOST);
    conf.put("jobmanager.bind-host", HOST);
    conf.put("jobmanager.rpc.port", Integer.toString(rpcPort));
    conf.put("rest.address", HOST);
    conf.put("rest.bind-address", HOST);
    conf.put("rest.port", Integer.toString(restPort));
    conf.put("taskmanager.host", HOST);
    conf.put("taskmanager.bind-host", HOST);
    conf.put("taskmanager.cpu.cores", "1.0");
    conf.put("execution.checkpointing.dir", dir.resolve("checkpoints").toUri().toString());
    conf.put("execution.checkpointing.savepoint-dir", dir.resolve("savepoints").toUri().toString());
    conf.put("execution.checkpointing.externalized-checkpoint-retention", "RETAIN_ON_CANCELLATION");
    // A process that was killed answers at once with a closed connection, and is lost after two
    // heartbeats. But a TaskManager notices the end of the JobManager by its silence only.
    conf.put("heartbeat.interval", "1000");
    conf.put("heartbeat.timeout", "10000");
    conf.put("cluster.registration.error-delay", "500");
    conf.put("cluster.registration.max-timeout", "1000");
    // How long the REST API repeats an answer.
    conf.put("web.refresh-interval", "100");
    conf.put("metrics.fetcher.update-interval", "200");
    return conf;
  }

  /**
   * Writes config.yaml and log4j.properties.
   *
   * @param dir the directory, created if it does not exist
   * @param conf the keys of config.yaml
   */
  static void write(Path dir, Map<String, String> conf) throws IOException {
    StringBuilder yaml = new StringBuilder();
    conf.forEach(
        (key, value) ->
            yaml.append(key).append(": '").append(value.replace("'", "''")).append("'\n"));
    Files.createDirectories(dir);
    Files.writeString(dir.resolve("config.yaml"), yaml, StandardCharsets.UTF_8);
    writeLog4j(dir);
  }

  /**
   * Writes log4j.properties: everything goes to standard error.
   *
   * @param dir a directory
   * @return the file
   */
  static Path writeLog4j(Path dir) throws IOException {
    return Files.writeString(dir.resolve("log4j.properties"), LOG4J, StandardCharsets.UTF_8);
  }
}
