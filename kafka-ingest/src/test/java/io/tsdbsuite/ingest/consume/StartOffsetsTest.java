package io.tsdbsuite.ingest.consume;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tsdbsuite.ingest.config.ConsumerType;
import io.tsdbsuite.ingest.config.IngestConfig;
import io.tsdbsuite.ingest.consume.GroupStats.Count;
import io.tsdbsuite.ingest.store.StorageFailure;
import io.tsdbsuite.ingest.store.TestOtherWidths;
import java.time.Clock;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.MockConsumer;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.consumer.OffsetOutOfRangeException;
import org.apache.kafka.clients.consumer.OffsetResetStrategy;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

@SuppressWarnings("deprecation") // MockConsumer's other constructor is not in all of its versions.
class StartOffsetsTest {
  private static final TopicPartition ZERO = new TopicPartition("t", 0);
  private static final TopicPartition ONE = new TopicPartition("t", 1);
  private static final TopicPartition TWO = new TopicPartition("t", 2);

  private final TestContexts.ManualTicker ticker = new TestContexts.ManualTicker();
  private final MockConsumer<byte[], byte[]> consumer =
      new MockConsumer<>(OffsetResetStrategy.NONE);

  @BeforeEach
  void topics() {
    TestContexts.exists(consumer, "t", 0, 1);
    TestContexts.exists(consumer, "dead", 0);
    consumer.updateBeginningOffsets(Map.of(ZERO, 0L, ONE, 0L, TWO, 0L));
    consumer.updateEndOffsets(Map.of(ZERO, 5L, ONE, 0L, TWO, 3L));
  }

  private final MessageQueue queue = new MessageQueue();
  private GroupContext context;

  private ConsumerSession session(String reset) {
    context = TestContexts.of(null, Clock.systemUTC(), ticker, "kafka.auto.offset.reset", reset);
    return new ConsumerSession("s", consumer, context, queue);
  }

  private Map<TopicPartition, OffsetAndMetadata> committed() {
    return consumer.committed(Set.of(ZERO, ONE, TWO));
  }

  /** Else a message that comes while the TSD is away is behind the "end" of its next start. */
  @Test
  void latestCommitsWhereItStartsAtOnce() {
    ConsumerSession session = session("latest");
    session.round();
    consumer.rebalance(List.of(ZERO, ONE));
    // The mock tells of one partition at a time.
    session.round();
    session.round();
    assertThat(committed().get(ZERO)).isEqualTo(new OffsetAndMetadata(5));
    assertThat(committed().get(ONE)).isEqualTo(new OffsetAndMetadata(0));
    assertThat(consumer.position(ZERO)).isEqualTo(5);
  }

  /** Else the messages between both ends are never read. */
  @Test
  void latestStartsAtTheSameEndAgainIfTheCommitHasFailed() {
    session("latest");
    consumer.assign(List.of(ZERO));
    context.startOffsets.prepare(consumer);
    assertThat(context.startOffsets.start(consumer, List.of(ZERO))).isEqualTo(Map.of(ZERO, 5L));
    consumer.updateEndOffsets(Map.of(ZERO, 9L));
    assertThat(context.startOffsets.start(consumer, List.of(ZERO))).isEqualTo(Map.of(ZERO, 5L));
    assertThat(consumer.position(ZERO)).isEqualTo(5);
  }

  @Test
  void latestReadsPartitionsThatAreBornLaterFromTheirBeginning() {
    ConsumerSession session = session("latest");
    session.round();
    consumer.rebalance(List.of(ZERO, ONE));
    session.round();
    session.round();
    TestContexts.exists(consumer, "t", 0, 1, 2);
    consumer.rebalance(List.of(ZERO, ONE, TWO));
    session.round();
    session.round();
    assertThat(consumer.position(TWO)).isZero();
    assertThat(consumer.position(ZERO)).isEqualTo(5);
  }

  @Test
  void earliestReadsAll() {
    ConsumerSession session = session("earliest");
    session.round();
    consumer.rebalance(List.of(ZERO, TWO));
    session.round();
    session.round();
    assertThat(consumer.position(ZERO)).isZero();
    assertThat(consumer.position(TWO)).isZero();
    // Else messages that are deleted before the first commit are not known to be lost.
    assertThat(committed().get(ZERO)).isEqualTo(new OffsetAndMetadata(0));
    assertThat(committed().get(TWO)).isEqualTo(new OffsetAndMetadata(0));
  }

  /** Kafka has deleted everything, and nothing comes any more. */
  @Test
  void messagesThatAreLostCountOnce() {
    ConsumerSession session = session("earliest");
    session.round();
    consumer.rebalance(List.of(ZERO));
    consumer.updateBeginningOffsets(Map.of(ZERO, 10L));
    consumer.updateEndOffsets(Map.of(ZERO, 10L));
    OffsetOutOfRangeException gone = new OffsetOutOfRangeException(Map.of(ZERO, 3L));
    consumer.setPollException(gone);
    session.round();
    assertThat(context.stats.get(Count.LOST_MESSAGES)).isEqualTo(7);
    assertThat(committed().get(ZERO)).isEqualTo(new OffsetAndMetadata(10));
    assertThat(consumer.position(ZERO)).isEqualTo(10);
    // As if the commit had failed.
    consumer.rebalance(List.of(ONE));
    consumer.rebalance(List.of(ZERO));
    consumer.setPollException(gone);
    session.round();
    assertThat(context.stats.get(Count.LOST_MESSAGES)).isEqualTo(7);
    consumer.updateBeginningOffsets(Map.of(ZERO, 12L));
    consumer.setPollException(gone);
    session.round();
    assertThat(context.stats.get(Count.LOST_MESSAGES)).isEqualTo(9);
  }

  /** A session that has two messages, 3 and 4, in its queue, behind the committed offset 3. */
  private ConsumerSession sessionWithMessages() {
    ConsumerSession session = session("earliest");
    session.round();
    consumer.rebalance(List.of(ZERO));
    consumer.commitSync(Map.of(ZERO, new OffsetAndMetadata(3)));
    consumer.seek(ZERO, 3);
    add(3);
    add(4);
    session.round();
    return session;
  }

  private void add(long offset) {
    consumer.addRecord(new ConsumerRecord<>("t", 0, offset, null, new byte[] {'{', '}'}));
  }

  private void outOfRange(ConsumerSession session, long position, long beginning, long end) {
    consumer.updateBeginningOffsets(Map.of(ZERO, beginning));
    consumer.updateEndOffsets(Map.of(ZERO, end));
    consumer.setPollException(new OffsetOutOfRangeException(Map.of(ZERO, position)));
    session.round();
  }

  private void finish(QueuedMessage message) {
    assertThat(message.progress.start(message.sequence, null, 0)).isTrue();
    message.progress.finish(message.sequence, 0);
  }

  private void commit(ConsumerSession session) {
    ticker.add(1_000);
    session.round();
  }

  /** The process may end before HBase has them, and nothing would count them. */
  @Test
  void aResetCommitsNothingBehindMessagesThatAreNotStored() throws InterruptedException {
    ConsumerSession session = sessionWithMessages();
    outOfRange(session, 5, 10, 12);
    assertThat(context.stats.get(Count.LOST_MESSAGES)).isEqualTo(5);
    assertThat(consumer.position(ZERO)).isEqualTo(10);
    commit(session);
    assertThat(committed().get(ZERO)).isEqualTo(new OffsetAndMetadata(3));
    finish(queue.take(0));
    finish(queue.take(0));
    commit(session);
    assertThat(committed().get(ZERO)).isEqualTo(new OffsetAndMetadata(10));
  }

  /** They are counted then, and those that were counted before are not counted again. */
  @Test
  void messagesThatFailAfterAResetCountAsLost() throws InterruptedException {
    ConsumerSession session = sessionWithMessages();
    outOfRange(session, 5, 10, 12);
    assertThat(context.stats.get(Count.LOST_MESSAGES)).isEqualTo(5);
    QueuedMessage first = queue.take(0);
    assertThat(first.progress.start(first.sequence, null, 0)).isTrue();
    first.progress.fail(StorageFailure.of(new IllegalStateException("no")));
    session.round();
    ticker.add(600_000);
    session.round();
    assertThat(consumer.position(ZERO)).isEqualTo(3);
    outOfRange(session, 3, 10, 12);
    assertThat(context.stats.get(Count.LOST_MESSAGES)).isEqualTo(7);
    assertThat(committed().get(ZERO)).isEqualTo(new OffsetAndMetadata(10));
  }

  /** Their offsets are those of other messages now. */
  @Test
  void messagesOfATopicThatWasMadeAnewCommitNothing() throws InterruptedException {
    ConsumerSession session = sessionWithMessages();
    outOfRange(session, 5, 0, 2);
    assertThat(committed().get(ZERO)).isEqualTo(new OffsetAndMetadata(0));
    add(0);
    finish(queue.take(0));
    commit(session);
    assertThat(committed().get(ZERO)).isEqualTo(new OffsetAndMetadata(0));
    assertThat(consumer.paused()).containsExactly(ZERO);
    finish(queue.take(0));
    session.round();
    add(0);
    session.round();
    QueuedMessage again = queue.take(0);
    assertThat(again.record.offset()).isZero();
    commit(session);
    assertThat(committed().get(ZERO)).isEqualTo(new OffsetAndMetadata(0));
    finish(again);
    commit(session);
    assertThat(committed().get(ZERO)).isEqualTo(new OffsetAndMetadata(1));
    assertThat(context.stats.get(Count.LOST_MESSAGES)).isZero();
  }

  /** No log has them any more. */
  @Test
  void messagesOfATopicThatWasMadeAnewCountAsLostIfTheyFail() throws InterruptedException {
    ConsumerSession session = sessionWithMessages();
    outOfRange(session, 5, 0, 2);
    QueuedMessage first = queue.take(0);
    assertThat(first.progress.start(first.sequence, null, 0)).isTrue();
    first.progress.fail(StorageFailure.of(new IllegalStateException("no")));
    session.round();
    assertThat(context.stats.get(Count.LOST_MESSAGES)).isEqualTo(2);
    assertThat(consumer.position(ZERO)).isZero();
    session.round();
    assertThat(consumer.paused()).isEmpty();
  }

  /** It has other messages at the offsets that were counted. */
  @Test
  void messagesThatAreLostInATopicThatWasMadeAnewCount() {
    ConsumerSession session = session("earliest");
    session.round();
    consumer.rebalance(List.of(ZERO));
    outOfRange(session, 3, 1_000, 1_000);
    assertThat(context.stats.get(Count.LOST_MESSAGES)).isEqualTo(997);
    outOfRange(session, 5, 50, 60);
    assertThat(context.stats.get(Count.LOST_MESSAGES)).isEqualTo(997 + 45);
  }

  private static boolean mayStart(ConsumerType type) {
    IngestConfig config = TestGroups.config(type);
    MockConsumer<byte[], byte[]> consumer = new MockConsumer<>(OffsetResetStrategy.NONE);
    TestContexts.exists(consumer, "t", 0);
    return new StartOffsets(
            config.groups.get(0), new GroupStats(), TestOtherWidths.notScanned("rollup-1h"))
        .mayStart(consumer);
  }

  @Test
  void aGroupOfRollupsMayContinueWhereItsFormerReaderStopped() {
    assertThatThrownBy(() -> mayStart(ConsumerType.ROLLUP))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("rollup-1h could not be scanned")
        .hasMessageContaining(
            "fail queries. Set the group's offsets to where that one stopped, or auto.offset.reset"
                + " to latest or earliest; docs/kafka-ingest.md");
  }

  /** No other program reads requests. */
  @Test
  void aGroupOfRepairsHasNoFormerReader() {
    assertThatThrownBy(() -> mayStart(ConsumerType.REPAIR))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining(
            "fail queries. Set auto.offset.reset to latest or earliest; docs/kafka-ingest.md");
  }

  @Test
  void pointsMayStart() {
    assertThat(mayStart(ConsumerType.RAW)).isTrue();
  }
}
