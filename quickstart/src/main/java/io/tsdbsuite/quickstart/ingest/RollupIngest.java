package io.tsdbsuite.quickstart.ingest;

import com.fasterxml.jackson.databind.JsonNode;
import io.tsdbsuite.testkit.Await;
import io.tsdbsuite.testkit.TsdClient;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** The kafka-ingest plugin of a TSD: its jar, its configuration and its progress. */
public final class RollupIngest {
  private static final String PREFIX = "KafkaRpcPlugin.";
  private static final String GROUP = "rollups";
  private static final Duration STORED = Duration.ofMinutes(2);

  private final TsdClient tsd;

  /**
   * @param tsd a TSD with the plugin
   */
  public RollupIngest(TsdClient tsd) {
    this.tsd = tsd;
  }

  /**
   * Finds the plugin's jar for a TSD's class path.
   *
   * @param target kafka-ingest's build directory
   * @throws IllegalStateException when there is not exactly one jar
   */
  public static Path jar(Path target) {
    List<Path> jars = new ArrayList<>();
    if (Files.isDirectory(target)) {
      try (DirectoryStream<Path> found =
          Files.newDirectoryStream(target, "kafka-ingest-*-tsd.jar")) {
        found.forEach(jars::add);
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
    if (jars.size() != 1) {
      throw new IllegalStateException(
          target
              + " must have one kafka-ingest-*-tsd.jar ('make quickstart' builds it), has "
              + jars);
    }
    return jars.get(0);
  }

  /**
   * The plugin's keys for opentsdb.conf.
   *
   * @param bootstrapServers addresses of Kafka
   * @param topic topic with rollups
   * @param deadLetterTopic topic for messages that cannot be stored
   */
  public static Map<String, String> configuration(
      String bootstrapServers, String topic, String deadLetterTopic) {
    Map<String, String> conf = new TreeMap<>();
    conf.put("tsd.rpc.plugins", "io.tsdbsuite.ingest.KafkaIngestPlugin");
    conf.put("tsd.http.rpc.plugins", "io.tsdbsuite.ingest.KafkaIngestHttpPlugin");
    conf.put(PREFIX + "kafka.bootstrap.servers", bootstrapServers);
    conf.put(PREFIX + "groups", GROUP);
    conf.put(PREFIX + GROUP + ".topics", topic);
    conf.put(PREFIX + GROUP + ".consumerType", "ROLLUP");
    conf.put(PREFIX + GROUP + ".threads", "2");
    conf.put(PREFIX + GROUP + ".rate", "1000000");
    conf.put(PREFIX + "deadLetterTopic", deadLetterTopic);
    return conf;
  }

  /**
   * Waits until messages are stored.
   *
   * @param messages number of messages
   * @return number of stored points
   * @throws io.tsdbsuite.testkit.ServerException when they are not stored within two minutes
   * @throws IllegalStateException when the plugin rejected a message
   */
  public long await(long messages) {
    Await.until(
        messages + " messages stored by the plugin",
        STORED,
        () -> {
          JsonNode of = status().path("messages");
          long refused = of.path("deadLettered").asLong();
          if (refused > 0) {
            throw new IllegalStateException(
                "the plugin rejected " + refused + " messages, by reason: " + status());
          }
          return of.path("stored").asLong() >= messages;
        });
    return status().path("points").path("stored").asLong();
  }

  private JsonNode status() {
    return tsd.get("plugin/kafka-ingest/status").path("groups").path(0);
  }
}
