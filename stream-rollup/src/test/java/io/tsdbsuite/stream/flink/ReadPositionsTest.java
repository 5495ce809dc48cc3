package io.tsdbsuite.stream.flink;

import static org.assertj.core.api.Assertions.assertThat;

import io.tsdbsuite.stream.flink.ReadPositions.Missed;
import io.tsdbsuite.stream.flink.ReadPositions.Position;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.flink.api.java.tuple.Tuple3;
import org.apache.flink.api.java.tuple.Tuple4;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.Uuid;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Which gaps of offsets are lost messages. Kafka's first offset and the time are given. */
class ReadPositionsTest {
  private static final long SLACK = 120_000;
  private static final long TIME = 1_763_510_400_000L;
  private static final long NOW = TIME + 5_000;
  private static final TopicPartition PARTITION = new TopicPartition("points", 1);

  /** The first offset that Kafka has. */
  private long first;

  private int asked;
  private long now = NOW;
  private ReadPositions positions = restored(10, TIME);

  private long first(TopicPartition partition) {
    assertThat(partition).isEqualTo(PARTITION);
    asked++;
    return first;
  }

  private ReadPositions restored(long next, long time) {
    return restored(List.of(Tuple4.of("points", 1, next, time)), List.of());
  }

  private ReadPositions restored(
      List<Tuple4<String, Integer, Long, Long>> saved, List<Tuple3<String, String, Long>> topics) {
    return ReadPositions.restore(this::first, saved, topics, SLACK);
  }

  private @Nullable Missed read(long offset, long time) throws Exception {
    Position position = positions.of("points", 1);
    Missed missed = null;
    if (position.isUnclear(offset)) {
      missed = positions.check(PARTITION, position, offset, time, now);
    }
    position.advance(offset, time, now);
    return missed;
  }

  @Test
  void messagesWithoutAGapAskNothing() throws Exception {
    assertThat(read(10, TIME)).isNull();
    // Another element of the message.
    assertThat(read(10, TIME)).isNull();
    assertThat(read(11, TIME)).isNull();
    assertThat(asked).isZero();
  }

  @Test
  void deletedMessagesAreCountedWithTheTimesAroundThem() throws Exception {
    first = 30;
    assertThat(read(30, TIME + 60_000))
        .isEqualTo(new Missed(20, TIME - SLACK, TIME + 60_000 + SLACK + 1));
    assertThat(read(31, TIME)).isNull();
    assertThat(asked).isEqualTo(1);
  }

  /** The last message before them had a clock that was an hour ahead. */
  @Test
  void theRangeOfDeletedMessagesIsNeverEmpty() throws Exception {
    assertThat(read(10, TIME + 3_600_000)).isNull();
    first = 30;
    assertThat(read(30, TIME)).isEqualTo(new Missed(19, TIME - SLACK, TIME + SLACK + 1));
  }

  /** 10 to 19 were deleted; 20 to 24 are marks of transactions. */
  @Test
  void offsetsBehindKafkasFirstAreNotCounted() throws Exception {
    first = 20;
    assertThat(read(25, TIME)).isEqualTo(new Missed(10, TIME - SLACK, TIME + SLACK + 1));
  }

  @Test
  void theEndOfATransactionIsNoLoss() throws Exception {
    assertThat(read(11, TIME)).isNull();
    assertThat(asked).isEqualTo(1);
    assertThat(positions.save()).containsExactly(Tuple4.of("points", 1, 12L, TIME));
  }

  @Test
  void kafkaIsAskedOnceASecondAtMost() throws Exception {
    for (int i = 0; i < 100; i++) {
      // Every second offset ends a transaction.
      assertThat(read(11 + 2L * i, TIME)).isNull();
      now += 100;
    }
    assertThat(asked).isEqualTo(10);
  }

  /** A loss within a second after Kafka was asked is found by a later message without a gap. */
  @Test
  void aGapThatWasNotAskedForIsAskedForLater() throws Exception {
    assertThat(read(11, TIME)).isNull();
    first = 50;
    now += ReadPositions.ASK_MILLIS - 1;
    assertThat(read(50, TIME + 1000)).isNull();
    assertThat(read(51, TIME + 2000)).isNull();
    // A checkpoint in between starts from before the gap.
    assertThat(positions.save()).containsExactly(Tuple4.of("points", 1, 12L, TIME));
    now += 1;
    assertThat(read(52, TIME + 3000))
        .isEqualTo(new Missed(38, TIME - SLACK, TIME + 1000 + SLACK + 1));
    assertThat(asked).isEqualTo(2);
    assertThat(positions.save()).containsExactly(Tuple4.of("points", 1, 53L, TIME + 3000));
  }

  /** No point behind a gap moves its series beyond it before Kafka is asked. */
  @Test
  void aGapThatWasNotAskedForHoldsTheSeries() throws Exception {
    Position position = positions.of("points", 1);
    assertThat(read(10, TIME)).isNull();
    assertThat(read(12, TIME + 1)).isNull();
    assertThat(position.known(TIME + 1)).isEqualTo(TIME + 1);
    assertThat(position.known(Long.MIN_VALUE)).isEqualTo(Long.MIN_VALUE);
    first = 50;
    now += ReadPositions.ASK_MILLIS - 1;
    assertThat(read(50, TIME + 7_200_000)).isNull();
    assertThat(position.known(TIME + 7_200_000)).isEqualTo(TIME + 1);
    assertThat(read(51, TIME + 7_300_000)).isNull();
    assertThat(position.known(TIME + 7_300_000)).isEqualTo(TIME + 1);
    // None is known.
    assertThat(position.known(Long.MIN_VALUE)).isEqualTo(-Long.MAX_VALUE);
    now += 1;
    assertThat(read(52, TIME + 7_300_000)).isNotNull();
    assertThat(position.known(TIME + 7_300_000)).isEqualTo(TIME + 7_300_000);
  }

  /** No message follows that would show it. */
  @Test
  void aGapAtTheEndOfAPartitionIsAskedFor() throws Exception {
    assertThat(read(11, TIME)).isNull();
    first = 50;
    now += 1;
    assertThat(read(50, TIME + 1000)).isNull();
    assertThat(positions.waiting(now)).isEmpty();
    now += ReadPositions.ASK_MILLIS;
    assertThat(positions.waiting(now))
        .containsExactly(new Missed(38, TIME - SLACK, TIME + 1000 + SLACK + 1));
    assertThat(positions.waiting(now + ReadPositions.ASK_MILLIS)).isEmpty();
    assertThat(asked).isEqualTo(2);
  }

  /** Messages that were read before Kafka deleted them are not missing. */
  @Test
  void onlyOffsetsOfTheGapAreMissing() throws Exception {
    assertThat(read(11, TIME)).isNull();
    first = 1000;
    assertThat(read(20, TIME)).isNull();
    for (long offset = 21; offset < 1000; offset++) {
      assertThat(read(offset, TIME)).isNull();
    }
    now += ReadPositions.ASK_MILLIS;
    assertThat(read(1000, TIME)).isEqualTo(new Missed(8, TIME - SLACK, TIME + SLACK + 1));
  }

  @Test
  void aTopicThatWasCreatedAgainIsALossOfUnknownSize() throws Exception {
    assertThat(read(10, TIME)).isNull();
    assertThat(read(0, TIME + 60_000))
        .isEqualTo(new Missed(0, TIME - SLACK, TIME + 60_000 + SLACK + 1));
    assertThat(asked).isZero();
    assertThat(read(1, TIME + 60_000)).isNull();
    assertThat(positions.save()).containsExactly(Tuple4.of("points", 1, 2L, TIME + 60_000));
  }

  @Test
  void aTopicThatWasCreatedAgainEndsAGapThatWasNotAskedFor() throws Exception {
    assertThat(read(11, TIME)).isNull();
    assertThat(read(15, TIME + 1000)).isNull();
    assertThat(read(0, TIME + 2000))
        .isEqualTo(new Missed(0, TIME - SLACK, TIME + 2000 + SLACK + 1));
    assertThat(positions.save()).containsExactly(Tuple4.of("points", 1, 1L, TIME + 2000));
  }

  /** No message of a partition was read, so nothing tells from when on they are missing. */
  @Test
  void aGapBeforeTheFirstMessageIsLongerThanEveryBucket() throws Exception {
    positions = restored(0, Long.MIN_VALUE);
    first = 7;
    assertThat(read(7, TIME))
        .isEqualTo(new Missed(7, TIME - ReadPositions.UNKNOWN_MILLIS, TIME + SLACK + 1));
  }

  @Test
  void aPartitionThatWasAddedIsReadFromItsFirstMessage() throws Exception {
    positions =
        ReadPositions.start(this::first, Map.of(new TopicPartition("points", 0), 5L), SLACK);
    first = 3;
    assertThat(read(3, TIME))
        .isEqualTo(new Missed(3, TIME - ReadPositions.UNKNOWN_MILLIS, TIME + SLACK + 1));
  }

  /** Kafka deleted messages after the job was told from when on it has all. */
  @Test
  void aGapAtTheStartOfANewJobIsLongerThanEveryBucket() throws Exception {
    positions = ReadPositions.start(this::first, Map.of(PARTITION, 10L), SLACK);
    first = 30;
    assertThat(read(30, TIME))
        .isEqualTo(new Missed(20, TIME - ReadPositions.UNKNOWN_MILLIS, TIME + SLACK + 1));
    first = 40;
    now += ReadPositions.ASK_MILLIS;
    assertThat(read(40, TIME + 1000))
        .isEqualTo(new Missed(9, TIME - SLACK, TIME + 1000 + SLACK + 1));
  }

  /** Only Kafka knows: the partition has no message that shows the gap. */
  @Test
  void aPartitionThatWasEmptiedIsMissingUpToNow() throws Exception {
    Missed missed = positions.emptied(PARTITION, 25, 25, NOW);
    assertThat(missed.messages()).isEqualTo(15);
    assertThat(missed.from()).isEqualTo(TIME - SLACK);
    assertThat(missed.to()).isBetween(NOW + SLACK, NOW + SLACK + 600_000);
    // Another task asks a second later.
    assertThat(restored(10, TIME).emptied(PARTITION, 25, 25, NOW + 1000)).isEqualTo(missed);
    // Before it is told, a checkpoint must lead to it again.
    positions = restored(positions.save(), List.of());
    assertThat(positions.emptied(PARTITION, 25, 25, NOW)).isEqualTo(missed);
    positions.skip(PARTITION, 25);
    assertThat(positions.emptied(PARTITION, 25, 25, NOW)).isNull();
    positions = restored(positions.save(), List.of());
    assertThat(positions.emptied(PARTITION, 25, 25, NOW)).isNull();
    assertThat(read(25, TIME)).isNull();
    assertThat(asked).isZero();
  }

  @Test
  void aPartitionWithoutLossIsNotEmptied() {
    // Nothing new since the checkpoint.
    assertThat(positions.emptied(PARTITION, 10, 10, NOW)).isNull();
    assertThat(positions.emptied(PARTITION, 0, 10, NOW)).isNull();
    // The end of the last transaction, whose messages were read.
    assertThat(positions.emptied(PARTITION, 11, 11, NOW)).isNull();
    // A message that was kept shows the gap when it is read.
    assertThat(positions.emptied(PARTITION, 25, 26, NOW)).isNull();
    // The topic was created again.
    assertThat(positions.emptied(PARTITION, 0, 0, NOW)).isNull();
  }

  /** Offset 10 exists in it, too, so no offset shows that others are not read. */
  @Test
  void anotherTopicOfTheNameIsMissingUpToNow() {
    Uuid former = Uuid.randomUuid();
    Uuid other = Uuid.randomUuid();
    // The state is from before the ids.
    assertThat(positions.another("points", former, NOW)).isNull();
    ReadPositions second = restored(positions.save(), positions.saveTopics());
    assertThat(second.another("points", former, NOW)).isNull();
    Missed missed = second.another("points", other, NOW);
    assertThat(missed.messages()).isZero();
    assertThat(missed.from()).isEqualTo(TIME - SLACK);
    // Messages that come a little later may not be read either.
    assertThat(missed.to()).isBetween(NOW + SLACK + 600_000, NOW + SLACK + 1_200_000);
    // Another task asks a second later.
    assertThat(second.another("points", other, NOW + 1000)).isEqualTo(missed);
    // Before it is told, a checkpoint must lead to it again.
    positions = restored(second.save(), second.saveTopics());
    assertThat(positions.another("points", other, NOW)).isEqualTo(missed);
    positions.accept("points", other);
    assertThat(positions.another("points", other, NOW)).isNull();
    // The second task has no message, and so told nothing. The cluster of before may come back.
    for (int order = 0; order < 2; order++) {
      List<Tuple3<String, String, Long>> topics = new ArrayList<>();
      topics.addAll(order == 0 ? positions.saveTopics() : second.saveTopics());
      topics.addAll(order == 0 ? second.saveTopics() : positions.saveTopics());
      ReadPositions third = restored(positions.save(), topics);
      assertThat(third.another("points", other, NOW)).isNull();
      assertThat(third.another("points", former, NOW)).isEqualTo(missed);
    }
  }

  /** Each of its partitions may lack messages. */
  @Test
  void anotherTopicIsMissingFromTheOldestOfItsPartitionsOn() {
    Uuid former = Uuid.randomUuid();
    List<Tuple4<String, Integer, Long, Long>> saved =
        new ArrayList<>(
            List.of(
                Tuple4.of("points", 3, 7L, TIME - 60_000),
                Tuple4.of("points", 1, 10L, TIME),
                Tuple4.of("others", 0, 7L, TIME - 600_000)));
    positions = restored(saved, List.of(Tuple3.of("points", former.toString(), 0L)));
    assertThat(positions.another("points", Uuid.randomUuid(), NOW))
        .extracting(Missed::from)
        .isEqualTo(TIME - 60_000 - SLACK);
    // Nothing of the second one was read.
    saved.add(Tuple4.of("points", 2, 0L, Long.MIN_VALUE));
    positions = restored(saved, List.of(Tuple3.of("points", former.toString(), 0L)));
    Missed missed = positions.another("points", Uuid.randomUuid(), NOW);
    assertThat(missed.from()).isEqualTo(missed.to() - ReadPositions.UNKNOWN_MILLIS);
  }

  /** Brokers before 2.8. */
  @Test
  void aTopicWithoutAnIdIsTakenForTheSame() {
    Uuid former = Uuid.randomUuid();
    assertThat(positions.another("points", Uuid.ZERO_UUID, NOW)).isNull();
    assertThat(positions.saveTopics()).isEmpty();
    assertThat(positions.another("points", former, NOW)).isNull();
    assertThat(positions.another("points", Uuid.ZERO_UUID, NOW)).isNull();
    assertThat(positions.saveTopics()).containsExactly(Tuple3.of("points", former.toString(), 0L));
  }

  /** Of the third one no message was read. */
  @Test
  void allTopicsOfTheStateAreNamed() {
    positions =
        restored(
            List.of(Tuple4.of("points", 1, 10L, TIME), Tuple4.of("others", 0, -1L, TIME)),
            List.of(Tuple3.of("empty", Uuid.randomUuid().toString(), 0L)));
    assertThat(positions.topics()).containsExactlyInAnyOrder("points", "others", "empty");
  }

  @Test
  void thePartitionThatHoldsEventTimeBackIsNamed() {
    ReadPositions all = ReadPositions.start(this::first, Map.of(PARTITION, 10L), SLACK);
    assertThat(all.heldBackBy(0, Long.MAX_VALUE)).isNull();
    all.of("points", 0).advance(5, TIME, NOW);
    all.of("points", 1).advance(10, TIME - 7_200_000, NOW);
    all.of("points", 2).advance(1, TIME - 9_200_000, NOW - 300_001);
    assertThat(all.heldBackBy(NOW - 300_000, NOW - 600_000))
        .isEqualTo("points-1, whose newest message has the time " + (TIME - 7_200_000));
    all.of("points", 1).advance(11, NOW, NOW);
    assertThat(all.heldBackBy(NOW - 300_000, NOW - 600_000)).isNull();
  }

  @Test
  void ofTwoTasksTheLaterOffsetCounts() throws Exception {
    positions =
        restored(
            List.of(Tuple4.of("points", 1, 20L, TIME + 1), Tuple4.of("points", 1, 10L, TIME)),
            List.of());
    assertThat(read(20, TIME + 2)).isNull();
    assertThat(asked).isZero();
  }

  /** Another task still has the offset of before. */
  @Test
  void ofATopicThatWasCreatedAgainTheNewOffsetCounts() throws Exception {
    ReadPositions other = restored(1_000_000, TIME);
    positions = restored(1_000_000, TIME);
    assertThat(read(0, TIME + 1000)).isNotNull();
    for (int order = 0; order < 2; order++) {
      List<Tuple4<String, Integer, Long, Long>> saved = new ArrayList<>();
      saved.addAll(order == 0 ? positions.save() : other.save());
      saved.addAll(order == 0 ? other.save() : positions.save());
      positions = restored(saved, List.of());
      other = restored(saved, List.of());
      assertThat(read(1 + order, TIME + 2000)).isNull();
    }
    assertThat(asked).isZero();
  }
}
