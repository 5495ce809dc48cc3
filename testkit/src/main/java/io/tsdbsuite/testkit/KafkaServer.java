package io.tsdbsuite.testkit;

import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.consumer.ConsumerRecord;

/** One Kafka node in a JVM of its own; topics are not made by themselves. */
public final class KafkaServer extends ManagedServer {
  private static final Duration START = Duration.ofSeconds(90);

  private final Path dir;
  private final Map<String, String> conf;
  private final KafkaVersion version;
  private final int port = FreePorts.next();
  private final int controllerPort = FreePorts.next();

  private KafkaServer(Path dir, Map<String, String> conf, KafkaVersion version) {
    this.version = version;
    this.dir = dir.toAbsolutePath();
    this.conf = Map.copyOf(conf);
  }

  /**
   * Starts a broker.
   *
   * @param dir all of its files; one that a former broker left is used again
   * @param conf overrides of server.properties
   * @return the running broker
   * @throws ServerException with the end of the log when it does not start
   */
  public static KafkaServer start(Path dir, Map<String, String> conf) {
    return start(dir, conf, KafkaVersion.V3_9);
  }

  /**
   * Starts a broker of another version.
   *
   * @param dir all of its files; one that a former broker of the same version left is used again
   * @param conf overrides of server.properties
   * @param version the version
   * @return the running broker
   * @throws ServerException with the end of the log when it does not start
   */
  public static KafkaServer start(Path dir, Map<String, String> conf, KafkaVersion version) {
    KafkaServer server = new KafkaServer(dir, conf, version);
    server.start();
    return server;
  }

  @Override
  ServerProcess launch() {
    Map<String, String> arguments = new LinkedHashMap<>();
    arguments.put("dir", dir.toString());
    arguments.put("port", Integer.toString(port));
    arguments.put("controllerPort", Integer.toString(controllerPort));
    conf.forEach((key, value) -> arguments.put("conf." + key, value));
    return ServerProcess.start(version.kind(), "kafka", dir, List.of(), arguments, START);
  }

  /**
   * Where clients find it.
   *
   * @return {@code 127.0.0.1:PORT}, the same for the life of this object
   */
  public String bootstrapServers() {
    return "127.0.0.1:" + port;
  }

  /**
   * The broker's port.
   *
   * @return the port
   */
  public int port() {
    return port;
  }

  /**
   * Its topics, records and consumer groups.
   *
   * @return a view without connections of its own
   */
  public KafkaTopics topics() {
    return new KafkaTopics(bootstrapServers());
  }

  /**
   * Makes a topic and waits until every partition has a leader.
   *
   * @param topic its name
   * @param partitions its partitions
   * @throws ServerException when the broker refuses
   */
  public void createTopic(String topic, int partitions) {
    topics().create(topic, partitions);
  }

  /**
   * Reads a topic from its start to where it ends at the call, aborted transactions left out.
   *
   * @param topic the topic
   * @return the records; those of one partition in their order
   * @throws ServerException when the end is not reached within a minute
   */
  public List<ConsumerRecord<byte[], byte[]>> readAll(String topic) {
    return topics().readAll(topic);
  }
}
