package io.tsdbsuite.ingest.consume;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tsdbsuite.ingest.config.IngestConfig;
import io.tsdbsuite.ingest.store.ElementStore;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.util.Map;
import java.util.TreeMap;
import net.opentsdb.core.TSDB;
import net.opentsdb.utils.Config;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.TopicPartition;
import org.hbase.async.HBaseClient;
import org.junit.jupiter.api.Test;

class WriteLoopTest {
  private static final ConsumerRecord<byte[], byte[]> RECORD =
      new ConsumerRecord<>("t", 0, 0, null, "[]".getBytes(StandardCharsets.UTF_8));

  private final Backlog backlog = new Backlog();
  private final PartitionProgress closed = new PartitionProgress(new TopicPartition("t", 0), 0);

  /** Not connected: nothing of this test reaches HBase or Kafka. */
  private static ElementStore store() throws Exception {
    return new ElementStore(new TSDB(new HBaseClient("127.0.0.1:1"), new Config(false)));
  }

  private static GroupParts parts() {
    Map<String, String> conf = new TreeMap<>();
    conf.put("tsd.network.port", "4242");
    conf.put("KafkaRpcPlugin.kafka.bootstrap.servers", "127.0.0.1:1");
    conf.put("KafkaRpcPlugin.groups", "g");
    conf.put("KafkaRpcPlugin.g.topics", "t");
    conf.put("KafkaRpcPlugin.deadLetterTopic", "dead");
    return new GroupParts(IngestConfig.read(conf).groups().get(0), null, Clock.systemUTC());
  }

  @Test
  void whatItCannotDealWithEndsTheSessionAndNotTheThread() throws Exception {
    GroupParts parts = parts();
    WriteLoop loop = new WriteLoop(backlog, store(), parts, 1000);
    PartitionProgress bug = null;
    backlog.add(new Task(RECORD, bug, 0));
    closed.close();
    backlog.add(new Task(RECORD, closed, 1));
    Thread thread = Threads.start("write-loop-test", loop);
    while (parts.stats.replayedMessages() < 2) {
      Thread.onSpinWait();
    }
    assertThat(thread.isAlive()).isTrue();
    assertThatThrownBy(backlog::check)
        .hasMessageStartingWith("the writing thread failed: java.lang.NullPointerException");
    backlog.check();
    loop.stop();
    thread.join();
  }
}
