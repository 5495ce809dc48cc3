package io.tsdbsuite.ingest.consume;

import com.google.common.base.Ticker;
import com.stumbleupon.async.Deferred;
import io.tsdbsuite.ingest.config.IngestConfig;
import io.tsdbsuite.ingest.publish.AsyncProducer;
import io.tsdbsuite.ingest.store.OtherWidths;
import io.tsdbsuite.ingest.store.Storage;
import io.tsdbsuite.message.read.MessageLimits;
import java.time.Clock;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongFunction;
import org.apache.kafka.clients.consumer.MockConsumer;
import org.apache.kafka.common.Node;
import org.apache.kafka.common.PartitionInfo;
import org.apache.kafka.common.TopicPartition;

/** The context of a group that reads the topic t; its time goes on by hand. */
final class TestContexts {
  /** Time that stands still until it is moved. */
  static final class ManualTicker extends Ticker {
    private final AtomicLong nanos = new AtomicLong();

    @Override
    public long read() {
      return nanos.get();
    }

    void add(long millis) {
      nanos.addAndGet(TimeUnit.MILLISECONDS.toNanos(millis));
    }
  }

  /** Brokers whose partitions have no open transaction, and whose topics have their times. */
  static class NoTransactions extends Brokers {
    NoTransactions() {
      super(
          () -> {
            throw new AssertionError("no server");
          });
    }

    @Override
    Map<TopicPartition, Long> ends(Collection<TopicPartition> partitions) {
      return Map.of();
    }

    @Override
    String timestampType(String topic) {
      return "LogAppendTime";
    }
  }

  /** HBase without a client, so that nothing is held back; its probes wait for the test. */
  private static final class Probes implements Storage {
    private final List<Deferred<Object>> sent = new ArrayList<>();

    @Override
    public void flush() {
      // No client, no batch.
    }

    @Override
    public Deferred<Object> probe() {
      Deferred<Object> probe = new Deferred<>();
      sent.add(probe);
      return probe;
    }
  }

  private TestContexts() {}

  /** The probes of a context that were sent, and not removed. */
  static List<Deferred<Object>> probes(GroupContext context) {
    return ((Probes) context.storage).sent;
  }

  /**
   * Makes context.
   *
   * @param keys and values of opentsdb.conf, after "KafkaRpcPlugin."
   */
  static GroupContext of(AsyncProducer producer, Clock clock, Ticker ticker, String... keys) {
    return of(producer, clock, ticker, new NoTransactions(), keys);
  }

  /** Makes context with brokers that answer as the test wants. */
  static GroupContext of(
      AsyncProducer producer, Clock clock, Ticker ticker, Brokers brokers, String... keys) {
    return of(producer, clock, ticker, brokers, millis -> null, keys);
  }

  /** Makes context that masks what is stored late. */
  static GroupContext of(AsyncProducer producer, Clock clock, Ticker ticker, Masking masking) {
    return of(
        producer, clock, ticker, new NoTransactions(), millis -> null, masking, new String[0]);
  }

  /** Makes context with a backlog that answers as the test wants, too. */
  static GroupContext of(
      AsyncProducer producer,
      Clock clock,
      Ticker ticker,
      Brokers brokers,
      LongFunction<String> backlog,
      String... keys) {
    return of(
        producer,
        clock,
        ticker,
        brokers,
        backlog,
        new Masking(null, null, null, MessageLimits.DEFAULT, clock),
        keys);
  }

  private static GroupContext of(
      AsyncProducer producer,
      Clock clock,
      Ticker ticker,
      Brokers brokers,
      LongFunction<String> backlog,
      Masking masking,
      String... keys) {
    Map<String, String> conf = new TreeMap<>();
    conf.put("KafkaRpcPlugin.kafka.bootstrap.servers", "127.0.0.1:1");
    conf.put("KafkaRpcPlugin.groups", "g");
    conf.put("KafkaRpcPlugin.g.topics", "t");
    conf.put("KafkaRpcPlugin.deadLetterTopic", "dead");
    conf.put("KafkaRpcPlugin.drainTimeout", "0");
    conf.put("KafkaRpcPlugin.ackTimeout", "60000");
    for (int i = 0; i < keys.length; i += 2) {
      conf.put("KafkaRpcPlugin." + keys[i], keys[i + 1]);
    }
    return new GroupContext(
        IngestConfig.read(conf).groups.get(0),
        producer,
        clock,
        ticker,
        new Probes(),
        Collections.emptySet(),
        OtherWidths.none(),
        backlog,
        brokers,
        masking);
  }

  /** Makes a topic known to the consumer, with these partitions; without any it is gone. */
  static void exists(MockConsumer<byte[], byte[]> consumer, String topic, int... partitions) {
    Node node = new Node(0, "127.0.0.1", 1);
    Node[] nodes = {node};
    List<PartitionInfo> infos = new ArrayList<>();
    for (int partition : partitions) {
      infos.add(new PartitionInfo(topic, partition, node, nodes, nodes));
    }
    consumer.updatePartitions(topic, infos);
  }
}
