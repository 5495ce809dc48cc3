package io.tsdbsuite.ingest.consume;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.stumbleupon.async.Deferred;
import io.tsdbsuite.ingest.consume.GroupStats.Count;
import io.tsdbsuite.ingest.mask.Floors;
import io.tsdbsuite.ingest.mask.MaskLimits;
import io.tsdbsuite.ingest.mask.MaskRows;
import io.tsdbsuite.ingest.mask.MaskSet;
import io.tsdbsuite.ingest.mask.MaskSink;
import io.tsdbsuite.ingest.mask.TestFloors;
import io.tsdbsuite.ingest.publish.AsyncProducer;
import io.tsdbsuite.ingest.publish.BoundedProducer;
import io.tsdbsuite.ingest.publish.RepairRequests;
import io.tsdbsuite.ingest.store.CellIds;
import io.tsdbsuite.ingest.store.ElementSink;
import io.tsdbsuite.ingest.store.ElementStore;
import io.tsdbsuite.ingest.store.RowBatch;
import io.tsdbsuite.message.read.BadElement;
import io.tsdbsuite.message.read.BadMessageException;
import io.tsdbsuite.message.read.Element;
import io.tsdbsuite.message.read.MessageLimits;
import io.tsdbsuite.message.read.Reason;
import io.tsdbsuite.message.read.RollupElement;
import io.tsdbsuite.message.read.SeriesElement;
import io.tsdbsuite.metrics.plugin.PluginThreads;
import io.tsdbsuite.testkit.Await;
import io.tsdbsuite.testkit.seed.Seed;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.MockProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A late point is stored, then masked, then committed. */
class MaskingTest {
  private static final long HOUR = 1_700_006_400;
  private static final long END = (HOUR + 3600) * 1000;

  private final AtomicLong now = new AtomicLong(END);
  private final MockProducer<byte[], byte[]> producer =
      new MockProducer<>(true, new ByteArraySerializer(), new ByteArraySerializer());
  private final AsyncProducer producers = new AsyncProducer("masking-test", () -> producer);
  private final MessageQueue queue = new MessageQueue();
  private final Queue<Deferred<Object>> puts = new ConcurrentLinkedQueue<>();
  private final Queue<MaskSink.Source> sources = new ConcurrentLinkedQueue<>();
  private RepairRequests requests;
  private Floors floors = TestFloors.none();
  private long expired;
  private int leftOut;
  private Reason refusal = Reason.UNKNOWN_AGGREGATOR;
  private final Queue<Consumer<Throwable>> masked = new ConcurrentLinkedQueue<>();
  private final MaskSet masks = new MaskSet(new MaskLimits(1000, 1000));
  private final PartitionProgress progress = new PartitionProgress(new TopicPartition("t", 0), 0);

  @AfterEach
  void close() {
    producers.close();
  }

  /** HBase answers when the test wants; rollups are refused. */
  private final class Sink implements ElementSink {
    private final ElementStore real = Stores.unconnected();

    @Override
    public Deferred<Object> store(Element element, long cellTimestamp, RowBatch batch)
        throws BadMessageException {
      if (element instanceof BadElement) {
        throw ((BadElement) element).problem();
      }
      if (element instanceof RollupElement) {
        throw new BadMessageException(refusal, "refused");
      }
      Deferred<Object> answer = new Deferred<>();
      puts.add(answer);
      return answer;
    }

    @Override
    public boolean hasHistograms(String metric) {
      return metric.startsWith("hist");
    }

    @Override
    public String tsuid(SeriesElement element) {
      return element.tags().get("host");
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
    public void flushIfAnswered() {}
  }

  private Clock clock() {
    return new Clock() {
      @Override
      public Instant instant() {
        return Instant.ofEpochMilli(now.get());
      }

      @Override
      public Clock withZone(ZoneId zone) {
        return this;
      }

      @Override
      public ZoneId getZone() {
        return ZoneOffset.UTC;
      }
    };
  }

  private final class Masks implements MaskSink {
    @Override
    public boolean leavesOut(String metric, long hour, long millis, boolean isFirst) {
      leftOut += hour < expired && isFirst ? 1 : 0;
      return hour < expired;
    }

    @Override
    public void write(Source source, Consumer<Throwable> done) {
      try {
        source.addTo(masks);
      } catch (Exception e) {
        throw new AssertionError(e);
      }
      sources.add(source);
      masked.add(done);
    }
  }

  /** Writes a message until its puts are queued. */
  private GroupContext write(String message, int points) throws InterruptedException {
    Sink sink = new Sink();
    GroupContext context =
        TestContexts.of(
            producers,
            clock(),
            new TestContexts.ManualTicker(),
            new Masking(new Masks(), sink, requests, MessageLimits.DEFAULT, clock()));
    context.stats.add(Count.CONSUMED);
    ConsumerRecord<byte[], byte[]> record =
        new ConsumerRecord<>("t", 0, 0, null, message.getBytes(UTF_8));
    queue.add(new QueuedMessage(record, progress, progress.add(0), 0));
    WriteLoop loop = new WriteLoop(queue, sink, context);
    Thread thread = PluginThreads.start("masking-test", loop);
    Await.until(
        "the puts",
        Duration.ofMinutes(1),
        () -> puts.size() == points && (points > 0 || !producer.history().isEmpty()));
    loop.stop();
    thread.join();
    return context;
  }

  private void answer() {
    puts.forEach(put -> put.callback(null));
  }

  private static String point(String metric, String host, long timestamp) {
    return "{\"type\":\"Metric\",\"metric\":\""
        + metric
        + "\",\"tags\":{\"host\":\""
        + host
        + "\"},\"value\":1,\"timestamp\":"
        + timestamp
        + "}";
  }

  private static String histogram(String metric, String host, long timestamp) {
    return point(metric, host, timestamp)
        .replace("Metric", "Histogram")
        .replace("\"value\":1", "\"buckets\":{\"0,1\":1}");
  }

  private static String rollup(String host) {
    return "{\"type\":\"Rollup\",\"v\":1,\"metric\":\"m\",\"tags\":{\"host\":\""
        + host
        + "\"},\"timestamp\":"
        + HOUR
        + ",\"interval\":\"1h\",\"values\":{\"sum\":1,\"count\":1}}";
  }

  @Test
  void aLatePointIsCommittedAfterItsMask() throws Exception {
    now.set(END + 60_001);
    GroupContext context = write(point("m", "0A", HOUR + 5), 1);
    assertThat(masked).as("it is not stored yet").isEmpty();
    answer();
    assertThat(MaskRows.of(masks)).containsExactly("mask/1700006400/m late/0A");
    assertThat(progress.committable()).isEqualTo(-1);
    assertThat(context.stats.get(Count.STORED)).isZero();
    masked.remove().accept(null);
    assertThat(progress.committable()).isEqualTo(1);
    assertThat(context.stats.get(Count.STORED)).isEqualTo(1);
    assertThat(context.inFlightLimit.used()).isZero();
  }

  /** Rollups of hist.m are made from it, those of m are not. */
  @Test
  void aLateHistogramOfAMetricWithHistogramsHasAMask() throws Exception {
    String histogram = histogram("hist.m", "0A", HOUR + 5);
    now.set(END + 60_001);
    String late = "[" + histogram + "," + histogram.replace("hist.m", "m") + "]";
    write(late, 2);
    answer();
    assertThat(MaskRows.of(masks)).containsExactly("mask/1700006400/hist.m late/0A");
    masked.remove().accept(null);
    assertThat(progress.committable()).isEqualTo(1);
  }

  @Test
  void aHistogramThatIsStoredLateHasAMask() throws Exception {
    String histogram = histogram("hist.m", "0A", HOUR + 5);
    now.set(END + 60_000);
    write("[" + histogram + "," + histogram.replace("hist.m", "m") + "]", 2);
    now.set(END + 60_001);
    answer();
    assertThat(MaskRows.of(masks)).containsExactly("mask/1700006400/hist.m late/0A");
  }

  @Test
  void aPointWhoseMaskIsNotWrittenIsReadAgain() throws Exception {
    now.set(END + 60_001);
    GroupContext context = write(point("m", "0A", HOUR + 5), 1);
    answer();
    masked.remove().accept(new IllegalStateException("no region"));
    assertThat(progress.committable()).isEqualTo(-1);
    assertThat(progress.failure().describe()).contains("coverage table").contains("no region");
    assertThat(context.stats.get(Count.REPLAYED)).isEqualTo(1);
    assertThat(context.inFlightLimit.used()).isZero();
  }

  @Test
  void aPointOfItsHourHasNoMask() throws Exception {
    now.set(END + 60_000);
    write(point("m", "0A", HOUR + 5), 1);
    answer();
    assertThat(masked).isEmpty();
    assertThat(progress.committable()).isEqualTo(1);
  }

  /** HBase was away while the hour ended. */
  @Test
  void aPointThatIsStoredLateHasAMask() throws Exception {
    now.set(END + 60_000);
    write("[" + point("m", "0A", HOUR + 5) + "," + point("m", "0B", HOUR + 3600) + "]", 2);
    now.set(END + 60_001);
    answer();
    assertThat(MaskRows.of(masks)).containsExactly("mask/1700006400/m late/0A");
    assertThat(progress.committable()).isEqualTo(-1);
    masked.remove().accept(null);
    assertThat(progress.committable()).isEqualTo(1);
  }

  /** Its clock is wrong: a mask would hide the hour's rollups, and no repair would end it. */
  @Test
  void aPointWhoseDayMayHaveExpiredHasNoMask() throws Exception {
    expired = HOUR;
    now.set(END + 60_000);
    String wrong = point("m", "0A", HOUR - 3600);
    write("[" + wrong + "," + point("m", "0B", HOUR) + "]", 2);
    now.set(END + 60_001);
    answer();
    assertThat(MaskRows.of(masks)).containsExactly("mask/1700006400/m late/0B");
    assertThat(leftOut).as("each point once, also if the message is read again").isEqualTo(1);
  }

  /** A TTL of less than a day. */
  @Test
  void aPointThatIsLateAndMayHaveExpiredWhenItIsStoredIsCounted() throws Exception {
    expired = HOUR + 1;
    now.set(END + 60_000);
    write(point("m", "0A", HOUR), 1);
    assertThat(leftOut).isZero();
    now.set(END + 60_001);
    answer();
    assertThat(MaskRows.of(masks)).isEmpty();
    assertThat(leftOut).isEqualTo(1);
  }

  /** The stored rollups are the better answer. */
  @ParameterizedTest
  @EnumSource(names = {"EXPIRED", "BELOW_FLOOR"})
  void whatIsRefusedSinceRawPointsMayBeGoneIsNotLost(Reason reason) throws Exception {
    refusal = reason;
    write("[" + rollup("0A") + "]", 0);
    Await.until("the outcome", Duration.ofMinutes(1), () -> progress.committable() == 1);
    assertThat(masked).isEmpty();
  }

  @Test
  void aMessageWithNothingButDeadLettersIsLost() throws Exception {
    write("[" + rollup("0A") + "," + rollup("0B") + "]", 0);
    Await.until("the masks", Duration.ofMinutes(1), () -> !masked.isEmpty());
    assertThat(MaskRows.of(masks))
        .containsExactlyInAnyOrder("mask/1700006400/m lost/0A", "mask/1700006400/m lost/0B");
  }

  /** The stored rollup is older, and its windows stand. */
  @Test
  void aRollupOfVersion2WithoutTheValuesOfItIsLost() throws Exception {
    String four = "\"sum\":1,\"min\":1,\"max\":1,\"count\":1";
    String lost =
        rollup("0A").replace("\"v\":1", "\"v\":2")
            + ","
            + rollup("0B")
                .replace("\"v\":1", "\"v\":2,\"histogram\":{}")
                .replace("\"sum\":1,\"count\":1", four + ",\"p99\":1")
            + ","
            + rollup("0C")
                .replace("\"v\":1", "\"v\":2")
                .replace("\"sum\":1,\"count\":1", four + ",\"median\":1");
    // The last ones have their problem in common with others.
    String others = "1,".repeat(MessageLimits.DEFAULT.maxProblems() - 1);
    write("[" + others + lost + "," + rollup("0D").replace("1h", "") + "]", 0);
    Await.until("the masks", Duration.ofMinutes(5), () -> !masked.isEmpty());
    assertThat(MaskRows.of(masks))
        .containsExactlyInAnyOrder(
            "mask/1700006400/m lost/0A", "mask/1700006400/m lost/0B", "mask/1700006400/m lost/0C");
  }

  /** By the store, by a wrong value, and not by a wrong time. */
  @Test
  void theRollupsOfAnObjectOfVersion3AreLost() throws Exception {
    String arrays =
        rollup("0A")
            .replace("\"v\":1", "\"v\":3,\"asOf\":1700100000000,\"at\":[0,2],\"gone\":[5]")
            .replaceAll("\"values.*", "\"values\":{\"sum\":[1,2],\"min\":[1,2]")
            .concat(",\"max\":[1,2],\"count\":[1,2]}}");
    write(
        "["
            + arrays
            + ","
            + arrays.replace("0A", "0B").replace("\"count\":[1,2]", "\"count\":[1]")
            + ","
            + arrays.replace("0A", "0C").replace("[0,2]", "[2,0]")
            + "]",
        0);
    Await.until("the masks", Duration.ofMinutes(5), () -> !masked.isEmpty());
    assertThat(MaskRows.of(masks))
        .containsExactlyInAnyOrder(
            "mask/1700006400/m lost/0A",
            "mask/1700013600/m lost/0A",
            "mask/1700024400/m lost/0A",
            "mask/1700006400/m lost/0B",
            "mask/1700013600/m lost/0B",
            "mask/1700024400/m lost/0B");
  }

  @Test
  void whatBecomesADeadLetterIsLost() throws Exception {
    write("[" + rollup("0A") + "," + point("m", "0B", HOUR + 3600) + "]", 1);
    answer();
    Await.until("the masks", Duration.ofMinutes(1), () -> !masked.isEmpty());
    assertThat(MaskRows.of(masks)).containsExactly("mask/1700006400/m lost/0A");
  }

  @Test
  void aMessageThatIsRefusedAsAWholeIsLost() throws Exception {
    write("[" + rollup("0A") + "," + point("m", "0B", HOUR) + "]", 1);
    now.set(END + 60_001);
    puts.remove().callback(new IllegalArgumentException("the TSD does not take it"));
    Await.until("the masks", Duration.ofMinutes(1), () -> !masked.isEmpty());
    // The point may have been stored.
    assertThat(MaskRows.of(masks))
        .containsExactlyInAnyOrder("mask/1700006400/m lost/0A", "mask/1700006400/m late/0B");
    assertThat(progress.committable()).isEqualTo(-1);
    masked.remove().accept(null);
    assertThat(progress.committable()).isEqualTo(1);
  }

  @Test
  void whatIsMaskedByNameIsRequested() throws Exception {
    now.set(END + 60_001);
    RepairRequests all =
        new RepairRequests(
            "requests",
            List.of("1h", "1d"),
            2,
            1000,
            new BoundedProducer(producers, 10),
            floors,
            clock(),
            new TestContexts.ManualTicker());
    requests = all;
    String late = point("m", "0A", HOUR + 5);
    String last = point("m", "0A", HOUR + 6);
    String later = point("m", "0A", HOUR + 3600 + 5);
    write("[" + late + "," + later + "," + point("n", "0B", HOUR) + "," + last + "]", 4);
    answer();
    sources.forEach(source -> source.written(masks));
    Await.until("the requests", Duration.ofMinutes(1), () -> all.sent() == 2);
    assertThat(producer.history()).extracting(ProducerRecord::topic).containsOnly("requests");
    assertThat(producer.history())
        .extracting(record -> new String(record.value(), UTF_8))
        .containsExactly(request("m", "0A"), request("n", "0B"));
    sources.forEach(source -> source.written(masks));
    assertThat(all.left()).as("what was sent is not sent again").isZero();
    all.late(HOUR - 3600, "m", Map.of("host", "0A"));
    assertThat(all.left()).isEqualTo(1);
    sources.forEach(source -> source.written(new MaskSet(new MaskLimits(0, 1))));
    assertThat(all.left()).as("a wider mask is left to the night").isEqualTo(1);
  }

  /** A repair would refuse each of them, for each late point. */
  @Test
  void nothingIsRequestedBelowTheFloor() throws Exception {
    now.set(END + 60_001);
    floors = TestFloors.of(HOUR + 86_400, "m", clock(), new TestContexts.ManualTicker());
    RepairRequests all =
        new RepairRequests(
            "requests",
            List.of("1h", "1d"),
            10,
            1000,
            new BoundedProducer(producers, 10),
            floors,
            clock(),
            new TestContexts.ManualTicker());
    requests = all;
    write("[" + point("m", "0A", HOUR + 5) + "," + point("n", "0B", HOUR) + "]", 2);
    answer();
    assertThat(MaskRows.of(masks))
        .containsExactlyInAnyOrder("mask/1700006400/m late/0A", "mask/1700006400/n late/0B");
    sources.forEach(source -> source.written(masks));
    Await.until("the request", Duration.ofMinutes(5), () -> all.sent() == 1);
    assertThat(producer.history())
        .extracting(record -> new String(record.value(), UTF_8))
        .containsExactly(request("n", "0B"));
    assertThat(all.left()).isZero();
  }

  /** A repair leaves buckets that had not ended when it was requested. */
  @Test
  void aRequestIsSentAgainInTheNextHour() {
    long hour = 3_600_000;
    now.set(END / hour * hour + 2 * hour - 1);
    RepairRequests all =
        new RepairRequests(
            "requests",
            List.of("1h", "1d"),
            10,
            10 * hour,
            new BoundedProducer(producers, 10),
            floors,
            clock(),
            new TestContexts.ManualTicker());
    requests = all;
    all.late(HOUR, "m", Map.of("host", "0A"));
    all.late(HOUR, "m", Map.of("host", "0A"));
    now.addAndGet(1);
    all.late(HOUR, "m", Map.of("host", "0A"));
    all.late(HOUR, "m", Map.of("host", "0A"));
    Await.until("the requests", Duration.ofMinutes(1), () -> all.sent() == 2);
    assertThat(producer.history()).hasSize(2);
  }

  private static String request(String metric, String host) {
    return "{\"type\":\"RollupRequest\",\"v\":1,\"metric\":\""
        + metric
        + "\",\"tags\":{\"host\":\""
        + host
        + "\"},\"timestamp\":1700006400,\"intervals\":[\"1h\",\"1d\"],\"reason\":\"late\"}";
  }

  /** Whatever points a message has, and whenever they are stored. */
  @Test
  void exactlyTheLatePointsAreMasked() throws Exception {
    Random random = Seed.random();
    List<String> points = new ArrayList<>();
    Set<String> late = new TreeSet<>();
    long stored = END + 7_200_000 + random.nextInt(180_000);
    now.set(stored - random.nextInt(400_000));
    for (int i = 0; i < 300; i++) {
      long millis = END - 3_600_000 + random.nextInt(4 * 3_600_000);
      String metric = "m" + random.nextInt(3);
      String host = String.format("%02X", random.nextInt(4));
      points.add(point(metric, host, random.nextBoolean() ? millis : millis / 1000));
      long hour = millis / 3_600_000 * 3_600_000;
      if (stored > hour + 3_600_000 + 60_000) {
        late.add("mask/" + hour / 1000 + "/" + metric + " late/" + host);
      }
    }
    write("[" + String.join(",", points) + "]", 300);
    now.set(stored);
    answer();
    assertThat(MaskRows.of(masks)).as(Seed.describe(0)).containsExactlyInAnyOrderElementsOf(late);
  }
}
