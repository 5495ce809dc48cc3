package io.tsdbsuite.job.hbase;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tsdbsuite.job.ExitCode;
import io.tsdbsuite.job.JobException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.time.Duration;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.Test;

class HBaseProbeTest {
  /** A port that takes connections and never answers. */
  @Test
  void aZooKeeperThatDoesNotAnswerIsNamedInTime() throws IOException {
    try (ServerSocket silent = new ServerSocket(0, 50, InetAddress.getLoopbackAddress())) {
      Configuration configuration =
          HBaseClients.configuration(
              new Configuration(false),
              Map.of(
                  "hbase.zookeeper.quorum",
                  "127.0.0.1",
                  "hbase.zookeeper.property.clientPort",
                  Integer.toString(silent.getLocalPort()),
                  "zookeeper.znode.parent",
                  "/tsd"));
      assertThatThrownBy(
              () ->
                  HBaseProbe.ask(
                      configuration,
                      HBaseProbe.address(configuration),
                      connection -> connection.getAdmin().getClusterMetrics(),
                      Duration.ofSeconds(1)))
          .isInstanceOf(JobException.class)
          .hasMessage(
              "HBase at ZooKeeper 127.0.0.1, port "
                  + silent.getLocalPort()
                  + ", znode /tsd must answer within 1 s, found no answer")
          .extracting(e -> ((JobException) e).exitCode())
          .isEqualTo(ExitCode.OUTSIDE);
    }
  }
}
