package io.tsdbsuite.job.hbase;

import io.tsdbsuite.hbase.AccessFailures;
import io.tsdbsuite.hbase.StorageFailures;
import io.tsdbsuite.job.JobException;
import java.io.IOException;
import java.time.Duration;
import java.util.EnumSet;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.ClusterMetrics;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;

/**
 * Asks HBase over a connection of its own with short timeouts, before a program begins its work.
 * HBase's client needs minutes to say that ZooKeeper cannot be reached.
 */
public final class HBaseProbe {
  /** Timeout of a question. */
  public static final Duration LIMIT = Duration.ofSeconds(30);

  private static final String CALL_MILLIS = "10000";

  private HBaseProbe() {}

  /** What to ask. */
  @FunctionalInterface
  public interface Question<T> {
    /**
     * Asks.
     *
     * @throws IOException when HBase fails
     */
    T ask(Connection connection) throws IOException;
  }

  /**
   * Asks for the id of the cluster, which needs ZooKeeper and the active master.
   *
   * @throws JobException as {@link #ask}
   */
  public static String clusterId(Configuration configuration) {
    return ask(
        configuration,
        connection -> {
          try (Admin admin = connection.getAdmin()) {
            return admin
                .getClusterMetrics(EnumSet.of(ClusterMetrics.Option.CLUSTER_ID))
                .getClusterId();
          }
        });
  }

  /**
   * Asks a question.
   *
   * @param configuration of the client, not changed
   * @throws JobException outside, when HBase fails or does not answer within {@link #LIMIT}; usage,
   *     when it demands a ticket or a right. The message has ZooKeeper's hosts, port and znode
   */
  public static <T> T ask(Configuration configuration, Question<T> question) {
    return ask(configuration, address(configuration), question, LIMIT);
  }

  /**
   * The same with another name of HBase in the message.
   *
   * @param address where HBase is, as the user has written it
   * @throws JobException as {@link #ask(Configuration, Question)}; the message has {@code address}
   */
  public static <T> T ask(Configuration configuration, String address, Question<T> question) {
    return ask(configuration, address, question, LIMIT);
  }

  static <T> T ask(
      Configuration configuration, String address, Question<T> question, Duration limit) {
    String rule = "HBase at " + address + " must answer within " + limit.toSeconds() + " s";
    FutureTask<T> answer =
        new FutureTask<>(
            () -> {
              try (Connection connection =
                  ConnectionFactory.createConnection(impatient(configuration))) {
                return question.ask(connection);
              }
            });
    // In a thread, because no timeout of the client covers all of its waits.
    Thread thread = new Thread(answer, "hbase-probe");
    thread.setDaemon(true);
    thread.start();
    try {
      return answer.get(limit.toMillis(), TimeUnit.MILLISECONDS);
    } catch (TimeoutException e) {
      throw JobException.outside(rule + ", found no answer", e);
    } catch (ExecutionException e) {
      throw failure(rule, e.getCause() == null ? e : e.getCause());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw JobException.outside("interrupted: " + rule, e);
    }
  }

  private static RuntimeException failure(String rule, Throwable cause) {
    if (!(cause instanceof IOException)) {
      return cause instanceof RuntimeException own ? own : new IllegalStateException(cause);
    }
    String access = AccessFailures.reason(cause);
    if (access != null) {
      return JobException.usage(rule + ", found: " + access, cause);
    }
    // The message of a remote exception contains its stack trace.
    String reason = StorageFailures.reason(cause).lines().findFirst().orElse("");
    return JobException.outside(rule + ", found: " + reason, cause);
  }

  /** ZooKeeper's hosts, port and znode, for messages. */
  static String address(Configuration configuration) {
    return "ZooKeeper %s, port %s, znode %s"
        .formatted(
            configuration.get(HConstants.ZOOKEEPER_QUORUM),
            configuration.get(
                HConstants.ZOOKEEPER_CLIENT_PORT,
                Integer.toString(HConstants.DEFAULT_ZOOKEEPER_CLIENT_PORT)),
            configuration.get(
                HConstants.ZOOKEEPER_ZNODE_PARENT, HConstants.DEFAULT_ZOOKEEPER_ZNODE_PARENT));
  }

  private static Configuration impatient(Configuration configuration) {
    Configuration impatient = new Configuration(configuration);
    impatient.set("hbase.client.retries.number", "3");
    impatient.set("hbase.rpc.timeout", CALL_MILLIS);
    impatient.set("hbase.client.operation.timeout", CALL_MILLIS);
    impatient.set("hbase.client.meta.operation.timeout", CALL_MILLIS);
    impatient.set("hbase.client.scanner.timeout.period", CALL_MILLIS);
    impatient.set("zookeeper.session.timeout", CALL_MILLIS);
    impatient.set(HBaseClients.REGISTRY_TIMEOUT, CALL_MILLIS);
    impatient.set("zookeeper.recovery.retry", "3");
    // Otherwise a retry soon after a failure says only that there was one.
    impatient.set("hbase.ipc.client.failed.servers.expiry", "0");
    return impatient;
  }
}
