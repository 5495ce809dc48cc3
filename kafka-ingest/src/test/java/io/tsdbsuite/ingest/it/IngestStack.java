package io.tsdbsuite.ingest.it;

import com.fasterxml.jackson.databind.JsonNode;
import io.tsdbsuite.testkit.Await;
import io.tsdbsuite.testkit.OpenTsdbTables;
import io.tsdbsuite.testkit.Stack;
import io.tsdbsuite.testkit.TsdClient;
import io.tsdbsuite.testkit.TsdServer;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** HBase and Kafka for every integration test of the module; they die with the JVM. */
final class IngestStack {
  static final Duration PATIENCE = Duration.ofMinutes(2);

  static final String ROLLUP_CONFIG =
      "{\"aggregationIds\":{\"sum\":0,\"count\":2,\"min\":3,\"max\":4},\"intervals\":["
          + "{\"table\":\"tsdb\",\"preAggregationTable\":\"tsdb-preagg\",\"interval\":\"1m\","
          + "\"rowSpan\":\"1h\",\"defaultInterval\":true},"
          + "{\"table\":\"tsdb-rollup-10m\",\"preAggregationTable\":\"tsdb-rollup-agg-10m\","
          + "\"interval\":\"10m\",\"rowSpan\":\"1d\"},"
          + "{\"table\":\"tsdb-rollup-1h\",\"preAggregationTable\":\"tsdb-rollup-agg-1h\","
          + "\"interval\":\"1h\",\"rowSpan\":\"1d\"}]}";

  private IngestStack() {}

  private static final class Holder {
    private static final Stack STACK = start();

    private static Stack start() {
      try {
        Stack stack =
            Stack.in(directory("stack"))
                .tables(OpenTsdbTables.of(rollups()))
                .hbase()
                // Some messages have times that are long ago.
                .kafka(Map.of("log.retention.ms", "-1"))
                .start();
        return stack;
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }

  static Stack get() {
    return Holder.STACK;
  }

  static Path directory(String name) throws IOException {
    Path parent = Files.createDirectories(Path.of("target", "it").toAbsolutePath());
    return Files.createTempDirectory(parent, name + "-");
  }

  /** The jar that users install. */
  static Path jar() {
    return Path.of(System.getProperty("ingest.jar"));
  }

  /**
   * A directory with classes of the tests alone, as a TSD finds a plugin.
   *
   * @param service OpenTSDB's type of the plugin
   * @param plugin the class that the TSD creates
   * @param classes the classes to copy
   */
  static Path plugin(Class<?> service, Class<?> plugin, Class<?>... classes) throws IOException {
    Path directory = directory(plugin.getSimpleName());
    Path services = Files.createDirectories(directory.resolve("META-INF/services"));
    Files.writeString(
        services.resolve(service.getName()), plugin.getName(), StandardCharsets.UTF_8);
    for (Class<?> each : classes) {
      String resource = each.getName().replace('.', '/') + ".class";
      Path file = directory.resolve(resource);
      Files.createDirectories(file.getParent());
      try (InputStream in = each.getClassLoader().getResourceAsStream(resource)) {
        Files.copy(in, file);
      }
    }
    return directory;
  }

  static Map<String, String> rollups() {
    Map<String, String> conf = new TreeMap<>();
    conf.put("tsd.rollups.enable", "true");
    conf.put("tsd.rollups.config", ROLLUP_CONFIG);
    return conf;
  }

  /** Starts a TSD with the plugin, with its usual settings and the given ones. */
  static TsdServer tsd(String name, Map<String, String> extra) {
    return get().startTsd(name, conf(extra), List.of(jar()));
  }

  static Map<String, String> conf(Map<String, String> extra) {
    Map<String, String> conf = rollups();
    conf.put("tsd.rpc.plugins", "io.tsdbsuite.ingest.KafkaIngestPlugin");
    conf.put("tsd.http.rpc.plugins", "io.tsdbsuite.ingest.KafkaIngestHttpPlugin");
    conf.put("KafkaRpcPlugin.kafka.bootstrap.servers", get().kafka().bootstrapServers());
    // A machine that stands still for seconds must not cost a consumer its partitions.
    conf.put("KafkaRpcPlugin.kafka.session.timeout.ms", "30000");
    conf.put("KafkaRpcPlugin.kafka.heartbeat.interval.ms", "1000");
    conf.putAll(extra);
    return conf;
  }

  /** Waits until a group has neither lag nor messages in flight; answers its status. */
  static JsonNode awaitCaughtUp(TsdServer tsd, String group, long messages) {
    Await.until(
        "group " + group + " to be done with " + messages + " messages: " + tsd.name(),
        PATIENCE,
        () -> {
          JsonNode status = status(tsd.client(), group);
          JsonNode counts = status.get("messages");
          long done =
              counts.get("stored").asLong()
                  + counts.get("deadLettered").asLong()
                  + counts.get("requeued").asLong();
          return done >= messages && counts.get("inFlight").asLong() == 0;
        });
    return status(tsd.client(), group);
  }

  static JsonNode status(TsdClient client, String group) {
    for (JsonNode each : client.get("plugin/kafka-ingest/status").get("groups")) {
      if (each.get("group").asText().equals(group)) {
        return each;
      }
    }
    throw new AssertionError("no group " + group);
  }
}
