package io.tsdbsuite.bulk.write;

import io.tsdbsuite.bulk.hbase.HBaseFailures;
import io.tsdbsuite.job.JobException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Consumer;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.Connection;

/**
 * Tracks the region servers that may hold acknowledged rows not yet in their log, and detects
 * servers that have ended. All servers of the cluster are known, since regions move. Thread-safe.
 */
public final class ServerWatch {
  private final Connection connection;
  private final Consumer<List<String>> joined;
  private final Set<String> known;

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
   * between two looks is not known.
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
    List<String> fresh = new ArrayList<>(alive());
    fresh.removeAll(known);
    if (!fresh.isEmpty()) {
      joined.accept(fresh);
      known.addAll(fresh);
    }
  }

  /**
   * Servers that have ended since they were known.
   *
   * @throws JobException outside, when HBase fails
   */
  public synchronized Set<String> ended() {
    Set<String> ended = new TreeSet<>(known);
    if (!known.isEmpty()) {
      ended.removeAll(alive());
    }
    return ended;
  }

  /** Forgets all servers, when their rows are compared again. */
  public synchronized void forget() {
    known.clear();
  }

  private Set<String> alive() {
    try (Admin admin = connection.getAdmin()) {
      Set<String> alive = new TreeSet<>();
      for (ServerName server : admin.getRegionServers()) {
        alive.add(server.toString());
      }
      return alive;
    } catch (IOException e) {
      throw JobException.outside(
          "HBase did not return its region servers: " + HBaseFailures.reason(e), e);
    }
  }
}
