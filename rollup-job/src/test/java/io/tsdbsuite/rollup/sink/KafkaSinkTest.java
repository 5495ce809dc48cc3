package io.tsdbsuite.rollup.sink;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tsdbsuite.message.write.MessageFormat;
import io.tsdbsuite.message.write.RollupPoint;
import io.tsdbsuite.rollup.rate.Leases;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.MockProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.Cluster;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.Metric;
import org.apache.kafka.common.MetricName;
import org.apache.kafka.common.Node;
import org.apache.kafka.common.PartitionInfo;
import org.apache.kafka.common.config.ConfigException;
import org.apache.kafka.common.errors.RecordTooLargeException;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.errors.TopicAuthorizationException;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.Test;

class KafkaSinkTest {
  private static final KafkaSinkOptions OPTIONS = options("localhost:1", "rollups");
  private static final long AS_OF = 1763596800123L;

  private final MockProducer<byte[], byte[]> producer = producer(true);

  /** Options with the defaults of the command line. */
  static KafkaSinkOptions options(String bootstrap, String topic) {
    return new KafkaSinkOptions(
        bootstrap,
        topic,
        new TreeMap<>(),
        MessageFormat.ROLLUP,
        PartitionBy.SERIES,
        1,
        1,
        false,
        0);
  }

  /** The options with these producer properties. */
  static KafkaSinkOptions with(KafkaSinkOptions is, Map<String, String> properties) {
    return new KafkaSinkOptions(
        is.bootstrap(),
        is.topic(),
        new TreeMap<>(properties),
        is.format(),
        is.partitionBy(),
        is.spread(),
        is.rollupsPerMessage(),
        is.arrays(),
        is.messagesPerSecond());
  }

  private static KafkaSinkOptions rollupsPerMessage(KafkaSinkOptions is, int rollups) {
    return new KafkaSinkOptions(
        is.bootstrap(),
        is.topic(),
        is.properties(),
        is.format(),
        is.partitionBy(),
        is.spread(),
        rollups,
        is.arrays(),
        is.messagesPerSecond());
  }

  /** The options with the format of the stock consumers. */
  static KafkaSinkOptions aggregates(KafkaSinkOptions is) {
    return new KafkaSinkOptions(
        is.bootstrap(),
        is.topic(),
        is.properties(),
        MessageFormat.AGGREGATE,
        is.partitionBy(),
        is.spread(),
        is.rollupsPerMessage(),
        is.arrays(),
        is.messagesPerSecond());
  }

  /** The options with partitions by metric. */
  static KafkaSinkOptions byMetric(KafkaSinkOptions is, int spread) {
    return new KafkaSinkOptions(
        is.bootstrap(),
        is.topic(),
        is.properties(),
        is.format(),
        PartitionBy.METRIC,
        spread,
        is.rollupsPerMessage(),
        is.arrays(),
        is.messagesPerSecond());
  }

  private static MockProducer<byte[], byte[]> producer(boolean autoComplete) {
    return new MockProducer<>(
        autoComplete, null, new ByteArraySerializer(), new ByteArraySerializer()) {
      @Override
      public synchronized void flush() {
        // The mock would acknowledge all messages; a real one only sends them.
      }
    };
  }

  /** The report of a stopped run has it. */
  @Test
  void soManyMessagesAtLeast() {
    assertThat(new KafkaSinkFactory(OPTIONS).leastMessages(7)).isEqualTo(7);
    assertThat(new KafkaSinkFactory(rollupsPerMessage(OPTIONS, 3)).leastMessages(7)).isEqualTo(3);
    assertThat(new KafkaSinkFactory(aggregates(OPTIONS)).leastMessages(7)).isEqualTo(28);
  }

  @Test
  void theLastBatchesDoNotWaitToBeFull() throws SinkException {
    MockProducer<byte[], byte[]> waiting =
        new MockProducer<>(false, null, new ByteArraySerializer(), new ByteArraySerializer());
    try (KafkaSink sink = sink(OPTIONS, waiting)) {
      sink.emit(TestPoints.point("sys.cpu", "web01"));
      assertThat(sink.finish().messages()).isEqualTo(1);
    }
  }

  private static KafkaSink sink(KafkaSinkOptions options, MockProducer<byte[], byte[]> producer) {
    return new KafkaSink(
        options, AS_OF, 3, 17, () -> producer, Leases.UNLIMITED, Throttle.Clock.SYSTEM);
  }

  @Test
  void sendsOneMessagePerPointAndBalances() throws SinkException {
    try (KafkaSink sink = sink(OPTIONS, producer)) {
      RollupPoint point = TestPoints.point("sys.cpu", "web01");
      for (int i = 0; i < 10; i++) {
        sink.emit(point);
      }
      SinkResult result = sink.finish();
      assertThat(result.points()).isEqualTo(10);
      assertThat(result.messages()).isEqualTo(10);
      assertThat(result.partition()).isEqualTo(3);
      ProducerRecord<byte[], byte[]> record = producer.history().get(0);
      assertThat(record.topic()).isEqualTo("rollups");
      assertThat(record.partition()).isNull();
      assertThat(text(record.key())).isEqualTo("sys.cpu{host=web01}");
      assertThat(text(record.value())).startsWith("{\"type\":\"Rollup\",\"v\":1,");
    }
    assertThat(producer.closed()).isTrue();
  }

  @Test
  void sendsFourAggregates() throws SinkException {
    try (KafkaSink sink = sink(aggregates(OPTIONS), producer)) {
      sink.emit(TestPoints.point("sys.cpu", "web01"));
      SinkResult result = sink.finish();
      assertThat(result.points()).isEqualTo(1);
      assertThat(result.messages()).isEqualTo(4);
    }
    assertThat(producer.history())
        .extracting(message -> text(message.key()))
        .containsOnly("sys.cpu{host=web01}");
    assertThat(producer.history())
        .extracting(message -> text(message.value()).replaceAll(".*aggregator\":\"(\\w+).*", "$1"))
        .containsExactly("SUM", "MIN", "MAX", "COUNT");
  }

  @Test
  void finishSendsWhatIsHeldBack() throws SinkException {
    try (KafkaSink sink = sink(rollupsPerMessage(OPTIONS, 24), producer)) {
      for (int i = 0; i < 60; i++) {
        sink.emit(TestPoints.point("sys.cpu", "web01"));
        assertThat(producer.history()).hasSize((i + 1) / 24);
      }
      SinkResult result = sink.finish();
      assertThat(result.points()).isEqualTo(60);
      assertThat(result.messages()).isEqualTo(3);
    }
    assertThat(producer.history())
        .extracting(message -> text(message.key()))
        .containsOnly("sys.cpu{host=web01}");
    assertThat(producer.history())
        .extracting(message -> text(message.value()))
        .allMatch(message -> message.startsWith("[{") && message.endsWith("}]"));
  }

  @Test
  void rollupsInOneMessageHaveLimits() {
    assertThat(rollupsPerMessage(OPTIONS, 1000).problems()).isEmpty();
    for (int bad : new int[] {0, -1, 1001}) {
      assertThat(rollupsPerMessage(OPTIONS, bad).problems())
          .containsExactly("--rollups-per-message must be 1 to 1000, found " + bad);
    }
    assertThat(rollupsPerMessage(aggregates(OPTIONS), 24).problems())
        .singleElement()
        .asString()
        .contains("--rollups-per-message goes with --format rollup only");
  }

  @Test
  void partitionsByMetric() throws SinkException {
    Node node = new Node(0, "localhost", 1);
    List<PartitionInfo> partitions =
        IntStream.range(0, 6)
            .mapToObj(
                p -> new PartitionInfo("rollups", p, node, new Node[] {node}, new Node[] {node}))
            .toList();
    MockProducer<byte[], byte[]> sharded =
        new MockProducer<>(
            new Cluster("c", List.of(node), partitions, Set.of(), Set.of()),
            true,
            null,
            new ByteArraySerializer(),
            new ByteArraySerializer());
    try (KafkaSink sink = sink(byMetric(OPTIONS, 2), sharded)) {
      for (int i = 0; i < 100; i++) {
        sink.emit(TestPoints.point("sys.cpu", "web" + i));
      }
      sink.finish();
    }
    assertThat(sharded.history().stream().map(ProducerRecord::partition).distinct()).hasSize(2);
  }

  @Test
  void makesNoProducerForNothing() throws SinkException {
    try (KafkaSink sink =
        new KafkaSink(
            OPTIONS,
            AS_OF,
            0,
            0,
            () -> {
              throw new AssertionError("not needed");
            },
            Leases.UNLIMITED,
            Throttle.Clock.SYSTEM)) {
      assertThat(sink.finish().messages()).isZero();
    }
  }

  @Test
  void failureThatComesLaterFailsTheNextEmit() throws SinkException {
    MockProducer<byte[], byte[]> manual = producer(false);
    try (KafkaSink sink = sink(OPTIONS, manual)) {
      sink.emit(TestPoints.point("sys.cpu", "web01"));
      sink.emit(TestPoints.point("sys.cpu", "web02"));
      manual.completeNext();
      manual.errorNext(new TimeoutException("Expiring 1 record(s)"));
      assertThatThrownBy(() -> sink.emit(TestPoints.point("sys.cpu", "web03")))
          .isInstanceOf(SinkException.Retryable.class)
          .hasMessageContaining("topic rollups")
          .hasMessageContaining("series sys.cpu{host=web02}")
          .hasMessageContaining("Expiring 1 record(s)");
      sink.abort();
    }
    assertThat(manual.closed()).isTrue();
    assertThat(manual.history()).hasSize(2);
  }

  @Test
  void finishWaitsForEverything() throws SinkException {
    MockProducer<byte[], byte[]> manual = producer(false);
    FakeClock clock = new FakeClock(manual::completeNext);
    try (KafkaSink sink =
        new KafkaSink(OPTIONS, AS_OF, 3, 17, () -> manual, Leases.UNLIMITED, clock)) {
      for (int i = 0; i < 5; i++) {
        sink.emit(TestPoints.point("sys.cpu", "web" + i));
      }
      assertThat(sink.finish().messages()).isEqualTo(5);
      assertThat(clock.sleeps).isEqualTo(5);
    }
  }

  @Test
  void failureDuringFinishFailsIt() throws SinkException {
    MockProducer<byte[], byte[]> manual = producer(false);
    FakeClock clock =
        new FakeClock(() -> manual.errorNext(new TopicAuthorizationException("Not authorized")));
    try (KafkaSink sink =
        new KafkaSink(OPTIONS, AS_OF, 3, 17, () -> manual, Leases.UNLIMITED, clock)) {
      sink.emit(TestPoints.point("sys.cpu", "web01"));
      assertThatThrownBy(sink::finish)
          .isInstanceOf(SinkException.Fatal.class)
          .hasMessageContaining("sys.cpu{host=web01}")
          .hasMessageContaining("Not authorized");
    }
  }

  @Test
  void missingAcknowledgementFailsFinishAfterTheDeliveryTimeout() throws SinkException {
    MockProducer<byte[], byte[]> manual = producer(false);
    FakeClock clock = new FakeClock(() -> {});
    KafkaSinkOptions options = with(OPTIONS, Map.of("delivery.timeout.ms", "60000"));
    try (KafkaSink sink =
        new KafkaSink(options, AS_OF, 3, 17, () -> manual, Leases.UNLIMITED, clock)) {
      sink.emit(TestPoints.point("sys.cpu", "web01"));
      assertThatThrownBy(sink::finish)
          .isInstanceOf(SinkException.Retryable.class)
          .hasMessageContaining("topic rollups acknowledged 0 of 1 messages of partition 3")
          .hasMessageContaining("delivery.timeout.ms=60000");
      assertThat(Duration.ofNanos(clock.now))
          .isBetween(Duration.ofSeconds(60), Duration.ofSeconds(70));
    }
  }

  /** Kafka itself would try on until delivery.timeout.ms. */
  @Test
  void loginsThatAreRefusedAgainAndAgainFailIt() throws SinkException {
    MockProducer<byte[], byte[]> manual = producer(false);
    Refusals refusals = new Refusals();
    manual.setMockMetrics(refusals.metricName(), refusals);
    FakeClock clock = new FakeClock(() -> refusals.count += 0.001);
    try (KafkaSink sink =
        new KafkaSink(OPTIONS, AS_OF, 3, 17, () -> manual, Leases.UNLIMITED, clock)) {
      sink.emit(TestPoints.point("sys.cpu", "web01"));
      sink.emit(TestPoints.point("sys.cpu", "web02"));
      manual.completeNext();
      assertThatThrownBy(sink::finish)
          .isInstanceOf(SinkException.Fatal.class)
          .hasMessageContaining("topic rollups acknowledged 1 of 2 messages of partition 3")
          .hasMessageContaining("Kafka at localhost:1: brokers refuse the producer of this task")
          .hasMessageContaining("the executor's log has the broker and the reason");
      assertThat(Duration.ofNanos(clock.now))
          .isBetween(Duration.ofSeconds(10), Duration.ofSeconds(11));
    }
  }

  @Test
  void aFewRefusedLoginsPass() throws SinkException {
    MockProducer<byte[], byte[]> manual = producer(false);
    Refusals refusals = new Refusals();
    manual.setMockMetrics(refusals.metricName(), refusals);
    FakeClock clock =
        new FakeClock(
            () -> {
              // For 4 s of every 12 s; after 5 s without any it begins anew.
              refusals.count += refusals.asked++ % 6000 < 2000 ? 1 : 0;
              if (refusals.asked == 30_000) {
                manual.completeNext();
              }
            });
    try (KafkaSink sink =
        new KafkaSink(OPTIONS, AS_OF, 3, 17, () -> manual, Leases.UNLIMITED, clock)) {
      sink.emit(TestPoints.point("sys.cpu", "web01"));
      assertThat(sink.finish().messages()).isEqualTo(1);
    }
  }

  @Test
  void messagesThatExpireWhileLoginsAreRefused() throws SinkException {
    MockProducer<byte[], byte[]> manual = producer(false);
    Refusals refusals = new Refusals();
    manual.setMockMetrics(refusals.metricName(), refusals);
    try (KafkaSink sink =
        new KafkaSink(
            OPTIONS, AS_OF, 3, 17, () -> manual, Leases.UNLIMITED, new FakeClock(() -> {}))) {
      sink.emit(TestPoints.point("sys.cpu", "web01"));
      refusals.count = 2;
      manual.errorNext(new TimeoutException("Expiring 1 record(s)"));
      assertThatThrownBy(sink::finish)
          .isInstanceOf(SinkException.Fatal.class)
          .hasMessageContaining("brokers refuse the producer of this task (2 logins");
    }
  }

  @Test
  void kafkaCountsRefusedLogins() {
    try (KafkaProducer<byte[], byte[]> real =
        new KafkaProducer<>(
            OPTIONS.producerProperties(), new ByteArraySerializer(), new ByteArraySerializer())) {
      assertThat(real.metrics().keySet())
          .filteredOn(name -> name.name().equals(RefusedLogins.METRIC))
          .extracting(MetricName::group)
          .contains(RefusedLogins.GROUP);
    }
  }

  /** Kafka's count of refused logins. */
  private static final class Refusals implements Metric {
    private double count;
    private long asked;

    @Override
    public MetricName metricName() {
      return new MetricName(RefusedLogins.METRIC, RefusedLogins.GROUP, "", Map.of());
    }

    @Override
    public Object metricValue() {
      return count;
    }
  }

  @Test
  void boundsWhatIsOnItsWay() throws SinkException {
    MockProducer<byte[], byte[]> manual = producer(false);
    FakeClock clock =
        new FakeClock(
            () -> {
              while (manual.completeNext()) {}
            });
    try (KafkaSink sink =
        new KafkaSink(OPTIONS, AS_OF, 3, 17, () -> manual, Leases.UNLIMITED, clock)) {
      RollupPoint point = TestPoints.point("m", "h");
      for (int i = 0; i < 300_000; i++) {
        sink.emit(point);
      }
      assertThat(clock.sleeps).isEqualTo(1);
      assertThat(sink.finish().messages()).isEqualTo(300_000);
    }
  }

  /** Simulated time, which advances and triggers an action only during sleeps. */
  private static final class FakeClock implements Throttle.Clock {
    private final Runnable event;
    private long now;
    private int sleeps;

    FakeClock(Runnable event) {
      this.event = event;
    }

    @Override
    public long nanoTime() {
      return now;
    }

    @Override
    public void sleep(long nanos) {
      sleeps++;
      now += nanos;
      event.run();
    }
  }

  @Test
  void namesTheSeriesThatIsTooLarge() {
    producer.sendException = new RecordTooLargeException("The message is 2000000 bytes");
    try (KafkaSink sink = sink(OPTIONS, producer)) {
      assertThatThrownBy(() -> sink.emit(TestPoints.point("sys.cpu", "web01")))
          .isInstanceOf(SinkException.Fatal.class)
          .hasMessageContaining("series sys.cpu{host=web01}")
          .hasMessageContaining("max.request.size")
          .hasMessageContaining("message.max.bytes");
    }
  }

  @Test
  void producerThatCannotBeMadeIsAConfigurationProblem() {
    try (KafkaSink sink =
        new KafkaSink(
            OPTIONS,
            AS_OF,
            0,
            0,
            () -> {
              throw new KafkaException(
                  "Failed to construct kafka producer",
                  new ConfigException("No resolvable bootstrap urls"));
            },
            Leases.UNLIMITED,
            Throttle.Clock.SYSTEM)) {
      assertThatThrownBy(() -> sink.emit(TestPoints.point("sys.cpu", "web01")))
          .isInstanceOf(SinkException.Fatal.class)
          .hasMessageContaining("localhost:1")
          .hasMessageContaining("No resolvable bootstrap urls");
    }
  }

  @Test
  void refusesPropertiesThatWouldLoseMessagesAndAllAtOnce() {
    KafkaSinkFactory factory =
        new KafkaSinkFactory(
            new KafkaSinkOptions(
                "localhost:1",
                "rollups",
                new TreeMap<>(
                    Map.of(
                        "acks", "1",
                        "enable.idempotence", "false",
                        "linger.mss", "5",
                        "compression.type", "lz4")),
                MessageFormat.ROLLUP,
                PartitionBy.METRIC,
                0,
                1,
                false,
                -1));
    assertThatThrownBy(factory::check)
        .isInstanceOf(SinkException.Fatal.class)
        .hasMessageContaining("--kafka-property acks=1 is refused")
        .hasMessageContaining("--kafka-property enable.idempotence=false is refused")
        .hasMessageContaining("linger.mss is unknown")
        .hasMessageContaining("found -1")
        .hasMessageContaining("found 0")
        .hasMessageNotContaining("compression.type");
  }

  @Test
  void settingsOfPluginsAreNotUnknown() {
    assertThat(
            with(OPTIONS, Map.of("interceptor.classes", "a.B", "b.setting", "1", "linger.ms", "1"))
                .problems())
        .isEmpty();
  }

  @Test
  void userPropertiesWinExceptWhereMessagesCouldBeLost() {
    var properties =
        with(OPTIONS, Map.of("linger.ms", "7", "security.protocol", "SASL_SSL"))
            .producerProperties();
    assertThat(properties)
        .containsEntry("linger.ms", "7")
        .containsEntry("security.protocol", "SASL_SSL")
        .containsEntry("compression.type", "zstd")
        .containsEntry("compression.zstd.level", "1")
        .containsEntry("acks", "all")
        .containsEntry("enable.idempotence", "true");
    assertThat(with(OPTIONS, Map.of("linger.ms", "7", "sasl.mechanism", "PLAIN")))
        .extracting(KafkaSinkOptions::adminProperties)
        .satisfies(
            admin ->
                assertThat(admin)
                    .containsEntry("sasl.mechanism", "PLAIN")
                    .doesNotContainKey("linger.ms"));
  }

  @Test
  void checkRefusesValuesThatKafkaRefuses() {
    KafkaSinkFactory factory = new KafkaSinkFactory(with(OPTIONS, Map.of("linger.ms", "soon")));
    assertThatThrownBy(factory::check)
        .isInstanceOf(SinkException.Fatal.class)
        .hasMessageContaining("linger.ms")
        .hasMessageContaining("soon");
  }

  /** What a hand makes of a file: text after a quote, and a key in lines of its own. */
  @Test
  void brokenSecretsAreNotShown() {
    String module = "org.apache.kafka.common.security.scram.ScramLoginModule required";
    for (String jaas :
        List.of(
            " username=\"u\" password=\"hid\"den\";",
            " username=\"u\" password=hid den;",
            " username=\"u\" password=\"hidden\"")) {
      KafkaSinkFactory factory =
          new KafkaSinkFactory(
              with(
                  OPTIONS,
                  Map.of(
                      "security.protocol", "SASL_SSL",
                      "sasl.mechanism", "SCRAM-SHA-512",
                      "sasl.jaas.config", module + jaas)));
      assertThatThrownBy(factory::check)
          .isInstanceOf(SinkException.Fatal.class)
          .hasMessageMatching(".*(sasl.jaas.config must be|not terminated by semi-colon).*")
          .hasMessageNotContaining("den");
    }
    assertThat(
            with(OPTIONS, Map.of("MIGHAgEAMBMGhidden", "", "hidden/IKoZIzj0C", "AQY=")).problems())
        .singleElement()
        .asString()
        .contains("lines of PEM must be joined")
        .doesNotContain("hidden");
    KafkaSinkFactory factory =
        new KafkaSinkFactory(
            with(
                OPTIONS,
                Map.of(
                    "security.protocol",
                    "SSL",
                    "ssl.keystore.type",
                    "PEM",
                    "ssl.keystore.certificate.chain",
                    "-----BEGIN CERTIFICATE-----\nQUJD\n-----END CERTIFICATE-----",
                    "ssl.keystore.key",
                    "-----BEGIN RSA PRIVATE KEY-----\nhiddenAA\n-----END RSA PRIVATE KEY-----")));
    assertThatThrownBy(factory::check)
        .isInstanceOf(SinkException.Fatal.class)
        .hasMessageContaining("PEM")
        .hasMessageNotContaining("hidden");
  }

  @Test
  void checkReportsABrokerThatDoesNotAnswer() {
    // Port 1 of the loopback: refused at once.
    KafkaSinkFactory factory =
        new KafkaSinkFactory(
            with(options("127.0.0.1:1", "rollups"), Map.of("default.api.timeout.ms", "1500")));
    assertThatThrownBy(factory::check)
        .isInstanceOf(SinkException.Retryable.class)
        .hasMessageContaining("127.0.0.1:1")
        .hasMessageContaining("topic rollups");
  }

  private static String text(byte[] utf8) {
    return new String(utf8, StandardCharsets.UTF_8);
  }
}
