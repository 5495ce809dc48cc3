package io.tsdbsuite.ingest.consume;

import com.stumbleupon.async.Deferred;
import io.tsdbsuite.ingest.config.ConsumerType;
import io.tsdbsuite.ingest.consume.GroupStats.Count;
import io.tsdbsuite.ingest.store.CellIds;
import io.tsdbsuite.ingest.store.ElementSink;
import io.tsdbsuite.ingest.store.RepairResult;
import io.tsdbsuite.ingest.store.RowBatch;
import io.tsdbsuite.ingest.store.StorageFailure;
import io.tsdbsuite.message.read.BadMessageException;
import io.tsdbsuite.message.read.Element;
import io.tsdbsuite.message.read.MessageReader;
import io.tsdbsuite.message.read.Reason;
import io.tsdbsuite.message.read.RollupElement;
import io.tsdbsuite.message.read.SeriesElement;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.function.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The writing thread of a consumer: parses messages in their order and writes them to HBase.
 *
 * <ol>
 *   <li>It takes a message from the queue, and parses it; a message that cannot be read becomes a
 *       dead letter. Of the requests that wait together, those that a later one covers are left
 *       out.
 *   <li>It waits for the rate and for room within the in-flight limit. If there is no room, it
 *       sends the rollups that it has collected, since these count as in flight.
 *   <li>It acquires the cells of the message's elements, as many as have no older value in flight,
 *       and waits for the answers for the others.
 *   <li>It writes these elements. A raw point goes to HBase's client, a rollup to the batch of this
 *       thread, an element that can never be stored to the dead-letter topic: from the {@link
 *       #maxDeadLetters}th on as one array.
 *   <li>The batch is sent when it is full, when no message waits, or when the rate holds back the
 *       next one.
 * </ol>
 *
 * <p>It may block, and so never talks to Kafka's consumer. A message whose partition is closed is
 * not begun; one that has begun is completed as read again. Answers of HBase end a message on other
 * threads: {@link MessageCompletion}.
 */
final class WriteLoop implements Runnable {
  private static final Logger LOG = LoggerFactory.getLogger(WriteLoop.class);
  private static final long STEP_MILLIS = 50;

  /** Maximum of requests in a message, and of messages among which equal ones are looked for. */
  private static final int MAX_REQUESTS = 1000;

  /** Elements from which on no further message is parsed before these are written. */
  private static final int MAX_PARSED = 10_000;

  /** Maximum age of the batch while the rate limit holds back the next message. */
  private static final long MAX_BATCH_MILLIS = 100;

  /** A message with its elements, or why it has none. */
  static final class Parsed {
    final QueuedMessage queued;

    /** Why it cannot be read; null if it can. */
    final @Nullable BadMessageException problem;

    /** The elements to be stored or carried out; none if its partition was closed. */
    List<Element> elements;

    /** Whether another message asks for all that this one asks for: nothing is left to do. */
    boolean covered;

    Parsed(QueuedMessage queued, List<Element> elements, @Nullable BadMessageException problem) {
      this.queued = queued;
      this.elements = elements;
      this.problem = problem;
    }

    void cover() {
      covered = true;
      elements = Collections.emptyList();
    }
  }

  private final MessageReader reader;

  /** Maximum of elements of one message that become dead letters of their own. */
  private final int maxDeadLetters;

  private final MessageQueue queue;
  private final ElementSink store;
  private final GroupContext context;
  private final RowBatch batch;
  private final boolean repairs;
  private long batchSince;

  /** Index of the last object of the message that is written with a dead letter; -1 for none. */
  private int lastBad;

  /** The first problem beyond {@link #maxDeadLetters} of the message that is written. */
  private @Nullable BadMessageException oneOfMore;

  /** The elements beyond {@link #maxDeadLetters}, as an array without its end. */
  private @Nullable ByteArrayOutputStream more;

  private volatile boolean stopped;

  WriteLoop(MessageQueue queue, ElementSink store, GroupContext context) {
    this.reader = new MessageReader(context.config.ingest.messageLimits);
    this.maxDeadLetters = context.config.ingest.messageLimits.maxProblems();
    this.queue = queue;
    this.store = store;
    this.context = context;
    this.batch = store.newBatch();
    this.repairs = context.config.type == ConsumerType.REPAIR;
  }

  /** Stops after the current message; queued messages are not written. */
  void stop() {
    stopped = true;
  }

  @Override
  public void run() {
    while (!stopped) {
      try {
        QueuedMessage message = queue.take(0);
        if (message == null) {
          batch.send();
          message = queue.take(STEP_MILLIS);
        }
        if (message != null) {
          writeAll(repairs ? waiting(message) : Collections.singletonList(message));
        }
      } catch (InterruptedException e) {
        LOG.info("the writing thread was interrupted and ends");
        stopped = true;
      } catch (Throwable e) {
        // A bug, or an Error: the message may never complete, so a new session reads it again.
        queue.failWriter(e);
      }
    }
    batch.send();
    store.flush();
    context.stats.add(Count.REPLAYED, queue.clear());
  }

  /** A request and those that wait behind it. */
  private List<QueuedMessage> waiting(QueuedMessage first) {
    List<QueuedMessage> requests = new ArrayList<>();
    requests.add(first);
    queue.drainTo(requests, MAX_REQUESTS);
    return requests;
  }

  private void writeAll(List<QueuedMessage> queued) throws InterruptedException {
    int begun = 0;
    try {
      while (begun < queued.size()) {
        List<Parsed> messages = parse(queued.subList(begun, queued.size()));
        if (repairs) {
          RequestDeduplication.apply(messages, store);
        }
        for (Parsed each : messages) {
          begun++;
          write(each);
        }
      }
    } finally {
      // They are read again from Kafka.
      context.stats.add(Count.REPLAYED, queued.size() - begun);
    }
  }

  /** Parses the first messages, at least one. */
  private List<Parsed> parse(List<QueuedMessage> queued) {
    List<Parsed> messages = new ArrayList<>(queued.size());
    int elements = 0;
    for (int i = 0; i < queued.size() && elements < MAX_PARSED; i++) {
      Parsed parsed = parse(queued.get(i));
      elements += parsed.elements.size();
      messages.add(parsed);
    }
    return messages;
  }

  private Parsed parse(QueuedMessage queued) {
    if (queued.progress.isOpen()) {
      try {
        List<Element> elements = reader.read(queued.record.value());
        if (repairs && elements.size() > MAX_REQUESTS) {
          // They are carried out together, and hold back all that come after them.
          throw new BadMessageException(
              Reason.TOO_LARGE,
              String.format(
                  "the array must have at most %s requests, found %s",
                  MAX_REQUESTS, elements.size()));
        }
        return new Parsed(queued, elements, null);
      } catch (BadMessageException e) {
        return new Parsed(queued, Collections.emptyList(), e);
      }
    }
    return new Parsed(queued, Collections.emptyList(), null);
  }

  private void write(Parsed parsed) throws InterruptedException {
    boolean started = false;
    try {
      // A request that another one covers reads nothing.
      int points = parsed.problem == null ? points(parsed.elements) : 1;
      InFlightMessage message =
          new InFlightMessage(
              parsed.queued, points, packedBytes(parsed.elements), context.completion);
      started = start(message);
      if (!started) {
        return;
      }
      if (parsed.problem != null) {
        context.completion.deadLetter(message, parsed.problem);
      } else {
        if (parsed.covered) {
          message.addRepair(RepairResult.deduplicated());
        }
        write(message, parsed.elements);
      }
    } finally {
      // It is read again from Kafka. A message that has started is counted when it completes.
      if (!started) {
        context.stats.add(Count.REPLAYED);
      }
    }
  }

  private int points(List<Element> elements) {
    int points = 0;
    for (Element element : elements) {
      points += store.points(element);
    }
    return points;
  }

  private long packedBytes(List<Element> elements) {
    long bytes = 0;
    for (Element element : elements) {
      bytes += store.bytes(element);
    }
    return bytes;
  }

  /** Waits for the rate and the in-flight limit; returns false if the partition was closed. */
  private boolean start(InFlightMessage message) throws InterruptedException {
    PartitionProgress progress = message.queued.progress;
    int points = message.points;
    boolean rateAcquired = progress.isOpen() && context.rate.tryAcquire(points);
    while (!stopped && progress.isOpen()) {
      if (!rateAcquired) {
        sendOldBatch();
        rateAcquired = context.rate.acquire(points);
      } else if (context.inFlightLimit.acquire(points, message.bytes, 0)
          || sendBatchAndAcquire(message)) {
        if (progress.start(message.queued.sequence, message, context.monotonicClock.millis())) {
          return true;
        }
        context.inFlightLimit.cancel(points, message.bytes);
      } else {
        // HBase may be idle: puts of many cells reach the limit before HBase's client has enough
        // puts for an RPC. Without the wait before it a busy HBase would get RPCs of few puts.
        store.flushIfAnswered();
      }
    }
    return false;
  }

  /** Messages in the batch count as in flight, and complete only after it is sent. */
  private boolean sendBatchAndAcquire(InFlightMessage message) throws InterruptedException {
    batch.send();
    return context.inFlightLimit.acquire(message.points, message.bytes, STEP_MILLIS);
  }

  private void sendOldBatch() {
    if (batch.rollups() > 0 && context.monotonicClock.millis() - batchSince >= MAX_BATCH_MILLIS) {
      batch.send();
    }
  }

  private void write(InFlightMessage message, List<Element> elements) {
    lastBad = -1;
    oneOfMore = null;
    more = null;
    CellIds cells = store.cells(elements);
    try {
      int end;
      for (int from = 0; from < cells.elements(); from = end) {
        int acquired = acquireCells(message, cells, from, elements);
        // After a timeout the element is written without its cells.
        end = Math.max(acquired, from + 1);
        InFlightMessage.Elements part =
            new InFlightMessage.Elements(message, context.pending, cells, from, acquired);
        if (!write(part, message, elements, from, end)) {
          // All of it is read again.
          more = null;
          break;
        }
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      message.recordFailure(StorageFailure.of(e));
    }
    BadMessageException problem = oneOfMore;
    ByteArrayOutputStream rest = more;
    more = null;
    if (problem != null && rest != null && message.failure() == null) {
      rest.write(']');
      BadMessageException ofRest =
          new BadMessageException(
              problem.reason(),
              String.format(
                  "%s more elements of this message can never be stored, the first of them: %s",
                  message.badElements - maxDeadLetters, problem.getMessage()));
      message.addPart();
      context.outputTopics.deadLetter(
          message.queued.record, rest.toByteArray(), ofRest, -1, done(message, ofRest));
    }
    message.partCompleted();
  }

  /**
   * Waits for the answers for older values of the same cells. Returns the end of the elements whose
   * cells were acquired; {@code from} after a timeout or when the partition was closed.
   */
  private int acquireCells(InFlightMessage message, CellIds cells, int from, List<Element> elements)
      throws InterruptedException {
    int end = context.pending.acquire(cells, from);
    if (end > from) {
      return end;
    }
    // The older value may still be in our batch or in the batch of HBase's client.
    batch.send();
    store.flush();
    long until = System.nanoTime() + context.config.ingest.ackTimeoutMillis * 1_000_000;
    while (message.queued.progress.isOpen()) {
      if (context.pending.acquire(cells, from, STEP_MILLIS)) {
        return from + 1;
      }
      if (System.nanoTime() - until >= 0) {
        break;
      }
    }
    if (message.queued.progress.isOpen()) {
      // Only an element of a series has cells to wait for.
      String metric = ((SeriesElement) elements.get(from)).metric();
      LOG.warn(
          "HBase has not answered for {} for {} ms",
          metric,
          context.config.ingest.ackTimeoutMillis);
    }
    return from;
  }

  /** Returns false if the message has failed or its partition was closed. */
  private boolean write(
      InFlightMessage.Elements part,
      InFlightMessage message,
      List<Element> elements,
      int from,
      int end) {
    long now = context.masking.now();
    for (int i = from; i < end; i++) {
      Element element = elements.get(i);
      if (!message.queued.progress.isOpen()) {
        // Another consumer may have the partition, and newer values of these cells.
        message.incomplete = true;
        part.completed();
        return false;
      }
      part.add();
      try {
        Deferred<Object> answer =
            store(element, repairs ? message.queued.requestedAt() : message.queued.firstReadAt());
        if (element instanceof RollupElement) {
          RollupElement rollup = (RollupElement) element;
          message.deletions += rollup.size() == 0 ? 1 : 0;
          message.histograms += rollup.codec() == null ? 0 : 1;
        }
        context.masking.stored(message, element, now);
        answer.addBoth(part);
        if (repairs) {
          message.onExpiry(() -> store.giveUp(answer));
        }
      } catch (Throwable e) {
        // Also Errors of a library on the TSD's class path: the thread must not end.
        StorageFailure failure = StorageFailure.of(e);
        if (failure.bad() == null) {
          part.call(e);
          part.completed();
          return false;
        }
        boolean isOnly = elements.get(elements.size() - 1).from() == elements.get(0).from();
        deadLetter(message, element, isOnly ? -1 : element.index(), failure.bad());
        part.completed();
      }
    }
    part.completed();
    return true;
  }

  private Deferred<Object> store(Element element, long cellTimestamp)
      throws BadMessageException, IOException {
    boolean first = batch.rollups() == 0;
    Deferred<Object> answer = store.store(element, cellTimestamp, batch);
    if (first && batch.rollups() > 0) {
      batchSince = context.monotonicClock.millis();
    }
    if (batch.isFull()) {
      batch.send();
      // HBase's client waits for more puts, or for its timer. A few puts of many cells reach the
      // in-flight limit before that, and HBase would have nothing to do.
      store.flush();
    }
    return answer;
  }

  /** The dead letter of an object has all of its rollups, and the reason of the first bad one. */
  private void deadLetter(
      InFlightMessage message, Element element, int index, BadMessageException problem) {
    boolean isFirst = element.index() != lastBad;
    lastBad = element.index();
    message.addBadElement(store.points(element), isFirst);
    context.masking.lost(message, element, problem.reason());
    if (!isFirst) {
      return;
    }
    ConsumerRecord<byte[], byte[]> record = message.queued.record;
    if (message.badElements > maxDeadLetters) {
      oneOfMore = oneOfMore == null ? problem : oneOfMore;
      ByteArrayOutputStream rest = more == null ? new ByteArrayOutputStream() : more;
      rest.write(more == null ? '[' : ',');
      rest.write(record.value(), element.from(), element.to() - element.from());
      more = rest;
      return;
    }
    message.addPart();
    byte[] value =
        index < 0
            ? record.value()
            : Arrays.copyOfRange(record.value(), element.from(), element.to());
    context.outputTopics.deadLetter(record, value, problem, index, done(message, problem));
  }

  private Consumer<@Nullable Throwable> done(InFlightMessage message, BadMessageException problem) {
    return failure -> {
      if (failure != null) {
        message.recordFailure(StorageFailure.of(new OutputTopics.OutputTopicException(failure)));
      } else {
        context.stats.deadLetter(problem.reason());
      }
      message.partCompleted();
    };
  }
}
