package io.tsdbsuite.bulk.write;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tsdbsuite.bulk.report.Tally;
import io.tsdbsuite.job.JobException;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.Connection;
import org.junit.jupiter.api.Test;

class ServerWatchTest {
  private static final TableName TABLE = TableName.valueOf("tsdb");
  private static final ServerName FIRST = ServerName.valueOf("rs1", 16020, 1);
  private static final ServerName OTHER = ServerName.valueOf("rs2", 16020, 1);

  private final List<ServerName> alive = new ArrayList<>(List.of(FIRST, OTHER));

  private static <T> T proxy(Class<T> type, InvocationHandler handler) {
    return type.cast(Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, handler));
  }

  /** A cluster of two servers. */
  private Connection connection() {
    Admin admin =
        proxy(
            Admin.class,
            (self, method, arguments) ->
                method.getName().equals("getRegionServers") ? List.copyOf(alive) : null);
    return proxy(Connection.class, (self, method, arguments) -> admin);
  }

  /** Rows that it acknowledged may be lost although no checkpoint has come yet. */
  @Test
  void aServerThatEndsBeforeTheFirstAcknowledgementIsKnown() {
    List<String> recorded = new ArrayList<>();
    ServerWatch watch = new ServerWatch(connection(), Set.of(), recorded::addAll);
    AckListener progress = watch.watched((lastKey, since) -> recorded.add("acknowledged"));
    alive.remove(FIRST);
    alive.add(ServerName.valueOf("rs3", 16020, 1));
    progress.acknowledged(new byte[0], new Tally());
    assertThat(recorded)
        .containsExactly("rs1,16020,1", "rs2,16020,1", "rs3,16020,1", "acknowledged");
    assertThat(watch.ended()).containsExactly("rs1,16020,1");
  }

  /** The region may have moved there, and its rows are gone with the server. */
  @Test
  void aServerThatHadNoRegionAtTheBeginningMayNotEndEither() {
    WithoutWal load = WithoutWal.begin(connection(), TABLE);
    load.end();
    alive.remove(OTHER);
    assertThatThrownBy(load::end)
        .isInstanceOf(JobException.class)
        .hasMessageContaining("rs2,16020,1 ended during a load without write-ahead log");
  }
}
