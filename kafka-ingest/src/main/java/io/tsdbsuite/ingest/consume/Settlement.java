package io.tsdbsuite.ingest.consume;

import io.tsdbsuite.ingest.config.GroupConfig;
import io.tsdbsuite.ingest.message.BadMessageException;
import io.tsdbsuite.ingest.message.Reason;
import io.tsdbsuite.ingest.store.StorageFailure;
import java.time.Clock;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What becomes of a message once all of its parts are answered. Thread-safe. */
final class Settlement {
  private static final Logger LOG = LoggerFactory.getLogger(Settlement.class);

  private final GroupConfig group;
  private final GroupStats stats;
  private final InFlightWindow window;
  private final SideTopics sideTopics;
  private final Clock clock;

  Settlement(
      GroupConfig group,
      GroupStats stats,
      InFlightWindow window,
      SideTopics sideTopics,
      Clock clock) {
    this.group = group;
    this.stats = stats;
    this.window = window;
    this.sideTopics = sideTopics;
    this.clock = clock;
  }

  void settled(Ticket ticket) {
    StorageFailure failure = ticket.failure();
    if (failure == null) {
      finish(ticket, ticket.storedPoints() > 0 ? Outcome.STORED : Outcome.DEAD);
    } else if (failure.bad() != null) {
      deadLetter(ticket, failure.bad());
    } else if (!failure.isOutage() && group.requeueTopic() != null) {
      putAside(ticket, failure);
    } else {
      fail(ticket, failure);
    }
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
          if (failure != null) {
            fail(ticket, StorageFailure.of(new SideTopicException(failure)));
          } else {
            finish(ticket, Outcome.REQUEUED);
          }
        });
  }

  private void finish(Ticket ticket, Outcome outcome) {
    window.release(ticket.points(), true);
    switch (outcome) {
      case STORED:
        stats.stored(ticket.storedPoints());
        break;
      case DEAD:
        stats.deadMessage();
        break;
      default:
        stats.requeued();
    }
    ticket.task().progress().finish(ticket.task().sequence(), clock.millis());
  }

  private void fail(Ticket ticket, StorageFailure failure) {
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
}
