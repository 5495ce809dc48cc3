package io.tsdbsuite.rollup.sink;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tsdbsuite.rollup.report.RunIdentity;
import io.tsdbsuite.testkit.Await;
import io.tsdbsuite.testkit.KafkaServer;
import io.tsdbsuite.testkit.SecuredKafka;
import io.tsdbsuite.testkit.WorkDirs;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.utils.Utils;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The Kafka sink against a real broker. */
class KafkaSinkIT {
  /** Failures come in seconds, not minutes. */
  private static final Map<String, String> IMPATIENT =
      Map.of(
          "request.timeout.ms", "2000",
          "default.api.timeout.ms", "3000",
          "delivery.timeout.ms", "4000",
          "max.block.ms", "4000");

  /** Less than Kafka's own delivery.timeout.ms, two minutes. */
  private static final Duration BOUND = Duration.ofSeconds(110);

  private static KafkaServer kafka;

  @BeforeAll
  static void start() {
    kafka = KafkaServer.start(WorkDirs.fresh("KafkaSinkIT"), Map.of());
  }

  @AfterAll
  static void close() {
    kafka.close();
  }

  private static KafkaSinkOptions options(String topic) {
    return KafkaSinkTest.options(kafka.bootstrapServers(), topic);
  }

  private static SinkResult send(KafkaSinkOptions options, int metrics, int hosts)
      throws SinkException {
    KafkaSinkFactory factory = new KafkaSinkFactory(options);
    factory.check();
    try (RollupSink sink = factory.open(0, 1)) {
      for (int m = 0; m < metrics; m++) {
        for (int h = 0; h < hosts; h++) {
          sink.emit(TestPoints.point("metric" + m, "höst" + h));
        }
      }
      SinkResult result = sink.finish();
      factory.commit(List.of(result), new RunIdentity("", Map.of()));
      return result;
    }
  }

  @Test
  void everyMessageIsAcknowledgedAndThere() throws SinkException {
    kafka.createTopic("all", 5);
    SinkResult result = send(options("all"), 20, 1000);
    assertThat(result.messages()).isEqualTo(20_000);

    Set<String> keys = new HashSet<>();
    List<ConsumerRecord<byte[], byte[]>> records = kafka.readAll("all");
    for (ConsumerRecord<byte[], byte[]> message : records) {
      keys.add(text(message.key()));
      assertThat(message.partition()).isEqualTo(Utils.toPositive(Utils.murmur2(message.key())) % 5);
    }
    assertThat(records).hasSize(20_000);
    assertThat(keys).hasSize(20_000).contains("metric7{host=höst999}");
    assertThat(text(records.get(0).value())).startsWith("{\"type\":\"Rollup\",\"v\":1,");
  }

  @Test
  void aggregatesByMetricStayInTheirShard() throws SinkException {
    kafka.createTopic("shards", 6);
    KafkaSinkOptions options =
        KafkaSinkTest.byMetric(KafkaSinkTest.aggregates(options("shards")), 2);
    assertThat(send(options, 10, 50).messages()).isEqualTo(2000);

    Map<String, Integer> shards = new HashMap<>();
    Map<String, Integer> series = new HashMap<>();
    for (ConsumerRecord<byte[], byte[]> message : kafka.readAll("shards")) {
      String key = text(message.key());
      String metric = key.substring(0, key.indexOf('{'));
      int shard = message.partition() / 2;
      assertThat(shards.merge(metric, shard, Math::max)).isEqualTo(shard);
      series.merge(key, 1, Integer::sum);
    }
    assertThat(series).hasSize(500);
    assertThat(series.values()).containsOnly(4);
  }

  @Test
  void missingTopicIsNamedAndNotMade() {
    KafkaSinkFactory factory = new KafkaSinkFactory(options("absent"));
    for (int i = 0; i < 2; i++) {
      assertThatThrownBy(factory::check)
          .isInstanceOf(SinkException.Fatal.class)
          .hasMessageContaining("topic absent does not exist at " + kafka.bootstrapServers());
    }
    // Without the check, as when the topic goes away during the run.
    KafkaSinkFactory unchecked =
        new KafkaSinkFactory(KafkaSinkTest.with(options("absent"), IMPATIENT));
    try (RollupSink sink = unchecked.open(0, 1)) {
      assertThatThrownBy(() -> sink.emit(TestPoints.point("m", "h")))
          .isInstanceOf(SinkException.class)
          .hasMessageContaining("topic absent")
          .hasMessageContaining("m{host=h}");
    }
  }

  /** The same name, options and snapshots, and yet nothing of what was sent before is there. */
  @Test
  void aTopicThatWasMadeAnewIsAnotherOne() throws Exception {
    kafka.createTopic("anew", 3);
    KafkaSinkFactory before = new KafkaSinkFactory(options("anew"));
    before.check();
    assertThat(before.identity()).containsEntry("partitions of the topic", "3");
    assertThat(before.warnings()).isEmpty();
    try (Admin admin = Admin.create(Map.of("bootstrap.servers", kafka.bootstrapServers()))) {
      admin.deleteTopics(Set.of("anew")).all().get();
      Await.until(
          "the topic is gone",
          Duration.ofSeconds(30),
          () -> {
            try {
              return !admin.listTopics().names().get().contains("anew");
            } catch (InterruptedException | ExecutionException e) {
              throw new AssertionError(e);
            }
          });
    }
    kafka.createTopic("anew", 3);
    KafkaSinkFactory after = new KafkaSinkFactory(options("anew"));
    after.check();
    assertThat(after.identity().get("id of the topic"))
        .isNotNull()
        .isNotEqualTo(before.identity().get("id of the topic"));
  }

  @Test
  void compactedTopicIsRefused() throws Exception {
    kafka.topics().create("compacted", 1, Map.of("cleanup.policy", "compact,delete"));
    assertThatThrownBy(() -> new KafkaSinkFactory(options("compacted")).check())
        .isInstanceOf(SinkException.Fatal.class)
        .hasMessageContaining("cleanup.policy=compact,delete");
  }

  @Test
  void spreadThatTheTopicDoesNotHaveIsRefused() {
    kafka.createTopic("narrow", 2);
    KafkaSinkOptions options = KafkaSinkTest.byMetric(options("narrow"), 3);
    assertThatThrownBy(() -> new KafkaSinkFactory(options).check())
        .isInstanceOf(SinkException.Fatal.class)
        .hasMessageContaining("can't spread over 3 partitions: topic narrow has 2");
  }

  @Test
  void refusedPropertyEndsTheCheck() {
    kafka.createTopic("strict", 1);
    KafkaSinkOptions options = KafkaSinkTest.with(options("strict"), Map.of("acks", "0"));
    assertThatThrownBy(() -> new KafkaSinkFactory(options).check())
        .isInstanceOf(SinkException.Fatal.class)
        .hasMessageContaining("--kafka-property acks=0 is refused");
  }

  @Test
  void messageThatTheBrokerFindsTooLargeIsNamed() throws Exception {
    kafka.topics().create("small", 1, Map.of("max.message.bytes", "500"));
    KafkaSinkOptions options =
        KafkaSinkTest.with(options("small"), Map.of("compression.type", "none"));
    try (RollupSink sink = new KafkaSinkFactory(options).open(0, 1)) {
      sink.emit(TestPoints.point("large", "h".repeat(2000)));
      assertThatThrownBy(sink::finish)
          .isInstanceOf(SinkException.Fatal.class)
          .hasMessageContaining("series large{host=hhh")
          .hasMessageContaining("max.message.bytes");
    }
  }

  @Test
  void brokerThatStopsInTheMiddleFailsTheTask() throws SinkException {
    try (KafkaServer own = KafkaServer.start(WorkDirs.fresh("KafkaSinkIT-own"), Map.of())) {
      own.createTopic("t", 1);
      KafkaSinkFactory factory =
          new KafkaSinkFactory(
              KafkaSinkTest.with(KafkaSinkTest.options(own.bootstrapServers(), "t"), IMPATIENT));
      try (RollupSink sink = factory.open(0, 1)) {
        sink.emit(TestPoints.point("m", "before"));
        Await.until("the first message", Duration.ofSeconds(20), () -> !own.readAll("t").isEmpty());
        own.kill();
        assertFails(sink, "topic t did not take the message of series m{host=after");
      }

      // Before the producer got its id, when Kafka's flush would wait for ever.
      own.start();
      try (RollupSink sink = factory.open(0, 2)) {
        sink.emit(TestPoints.point("m", "before"));
        own.kill();
        assertFails(sink, "topic t");
      }

      // The broker is down from the start.
      long start = System.nanoTime();
      assertThatThrownBy(factory::check)
          .isInstanceOf(SinkException.Retryable.class)
          .hasMessageContaining("Kafka at " + own.bootstrapServers());
      try (RollupSink sink = factory.open(0, 3)) {
        assertThatThrownBy(() -> sink.emit(TestPoints.point("m", "h")))
            .isInstanceOf(SinkException.Retryable.class)
            .hasMessageContaining("topic t");
      }
      assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(BOUND);
    }
  }

  /**
   * A producer that was let in, and then not again: Kafka itself says nothing until messages
   * expire. {@code make test-all} runs it.
   */
  @Test
  @Tag("slow")
  void brokerThatDoesNotTakeThePasswordAnyMore() throws SinkException {
    try (SecuredKafka secured = SecuredKafka.start(WorkDirs.fresh("KafkaSinkIT-secured"))) {
      secured.user("user", "first");
      secured.server().createTopic("t", 1);
      KafkaSinkFactory factory =
          new KafkaSinkFactory(
              KafkaSinkTest.with(
                  KafkaSinkTest.options(secured.bootstrapServers(SecuredKafka.SCRAM), "t"),
                  Map.of(
                      "security.protocol",
                      "SASL_SSL",
                      "sasl.mechanism",
                      "SCRAM-SHA-512",
                      "sasl.jaas.config",
                      "org.apache.kafka.common.security.scram.ScramLoginModule required"
                          + " username=\"user\" password=\"first\";",
                      "ssl.truststore.type",
                      "PEM",
                      "ssl.truststore.certificates",
                      secured.certificates().authority())));
      factory.check();
      try (RollupSink sink = factory.open(0, 1)) {
        sink.emit(TestPoints.point("m", "before"));
        Await.until(
            "the first message",
            Duration.ofSeconds(20),
            () -> !secured.server().readAll("t").isEmpty());
        secured.user("user", "second");
        secured.server().stop();
        secured.server().start();
        sink.emit(TestPoints.point("m", "after"));
        assertThatThrownBy(sink::finish)
            .isInstanceOf(SinkException.Fatal.class)
            .hasMessageContaining("topic t acknowledged 1 of 2 messages")
            .hasMessageContaining("brokers refuse the producer of this task");
      }
    }
  }

  private static void assertFails(RollupSink sink, String message) {
    long start = System.nanoTime();
    assertThatThrownBy(
            () -> {
              for (int i = 0; i < 100; i++) {
                sink.emit(TestPoints.point("m", "after" + i));
              }
              sink.finish();
            })
        .isInstanceOf(SinkException.Retryable.class)
        .hasMessageContaining(message);
    sink.abort();
    assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(BOUND);
  }

  private static String text(byte[] utf8) {
    return new String(utf8, StandardCharsets.UTF_8);
  }
}
