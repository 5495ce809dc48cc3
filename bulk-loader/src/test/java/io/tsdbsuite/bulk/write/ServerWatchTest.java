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
import org.apache.hadoop.hbase.ClusterMetricsBuilder;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.Connection;
import org.junit.jupiter.api.Test;

class ServerWatchTest {
  private static final TableName TABLE = TableName.valueOf("tsdb");
  private static final ServerName FIRST = ServerName.valueOf("rs1", 16020, 1);
  private static final ServerName OTHER = ServerName.valueOf("rs2", 16020, 1);

  private static final ServerName THIRD = ServerName.valueOf("rs3", 16020, 1);
  private static final ServerName OLD = ServerName.valueOf("rs4", 16020, 1);

  private final List<ServerName> alive = new ArrayList<>(List.of(FIRST, OTHER));
  private final List<ServerName> dead = new ArrayList<>(List.of(OLD));

  private static <T> T proxy(Class<T> type, InvocationHandler handler) {
    return type.cast(Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, handler));
  }

  /** A cluster of two servers. */
  private Connection connection() {
    Admin admin =
        proxy(
            Admin.class,
            (self, method, arguments) ->
                method.getName().equals("getClusterMetrics")
                    ? ClusterMetricsBuilder.newBuilder()
                        .setServerNames(List.copyOf(alive))
                        .setDeadServerNames(List.copyOf(dead))
                        .build()
                    : null);
    return proxy(Connection.class, (self, method, arguments) -> admin);
  }

  /** Rows that it acknowledged may be lost although no checkpoint has come yet. */
  @Test
  void aServerThatEndsBeforeTheFirstAcknowledgementIsKnown() {
    List<String> recorded = new ArrayList<>();
    ServerWatch watch = new ServerWatch(connection(), Set.of(), recorded::addAll);
    AckListener progress = watch.watched((lastKey, since) -> recorded.add("acknowledged"));
    alive.remove(FIRST);
    alive.add(THIRD);
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

  /** A region may have moved there in between. */
  @Test
  void aServerThatJoinsAndEndsBetweenTwoLooksIsKnown() {
    WithoutWal load = WithoutWal.begin(connection(), TABLE);
    dead.add(THIRD);
    assertThatThrownBy(load::end)
        .isInstanceOf(JobException.class)
        .hasMessageContaining("rs3,16020,1 ended during a load without write-ahead log");
    load.look();
    // It starts again: the master forgets its end.
    dead.remove(THIRD);
    alive.add(ServerName.valueOf("rs3", 16020, 2));
    assertThatThrownBy(load::end)
        .isInstanceOf(JobException.class)
        .hasMessageContaining("rs3,16020,1 ended");
  }

  /** Its rows were compared with the table. */
  @Test
  void aDeadServerIsForgotten() {
    ServerWatch watch = new ServerWatch(connection(), Set.of(), joined -> {});
    watch.look();
    dead.add(THIRD);
    assertThat(watch.ended()).containsExactly("rs3,16020,1");
    watch.forget();
    watch.look();
    assertThat(watch.ended()).isEmpty();
  }
}
