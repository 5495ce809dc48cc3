package io.tsdbsuite.ingest.consume;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.stumbleupon.async.Deferred;
import io.tsdbsuite.ingest.consume.GroupStats.Count;
import io.tsdbsuite.ingest.publish.MessageHeaders;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.LongFunction;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.MockConsumer;
import org.apache.kafka.clients.consumer.OffsetResetStrategy;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.common.record.TimestampType;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@SuppressWarnings("deprecation") // MockConsumer's other constructor is not in all of its versions.
class ConsumerSessionTest {
  private static final TopicPartition ZERO = new TopicPartition("t", 0);
  private static final long NOW = 1_700_000_000_000L;
  private static final long YEAR = 365 * 86_400_000L;
  private static final long DELAY = 300_000;
  private static final long NONE = -1;

  private final MessageQueue queue = new MessageQueue();
  private final TestContexts.ManualTicker ticker = new TestContexts.ManualTicker();
  private List<Deferred<Object>> probes;

  /** The time of the day, which goes on with the ticker. */
  private final Clock clock =
      new Clock() {
        @Override
        public Instant instant() {
          return Instant.ofEpochMilli(NOW + clockAhead + ticker.read() / 1_000_000);
        }

        @Override
        public ZoneId getZone() {
          return ZoneOffset.UTC;
        }

        @Override
        public Clock withZone(ZoneId zone) {
          throw new UnsupportedOperationException();
        }
      };

  private MockConsumer<byte[], byte[]> consumer = new MockConsumer<>(OffsetResetStrategy.NONE);
  private GroupContext context;
  private long clockAhead;

  private ConsumerSession session(String type) {
    return session(type, millis -> null);
  }

  private ConsumerSession session(String type, LongFunction<String> backlog) {
    context =
        TestContexts.of(
            null,
            clock,
            ticker,
            new TestContexts.NoTransactions(),
            backlog,
            "g.consumerType",
            type,
            "repairTtl",
            "forever");
    probes = TestContexts.probes(context);
    TestContexts.exists(consumer, "t", 0);
    TestContexts.exists(consumer, "dead", 0);
    ConsumerSession session = new ConsumerSession("s", consumer, context, queue);
    session.round();
    consumer.rebalance(List.of(ZERO));
    consumer.updateBeginningOffsets(Map.of(ZERO, 0L));
    consumer.updateEndOffsets(Map.of(ZERO, 2L));
    consumer.seek(ZERO, 0);
    return session;
  }

  private void round(ConsumerSession session, long afterMillis) {
    ticker.add(afterMillis);
    session.round();
  }

  /** A record with these times, milliseconds since the epoch. */
  private static ConsumerRecord<byte[], byte[]> record(
      long offset, long timestamp, long requeuedAt) {
    ConsumerRecord<byte[], byte[]> record =
        new ConsumerRecord<>(
            "t",
            0,
            offset,
            timestamp,
            TimestampType.CREATE_TIME,
            0,
            2,
            null,
            new byte[] {'{', '}'},
            new RecordHeaders(),
            Optional.empty());
    if (requeuedAt != NONE) {
      record.headers().add(MessageHeaders.REQUEUED_AT, MessageHeaders.bytes(requeuedAt));
    }
    return record;
  }

  /** Else they would stay in flight for ever. */
  @Test
  void messagesThatAreCountedAreQueuedThoughALaterOneThrows() throws InterruptedException {
    IllegalStateException refused = new IllegalStateException("no such partition");
    boolean[] refuse = {false};
    consumer =
        new MockConsumer<>(OffsetResetStrategy.NONE) {
          @Override
          public synchronized void seek(TopicPartition partition, long offset) {
            if (refuse[0]) {
              throw refused;
            }
            super.seek(partition, offset);
          }
        };
    ConsumerSession session = session("REQUEUE_RAW");
    consumer.addRecord(record(0, NONE, NOW - DELAY));
    // Not due: the session seeks back to it.
    consumer.addRecord(record(1, NONE, NOW));
    refuse[0] = true;
    assertThatThrownBy(session::round).isSameAs(refused);
    assertThat(context.stats.get(Count.CONSUMED)).isEqualTo(1);
    QueuedMessage first = queue.take(0);
    assertThat(first).isNotNull();
    assertThat(first.record.offset()).isZero();
    assertThat(queue.take(0)).isNull();
  }

  /** One producer's clock must not stop the partition, nor let a request be read too early. */
  @ParameterizedTest
  @CsvSource({
    "REPAIR, 31536000000, false",
    "REPAIR, 0, false",
    "REPAIR, -1700000000001, false", // -1, as of old producers
    "REPAIR, -1698300000000, false", // seconds
    "REQUEUE_RAW, 31536000000, true",
    "REQUEUE_ROLLUP, 31536000000, true",
    "REPAIR, 31536000000, true",
    "REQUEUE_RAW, 0, true",
  })
  void aMessageIsDueAfterTheDelayWhateverItsTime(String type, long ahead, boolean header)
      throws InterruptedException {
    ConsumerSession session = session(type);
    ConsumerRecord<byte[], byte[]> record =
        header ? record(0, NOW, NOW + ahead) : record(0, NOW + ahead, NONE);
    consumer.addRecord(record);
    session.round();
    assertThat(queue.take(0)).describedAs("at once").isNull();
    round(session, DELAY - 1);
    assertThat(queue.take(0)).describedAs("before the delay is over").isNull();
    assertThat(context.lag.stalledMillis()).isZero();
    ticker.add(1);
    session.round();
    consumer.addRecord(record);
    session.round();
    assertThat(queue.take(0)).describedAs("after the delay").isNotNull();
    assertThat(context.stats.get(Count.WRONG_TIMES)).isEqualTo(ahead == 0 ? 0 : 1);
    assertThat(context.stats.get(Count.CONSUMED)).isEqualTo(1);
  }

  /** Thousands of them, each with the delay after the one before it, would stop the partition. */
  @Test
  void messagesWithWrongTimesThatWereThereWaitTogether() throws InterruptedException {
    ConsumerSession session = session("REPAIR");
    consumer.updateEndOffsets(Map.of(ZERO, 3L));
    consumer.addRecord(record(0, NOW + YEAR, NONE));
    session.round();
    round(session, DELAY);
    for (int offset = 0; offset < 4; offset++) {
      consumer.addRecord(record(offset, NOW + YEAR, NONE));
    }
    consumer.updateEndOffsets(Map.of(ZERO, 4L));
    session.round();
    for (int offset = 0; offset < 3; offset++) {
      QueuedMessage message = queue.take(0);
      assertThat(message).isNotNull();
      assertThat(message.record.offset()).isEqualTo(offset);
      assertThat(message.requestedAt()).isEqualTo(NOW);
    }
    assertThat(queue.take(0)).describedAs("it came later").isNull();
    round(session, DELAY);
    consumer.addRecord(record(3, NOW + YEAR, NONE));
    session.round();
    assertThat(queue.take(0).requestedAt()).isEqualTo(NOW + DELAY);
    assertThat(context.stats.get(Count.WRONG_TIMES)).isEqualTo(4);
  }

  @Test
  void aMessageWhoseDelayIsOverIsDueAtOnce() throws InterruptedException {
    ConsumerSession session = session("REPAIR");
    consumer.addRecord(record(0, NOW - DELAY, NONE));
    session.round();
    assertThat(queue.take(0)).isNotNull();
  }

  /** A clock that is set back by a year would hold every request for a year. */
  @ParameterizedTest
  @ValueSource(strings = {"REPAIR", "REQUEUE_RAW"})
  void aClockThatIsSetBackHoldsNothingLonger(String type) throws InterruptedException {
    ConsumerSession session = session(type);
    consumer.addRecord(record(0, NOW + YEAR, NONE));
    consumer.addRecord(record(1, NOW + YEAR, NONE));
    session.round();
    round(session, DELAY);
    consumer.addRecord(record(0, NOW + YEAR, NONE));
    session.round();
    assertThat(queue.take(0)).isNotNull();
  }

  /** The time at which it was read is in the future then, and no point can be stored before it. */
  @Test
  void aClockThatIsSetBackHoldsNoRequestForPoints() throws InterruptedException {
    clockAhead = YEAR;
    ConsumerSession session = session("REPAIR", millis -> millis > NOW + YEAR / 2 ? "no" : null);
    consumer.addRecord(record(0, NONE, NONE));
    session.round();
    clockAhead = 0;
    round(session, DELAY);
    consumer.addRecord(record(0, NONE, NONE));
    session.round();
    QueuedMessage message = queue.take(0);
    assertThat(message).isNotNull();
    assertThat(message.requestedAt()).describedAs("which buckets had ended").isEqualTo(NOW + DELAY);
  }

  /** HBase does not answer for the first message; the second one is not due for a long time. */
  @Test
  void aMessageThatIsNotDueHidesNoStallBeforeIt() {
    ConsumerSession session = session("REQUEUE_RAW");
    consumer.addRecord(record(0, NOW, NOW - DELAY));
    consumer.addRecord(record(1, NOW, NOW));
    session.round();
    for (int i = 0; i < 10; i++) {
      round(session, 10_000);
    }
    assertThat(context.lag.stalledMillis()).isGreaterThanOrEqualTo(80_000);
  }

  /** No message is there whose answer could be overdue. */
  @Test
  void anHBaseThatAnswersNoReadIsAProblemThoughNothingIsInFlight() {
    ConsumerSession session = session("RAW");
    round(session, 0);
    assertThat(session.problem()).isNull();
    round(session, 10_001);
    round(session, 0);
    assertThat(probes).describedAs("another row").hasSize(2);
    round(session, 10_001);
    assertThat(session.problem()).isEqualTo("HBase does not answer reads: the last one for 10 s");
    probes.remove(1).callback(null);
    round(session, 0);
    assertThat(session.problem()).isNull();
  }

  /** All TSDs read that region now and then: none would take queries, though most work. */
  @Test
  void aRegionThatIsAwayIsNoProblem() {
    ConsumerSession session = session("RAW");
    for (int i = 0; i < 60; i++) {
      boolean away = i % 3 == 1;
      round(session, 10_001);
      round(session, 0);
      assertThat(session.problem()).isNull();
      if (!away) {
        probes.remove(probes.size() - 1).callback(null);
      }
    }
    assertThat(probes).describedAs("answers that may be lost").hasSize(21);
    probes.forEach(probe -> probe.callback(new IllegalStateException("the server is dead")));
    round(session, 0);
    assertThat(session.problem()).isNull();
  }

  /** A consumer whose login fails, for example, starts every five seconds. */
  @Test
  void aConsumerThatStartsAgainAndAgainFindsAnHBaseThatDoesNotAnswer() {
    ConsumerSession session = session("RAW");
    for (int i = 0; i < 10; i++) {
      round(session, 5_000);
      session = new ConsumerSession("s", consumer, context, queue);
      round(session, 0);
    }
    assertThat(session.problem()).startsWith("HBase does not answer reads");
    for (int i = 0; i < 100; i++) {
      round(session, 10_001);
    }
    assertThat(probes).describedAs("HBase's client keeps them").hasSizeLessThanOrEqualTo(10);
    assertThat(session.problem()).isNotNull();
  }

  @Test
  void anHBaseThatRefusesReadsIsAProblemUntilItTakesOne() {
    ConsumerSession session = session("RAW");
    probes.remove(0).callback(new IllegalStateException("no table"));
    round(session, 0);
    assertThat(session.problem()).isNull();
    round(session, 1_000);
    probes.remove(0).callback(new IllegalStateException("no table"));
    round(session, 0);
    assertThat(session.problem()).isEqualTo("HBase refuses reads: IllegalStateException: no table");
    round(session, 1_000);
    assertThat(session.problem()).isNotNull();
    probes.remove(0).callback(null);
    round(session, 0);
    assertThat(session.problem()).isNull();
    round(session, 9_000);
    assertThat(probes).describedAs("seldom while HBase answers").isEmpty();
  }
}
