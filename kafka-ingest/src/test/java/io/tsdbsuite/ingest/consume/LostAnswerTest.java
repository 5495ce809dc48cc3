package io.tsdbsuite.ingest.consume;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.stumbleupon.async.Deferred;
import io.tsdbsuite.ingest.consume.GroupStats.Count;
import io.tsdbsuite.ingest.store.CellIds;
import io.tsdbsuite.message.read.BadMessageException;
import io.tsdbsuite.message.read.MessageReader;
import java.time.Clock;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.MockConsumer;
import org.apache.kafka.clients.consumer.OffsetResetStrategy;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** HBase answers all writes except one. The test simulates HBase and the writing thread. */
class LostAnswerTest {
  private static final TopicPartition ZERO = new TopicPartition("t", 0);
  private static final long ACK = 600_000;

  private final TestContexts.ManualTicker ticker = new TestContexts.ManualTicker();
  private final MockConsumer<byte[], byte[]> consumer =
      new MockConsumer<>(OffsetResetStrategy.NONE);
  private final GroupContext context =
      TestContexts.of(null, Clock.systemUTC(), ticker, "ackTimeout", Long.toString(ACK));
  private final MessageQueue queue = new MessageQueue();
  private final List<Deferred<Object>> probes = TestContexts.probes(context);
  private final ConsumerSession session = new ConsumerSession("s", consumer, context, queue);

  @BeforeEach
  void assign() {
    TestContexts.exists(consumer, "t", 0);
    TestContexts.exists(consumer, "dead", 0);
    session.round();
    consumer.rebalance(List.of(ZERO));
    consumer.updateBeginningOffsets(Map.of(ZERO, 0L));
    consumer.updateEndOffsets(Map.of(ZERO, 2L));
    consumer.seek(ZERO, 0);
    probes.remove(0).callback(null);
  }

  private void round(long afterMillis) {
    ticker.add(afterMillis);
    session.round();
  }

  /** Writes the next message to HBase. */
  private InFlightMessage.Elements start(long cell) throws InterruptedException {
    QueuedMessage queued = queue.take(0);
    InFlightMessage message = new InFlightMessage(queued, 10, 0, context.completion);
    assertThat(context.inFlightLimit.acquire(10, queued.bytes, 0)).isTrue();
    assertThat(queued.progress.start(queued.sequence, message, context.monotonicClock.millis()))
        .isTrue();
    CellIds cells = cells(cell);
    assertThat(context.pending.acquire(cells, 0)).isEqualTo(1);
    InFlightMessage.Elements part =
        new InFlightMessage.Elements(message, context.pending, cells, 0, 1);
    message.partCompleted();
    return part;
  }

  private static CellIds cells(long time) {
    String point =
        "{\"type\":\"Metric\",\"metric\":\"m\",\"tags\":{\"a\":\"b\"},\"value\":1,\"timestamp\":"
            + time
            + "}";
    try {
      return Stores.unconnected().cells(new MessageReader().read(point.getBytes(UTF_8)));
    } catch (BadMessageException e) {
      throw new AssertionError(e);
    }
  }

  private void send(long offset) {
    consumer.addRecord(new ConsumerRecord<>("t", 0, offset, null, "{}".getBytes(UTF_8)));
  }

  /** Rounds of a second each, in which HBase answers every probe. */
  private void roundsWithAnswers(int rounds) {
    for (int i = 0; i < rounds; i++) {
      round(1_000);
      probes.forEach(probe -> probe.callback(null));
      probes.clear();
    }
  }

  @Test
  void expiresWhenHBaseAnswersOthers() throws InterruptedException {
    send(0);
    send(1);
    round(0);
    InFlightMessage.Elements lost = start(7);
    start(8).completed();
    assertThat(context.inFlightLimit.used()).isEqualTo(10);
    round(ACK);
    assertThat(session.problem()).isNull();
    roundsWithAnswers(40);
    assertThat(context.stats.get(Count.LOST_ANSWERS)).isEqualTo(1);
    assertThat(context.inFlightLimit.used()).isZero();
    assertThat(consumer.position(ZERO)).describedAs("read again").isZero();
    assertThat(session.problem()).isNull();
    send(0);
    send(1);
    round(1_000);
    assertThat(queue.isHalfEmpty()).isTrue();
    // Its cell was released for the message that is read again.
    InFlightMessage.Elements again = start(7);
    start(8).completed();
    lost.completed();
    assertThat(context.inFlightLimit.used())
        .describedAs("a late answer counts nothing")
        .isEqualTo(10);
    assertThat(context.pending.acquire(cells(7), 0)).describedAs("and frees nothing").isZero();
    again.completed();
    assertThat(context.inFlightLimit.used()).isZero();
    assertThat(context.stats.messagesInFlight()).isZero();
    assertThat(context.stats.get(Count.CONSUMED)).isEqualTo(4);
    assertThat(context.stats.get(Count.STORED)).isEqualTo(3);
    assertThat(context.stats.get(Count.REPLAYED)).isEqualTo(1);
  }

  /**
   * Writes that wait in HBase's client complete after HBase recovers: no write may overtake them.
   */
  @Test
  void isWaitedForWhileHBaseAnswersNoRequest() throws InterruptedException {
    send(0);
    round(0);
    InFlightMessage.Elements late = start(7);
    round(ACK + 1);
    assertThat(session.problem()).startsWith("HBase has not answered for t-0 for 600 s");
    for (int i = 0; i < 1_000; i++) {
      round(1_000);
    }
    assertThat(probes).describedAs("HBase's client keeps them").hasSize(10);
    // HBase has recovered and answers the pending probes.
    probes.forEach(probe -> probe.callback(null));
    probes.clear();
    roundsWithAnswers(20);
    assertThat(context.stats.get(Count.LOST_ANSWERS)).isZero();
    late.completed();
    roundsWithAnswers(2);
    assertThat(session.problem()).isNull();
    assertThat(context.stats.get(Count.STORED)).isEqualTo(1);
    assertThat(context.inFlightLimit.used()).isZero();
  }

  @Test
  void expiresAlsoAfterThePartitionWasRevoked() throws InterruptedException {
    send(0);
    round(0);
    start(7);
    session.onPartitionsRevoked(List.of(ZERO));
    assertThat(context.inFlightLimit.used()).isEqualTo(10);
    consumer.rebalance(List.of());
    ticker.add(ACK + 1);
    roundsWithAnswers(40);
    assertThat(context.inFlightLimit.used()).isZero();
    assertThat(context.revoked).isEmpty();
  }
}
