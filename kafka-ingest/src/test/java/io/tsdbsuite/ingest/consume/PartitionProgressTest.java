package io.tsdbsuite.ingest.consume;

import static org.assertj.core.api.Assertions.assertThat;

import io.tsdbsuite.ingest.store.StorageFailure;
import io.tsdbsuite.testkit.seed.Seed;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.Test;

class PartitionProgressTest {
  private static final StorageFailure FAILURE = StorageFailure.of(new Exception("down"));

  private final PartitionProgress progress = new PartitionProgress(new TopicPartition("t", 0), 0);

  @Test
  void commitsOnlyUpToTheFirstUnfinishedMessage() {
    long a = progress.add(10);
    long b = progress.add(11);
    // Offsets of compacted or transactional topics have gaps.
    long c = progress.add(15);
    assertThat(progress.committable()).isEqualTo(-1);
    assertThat(progress.firstUnfinished()).isEqualTo(10);
    for (int i = 0; i < 3; i++) {
      assertThat(progress.start(0, null, 0)).isTrue();
    }
    progress.finish(b, 1);
    assertThat(progress.committable()).isEqualTo(-1);
    progress.finish(a, 2);
    assertThat(progress.committable()).isEqualTo(12);
    assertThat(progress.firstUnfinished()).isEqualTo(15);
    progress.finish(c, 3);
    assertThat(progress.committable()).isEqualTo(16);
    assertThat(progress.firstUnfinished()).isEqualTo(-1);
    assertThat(progress.inFlight()).isZero();
  }

  @Test
  void anyOrderOfManyAnswersEndsAtTheEnd() {
    long seed = Seed.VALUE;
    Random random = new Random(seed);
    List<Long> open = new ArrayList<>();
    long offset = 1000;
    long expected = -1;
    for (int round = 0; round < 200; round++) {
      for (int i = random.nextInt(100); i >= 0; i--) {
        open.add(progress.add(offset));
        assertThat(progress.start(0, null, 0)).isTrue();
        expected = ++offset;
      }
      Collections.shuffle(open, random);
      while (open.size() > 3000) {
        progress.finish(open.remove(open.size() - 1), 0);
      }
      long committable = progress.committable();
      assertThat(progress.firstUnfinished()).as("seed %s", seed).isGreaterThanOrEqualTo(1000);
      assertThat(committable).isLessThanOrEqualTo(progress.firstUnfinished());
    }
    for (long sequence : open) {
      progress.finish(sequence, 0);
    }
    assertThat(progress.committable()).as("seed %s", seed).isEqualTo(expected);
    assertThat(progress.unfinished()).isZero();
  }

  @Test
  void noMessageStartsAfterAFailure() {
    progress.add(1);
    long b = progress.add(2);
    assertThat(progress.start(0, null, 0)).isTrue();
    assertThat(progress.start(0, null, 0)).isTrue();
    assertThat(progress.fail(FAILURE)).isTrue();
    assertThat(progress.start(0, null, 2)).isFalse();
    assertThat(progress.isOpen()).isFalse();
    assertThat(progress.failure()).isSameAs(FAILURE);
    // A late answer.
    progress.finish(b, 3);
    assertThat(progress.inFlight()).isZero();
    assertThat(progress.firstUnfinished()).isEqualTo(1);
    assertThat(progress.committable()).isEqualTo(-1);
  }

  @Test
  void backOffGrowsOnlyWithoutProgress() {
    PartitionProgress third = new PartitionProgress(new TopicPartition("t", 0), 2);
    assertThat(third.attempt()).isEqualTo(2);
    long a = third.add(1);
    third.start(0, null, 0);
    third.finish(a, 0);
    assertThat(third.attempt()).isZero();
    assertThat(new PartitionProgress(new TopicPartition("t", 0), 0).backoffMillis()).isEqualTo(500);
    assertThat(new PartitionProgress(new TopicPartition("t", 0), 1).backoffMillis())
        .isEqualTo(1000);
    assertThat(new PartitionProgress(new TopicPartition("t", 0), 1000).backoffMillis())
        .isEqualTo(30000);
  }

  @Test
  void waitingIsMeasuredOnlyWhileAMessageIsInFlight() {
    long a = progress.add(1);
    assertThat(progress.waitingMillis(500)).isZero();
    progress.start(0, null, 1000);
    assertThat(progress.waitingMillis(1700)).isEqualTo(700);
    progress.finish(a, 1800);
    assertThat(progress.waitingMillis(9000)).isZero();
  }

  @Test
  void oneAnswerThatNeverComesIsNotHiddenByOthers() {
    long a = progress.add(1);
    long b = progress.add(2);
    long c = progress.add(3);
    for (int i = 0; i < 3; i++) {
      progress.start(0, null, 1000);
    }
    progress.finish(b, 2000);
    assertThat(progress.waitingMillis(3000)).isEqualTo(2000);
    progress.finish(a, 3500);
    assertThat(progress.waitingMillis(4000)).isEqualTo(500);
    progress.add(4);
    progress.start(0, null, 4200);
    progress.fail(FAILURE);
    assertThat(progress.waitingMillis(6000)).isEqualTo(2500);
    progress.finish(c, 6000);
    assertThat(progress.waitingMillis(7000)).isZero();
  }

  @Test
  void awaitsAnswers() throws InterruptedException {
    long a = progress.add(1);
    progress.start(0, null, 0);
    progress.close();
    assertThat(progress.awaitAnswers(1)).isFalse();
    Thread answer = new Thread(() -> progress.finish(a, 0));
    answer.start();
    assertThat(progress.awaitAnswers(60_000)).isTrue();
    answer.join();
  }
}
