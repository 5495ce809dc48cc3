package io.tsdbsuite.ingest.consume;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.tsdbsuite.ingest.config.GroupConfig;
import io.tsdbsuite.ingest.config.IngestConfig;
import io.tsdbsuite.ingest.publish.AsyncProducer;
import io.tsdbsuite.message.read.BadMessageException;
import io.tsdbsuite.message.read.MessageLimits;
import io.tsdbsuite.message.read.Reason;
import io.tsdbsuite.testkit.Await;
import java.time.Clock;
import java.time.Duration;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.MockProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.errors.RecordTooLargeException;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class OutputTopicsTest {
  private static final ConsumerRecord<byte[], byte[]> RECORD =
      new ConsumerRecord<>("in", 3, 77, "key".getBytes(UTF_8), new byte[5000]);

  private final MockProducer<byte[], byte[]> producer =
      new MockProducer<>(false, new ByteArraySerializer(), new ByteArraySerializer());
  private final AsyncProducer producers = new AsyncProducer("output-topics-test", () -> producer);
  private final OutputTopics outputTopics = new OutputTopics(group(), producers, Clock.systemUTC());
  private final CompletableFuture<Throwable> done = new CompletableFuture<>();

  private static GroupConfig group() {
    Map<String, String> conf = new TreeMap<>();
    conf.put("KafkaRpcPlugin.kafka.bootstrap.servers", "127.0.0.1:1");
    conf.put("KafkaRpcPlugin.groups", "g");
    conf.put("KafkaRpcPlugin.g.topics", "in");
    conf.put("KafkaRpcPlugin.deadLetterTopic", "dead");
    return IngestConfig.read(conf).groups.get(0);
  }

  @AfterEach
  void close() {
    producers.close();
  }

  private ProducerRecord<byte[], byte[]> sent(int number) {
    Await.until(
        "record " + number, Duration.ofMinutes(1), () -> producer.history().size() >= number);
    return producer.history().get(number - 1);
  }

  private static String header(ProducerRecord<byte[], byte[]> record, String name) {
    Header header = record.headers().lastHeader("kafka-ingest." + name);
    return header == null ? null : new String(header.value(), UTF_8);
  }

  @Test
  void whatIsTooLargeIsSentAsAStub() throws Exception {
    String words = "x".repeat(900_000);
    outputTopics.deadLetter(
        RECORD,
        RECORD.value(),
        new BadMessageException(Reason.MALFORMED, words),
        -1,
        done::complete);
    ProducerRecord<byte[], byte[]> whole = sent(1);
    assertThat(whole.value()).hasSize(5000);
    assertThat(header(whole, "message")).hasSize(OutputTopics.MAX_BYTES);
    assertThat(header(whole, "leftOut")).isNull();
    producer.errorNext(new RecordTooLargeException("no"));
    ProducerRecord<byte[], byte[]> stub = sent(2);
    assertThat(done).isNotDone();
    producer.completeNext();
    assertThat(done.get(5, TimeUnit.MINUTES)).isNull();
    assertThat(stub.topic()).isEqualTo("dead");
    assertThat(stub.value()).isNull();
    assertThat(stub.key()).isEqualTo("key".getBytes(UTF_8));
    assertThat(header(stub, "leftOut")).isEqualTo("5000");
    assertThat(header(stub, "reason")).isEqualTo("malformed");
    assertThat(header(stub, "topic")).isEqualTo("in");
    assertThat(header(stub, "partition")).isEqualTo("3");
    assertThat(header(stub, "offset")).isEqualTo("77");
  }

  /** It would wait in memory, and Kafka would refuse it. */
  @Test
  void whatIsTooLargeToBeReadIsSentAsAStubAtOnce() {
    ConsumerRecord<byte[], byte[]> large =
        new ConsumerRecord<>("in", 3, 77, null, new byte[MessageLimits.DEFAULT.maxBytes() + 1]);
    outputTopics.deadLetter(
        large,
        large.value(),
        new BadMessageException(Reason.TOO_LARGE, "words"),
        -1,
        done::complete);
    ProducerRecord<byte[], byte[]> stub = sent(1);
    assertThat(stub.value()).isNull();
    assertThat(header(stub, "leftOut")).isEqualTo("16777217");
    assertThat(header(stub, "reason")).isEqualTo("tooLarge");
  }

  @Test
  void otherFailuresAreTold() throws Exception {
    outputTopics.deadLetter(
        RECORD,
        RECORD.value(),
        new BadMessageException(Reason.MALFORMED, "words"),
        -1,
        done::complete);
    sent(1);
    TimeoutException failure = new TimeoutException("no");
    producer.errorNext(failure);
    assertThat(done.get(5, TimeUnit.MINUTES)).isSameAs(failure);
    assertThat(producer.history()).hasSize(1);
  }
}
