package io.tsdbsuite.testkit;

import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.apache.kafka.clients.consumer.ConsumerRecord;

/** One Kafka node in its own JVM; it does not create topics automatically. */
public final class KafkaServer extends ManagedServer {
  private static final Duration START = Duration.ofMinutes(5);

  private final Path dir;
  private final Map<String, String> conf;
  private final KafkaVersion version;
  private final Map<String, Integer> listeners = new TreeMap<>();
  private final int port = FreePorts.next();
  private final int controllerPort = FreePorts.next();

  private KafkaServer(
      Path dir, Map<String, String> conf, KafkaVersion version, Set<String> listeners) {
    this.version = version;
    listeners.forEach(name -> this.listeners.put(name, FreePorts.next()));
    this.dir = dir.toAbsolutePath();
    this.conf = Map.copyOf(conf);
  }

  /**
   * Starts a broker.
   *
   * @param dir all of its files; the directory of a former broker is reused
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
   * @param dir all of its files; the directory of a former broker of the same version is reused
   * @param conf overrides of server.properties
   * @param version the version
   * @return the running broker
   * @throws ServerException with the end of the log when it does not start
   */
  public static KafkaServer start(Path dir, Map<String, String> conf, KafkaVersion version) {
    return start(new KafkaServer(dir, conf, version, Set.of()));
  }

  /**
   * Starts a broker with additional listeners and security protocols.
   *
   * @param dir all of its files; the directory of a former broker is reused
   * @param conf overrides of server.properties; listener.security.protocol.map must have PLAINTEXT
   *     and CONTROLLER (both PLAINTEXT), and the further listeners
   * @param listeners names of the additional listeners, in upper case
   * @return the running broker
   * @throws ServerException with the end of the log when it does not start
   */
  static KafkaServer start(Path dir, Map<String, String> conf, Set<String> listeners) {
    return start(new KafkaServer(dir, conf, KafkaVersion.V3_9, listeners));
  }

  private static KafkaServer start(KafkaServer server) {
    server.start();
    return server;
  }

  @Override
  ServerProcess launch() {
    Map<String, String> arguments = new LinkedHashMap<>();
    arguments.put("dir", dir.toString());
    arguments.put("port", Integer.toString(port));
    arguments.put("controllerPort", Integer.toString(controllerPort));
    listeners.forEach((name, at) -> arguments.put("listener." + name, at.toString()));
    conf.forEach((key, value) -> arguments.put("conf." + key, value));
    return ServerProcess.start(version.kind(), "kafka", dir, List.of(), arguments, START);
  }

  /**
   * The bootstrap address for clients.
   *
   * @return {@code 127.0.0.1:PORT}, the same for the life of this object
   */
  public String bootstrapServers() {
    return "127.0.0.1:" + port;
  }

  /**
   * The address of an additional listener.
   *
   * @param listener its name
   * @return {@code 127.0.0.1:PORT}, the same for the life of this object
   */
  String bootstrapServers(String listener) {
    return "127.0.0.1:" + listeners.get(listener);
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
   * Access to topics, records and consumer groups.
   *
   * @return a view without its own connections
   */
  public KafkaTopics topics() {
    return new KafkaTopics(bootstrapServers());
  }

  /**
   * Creates a topic and waits until every partition has a leader.
   *
   * @param topic its name
   * @param partitions its partitions
   * @throws ServerException when the broker refuses
   */
  public void createTopic(String topic, int partitions) {
    topics().create(topic, partitions);
  }

  /**
   * Reads a topic from its start to its end at the time of the call, without aborted transactions.
   *
   * @param topic the topic
   * @return the records; records of one partition are in order
   * @throws ServerException when the end is not reached within a minute
   */
  public List<ConsumerRecord<byte[], byte[]>> readAll(String topic) {
    return topics().readAll(topic);
  }
}
