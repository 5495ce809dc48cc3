package io.tsdbsuite.bulk.write;

import io.tsdbsuite.bulk.hbase.HBaseFailures;
import io.tsdbsuite.job.JobException;
import java.io.IOException;
import java.util.Collection;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.apache.hadoop.hbase.ClusterMetrics;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.Connection;
import org.jspecify.annotations.Nullable;

/**
 * Tracks the region servers that may hold acknowledged rows not yet in their log, and detects
 * servers that have ended. All servers of the cluster are known, since regions move. Thread-safe.
 */
public final class ServerWatch {
  private final Connection connection;
  private final Consumer<List<String>> joined;
  private final Set<String> known;

  /** The master's list of dead servers at the first look; null before it. */
  private @Nullable Set<String> deadBefore;

  /**
   * @param known servers of an earlier process: host, port and start code
   * @param joined receives new servers, before rows that they have are acknowledged
   */
  public ServerWatch(Connection connection, Set<String> known, Consumer<List<String>> joined) {
    this.connection = connection;
    this.known = new TreeSet<>(known);
    this.joined = joined;
  }

  /**
   * Looks at the servers now, before rows are put, and before each acknowledgement: a server of the
   * first look is known if it ends before the first acknowledgement. One that joins and ends
   * between two looks is in the master's list of dead servers, unless it has also started again, or
   * the master has.
   *
   * @return {@code progress} with these looks
   * @throws JobException outside, when HBase fails
   */
  public AckListener watched(AckListener progress) {
    look();
    return (lastKey, since) -> {
      look();
      progress.acknowledged(lastKey, since);
    };
  }

  /** Adds the servers of now. */
  synchronized void look() {
    ClusterMetrics now = servers();
    Set<String> fresh = names(now.getServersName());
    fresh.addAll(dead(now));
    fresh.removeAll(known);
    if (!fresh.isEmpty()) {
      joined.accept(List.copyOf(fresh));
      known.addAll(fresh);
    }
  }

  /**
   * Servers that have ended since they were known, or joined and ended since the last look.
   *
   * @throws JobException outside, when HBase fails
   */
  public synchronized Set<String> ended() {
    Set<String> ended = new TreeSet<>(known);
    if (!known.isEmpty()) {
      ClusterMetrics now = servers();
      ended.addAll(dead(now));
      ended.removeAll(names(now.getServersName()));
    }
    return ended;
  }

  /** Forgets all servers, when their rows are compared again. */
  public synchronized void forget() {
    known.clear();
    deadBefore = null;
  }

  private Set<String> dead(ClusterMetrics now) {
    Set<String> dead = names(now.getDeadServerNames());
    if (deadBefore == null) {
      deadBefore = Set.copyOf(dead);
    }
    dead.removeAll(deadBefore);
    return dead;
  }

  private static Set<String> names(Collection<ServerName> servers) {
    return servers.stream()
        .map(ServerName::toString)
        .collect(Collectors.toCollection(TreeSet::new));
  }

  private ClusterMetrics servers() {
    try (Admin admin = connection.getAdmin()) {
      return admin.getClusterMetrics(
          EnumSet.of(ClusterMetrics.Option.SERVERS_NAME, ClusterMetrics.Option.DEAD_SERVERS));
    } catch (IOException e) {
      throw JobException.outside(
          "HBase did not return its region servers: " + HBaseFailures.reason(e), e);
    }
  }
}
