package io.tsdbsuite.ingest.consume;

import io.tsdbsuite.ingest.consume.GroupStats.Count;
import io.tsdbsuite.ingest.store.StorageFailure;
import io.tsdbsuite.message.read.BadMessageException;
import io.tsdbsuite.message.read.Reason;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Decides the outcome of a message after its parts have completed, and counts it once. Thread-safe.
 * The first case that applies:
 *
 * <ol>
 *   <li>Parts were not written, because the partition was closed: read again.
 *   <li>Nothing failed: stored, or a dead letter if none of its elements could be stored.
 *   <li>It can never be stored: dead letter.
 *   <li>HBase refused it alone, and the group has a requeue topic: requeued, or a dead letter after
 *       the last try.
 *   <li>The TSD's own code failed as often as it may: dead letter.
 *   <li>All else, above all an outage: read again. The first such message stops its partition.
 * </ol>
 *
 * <p>A message is finished, so that its offset can be committed, when HBase or Kafka has
 * acknowledged its outcome, and the coverage table its masks; else it is read again.
 */
final class MessageCompletion {
  private static final Logger LOG = LoggerFactory.getLogger(MessageCompletion.class);

  private final GroupContext context;
  private final GroupStats stats;
  private final InFlightLimit limit;

  MessageCompletion(GroupContext context) {
    this.context = context;
    this.stats = context.stats;
    this.limit = context.inFlightLimit;
  }

  void allPartsCompleted(InFlightMessage message) {
    if (message.isCompleted()) {
      limit.lateAnswer(message.points, message.bytes);
      return;
    }
    StorageFailure failure = message.failure();
    if (message.incomplete) {
      cancel(message);
    } else if (failure == null) {
      finish(message, message.isStored() ? Outcome.STORED : Outcome.DEAD, false);
    } else if (failure.bad() != null) {
      deadLetter(message, failure.bad());
    } else if (!failure.isOutage() && context.config.requeueTopic != null) {
      requeue(message, failure);
    } else if (failure.isUnexpected() && isLastAttempt(message, failure)) {
      deadLetter(
          message,
          new BadMessageException(
              Reason.REFUSED,
              String.format(
                  "the TSD must store it within %s tries, it fails with %s",
                  context.config.maxRequeues, failure.describe())));
    } else {
      fail(message, failure);
    }
  }

  private boolean isLastAttempt(InFlightMessage message, StorageFailure failure) {
    return context.failedAttempts.isLast(
        message.queued.progress.partition(), message.queued.record.offset(), failure.describe());
  }

  private enum Outcome {
    STORED,
    DEAD,
    REQUEUED
  }

  /** Sends the message to the dead-letter topic; it is completed when Kafka has acknowledged it. */
  void deadLetter(InFlightMessage message, BadMessageException problem) {
    context.outputTopics.deadLetter(
        message.queued.record,
        message.queued.record.value(),
        problem,
        -1,
        failure -> {
          if (failure != null) {
            fail(message, StorageFailure.of(new OutputTopics.OutputTopicException(failure)));
            return;
          }
          stats.deadLetter(problem.reason());
          finish(message, Outcome.DEAD, true);
        });
  }

  private void requeue(InFlightMessage message, StorageFailure cause) {
    if (message.queued.attempts() >= context.config.maxRequeues) {
      deadLetter(
          message,
          new BadMessageException(
              Reason.STORAGE,
              String.format(
                  "HBase must take it within %s tries, the last one ended with %s",
                  context.config.maxRequeues, cause.describe())));
      return;
    }
    context.outputTopics.requeue(
        message.queued,
        failure -> {
          if (failure == null) {
            finish(message, Outcome.REQUEUED, true);
          } else if (OutputTopics.isTooLarge(failure)) {
            deadLetter(
                message,
                new BadMessageException(
                    Reason.STORAGE,
                    String.format(
                        "HBase refused it with %s, and it is too large for %s",
                        cause.describe(), context.config.requeueTopic)));
          } else {
            fail(message, StorageFailure.of(new OutputTopics.OutputTopicException(failure)));
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
    context.masking.write(
        message,
        isWhole,
        failure -> {
          if (failure == null) {
            finished(message, outcome);
          } else {
            fail(message, StorageFailure.of(new Masking.MaskException(failure)));
          }
        });
  }

  private void finished(InFlightMessage message, Outcome outcome) {
    if (!message.complete()) {
      limit.lateAnswer(message.points, message.bytes);
      return;
    }
    limit.release(message.points, message.bytes, true);
    switch (outcome) {
      case STORED:
        stats.add(Count.DELETED_ROLLUPS, message.deletions);
        stats.add(Count.ROLLUP_HISTOGRAMS, message.histograms);
        message.repairs().forEach(stats::repair);
        // Readers expect them with the message.
        stats.add(Count.STORED_POINTS, message.storedPoints());
        stats.add(Count.STORED);
        break;
      case DEAD:
        stats.add(Count.DEAD);
        break;
      default:
        stats.add(Count.REQUEUED);
    }
    context.failedAttempts.remove(
        message.queued.progress.partition(), message.queued.record.offset());
    message.queued.progress.finish(message.queued.sequence, context.monotonicClock.millis());
  }

  /** Nothing has failed: the message is read again here or by the partition's new owner. */
  private void cancel(InFlightMessage message) {
    if (!message.complete()) {
      limit.lateAnswer(message.points, message.bytes);
      return;
    }
    limit.cancel(message.points, message.bytes);
    stats.add(Count.REPLAYED);
    message.queued.progress.cancel();
  }

  private void fail(InFlightMessage message, StorageFailure failure) {
    if (!message.complete()) {
      limit.lateAnswer(message.points, message.bytes);
      return;
    }
    limit.release(message.points, message.bytes, false);
    stats.add(Count.REPLAYED);
    PartitionProgress progress = message.queued.progress;
    if (progress.fail(failure)) {
      stats.add(Count.STORAGE_FAILURES);
      LOG.warn(
          "group {}: {} stops at offset {} until storage works again: {}",
          context.config.name,
          progress.partition(),
          message.queued.record.offset(),
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
        limit.expire(message.points, message.bytes);
        stats.add(Count.REPLAYED);
        stats.add(Count.LOST_ANSWERS);
        progress.fail(lost);
        messages++;
      }
    }
    if (messages > 0) {
      stats.add(Count.STORAGE_FAILURES);
    }
    return messages;
  }
}
