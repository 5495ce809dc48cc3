package io.tsdbsuite.ingest.consume;

import io.tsdbsuite.ingest.config.GroupConfig;
import io.tsdbsuite.ingest.store.StorageFailure;
import io.tsdbsuite.message.read.BadMessageException;
import io.tsdbsuite.message.read.Reason;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Decides the outcome of a message after its parts have completed: stored, dead letter, requeued,
 * or read again. Counts each message once. Thread-safe.
 */
final class MessageCompletion {
  private static final Logger LOG = LoggerFactory.getLogger(MessageCompletion.class);

  private final GroupConfig group;
  private final GroupStats stats;
  private final InFlightLimit limit;
  private final OutputTopics outputTopics;
  private final FailedAttempts failedAttempts;
  private final MonotonicClock monotonicClock;
  private final Masking masking;

  MessageCompletion(
      GroupConfig group,
      GroupStats stats,
      InFlightLimit limit,
      OutputTopics outputTopics,
      FailedAttempts failedAttempts,
      MonotonicClock monotonicClock,
      Masking masking) {
    this.masking = masking;
    this.group = group;
    this.stats = stats;
    this.limit = limit;
    this.outputTopics = outputTopics;
    this.failedAttempts = failedAttempts;
    this.monotonicClock = monotonicClock;
  }

  void allPartsCompleted(InFlightMessage message) {
    if (message.isCompleted()) {
      limit.lateAnswer(message.points(), message.bytes());
      return;
    }
    StorageFailure failure = message.failure();
    if (message.isIncomplete()) {
      cancel(message);
    } else if (failure == null) {
      finish(message, message.isStored() ? Outcome.STORED : Outcome.DEAD, false);
    } else if (failure.bad() != null) {
      deadLetter(message, failure.bad());
    } else if (!failure.isOutage() && group.requeueTopic() != null) {
      requeue(message, failure);
    } else if (failure.isUnexpected() && isLastAttempt(message, failure)) {
      deadLetter(
          message,
          new BadMessageException(
              Reason.REFUSED,
              "the TSD must store it within "
                  + group.maxRequeues()
                  + " tries, it fails with "
                  + failure.describe()));
    } else {
      fail(message, failure);
    }
  }

  private boolean isLastAttempt(InFlightMessage message, StorageFailure failure) {
    return failedAttempts.isLast(
        message.progress().partition(), message.message().record().offset(), failure.describe());
  }

  private enum Outcome {
    STORED,
    DEAD,
    REQUEUED
  }

  /** Sends the message to the dead-letter topic; it is completed when Kafka has acknowledged it. */
  void deadLetter(InFlightMessage message, BadMessageException problem) {
    outputTopics.deadLetter(
        message.message().record(),
        problem,
        failure -> {
          if (failure != null) {
            fail(message, StorageFailure.of(new OutputTopicException(failure)));
            return;
          }
          stats.deadLetter(problem.reason());
          finish(message, Outcome.DEAD, true);
        });
  }

  private void requeue(InFlightMessage message, StorageFailure cause) {
    if (message.message().attempts() >= group.maxRequeues()) {
      deadLetter(
          message,
          new BadMessageException(
              Reason.STORAGE,
              "HBase must take it within "
                  + group.maxRequeues()
                  + " tries, the last one ended with "
                  + cause.describe()));
      return;
    }
    outputTopics.requeue(
        message.message(),
        failure -> {
          if (failure == null) {
            finish(message, Outcome.REQUEUED, true);
          } else if (OutputTopics.isTooLarge(failure)) {
            deadLetter(
                message,
                new BadMessageException(
                    Reason.STORAGE,
                    "HBase refused it with "
                        + cause.describe()
                        + ", and it is too large for "
                        + group.requeueTopic()));
          } else {
            fail(message, StorageFailure.of(new OutputTopicException(failure)));
          }
        });
  }

  /**
   * Points are masked after they are stored, and before the message is committed: a TSD that is
   * killed between reads it again.
   *
   * @param isWhole whether the outcome is that of the message as a whole, not of its elements,
   *     which have noted what is lost
   */
  private void finish(InFlightMessage message, Outcome outcome, boolean isWhole) {
    masking.write(
        message,
        isWhole,
        failure -> {
          if (failure == null) {
            finished(message, outcome);
          } else {
            fail(message, StorageFailure.of(new MaskException(failure)));
          }
        });
  }

  private void finished(InFlightMessage message, Outcome outcome) {
    if (!message.complete()) {
      limit.lateAnswer(message.points(), message.bytes());
      return;
    }
    limit.release(message.points(), message.bytes(), true);
    switch (outcome) {
      case STORED:
        stats.deletedRollups(message.deletions());
        message.repairs().forEach(stats::repair);
        stats.stored(message.storedPoints());
        break;
      case DEAD:
        stats.deadMessage();
        break;
      default:
        stats.requeued();
    }
    failedAttempts.remove(message.progress().partition(), message.message().record().offset());
    message.progress().finish(message.message().sequence(), monotonicClock.millis());
  }

  /** Nothing has failed: the message is read again here or by the partition's new owner. */
  private void cancel(InFlightMessage message) {
    if (!message.complete()) {
      limit.lateAnswer(message.points(), message.bytes());
      return;
    }
    limit.cancel(message.points(), message.bytes());
    stats.replayed(1);
    message.progress().cancel();
  }

  private void fail(InFlightMessage message, StorageFailure failure) {
    if (!message.complete()) {
      limit.lateAnswer(message.points(), message.bytes());
      return;
    }
    limit.release(message.points(), message.bytes(), false);
    stats.replayed(1);
    PartitionProgress progress = message.progress();
    if (progress.fail(failure)) {
      stats.failure();
      LOG.warn(
          "group {}: {} stops at offset {} until storage works again: {}",
          group.name(),
          progress.partition(),
          message.message().record().offset(),
          failure.describe());
    }
  }

  /**
   * Expires the in-flight messages of a partition: their points and cells are released, and the
   * partition can be read again. Returns the number of these messages.
   */
  int expire(PartitionProgress progress) {
    StorageFailure lost =
        StorageFailure.of(new Exception("HBase has answered others and not this"));
    int messages = 0;
    for (InFlightMessage message : progress.inFlightMessages()) {
      if (message.expire()) {
        limit.expire(message.points(), message.bytes());
        stats.replayed(1);
        stats.lostAnswer();
        progress.fail(lost);
        messages++;
      }
    }
    if (messages > 0) {
      stats.failure();
    }
    return messages;
  }
}
