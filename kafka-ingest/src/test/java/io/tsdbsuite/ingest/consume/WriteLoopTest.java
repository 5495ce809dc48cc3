package io.tsdbsuite.ingest.consume;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.common.base.Ticker;
import com.stumbleupon.async.Deferred;
import io.tsdbsuite.ingest.consume.GroupStats.Count;
import io.tsdbsuite.ingest.publish.AsyncProducer;
import io.tsdbsuite.ingest.publish.MessageHeaders;
import io.tsdbsuite.ingest.store.CellIds;
import io.tsdbsuite.ingest.store.ElementSink;
import io.tsdbsuite.ingest.store.ElementStore;
import io.tsdbsuite.ingest.store.RowBatch;
import io.tsdbsuite.message.read.BadElement;
import io.tsdbsuite.message.read.BadMessageException;
import io.tsdbsuite.message.read.Element;
import io.tsdbsuite.message.read.MessageReader;
import io.tsdbsuite.message.read.Reason;
import io.tsdbsuite.message.read.RollupElement;
import io.tsdbsuite.metrics.plugin.PluginThreads;
import io.tsdbsuite.testkit.Await;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.MockProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.hbase.async.HBaseFailures;
import org.junit.jupiter.api.Test;

class WriteLoopTest {
  private static final ConsumerRecord<byte[], byte[]> RECORD =
      new ConsumerRecord<>("t", 0, 0, null, "[]".getBytes(StandardCharsets.UTF_8));

  private final MessageQueue queue = new MessageQueue();
  private final PartitionProgress closed = new PartitionProgress(new TopicPartition("t", 0), 0);

  private static GroupContext context() {
    return TestContexts.of(null, Clock.systemUTC(), Ticker.systemTicker());
  }

  private static GroupContext context(MockProducer<byte[], byte[]> kafka, String... keys) {
    return TestContexts.of(
        new AsyncProducer("test", () -> kafka), Clock.systemUTC(), Ticker.systemTicker(), keys);
  }

  private static MockProducer<byte[], byte[]> producer(boolean acknowledges) {
    return new MockProducer<>(acknowledges, new ByteArraySerializer(), new ByteArraySerializer());
  }

  @Test
  void anUnexpectedErrorEndsTheSessionAndNotTheThread() throws Exception {
    GroupContext context = context();
    WriteLoop loop = new WriteLoop(queue, Stores.unconnected(), context);
    PartitionProgress bug = null;
    queue.add(new QueuedMessage(RECORD, bug, 0, 0));
    closed.close();
    queue.add(new QueuedMessage(RECORD, closed, 1, 0));
    Thread thread = PluginThreads.start("write-loop-test", loop);
    while (context.stats.get(Count.REPLAYED) < 2) {
      Thread.onSpinWait();
    }
    assertThat(thread.isAlive()).isTrue();
    assertThatThrownBy(queue::checkWriter)
        .hasMessageStartingWith("the writing thread failed: java.lang.NullPointerException");
    queue.checkWriter();
    loop.stop();
    thread.join();
  }

  /**
   * Acknowledges every element immediately, and calls a listener before, another at the first
   * flush.
   */
  private static class Sink implements ElementSink {
    private final ElementStore real = Stores.unconnected();
    private final List<Element> stored = new CopyOnWriteArrayList<>();
    private final Runnable listener;
    private final AtomicReference<Runnable> onFlush;

    Sink(Runnable listener) {
      this(listener, () -> {});
    }

    Sink(Runnable listener, Runnable onFlush) {
      this.listener = listener;
      this.onFlush = new AtomicReference<>(onFlush);
    }

    @Override
    public Deferred<Object> store(Element element, long cellTimestamp, RowBatch batch)
        throws BadMessageException, IOException {
      stored.add(element);
      listener.run();
      return Deferred.fromResult(null);
    }

    @Override
    public CellIds cells(List<Element> elements) {
      return real.cells(elements);
    }

    @Override
    public RowBatch newBatch() {
      return real.newBatch();
    }

    @Override
    public void flush() {}

    @Override
    public void flushIfAnswered() {
      onFlush.getAndSet(() -> {}).run();
    }
  }

  /** HBase's client may hold back the puts that fill the limit, until its timer ends. */
  @Test
  void aMessageWithoutRoomFlushesTheClient() throws Exception {
    GroupContext context = context();
    int max = context.config.maxInFlight;
    assertThat(context.inFlightLimit.acquire(max, 0, 0)).isTrue();
    Sink sink = new Sink(() -> {}, () -> context.inFlightLimit.cancel(max, 0));
    PartitionProgress progress = new PartitionProgress(new TopicPartition("t", 0), 0);
    ConsumerRecord<byte[], byte[]> record = new ConsumerRecord<>("t", 0, 0, null, ARRAY);
    queue.add(new QueuedMessage(record, progress, progress.add(0), 0));
    WriteLoop loop = new WriteLoop(queue, sink, context);
    Thread thread = PluginThreads.start("write-loop-test", loop);
    Await.until("the message is stored", Duration.ofMinutes(1), () -> progress.committable() == 1);
    loop.stop();
    thread.join();
    assertThat(sink.stored).hasSize(3);
    assertThat(context.inFlightLimit.used()).isZero();
  }

  /** Counted once, as replayed: the error must not count it, and its expiry again. */
  @Test
  void aStartedMessageStaysInFlightAfterAnErrorUntilItExpires() throws Exception {
    GroupContext context = context();
    PartitionProgress progress = new PartitionProgress(new TopicPartition("t", 0), 0);
    ElementStore real = Stores.unconnected();
    ElementSink broken =
        new ElementSink() {
          @Override
          public Deferred<Object> store(Element element, long cellTimestamp, RowBatch batch) {
            throw new AssertionError("no cells, no write");
          }

          @Override
          public CellIds cells(List<Element> elements) {
            throw new IllegalStateException("a bug");
          }

          @Override
          public RowBatch newBatch() {
            return real.newBatch();
          }

          @Override
          public void flush() {}

          @Override
          public void flushIfAnswered() {}
        };
    context.stats.add(Count.CONSUMED);
    ConsumerRecord<byte[], byte[]> record = new ConsumerRecord<>("t", 0, 0, null, ARRAY);
    queue.add(new QueuedMessage(record, progress, progress.add(0), 0));
    WriteLoop loop = new WriteLoop(queue, broken, context);
    Thread thread = PluginThreads.start("write-loop-test", loop);
    Await.until("the error is reported", Duration.ofMinutes(1), this::writerHasFailed);
    loop.stop();
    thread.join();
    assertThat(context.stats.messagesInFlight()).isEqualTo(1);
    assertThat(context.stats.get(Count.REPLAYED)).isZero();
    assertThat(context.completion.expire(progress)).isEqualTo(1);
    assertThat(context.stats.get(Count.REPLAYED)).isEqualTo(1);
    assertThat(context.stats.messagesInFlight()).isZero();
    assertThat(context.inFlightLimit.used()).isZero();
  }

  private boolean writerHasFailed() {
    try {
      queue.checkWriter();
      return false;
    } catch (IllegalStateException e) {
      return true;
    }
  }

  private static final byte[] ARRAY =
      ("[" + point(1) + "," + point(2) + "," + point(3) + "]").getBytes(StandardCharsets.UTF_8);

  private static String point(int time) {
    return "{\"type\":\"Metric\",\"metric\":\"m\",\"tags\":{\"a\":\"b\"},\"value\":1,\"timestamp\":"
        + time
        + "}";
  }

  @Test
  void anArrayWhosePartitionIsClosedEndsWithTheCurrentElement() throws Exception {
    PartitionProgress progress = new PartitionProgress(new TopicPartition("t", 0), 0);
    GroupContext context = context();
    Sink sink = new Sink(progress::close);
    PartitionProgress done = write(context, sink, progress, ARRAY);
    assertThat(sink.stored).hasSize(1);
    assertThat(done.inFlight()).isZero();
    assertThat(done.failure()).isNull();
    assertThat(done.committable()).isEqualTo(-1);
    assertThat(context.inFlightLimit.used()).isZero();
    assertThat(context.inFlightLimit.limit()).isEqualTo(context.config.maxInFlight);
  }

  @Test
  void anArrayThatWaitsForAnOlderValueEndsWithItsPartition() throws Exception {
    PartitionProgress progress = new PartitionProgress(new TopicPartition("t", 0), 0);
    GroupContext context = context(null, "ackTimeout", "86400000");
    Sink sink = new Sink(() -> {});
    CellIds older = sink.cells(new MessageReader().read(ARRAY).subList(1, 2));
    context.pending.acquire(older, 0);
    Thread closing =
        PluginThreads.start(
            "close",
            () -> {
              Await.until("the first is out", Duration.ofMinutes(1), () -> !sink.stored.isEmpty());
              progress.close();
            });
    // Waiting without a look at the partition would run into the timeout of the test.
    write(context, sink, progress, ARRAY);
    closing.join();
    assertThat(sink.stored).hasSize(1);
    assertThat(progress.inFlight()).isZero();
    context.pending.release(older, 0, 1);
    assertThat(context.pending.acquire(sink.cells(new MessageReader().read(ARRAY)), 0))
        .describedAs("no cell is kept")
        .isEqualTo(3);
  }

  /** Writes an array until it has to be read again. */
  private PartitionProgress write(
      GroupContext context, Sink sink, PartitionProgress progress, byte[] array)
      throws InterruptedException {
    ConsumerRecord<byte[], byte[]> record = new ConsumerRecord<>("t", 0, 0, null, array);
    queue.add(new QueuedMessage(record, progress, progress.add(0), 0));
    WriteLoop loop = new WriteLoop(queue, sink, context);
    Thread thread = PluginThreads.start("write-loop-test", loop);
    Await.until(
        "the message is to be read again",
        Duration.ofMinutes(1),
        () -> context.stats.get(Count.REPLAYED) == 1 && progress.inFlight() == 0);
    loop.stop();
    thread.join();
    return progress;
  }

  /** Each would wait for Kafka, and the points behind them, too. */
  @Test
  void manyBadElementsOfAMessageMakeFewDeadLetters() throws Exception {
    MockProducer<byte[], byte[]> kafka = producer(true);
    GroupContext context = context(kafka);
    byte[] array = ("[" + point(1) + ",1".repeat(50_000) + "]").getBytes(StandardCharsets.UTF_8);
    ElementStore real = Stores.unconnected();
    Sink sink =
        new Sink(() -> {}) {
          @Override
          public Deferred<Object> store(Element element, long cellTimestamp, RowBatch batch)
              throws BadMessageException, IOException {
            return element instanceof BadElement
                ? real.store(element, cellTimestamp, batch)
                : super.store(element, cellTimestamp, batch);
          }
        };
    PartitionProgress progress = new PartitionProgress(new TopicPartition("t", 0), 0);
    ConsumerRecord<byte[], byte[]> record = new ConsumerRecord<>("t", 0, 0, null, array);
    queue.add(new QueuedMessage(record, progress, progress.add(0), 0));
    WriteLoop loop = new WriteLoop(queue, sink, context);
    Thread thread = PluginThreads.start("write-loop-test", loop);
    Await.until("the message is done", Duration.ofMinutes(5), () -> progress.committable() == 1);
    loop.stop();
    thread.join();
    assertThat(sink.stored).hasSize(1);
    List<ProducerRecord<byte[], byte[]>> dead = kafka.history();
    assertThat(dead).hasSize(101);
    ProducerRecord<byte[], byte[]> last = dead.get(100);
    assertThat(last.value())
        .describedAs("whoever sends it again stores no good element twice")
        .isEqualTo(("[1" + ",1".repeat(49_899) + "]").getBytes(StandardCharsets.UTF_8));
    assertThat(
            new String(
                last.headers().lastHeader(MessageHeaders.MESSAGE).value(), StandardCharsets.UTF_8))
        .isEqualTo(
            "49900 more elements of this message can never be stored, the first of them: element"
                + " 101 must be an object, found VALUE_NUMBER_INT");
    assertThat(context.inFlightLimit.used()).isZero();
  }

  private static String arrays(String count) {
    return "{\"type\":\"Rollup\",\"v\":3,\"metric\":\"m\",\"tags\":{\"host\":\"a\"},"
        + "\"timestamp\":1763510400,\"interval\":\"1h\",\"asOf\":1763596800000,\"values\":"
        + "{\"sum\":[1,2,3],\"min\":[1,2,3],\"max\":[3,4,5],\"count\":"
        + count
        + "}}";
  }

  /** Each dead letter has its object, and is one of those that a message may have. */
  @Test
  void rollupsOfOneObjectAreOneDeadLetter() throws Exception {
    MockProducer<byte[], byte[]> kafka = producer(true);
    GroupContext context = context(kafka, "maxMessageDeadLetters", "3");
    List<String> objects =
        List.of(
            arrays("[0,2,3]"),
            arrays("[0,0,3]"),
            point(1),
            arrays("[0,0]"),
            arrays("[1,2,3]"),
            arrays("[1,0,0]"),
            arrays("[0,0,0]"));
    ElementStore real = Stores.unconnected();
    Sink sink =
        new Sink(() -> {}) {
          @Override
          public Deferred<Object> store(Element element, long cellTimestamp, RowBatch batch)
              throws BadMessageException, IOException {
            if (element instanceof RollupElement
                && ((RollupElement) element).value(3).equals("0")) {
              throw new BadMessageException(Reason.BAD_VALUE, "at " + element.index());
            }
            return element instanceof BadElement
                ? real.store(element, cellTimestamp, batch)
                : super.store(element, cellTimestamp, batch);
          }
        };
    PartitionProgress progress = new PartitionProgress(new TopicPartition("t", 0), 0);
    byte[] array = ("[" + String.join(",", objects) + "]").getBytes(StandardCharsets.UTF_8);
    byte[] alone = objects.get(1).getBytes(StandardCharsets.UTF_8);
    queue.add(
        new QueuedMessage(
            new ConsumerRecord<>("t", 0, 0, null, array), progress, progress.add(0), 0));
    queue.add(
        new QueuedMessage(
            new ConsumerRecord<>("t", 0, 1, null, alone), progress, progress.add(1), 0));
    WriteLoop loop = new WriteLoop(queue, sink, context);
    Thread thread = PluginThreads.start("write-loop-test", loop);
    Await.until("both are done", Duration.ofMinutes(5), () -> progress.committable() == 2);
    loop.stop();
    thread.join();
    assertThat(sink.stored).hasSize(2 + 1 + 1 + 3 + 1 + 1);
    assertThat(context.stats.get(Count.STORED_POINTS)).isEqualTo(4 * 8 + 1);
    assertThat(kafka.history())
        .extracting(each -> new String(each.value(), StandardCharsets.UTF_8))
        .containsExactly(
            objects.get(0),
            objects.get(1),
            objects.get(3),
            "[" + objects.get(5) + "," + objects.get(6) + "]",
            objects.get(1));
    assertThat(kafka.history())
        .extracting(each -> each.headers().lastHeader(MessageHeaders.ELEMENT))
        .extracting(each -> each == null ? "" : new String(each.value(), StandardCharsets.UTF_8))
        .containsExactly("0", "1", "3", "", "");
    assertThat(context.inFlightLimit.used()).isZero();
  }

  /** It is read again, and each attempt would tell of another number. */
  @Test
  void aMessageThatFailsTellsOfNoMoreBadElements() throws Exception {
    MockProducer<byte[], byte[]> kafka = producer(true);
    GroupContext context = context(kafka, "g.maxRequeues", "1000", "maxMessageDeadLetters", "7");
    byte[] array =
        ("[1" + ",1".repeat(150) + "," + point(1) + "]").getBytes(StandardCharsets.UTF_8);
    ElementStore real = Stores.unconnected();
    Sink sink =
        new Sink(() -> {}) {
          @Override
          public Deferred<Object> store(Element element, long cellTimestamp, RowBatch batch)
              throws BadMessageException, IOException {
            return element instanceof BadElement
                ? real.store(element, cellTimestamp, batch)
                : Deferred.fromError(HBaseFailures.timedOut());
          }
        };
    PartitionProgress progress = new PartitionProgress(new TopicPartition("t", 0), 0);
    write(context, sink, progress, array);
    assertThat(progress.failure()).isNotNull();
    assertThat(kafka.history()).hasSize(7);
  }

  /** Kafka takes no dead letters, and each of these messages counts as one point. */
  @Test
  void bytesInFlightAreLimited() throws Exception {
    MockProducer<byte[], byte[]> kafka = producer(false);
    GroupContext context = context(kafka);
    AtomicBoolean waits = new AtomicBoolean();
    Sink sink = new Sink(() -> {}, () -> waits.set(true));
    byte[] large = new byte[10 << 20];
    PartitionProgress progress = new PartitionProgress(new TopicPartition("t", 0), 0);
    int messages = 50;
    for (int offset = 0; offset < messages; offset++) {
      ConsumerRecord<byte[], byte[]> record = new ConsumerRecord<>("t", 0, offset, null, large);
      queue.add(new QueuedMessage(record, progress, progress.add(offset), 0));
    }
    WriteLoop loop = new WriteLoop(queue, sink, context);
    Thread thread = PluginThreads.start("write-loop-test", loop);
    Await.until(
        "no more is written",
        Duration.ofMinutes(5),
        () -> waits.get() || context.inFlightLimit.used() == messages);
    assertThat(context.inFlightLimit.used()).isBetween(1, 10);
    loop.stop();
    thread.join();
  }

  /** The elements of a thousand messages would be in memory together. */
  @Test
  void requestsAreParsedTogetherUpToANumberOfElements() throws Exception {
    GroupContext context =
        context(null, "g.consumerType", "REPAIR", "repairTtl", "forever", "g.rate", "1000000000");
    byte[] array = ("[1" + ",1".repeat(999) + "]").getBytes(StandardCharsets.UTF_8);
    Set<Long> read = ConcurrentHashMap.newKeySet();
    AtomicInteger readAtFirst = new AtomicInteger();
    Sink sink = new Sink(() -> readAtFirst.compareAndSet(0, read.size()));
    PartitionProgress progress = new PartitionProgress(new TopicPartition("t", 0), 0);
    int messages = 30;
    for (int offset = 0; offset < messages; offset++) {
      ConsumerRecord<byte[], byte[]> record =
          new ConsumerRecord<>("t", 0, offset, null, array) {
            @Override
            public byte[] value() {
              read.add(offset());
              return super.value();
            }
          };
      queue.add(new QueuedMessage(record, progress, progress.add(offset), 0));
    }
    read.clear();
    WriteLoop loop = new WriteLoop(queue, sink, context);
    Thread thread = PluginThreads.start("write-loop-test", loop);
    Await.until("all is written", Duration.ofMinutes(5), () -> progress.committable() == messages);
    loop.stop();
    thread.join();
    assertThat(readAtFirst.get()).isEqualTo(10);
  }

  /** Reads of requests wait for the memory of those before them. */
  @Test
  void lostAnswersOfRequestsAreGivenUp() throws Exception {
    GroupContext context = context(null, "g.consumerType", "REPAIR", "repairTtl", "forever");
    List<Deferred<Object>> asked = new CopyOnWriteArrayList<>();
    List<Deferred<Object>> givenUp = new CopyOnWriteArrayList<>();
    PartitionProgress progress = new PartitionProgress(new TopicPartition("t", 0), 0);
    Sink sink =
        new Sink(() -> {}) {
          @Override
          public Deferred<Object> store(Element element, long cellTimestamp, RowBatch batch) {
            Deferred<Object> never = new Deferred<>();
            asked.add(never);
            if (asked.size() == 2) {
              // While the writing thread still adds requests.
              assertThat(context.completion.expire(progress)).isEqualTo(1);
              assertThat(givenUp).hasSize(1);
            }
            return never;
          }

          @Override
          public void giveUp(Deferred<Object> answer) {
            givenUp.add(answer);
          }
        };
    byte[] two = requests(2).getBytes(StandardCharsets.UTF_8);
    ConsumerRecord<byte[], byte[]> record = new ConsumerRecord<>("t", 0, 0, null, two);
    queue.add(new QueuedMessage(record, progress, progress.add(0), 0));
    WriteLoop loop = new WriteLoop(queue, sink, context);
    Thread thread = PluginThreads.start("write-loop-test", loop);
    Await.until("both are given up", Duration.ofMinutes(5), () -> givenUp.size() == 2);
    loop.stop();
    thread.join();
    assertThat(givenUp).isEqualTo(asked);
    assertThat(progress.committable()).describedAs("it is read again").isEqualTo(-1);
  }

  /** They would be read at once, and hold back all that come after them for hours. */
  @Test
  void aMessageOfTooManyRequestsIsRefused() throws Exception {
    MockProducer<byte[], byte[]> kafka =
        new MockProducer<>(true, new ByteArraySerializer(), new ByteArraySerializer());
    GroupContext context =
        TestContexts.of(
            new AsyncProducer("test", () -> kafka),
            Clock.systemUTC(),
            Ticker.systemTicker(),
            "g.consumerType",
            "REPAIR",
            "repairTtl",
            "forever");
    Sink sink = new Sink(() -> {});
    PartitionProgress progress = new PartitionProgress(new TopicPartition("t", 0), 0);
    for (int requests : new int[] {1000, 1001}) {
      byte[] array = requests(requests).getBytes(StandardCharsets.UTF_8);
      int offset = requests - 1000;
      ConsumerRecord<byte[], byte[]> record = new ConsumerRecord<>("t", 0, offset, null, array);
      queue.add(new QueuedMessage(record, progress, progress.add(offset), 0));
    }
    WriteLoop loop = new WriteLoop(queue, sink, context);
    Thread thread = PluginThreads.start("write-loop-test", loop);
    Await.until("both are done", Duration.ofMinutes(5), () -> progress.committable() == 2);
    loop.stop();
    thread.join();
    assertThat(sink.stored).hasSize(1000);
    assertThat(kafka.history()).hasSize(1);
    assertThat(
            new String(
                kafka.history().get(0).headers().lastHeader(MessageHeaders.MESSAGE).value(),
                StandardCharsets.UTF_8))
        .isEqualTo("the array must have at most 1000 requests, found 1001");
  }

  private static String requests(int number) {
    return IntStream.range(0, number)
        .mapToObj(
            i ->
                "{\"type\":\"RollupRequest\",\"v\":1,\"metric\":\"m\",\"tags\":{\"a\":\"b\"},"
                    + "\"timestamp\":"
                    + i * 3600
                    + ",\"intervals\":[\"1h\"]}")
        .collect(Collectors.joining(",", "[", "]"));
  }
}
