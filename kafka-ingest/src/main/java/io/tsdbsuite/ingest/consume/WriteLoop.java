package io.tsdbsuite.ingest.consume;

import com.stumbleupon.async.Deferred;
import io.tsdbsuite.ingest.store.CellIds;
import io.tsdbsuite.ingest.store.ElementSink;
import io.tsdbsuite.ingest.store.RowBatch;
import io.tsdbsuite.ingest.store.StorageFailure;
import io.tsdbsuite.message.read.BadMessageException;
import io.tsdbsuite.message.read.Element;
import io.tsdbsuite.message.read.MessageReader;
import io.tsdbsuite.message.read.RollupElement;
import java.util.Collections;
import java.util.List;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The writing thread of a consumer: takes messages in their order and hands them to HBase. */
final class WriteLoop implements Runnable {
  private static final Logger LOG = LoggerFactory.getLogger(WriteLoop.class);
  private static final long STEP_MILLIS = 50;

  /** Messages that may wait in the batch while there are more at hand. */
  private static final int MAX_BATCH = 8192;

  /** How long they may wait while the rate holds back the next one. */
  private static final long MAX_BATCH_MILLIS = 100;

  private final MessageReader reader = new MessageReader();
  private final Backlog backlog;
  private final ElementSink store;
  private final RowBatch batch;
  private final GroupStats stats;
  private final PointRate rate;
  private final InFlightWindow window;
  private final Settlement settlement;
  private final SideTopics sideTopics;
  private final PendingCells pending;
  private final long ackMillis;
  private final Uptime uptime;
  private long batchSince;
  private volatile boolean stopped;

  WriteLoop(Backlog backlog, ElementSink store, GroupParts parts, long ackMillis) {
    this.ackMillis = ackMillis;
    this.pending = parts.pending;
    this.backlog = backlog;
    this.store = store;
    this.batch = store.newBatch();
    this.stats = parts.stats;
    this.rate = parts.rate;
    this.window = parts.window;
    this.settlement = parts.settlement;
    this.sideTopics = parts.sideTopics;
    this.uptime = parts.uptime;
  }

  /** Ends after the message at hand; what is left in the backlog is not written. */
  void stop() {
    stopped = true;
  }

  @Override
  public void run() {
    while (!stopped) {
      try {
        Task task = backlog.take(0);
        if (task == null) {
          batch.send();
          task = backlog.take(STEP_MILLIS);
        }
        if (task != null) {
          write(task);
        }
      } catch (InterruptedException e) {
        LOG.info("the writer was interrupted and ends");
        stopped = true;
      } catch (Throwable e) {
        // A bug, or an Error: its message has no outcome, so the session has to begin again.
        stats.replayed(1);
        backlog.broken(e);
      }
    }
    batch.send();
    store.flush();
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
    Ticket ticket = new Ticket(task, points, settlement);
    if (!depart(task, ticket)) {
      // It is read again from Kafka, here or elsewhere.
      stats.replayed(1);
      return;
    }
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
  private boolean depart(Task task, Ticket ticket) throws InterruptedException {
    PartitionProgress progress = task.progress();
    int points = ticket.points();
    boolean paid = progress.isOpen() && rate.tryAcquire(points);
    while (!stopped && progress.isOpen()) {
      if (!paid) {
        sendOldBatch();
        paid = rate.acquire(points);
      } else if (window.acquire(points, 0) || waitForRoom(points)) {
        if (progress.depart(task.sequence(), ticket, uptime.millis())) {
          return true;
        }
        window.cancel(points);
      }
    }
    return false;
  }

  /** What the batch holds has its part of the room, which comes back only once it is sent. */
  private boolean waitForRoom(int points) throws InterruptedException {
    batch.send();
    return window.acquire(points, STEP_MILLIS);
  }

  private void sendOldBatch() {
    if (batch.messages() > 0 && uptime.millis() - batchSince >= MAX_BATCH_MILLIS) {
      batch.send();
    }
  }

  private void hand(Ticket ticket, List<Element> elements) {
    CellIds cells = store.cells(elements);
    try {
      int end;
      for (int from = 0; from < cells.elements(); from = end) {
        int taken = takeIn(ticket, cells, from, elements);
        // One whose time to wait is up goes all the same.
        end = Math.max(taken, from + 1);
        if (!hand(
            new Departure(ticket, pending, cells, from, taken), ticket, elements, from, end)) {
          break;
        }
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      ticket.failed(StorageFailure.of(e));
    }
    ticket.settle();
  }

  /**
   * Waits for the answers for older values of the same cells. Answers the end of the elements that
   * may go; {@code from} when the first one's time is up, or the message has to be given up.
   */
  private int takeIn(Ticket ticket, CellIds cells, int from, List<Element> elements)
      throws InterruptedException {
    int end = pending.enter(cells, from);
    if (end > from) {
      return end;
    }
    // The older value may be held back for a larger batch, ours or that of HBase's client.
    batch.send();
    store.flush();
    long until = System.nanoTime() + ackMillis * 1_000_000;
    while (ticket.task().progress().isOpen()) {
      if (pending.enter(cells, from, STEP_MILLIS)) {
        return from + 1;
      }
      if (System.nanoTime() - until >= 0) {
        break;
      }
    }
    if (ticket.task().progress().isOpen()) {
      LOG.warn("HBase owes an answer for {} since {} ms", elements.get(from).metric(), ackMillis);
    }
    return from;
  }

  /** False when the message has failed or was given up, and the rest of it is of no use. */
  private boolean hand(
      Departure departure, Ticket ticket, List<Element> elements, int from, int end) {
    for (int i = from; i < end; i++) {
      Element element = elements.get(i);
      if (!ticket.task().progress().isOpen()) {
        // Another consumer may have the partition by now, and newer values of these cells.
        ticket.abandon();
        departure.settle();
        return false;
      }
      departure.depart();
      try {
        Deferred<Object> answer = store(element, ticket.cellTimestamp());
        if (element instanceof RollupElement && ((RollupElement) element).isDeletion()) {
          ticket.deletion();
        }
        answer.addBoth(departure);
      } catch (Throwable e) {
        // Also Errors of a library in the TSD's class path: the thread must go on.
        StorageFailure failure = StorageFailure.of(e);
        if (failure.bad() == null) {
          departure.call(e);
          departure.settle();
          return false;
        }
        dead(ticket, element, elements.size() == 1 ? -1 : i, failure.bad());
        departure.settle();
      }
    }
    departure.settle();
    return true;
  }

  private Deferred<Object> store(Element element, long cellTimestamp) throws BadMessageException {
    boolean first = batch.messages() == 0;
    Deferred<Object> answer = store.store(element, cellTimestamp, batch);
    if (first && batch.messages() > 0) {
      batchSince = uptime.millis();
    }
    if (batch.messages() >= MAX_BATCH) {
      batch.send();
    }
    return answer;
  }

  private void dead(Ticket ticket, Element element, int index, BadMessageException problem) {
    ticket.depart();
    ticket.bad(element.points());
    ConsumerRecord<byte[], byte[]> record = ticket.task().record();
    java.util.function.Consumer<Throwable> done =
        failure -> {
          if (failure != null) {
            ticket.failed(StorageFailure.of(new SideTopicException(failure)));
          } else {
            stats.deadLetter(problem.reason());
          }
          ticket.settle();
        };
    if (index < 0) {
      sideTopics.deadLetter(record, problem, done);
    } else {
      sideTopics.deadLetter(record, element, index, problem, done);
    }
  }
}
