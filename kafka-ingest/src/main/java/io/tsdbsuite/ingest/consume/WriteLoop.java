package io.tsdbsuite.ingest.consume;

import com.stumbleupon.async.Deferred;
import io.tsdbsuite.ingest.message.BadMessageException;
import io.tsdbsuite.ingest.message.Element;
import io.tsdbsuite.ingest.message.MessageReader;
import io.tsdbsuite.ingest.store.ElementStore;
import io.tsdbsuite.ingest.store.StorageFailure;
import java.time.Clock;
import java.util.Collections;
import java.util.List;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The writing thread of a consumer: takes messages in their order and hands them to HBase. */
final class WriteLoop implements Runnable {
  private static final Logger LOG = LoggerFactory.getLogger(WriteLoop.class);
  private static final long STEP_MILLIS = 50;

  private final MessageReader reader = new MessageReader();
  private final Backlog backlog;
  private final ElementStore store;
  private final GroupStats stats;
  private final PointRate rate;
  private final InFlightWindow window;
  private final Settlement settlement;
  private final SideTopics sideTopics;
  private final PendingCells pending;
  private final long ackMillis;
  private final Clock clock;
  private volatile boolean stopped;

  WriteLoop(Backlog backlog, ElementStore store, GroupParts parts, long ackMillis) {
    this.ackMillis = ackMillis;
    this.pending = parts.pending;
    this.backlog = backlog;
    this.store = store;
    this.stats = parts.stats;
    this.rate = parts.rate;
    this.window = parts.window;
    this.settlement = parts.settlement;
    this.sideTopics = parts.sideTopics;
    this.clock = parts.clock;
  }

  /** Ends after the message at hand; what is left in the backlog is not written. */
  void stop() {
    stopped = true;
  }

  @Override
  public void run() {
    while (!stopped) {
      try {
        Task task = backlog.take(STEP_MILLIS);
        if (task != null) {
          write(task);
        }
      } catch (InterruptedException e) {
        LOG.info("the writer was interrupted and ends");
        stopped = true;
      }
    }
    stats.replayed(backlog.clear());
  }

  private void write(Task task) throws InterruptedException {
    List<Element> elements = Collections.emptyList();
    BadMessageException problem = null;
    int points = 1;
    if (task.progress().isOpen()) {
      try {
        elements = reader.read(task.record().value());
        points = points(elements);
      } catch (BadMessageException e) {
        problem = e;
      }
    }
    if (!depart(task, points)) {
      // It is read again from Kafka, here or elsewhere.
      stats.replayed(1);
      return;
    }
    Ticket ticket = new Ticket(task, points, settlement);
    if (problem != null) {
      settlement.deadLetter(ticket, problem);
    } else {
      hand(ticket, elements);
    }
  }

  private static int points(List<Element> elements) {
    int points = 0;
    for (Element element : elements) {
      points += element.points();
    }
    return points;
  }

  /** Waits for the rate and for room; false when the partition is given up meanwhile. */
  private boolean depart(Task task, int points) throws InterruptedException {
    PartitionProgress progress = task.progress();
    boolean paid = false;
    while (!stopped && progress.isOpen()) {
      paid = paid || rate.acquire(points);
      if (paid && window.acquire(points, STEP_MILLIS)) {
        if (progress.depart(clock.millis())) {
          return true;
        }
        window.cancel(points);
      }
    }
    return false;
  }

  private void hand(Ticket ticket, List<Element> elements) {
    ConsumerRecord<byte[], byte[]> record = ticket.task().record();
    long cellTimestamp = Headers.number(record.headers(), Headers.FIRST_READ_AT, ElementStore.NOW);
    for (int i = 0; i < elements.size(); i++) {
      Element element = elements.get(i);
      ticket.depart();
      try {
        store(element, cellTimestamp).addBoth(ticket);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        ticket.failed(StorageFailure.of(e));
        break;
      } catch (Throwable e) {
        // Also Errors of a library in the TSD's class path: the thread must go on.
        StorageFailure failure = StorageFailure.of(e);
        if (failure.bad() == null) {
          ticket.failed(failure);
          break;
        }
        dead(ticket, element, elements.size() == 1 ? -1 : i, failure.bad());
      }
    }
    ticket.settle();
  }

  /** After the answers for older values of the same cells. */
  private Deferred<Object> store(Element element, long cellTimestamp)
      throws BadMessageException, InterruptedException {
    long id = PendingCells.id(element);
    if (!pending.tryEnter(id)) {
      // The older value may be held back for a larger batch.
      store.flush();
      if (!pending.enter(id, ackMillis)) {
        LOG.warn("HBase owes an answer for {} since {} ms", element.metric(), ackMillis);
      }
    }
    Deferred<Object> answer;
    try {
      answer = store.store(element, cellTimestamp);
    } catch (Throwable e) {
      pending.leave(id);
      throw e;
    }
    return answer.addBoth(
        outcome -> {
          pending.leave(id);
          return outcome;
        });
  }

  private void dead(Ticket ticket, Element element, int index, BadMessageException problem) {
    ticket.bad(element.points());
    ConsumerRecord<byte[], byte[]> record = ticket.task().record();
    java.util.function.Consumer<Throwable> done =
        failure -> {
          if (failure != null) {
            ticket.failed(StorageFailure.of(new SideTopicException(failure)));
          } else {
            stats.deadLetter(problem.reason());
            ticket.settle();
          }
        };
    if (index < 0) {
      sideTopics.deadLetter(record, problem, done);
    } else {
      sideTopics.deadLetter(record, element, index, problem, done);
    }
  }
}
