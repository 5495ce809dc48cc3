package io.tsdbsuite.stream.flink;

import io.tsdbsuite.stream.flink.ReadPositions.Missed;
import io.tsdbsuite.stream.flink.ReadPositions.Position;
import io.tsdbsuite.stream.series.StreamPoint;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ExecutionException;
import org.apache.flink.api.common.TaskInfo;
import org.apache.flink.api.common.state.ListState;
import org.apache.flink.api.common.state.ListStateDescriptor;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.api.java.tuple.Tuple2;
import org.apache.flink.api.java.tuple.Tuple3;
import org.apache.flink.api.java.tuple.Tuple4;
import org.apache.flink.metrics.Gauge;
import org.apache.flink.runtime.state.FunctionInitializationContext;
import org.apache.flink.runtime.state.FunctionSnapshotContext;
import org.apache.flink.streaming.api.checkpoint.CheckpointedFunction;
import org.apache.flink.streaming.api.functions.ProcessFunction;
import org.apache.flink.util.Collector;
import org.apache.flink.util.OutputTag;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.ListOffsetsOptions;
import org.apache.kafka.clients.admin.ListOffsetsResult;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.common.IsolationLevel;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Counts what comes from Kafka, and finds messages that can no longer be read. The rules are in
 * {@link ReadPositions}.
 *
 * <p>The offsets are saved with the state: most messages are deleted while a job does not run.
 * Every task has the offsets of all partitions, because a source may give a partition to another
 * task.
 */
final class GapDetector extends ProcessFunction<KafkaPoint, StreamPoint>
    implements CheckpointedFunction {
  /** Times of which messages are missing: from (inclusive) to (exclusive), ms. */
  static final OutputTag<Tuple2<Long, Long>> MISSED =
      new OutputTag<>("missed", Types.TUPLE(Types.LONG, Types.LONG));

  private static final long serialVersionUID = 1L;

  private static final Logger LOG = LoggerFactory.getLogger(GapDetector.class);

  /** How often partitions that hold back or are not read are looked for, ms. */
  private static final long LOOK_MILLIS = 60_000;

  /** A partition is named as one that holds event time back from this delay on, ms. */
  private static final long HELD_BACK_MILLIS = 600_000;

  /**
   * How long after a gap the points name it, ms: by then all tasks know the gap, which reaches them
   * on another way than the points.
   */
  private static final long GAP_MILLIS = 600_000;

  private final Properties kafka;
  private final ArrayList<String> topics;
  private final String group;
  private final long idleMillis;
  private final HashMap<TopicPartition, Long> start;
  private final long slackMillis;
  private final Clock clock;
  private transient Books books;
  private transient ReadPositions positions;
  private transient ListState<Tuple4<String, Integer, Long, Long>> state;
  private transient ListState<Tuple3<String, String, Long>> topicState;
  private transient List<Found> found;
  private transient long untold;
  private transient @Nullable Admin admin;
  private transient long looked;
  private transient long gapUntil;
  private transient long gapTo;
  private transient @Nullable Thread watch;
  private transient volatile long unread;

  /**
   * Messages that are missing since the checkpoint. The positions stay those of the checkpoint
   * until this is reported: a checkpoint before must lead to it again.
   *
   * @param goOn moves the positions; to be called after the report
   */
  private record Found(Missed missed, Runnable goOn) {}

  /**
   * Creates a detector.
   *
   * @param options Kafka's settings and where a new job starts to read; other partitions are read
   *     from offset 0
   * @param slackMillis time by which points may be older or newer than their message
   * @param clock the present; must be serializable
   */
  @SuppressWarnings("NullAway.Init") // initializeState sets the transient fields.
  GapDetector(StreamOptions options, long slackMillis, Clock clock) {
    this.clock = clock;
    this.kafka = StreamTopology.properties(options);
    this.topics = new ArrayList<>(options.inputTopics());
    this.group = options.group();
    this.idleMillis = options.idleMillis();
    this.start = new HashMap<>(options.start());
    this.slackMillis = slackMillis;
  }

  @Override
  public void initializeState(FunctionInitializationContext context) throws Exception {
    books =
        Books.open(
            context,
            getRuntimeContext(),
            Count.CONSUMED,
            Count.BAD,
            Count.NOT_FINITE,
            Count.OTHER,
            Count.MISSED,
            Count.WRONG_TIMES);
    state =
        context
            .getOperatorStateStore()
            .getUnionListState(
                new ListStateDescriptor<>(
                    "offsets", Types.TUPLE(Types.STRING, Types.INT, Types.LONG, Types.LONG)));
    topicState =
        context
            .getOperatorStateStore()
            .getUnionListState(
                new ListStateDescriptor<>(
                    "topics", Types.TUPLE(Types.STRING, Types.STRING, Types.LONG)));
    found = new ArrayList<>();
    untold = 0;
    positions =
        context.isRestored()
            ? ReadPositions.restore(this::firstOffset, state.get(), topicState.get(), slackMillis)
            : ReadPositions.start(this::firstOffset, start, slackMillis);
    Set<String> removed = new TreeSet<>(positions.topics());
    topics.forEach(removed::remove);
    if (!removed.isEmpty()) {
      throw StateVersionException.topics(removed);
    }
    Map<String, TopicDescription> existing = existing();
    findOtherTopics(existing);
    if (context.isRestored()) {
      findEmptied(existing);
    }
    getRuntimeContext()
        .getMetricGroup()
        .addGroup(Books.GROUP)
        .gauge("unreadPartitions", (Gauge<Long>) () -> unread);
    if (getRuntimeContext().getTaskInfo().getIndexOfThisSubtask() == 0) {
      watch();
    }
  }

  /** One task looks at the offsets of all partitions; a task may have none that is read. */
  private void watch() {
    UnreadPartitions partitions = new UnreadPartitions(Math.max(2 * idleMillis, 5 * LOOK_MILLIS));
    Thread thread = new Thread(() -> watch(partitions), "stream-rollup-unread");
    thread.setDaemon(true);
    thread.start();
    watch = thread;
  }

  private void watch(UnreadPartitions partitions) {
    Admin client = null;
    try {
      while (true) {
        Thread.sleep(LOOK_MILLIS);
        try {
          // Not the task's, which closes it.
          client = client == null ? Admin.create(kafka) : client;
          look(client, partitions);
        } catch (KafkaException e) {
          LOG.warn("Kafka did not tell which partitions are read: {}", e.toString());
        }
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (Exception e) {
      LOG.error("partitions that are not read are no longer looked for", e);
    } finally {
      if (client != null) {
        client.close(Duration.ZERO);
      }
    }
  }

  private void look(Admin asked, UnreadPartitions partitions) throws Exception {
    Map<TopicPartition, OffsetSpec> specs = new HashMap<>();
    for (Map.Entry<String, KafkaFuture<TopicDescription>> topic :
        asked.describeTopics(topics).topicNameValues().entrySet()) {
      get(topic.getValue())
          .partitions()
          .forEach(
              each ->
                  specs.put(
                      new TopicPartition(topic.getKey(), each.partition()), OffsetSpec.latest()));
    }
    // Messages of a transaction that is open cannot be read.
    ListOffsetsOptions stable = new ListOffsetsOptions(IsolationLevel.READ_COMMITTED);
    Map<TopicPartition, Long> end = new HashMap<>();
    get(asked.listOffsets(specs, stable).all())
        .forEach((partition, offset) -> end.put(partition, offset.offset()));
    Map<TopicPartition, Long> committed = new HashMap<>();
    get(asked.listConsumerGroupOffsets(group).partitionsToOffsetAndMetadata())
        .forEach(
            (partition, offset) -> {
              if (offset != null) {
                committed.put(partition, offset.offset());
              }
            });
    List<TopicPartition> found = partitions.look(committed, end, System.currentTimeMillis());
    unread = found.size();
    for (TopicPartition each : found) {
      LOG.error(
          "{} is not read, while others are: offset {} of {} does not move. Restart the job from"
              + " its last checkpoint",
          each,
          committed.get(each),
          end.get(each));
    }
  }

  /** Finds topics that were created again, or are of another cluster, since the checkpoint. */
  private void findOtherTopics(Map<String, TopicDescription> existing) {
    existing.forEach(
        (topic, description) -> {
          Uuid id = description.topicId();
          Missed missed = positions.another(topic, id, clock.millis());
          if (missed == null) {
            return;
          }
          found.add(new Found(missed, () -> positions.accept(topic, id)));
          if (isMine(topic)) {
            LOG.error(
                "topic {} is another one than that of the checkpoint: it was deleted and created"
                    + " again, or is of another cluster. Its messages before the offsets of the"
                    + " checkpoint may never be read. The buckets from {} to {} are left to repair",
                topic,
                Instant.ofEpochMilli(missed.from()),
                Instant.ofEpochMilli(missed.to()));
          }
        });
  }

  /** Each task reports what is missing, since some may have no partition; one counts and logs. */
  private boolean isMine(Object name) {
    TaskInfo task = getRuntimeContext().getTaskInfo();
    return Math.floorMod(name.hashCode(), task.getNumberOfParallelSubtasks())
        == task.getIndexOfThisSubtask();
  }

  /** Finds partitions whose unread messages were all deleted while the job did not run. */
  private void findEmptied(Map<String, TopicDescription> existing) throws Exception {
    // Kafka's client waits in vain for the offsets of others.
    Set<TopicPartition> partitions = new HashSet<>();
    existing.forEach(
        (topic, description) ->
            description
                .partitions()
                .forEach(each -> partitions.add(new TopicPartition(topic, each.partition()))));
    partitions.retainAll(positions.partitions());
    Map<TopicPartition, Long> first = offsets(partitions, OffsetSpec.earliest());
    Map<TopicPartition, Long> end = offsets(partitions, OffsetSpec.latest());
    for (TopicPartition partition : partitions) {
      Long from = first.get(partition);
      Long to = end.get(partition);
      if (from == null || to == null) {
        continue;
      }
      Missed missed = positions.emptied(partition, from, to, clock.millis());
      if (missed == null) {
        continue;
      }
      found.add(new Found(missed, () -> positions.skip(partition, from)));
      if (isMine(partition)) {
        books.add(Count.MISSED, missed.messages());
        untold += missed.messages();
        LOG.error(
            "Kafka deleted the last {} messages of {} before they were read, up to offset {}. Their"
                + " buckets are left to repair",
            missed.messages(),
            partition,
            from - 1);
      }
    }
  }

  /** Offsets of partitions; those that no longer exist are missing. */
  private Map<TopicPartition, Long> offsets(Set<TopicPartition> partitions, OffsetSpec spec)
      throws Exception {
    Map<TopicPartition, OffsetSpec> specs = new HashMap<>();
    partitions.forEach(partition -> specs.put(partition, spec));
    ListOffsetsResult answer = admin().listOffsets(specs);
    Map<TopicPartition, Long> offsets = new HashMap<>();
    for (TopicPartition partition : partitions) {
      try {
        offsets.put(partition, get(answer.partitionResult(partition)).offset());
      } catch (UnknownTopicOrPartitionException e) {
        LOG.warn("{} was read before, and no longer exists", partition);
      }
    }
    return offsets;
  }

  /** The topics that exist. */
  private Map<String, TopicDescription> existing() throws Exception {
    Map<String, TopicDescription> existing = new HashMap<>();
    for (Map.Entry<String, KafkaFuture<TopicDescription>> topic :
        admin().describeTopics(topics).topicNameValues().entrySet()) {
      try {
        existing.put(topic.getKey(), get(topic.getValue()));
      } catch (UnknownTopicOrPartitionException e) {
        LOG.warn("topic {} does not exist", topic.getKey());
      }
    }
    return existing;
  }

  @Override
  public void snapshotState(FunctionSnapshotContext context) throws Exception {
    if (found.isEmpty()) {
      requireSameTopics();
    }
    // What was not reported is found and counted again after a restart.
    books.add(Count.MISSED, -untold);
    books.save();
    books.add(Count.MISSED, untold);
    state.update(positions.save());
    topicState.update(positions.saveTopics());
  }

  /**
   * Fails the task when a topic was created again while it was read. Kafka's client goes on at the
   * former offset if that exists; the restart from the checkpoint before finds what was not read.
   */
  private void requireSameTopics() throws Exception {
    for (Map.Entry<String, TopicDescription> each : existing().entrySet()) {
      if (positions.another(each.getKey(), each.getValue().topicId(), clock.millis()) != null) {
        throw new KafkaException(
            "topic %s was deleted and created again: the job starts again from its last checkpoint"
                .formatted(each.getKey()));
      }
    }
  }

  @Override
  public void processElement(KafkaPoint element, Context context, Collector<StreamPoint> out)
      throws Exception {
    if (!found.isEmpty()) {
      for (Found each : found) {
        tell(each.missed(), context);
        each.goOn().run();
      }
      found.clear();
      untold = 0;
    }
    Position position = positions.of(element.topic, element.partition);
    if (position.isUnclear(element.offset)) {
      Missed missed =
          positions.check(
              new TopicPartition(element.topic, element.partition),
              position,
              element.offset,
              element.wrongTime ? element.readMillis : element.time,
              context.timerService().currentProcessingTime());
      if (missed != null) {
        count(missed, context);
      }
    }
    long now = element.readMillis;
    // The time of arrival says nothing of a backlog; only the first element of a message has it.
    boolean told = element.wrongTime || position.isRead(element.offset);
    position.advance(element.offset, told ? Long.MIN_VALUE : element.time, now);
    if (now - looked >= LOOK_MILLIS) {
      looked = now;
      String slowest = positions.heldBackBy(now - idleMillis, now - HELD_BACK_MILLIS);
      if (slowest != null) {
        LOG.warn("event time is held back by {} (ms), found the clock at {}", slowest, now);
      }
      for (Missed missed : positions.waiting(context.timerService().currentProcessingTime())) {
        count(missed, context);
      }
    }
    books.add(Count.CONSUMED, 1);
    if (element.wrongTime) {
      books.add(Count.WRONG_TIMES, 1);
    }
    switch (element.kind) {
      case POINT -> {
        element.point.messageMillis =
            now < gapUntil ? -gapTo : position.known(element.point.messageMillis);
        out.collect(element.point);
      }
      case BAD -> books.add(Count.BAD, 1);
      case NOT_FINITE -> books.add(Count.NOT_FINITE, 1);
      case OTHER -> books.add(Count.OTHER, 1);
    }
  }

  private void count(Missed missed, Context context) {
    books.add(Count.MISSED, missed.messages());
    tell(missed, context);
  }

  private void tell(Missed missed, Context context) {
    gapUntil = clock.millis() + GAP_MILLIS;
    gapTo = missed.to();
    context.output(MISSED, Tuple2.of(missed.from(), missed.to()));
  }

  private long firstOffset(TopicPartition partition) throws Exception {
    return get(admin()
            .listOffsets(Map.of(partition, OffsetSpec.earliest()))
            .partitionResult(partition))
        .offset();
  }

  private static <T> T get(KafkaFuture<T> answer) throws Exception {
    try {
      return answer.get();
    } catch (ExecutionException e) {
      throw e.getCause() instanceof Exception cause ? cause : e;
    }
  }

  private Admin admin() {
    Admin open = admin;
    if (open == null) {
      open = Admin.create(kafka);
      admin = open;
    }
    return open;
  }

  @Override
  public void close() {
    Thread thread = watch;
    if (thread != null) {
      thread.interrupt();
      watch = null;
    }
    Admin open = admin;
    if (open != null) {
      open.close();
      admin = null;
    }
  }
}
