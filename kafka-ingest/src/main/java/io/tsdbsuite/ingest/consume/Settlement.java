package io.tsdbsuite.ingest.consume;

import io.tsdbsuite.ingest.config.GroupConfig;
import io.tsdbsuite.ingest.store.StorageFailure;
import io.tsdbsuite.message.read.BadMessageException;
import io.tsdbsuite.message.read.Reason;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What becomes of a message once all of its parts are answered. Thread-safe. */
final class Settlement {
  private static final Logger LOG = LoggerFactory.getLogger(Settlement.class);

  private final GroupConfig group;
  private final GroupStats stats;
  private final InFlightWindow window;
  private final SideTopics sideTopics;
  private final FailedTries failedTries;
  private final Uptime uptime;

  Settlement(
      GroupConfig group,
      GroupStats stats,
      InFlightWindow window,
      SideTopics sideTopics,
      FailedTries failedTries,
      Uptime uptime) {
    this.group = group;
    this.stats = stats;
    this.window = window;
    this.sideTopics = sideTopics;
    this.failedTries = failedTries;
    this.uptime = uptime;
  }

  void settled(Ticket ticket) {
    if (ticket.isOver()) {
      window.late(ticket.points());
      return;
    }
    StorageFailure failure = ticket.failure();
    if (ticket.isAbandoned()) {
      giveUp(ticket);
    } else if (failure == null) {
      boolean stored = ticket.storedPoints() > 0 || ticket.deletions() > 0;
      finish(ticket, stored ? Outcome.STORED : Outcome.DEAD);
    } else if (failure.bad() != null) {
      deadLetter(ticket, failure.bad());
    } else if (!failure.isOutage() && group.requeueTopic() != null) {
      putAside(ticket, failure);
    } else if (failure.isUnexpected() && isLastTry(ticket, failure)) {
      deadLetter(
          ticket,
          new BadMessageException(
              Reason.REFUSED,
              "the TSD must store it within "
                  + group.maxRequeues()
                  + " tries, it fails with "
                  + failure.describe()));
    } else {
      fail(ticket, failure);
    }
  }

  private boolean isLastTry(Ticket ticket, StorageFailure failure) {
    return failedTries.isLast(
        ticket.task().progress().partition(), ticket.task().record().offset(), failure.describe());
  }

  private enum Outcome {
    STORED,
    DEAD,
    REQUEUED
  }

  /** Hands a message back that cannot be stored; it is done once Kafka has it. */
  void deadLetter(Ticket ticket, BadMessageException problem) {
    sideTopics.deadLetter(
        ticket.task().record(),
        problem,
        failure -> {
          if (failure != null) {
            fail(ticket, StorageFailure.of(new SideTopicException(failure)));
            return;
          }
          stats.deadLetter(problem.reason());
          finish(ticket, Outcome.DEAD);
        });
  }

  private void putAside(Ticket ticket, StorageFailure cause) {
    int attempts = SideTopics.attempts(ticket.task().record());
    if (attempts >= group.maxRequeues()) {
      deadLetter(
          ticket,
          new BadMessageException(
              Reason.STORAGE,
              "HBase must take it within "
                  + group.maxRequeues()
                  + " tries, the last one ended with "
                  + cause.describe()));
      return;
    }
    sideTopics.requeue(
        ticket.task().record(),
        failure -> {
          if (failure == null) {
            finish(ticket, Outcome.REQUEUED);
          } else if (SideTopics.isTooLarge(failure)) {
            deadLetter(
                ticket,
                new BadMessageException(
                    Reason.STORAGE,
                    "HBase refused it with "
                        + cause.describe()
                        + ", and it is too large for "
                        + group.requeueTopic()));
          } else {
            fail(ticket, StorageFailure.of(new SideTopicException(failure)));
          }
        });
  }

  private void finish(Ticket ticket, Outcome outcome) {
    if (!ticket.end()) {
      window.late(ticket.points());
      return;
    }
    window.release(ticket.points(), true);
    switch (outcome) {
      case STORED:
        stats.stored(ticket.storedPoints());
        stats.deletedRollups(ticket.deletions());
        break;
      case DEAD:
        stats.deadMessage();
        break;
      default:
        stats.requeued();
    }
    failedTries.done(ticket.task().progress().partition(), ticket.task().record().offset());
    ticket.task().progress().finish(ticket.task().sequence(), uptime.millis());
  }

  /** It is read again, here or by the partition's new owner; nothing has failed. */
  private void giveUp(Ticket ticket) {
    if (!ticket.end()) {
      window.late(ticket.points());
      return;
    }
    window.cancel(ticket.points());
    stats.replayed(1);
    ticket.task().progress().giveUp();
  }

  private void fail(Ticket ticket, StorageFailure failure) {
    if (!ticket.end()) {
      window.late(ticket.points());
      return;
    }
    window.release(ticket.points(), false);
    stats.replayed(1);
    PartitionProgress progress = ticket.task().progress();
    if (progress.fail(failure)) {
      stats.failure();
      LOG.warn(
          "group {}: {} stops at offset {} until storage works again: {}",
          group.name(),
          progress.partition(),
          ticket.task().record().offset(),
          failure.describe());
    }
  }

  /**
   * Gives up the answers that HBase owes for a partition: what its messages hold is given back, and
   * it can be read again. Answers the number of these messages.
   */
  int answersLost(PartitionProgress progress) {
    StorageFailure lost =
        StorageFailure.of(new Exception("HBase has answered others and not this"));
    int messages = 0;
    for (Ticket ticket : progress.departed()) {
      if (ticket.giveUp()) {
        window.giveUp(ticket.points());
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
