package io.tsdbsuite.bench.stream;

import io.tsdbsuite.testkit.Await;
import io.tsdbsuite.testkit.FreePorts;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import javax.management.AttributeNotFoundException;
import javax.management.InstanceNotFoundException;
import javax.management.JMException;
import javax.management.MBeanServerConnection;
import javax.management.ObjectName;
import javax.management.openmbean.CompositeData;
import javax.management.remote.JMXConnector;
import javax.management.remote.JMXConnectorFactory;
import javax.management.remote.JMXServiceURL;

/**
 * The JVM of a job on the first core, observed over JMX: its own figures and those of its Kafka
 * consumers.
 */
final class JobJvm implements AutoCloseable {
  private static final Duration UP = Duration.ofMinutes(2);
  private static final Path TASKSET = Path.of("/usr/bin/taskset");
  private static final String CONSUMERS =
      "kafka.consumer:type=consumer-fetch-manager-metrics,client-id=*";

  /** Kafka Streams reads its own changelogs with these; they are no points. */
  private static final String RESTORE = "restore-consumer";

  /** Kafka's own name of a client: one that stream-rollup asks for its start. */
  private static final String UNNAMED = "consumer-";

  private final Process process;
  private final Path log;
  private final Thread atExit = new Thread(this::kill);
  private final JMXConnector connector;

  /**
   * Starts a JVM.
   *
   * @param arguments of java
   * @param log gets the output
   */
  JobJvm(List<String> arguments, Path log) throws IOException {
    int port = FreePorts.next();
    List<String> command = new ArrayList<>();
    if (canBind()) {
      command.addAll(List.of(TASKSET.toString(), "-c", "0"));
    }
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.add("-Dcom.sun.management.jmxremote.port=" + port);
    command.add("-Dcom.sun.management.jmxremote.rmi.port=" + port);
    command.add("-Dcom.sun.management.jmxremote.authenticate=false");
    command.add("-Dcom.sun.management.jmxremote.ssl=false");
    command.add("-Dcom.sun.management.jmxremote.host=127.0.0.1");
    command.add("-Djava.rmi.server.hostname=127.0.0.1");
    command.addAll(arguments);
    this.log = log;
    process =
        new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(log.toFile()).start();
    Runtime.getRuntime().addShutdownHook(atExit);
    connector = Await.value("the JVM", UP, () -> connect(port));
  }

  /** Whether processes can be bound to cores here. */
  static boolean canBind() {
    return Files.isExecutable(TASKSET) && Runtime.getRuntime().availableProcessors() > 1;
  }

  /**
   * Binds a running process to some cores, where that is possible.
   *
   * @param cores as taskset has them
   */
  static void bind(long pid, String cores) throws IOException, InterruptedException {
    if (canBind()) {
      int code =
          new ProcessBuilder(TASKSET.toString(), "-a", "-c", "-p", cores, Long.toString(pid))
              .redirectErrorStream(true)
              .redirectOutput(ProcessBuilder.Redirect.DISCARD)
              .start()
              .waitFor();
      if (code != 0) {
        throw new IllegalStateException("taskset must end with 0, found " + code);
      }
    }
  }

  @SuppressWarnings("BanJNDI") // The address is that of the child, on loopback.
  private Optional<JMXConnector> connect(int port) throws IOException {
    requireAlive();
    String url = "service:jmx:rmi:///jndi/rmi://127.0.0.1:" + port + "/jmxrmi";
    try {
      return Optional.of(JMXConnectorFactory.connect(new JMXServiceURL(url)));
    } catch (IOException e) {
      // Not up yet.
      return Optional.empty();
    }
  }

  private void requireAlive() {
    if (!process.isAlive()) {
      throw new IllegalStateException(
          "the job must run, found its end with " + process.exitValue() + ":\n" + log());
    }
  }

  /** Output until now. */
  String log() {
    try {
      return Files.readString(log, StandardCharsets.UTF_8);
    } catch (IOException e) {
      return "(no log: " + e + ")";
    }
  }

  private interface Question<T> {
    T of(MBeanServerConnection beans) throws JMException, IOException;
  }

  private <T> T ask(Question<T> question) {
    requireAlive();
    try {
      return question.of(connector.getMBeanServerConnection());
    } catch (JMException | IOException e) {
      throw new IllegalStateException("the job could not be observed: " + log(), e);
    }
  }

  /** CPU of all threads, user and system, seconds. */
  double cpuSeconds() {
    ObjectName system = name("java.lang:type=OperatingSystem");
    return ask(beans -> (Long) beans.getAttribute(system, "ProcessCpuTime")) / 1e9;
  }

  /** Used heap after a full collection, bytes. */
  long heapAfterGc() {
    ObjectName memory = name("java.lang:type=Memory");
    return ask(
        beans -> {
          // The second one also takes what finalizers and cleaners have released.
          beans.invoke(memory, "gc", null, null);
          beans.invoke(memory, "gc", null, null);
          return (Long) ((CompositeData) beans.getAttribute(memory, "HeapMemoryUsage")).get("used");
        });
  }

  /**
   * Messages of a topic behind the positions of its consumers; empty before each partition was
   * read. Unlike the number of messages consumed, which counts whole fetches, it is up to date with
   * each poll.
   */
  OptionalLong lag(String topic, int partitions) {
    ObjectName all = name(CONSUMERS + ",topic=" + topic + ",partition=*");
    List<Double> lags =
        ask(
            beans -> {
              List<Double> found = new ArrayList<>();
              for (ObjectName partition : beans.queryNames(all, null)) {
                String client = partition.getKeyProperty("client-id");
                if (!client.contains(RESTORE) && !client.startsWith(UNNAMED)) {
                  found.add(lag(beans, partition));
                }
              }
              return found;
            });
    lags.removeIf(lag -> lag.isNaN());
    return lags.size() < partitions
        ? OptionalLong.empty()
        : OptionalLong.of((long) lags.stream().mapToDouble(lag -> lag).sum());
  }

  /** NaN if the consumer was closed meanwhile. */
  private static double lag(MBeanServerConnection beans, ObjectName partition)
      throws JMException, IOException {
    try {
      return ((Number) beans.getAttribute(partition, "records-lag")).doubleValue();
    } catch (InstanceNotFoundException | AttributeNotFoundException e) {
      return Double.NaN;
    }
  }

  private static ObjectName name(String name) {
    try {
      return new ObjectName(name);
    } catch (JMException e) {
      throw new IllegalArgumentException(e);
    }
  }

  private void kill() {
    process.destroyForcibly();
    try {
      process.waitFor();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  @Override
  public void close() {
    kill();
    Runtime.getRuntime().removeShutdownHook(atExit);
    try {
      // Otherwise it asks the killed JVM again and again.
      connector.close();
    } catch (IOException e) {
      // Its other side was killed.
      return;
    }
  }
}
