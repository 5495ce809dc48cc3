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
import java.util.Set;
import javax.management.AttributeNotFoundException;
import javax.management.InstanceNotFoundException;
import javax.management.JMException;
import javax.management.MBeanServerConnection;
import javax.management.ObjectName;
import javax.management.openmbean.CompositeData;
import javax.management.remote.JMXConnector;
import javax.management.remote.JMXConnectorFactory;
import javax.management.remote.JMXServiceURL;
import org.jspecify.annotations.Nullable;

/** The JVM of a job, observed over JMX: its own figures and those of its Kafka consumers. */
final class JobJvm implements AutoCloseable {
  private static final Duration START = Duration.ofMinutes(2);
  private static final String CONSUMERS =
      "kafka.consumer:type=consumer-fetch-manager-metrics,client-id=*";

  /** Kafka Streams reads its own changelogs with these; they are no points. */
  private static final String RESTORE = "restore-consumer";

  /** Kafka's own name of a client: one that stream-rollup asks for its start. */
  private static final String UNNAMED = "consumer-";

  private final Process process;
  private final Path log;
  private final int port;
  private final Thread atExit = new Thread(this::kill);
  private @Nullable JMXConnector connector;

  private JobJvm(Process process, Path log, int port) {
    this.process = process;
    this.log = log;
    this.port = port;
    Runtime.getRuntime().addShutdownHook(atExit);
  }

  /**
   * Starts a JVM.
   *
   * @param prefix command that starts another one, for example taskset
   * @param arguments of java
   * @param log gets the output
   */
  static JobJvm start(List<String> prefix, List<String> arguments, Path log) throws IOException {
    int port = FreePorts.next();
    List<String> command = new ArrayList<>(prefix);
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.add("-Dcom.sun.management.jmxremote.port=" + port);
    command.add("-Dcom.sun.management.jmxremote.rmi.port=" + port);
    command.add("-Dcom.sun.management.jmxremote.authenticate=false");
    command.add("-Dcom.sun.management.jmxremote.ssl=false");
    command.add("-Dcom.sun.management.jmxremote.host=127.0.0.1");
    command.add("-Djava.rmi.server.hostname=127.0.0.1");
    command.addAll(arguments);
    Process process =
        new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(log.toFile()).start();
    return new JobJvm(process, log, port);
  }

  /** Process id. */
  long pid() {
    return process.pid();
  }

  @SuppressWarnings("BanJNDI") // The address is that of the child, on loopback.
  private MBeanServerConnection beans() throws IOException {
    JMXConnector open = connector;
    if (open == null) {
      open =
          Await.value(
              "the JVM",
              START,
              () -> {
                requireAlive();
                try {
                  return Optional.of(
                      JMXConnectorFactory.connect(
                          new JMXServiceURL(
                              "service:jmx:rmi:///jndi/rmi://127.0.0.1:" + port + "/jmxrmi")));
                } catch (IOException e) {
                  // Not up yet.
                  return Optional.empty();
                }
              });
      connector = open;
    }
    return open.getMBeanServerConnection();
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

  /** CPU of all threads, user and system, seconds. */
  double cpuSeconds() {
    requireAlive();
    try {
      return (Long)
              beans()
                  .getAttribute(new ObjectName("java.lang:type=OperatingSystem"), "ProcessCpuTime")
          / 1e9;
    } catch (JMException | IOException e) {
      throw unobserved(e);
    }
  }

  /** Used heap after a full collection, bytes. */
  long heapAfterGc() {
    requireAlive();
    try {
      ObjectName memory = new ObjectName("java.lang:type=Memory");
      // The second one also takes what finalizers and cleaners have released.
      beans().invoke(memory, "gc", null, null);
      beans().invoke(memory, "gc", null, null);
      CompositeData heap = (CompositeData) beans().getAttribute(memory, "HeapMemoryUsage");
      return (Long) heap.get("used");
    } catch (JMException | IOException e) {
      throw unobserved(e);
    }
  }

  /**
   * Messages of a topic behind the positions of its consumers; empty before each partition was
   * read. Unlike the number of messages consumed, which counts whole fetches, it is up to date with
   * each poll.
   */
  OptionalLong lag(String topic, int partitions) {
    requireAlive();
    try {
      Set<ObjectName> found =
          beans().queryNames(new ObjectName(CONSUMERS + ",topic=" + topic + ",partition=*"), null);
      double sum = 0;
      int known = 0;
      for (ObjectName partition : found) {
        String client = partition.getKeyProperty("client-id");
        double lag =
            client.contains(RESTORE) || client.startsWith(UNNAMED)
                ? Double.NaN
                : number(partition, "records-lag");
        if (!Double.isNaN(lag)) {
          known++;
          sum += lag;
        }
      }
      return known < partitions ? OptionalLong.empty() : OptionalLong.of((long) sum);
    } catch (JMException | IOException e) {
      throw unobserved(e);
    }
  }

  /** A number; NaN if the consumer was closed meanwhile. */
  private double number(ObjectName bean, String attribute) throws JMException, IOException {
    try {
      return ((Number) beans().getAttribute(bean, attribute)).doubleValue();
    } catch (InstanceNotFoundException | AttributeNotFoundException e) {
      return Double.NaN;
    }
  }

  private IllegalStateException unobserved(Exception e) {
    return new IllegalStateException("the job could not be observed: " + log(), e);
  }

  /** kill -9. */
  void kill() {
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
    try {
      Runtime.getRuntime().removeShutdownHook(atExit);
    } catch (IllegalStateException e) {
      // This JVM is ending.
      return;
    }
    JMXConnector open = connector;
    if (open != null) {
      connector = null;
      try {
        open.close();
      } catch (IOException e) {
        // Its other side was killed.
        return;
      }
    }
  }
}
