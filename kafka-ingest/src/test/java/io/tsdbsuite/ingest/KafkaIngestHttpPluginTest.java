package io.tsdbsuite.ingest;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import net.opentsdb.core.TSDB;
import net.opentsdb.utils.Config;
import org.hbase.async.HBaseClient;
import org.junit.jupiter.api.Test;

class KafkaIngestHttpPluginTest {
  /**
   * The TSD's own statistics wait for HBase, which is not there, on a thread of its HTTP server.
   */
  @Test
  void metricsAreThePluginsOwnAlone() throws Exception {
    Config config = new Config(false);
    config.overrideConfig("KafkaRpcPlugin.kafka.bootstrap.servers", "127.0.0.1:1");
    config.overrideConfig("KafkaRpcPlugin.seh.topic.default", "again");
    config.overrideConfig("KafkaRpcPlugin.publisher.topic", "published");
    TSDB tsdb = new TSDB(new HBaseClient("127.0.0.1:1"), config);
    assertThat(metrics(tsdb)).isEmpty();
    KafkaStorageExceptionHandler handler = new KafkaStorageExceptionHandler();
    handler.initialize(tsdb);
    KafkaPublisher publisher = new KafkaPublisher();
    publisher.initialize(tsdb);
    assertThat(metrics(tsdb))
        .contains("kafka_ingest_seh_queued 0.0\n", "kafka_ingest_publisher_queued 0.0\n");
    handler.shutdown();
    publisher.shutdown().join();
  }

  private static String metrics(TSDB tsdb) throws Exception {
    FutureTask<byte[]> answer = new FutureTask<>(() -> KafkaIngestHttpPlugin.metrics(tsdb).text());
    Thread thread = new Thread(answer, "metrics-test");
    thread.setDaemon(true);
    thread.start();
    return new String(answer.get(5, TimeUnit.MINUTES), UTF_8);
  }
}
