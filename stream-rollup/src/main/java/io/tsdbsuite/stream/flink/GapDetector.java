package io.tsdbsuite.stream.flink;

import io.tsdbsuite.stream.series.StreamPoint;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.concurrent.ExecutionException;
import org.apache.flink.api.common.state.ListState;
import org.apache.flink.api.common.state.ListStateDescriptor;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.api.java.tuple.Tuple2;
import org.apache.flink.api.java.tuple.Tuple4;
import org.apache.flink.runtime.state.FunctionInitializationContext;
import org.apache.flink.runtime.state.FunctionSnapshotContext;
import org.apache.flink.streaming.api.checkpoint.CheckpointedFunction;
import org.apache.flink.streaming.api.functions.ProcessFunction;
import org.apache.flink.util.Collector;
import org.apache.flink.util.OutputTag;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Counts what comes from Kafka, and finds messages that Kafka deleted before they were read.
 *
 * <p>A partition's offsets also have gaps where a transaction ended or was aborted, so after a gap
 * Kafka is asked for the first offset that it still has. The offsets are saved with the state: most
 * messages are deleted while a job does not run. Every task has the offsets of all partitions,
 * because a source may give a partition to another task.
 */
final class GapDetector extends ProcessFunction<KafkaPoint, StreamPoint>
    implements CheckpointedFunction {
  /** Times of which messages are missing: from (inclusive) to (exclusive), ms. */
  static final OutputTag<Tuple2<Long, Long>> MISSED =
      new OutputTag<>("missed", Types.TUPLE(Types.LONG, Types.LONG));

  private static final long serialVersionUID = 1L;

  /** Kafka is asked once in this time for a partition with gaps of transactions, ms. */
  private static final long ASK_MILLIS = 1000;

  /** Where the time of a partition is not known: longer than every bucket, ms. */
  private static final long UNKNOWN_MILLIS = 2L * 86_400_000;

  private static final Logger LOG = LoggerFactory.getLogger(GapDetector.class);

  private final Properties kafka;
  private final Map<TopicPartition, Long> start;
  private final long slackMillis;
  private transient Books books;
  private transient Map<String, Position[]> positions;
  private transient ListState<Tuple4<String, Integer, Long, Long>> state;
  private transient boolean fresh;
  private transient @Nullable Admin admin;

  /**
   * Creates a detector.
   *
   * @param kafka settings of Kafka's client
   * @param start where a new job starts to read; other partitions are read from offset 0
   * @param slackMillis time by which points may be older or newer than their message
   */
  @SuppressWarnings("NullAway.Init") // initializeState sets the transient fields.
  GapDetector(Properties kafka, Map<TopicPartition, Long> start, long slackMillis) {
    this.kafka = kafka;
    this.start = new HashMap<>(start);
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
            Count.MISSED);
    positions = new HashMap<>();
    state =
        context
            .getOperatorStateStore()
            .getUnionListState(
                new ListStateDescriptor<>(
                    "offsets", Types.TUPLE(Types.STRING, Types.INT, Types.LONG, Types.LONG)));
    fresh = !context.isRestored();
    if (fresh) {
      start.forEach(
          (partition, offset) -> position(partition.topic(), partition.partition()).next = offset);
      return;
    }
    for (Tuple4<String, Integer, Long, Long> saved : state.get()) {
      Position position = position(saved.f0, saved.f1);
      // A task that had the partition before has an older offset.
      if (saved.f2 >= position.next) {
        position.next = saved.f2;
        position.time = saved.f3;
      }
    }
  }

  @Override
  public void snapshotState(FunctionSnapshotContext context) throws Exception {
    books.save();
    List<Tuple4<String, Integer, Long, Long>> all = new ArrayList<>();
    positions.forEach(
        (topic, ofTopic) -> {
          for (int i = 0; i < ofTopic.length; i++) {
            Position position = ofTopic[i];
            if (position != null) {
              boolean checked = position.unchecked < 0;
              all.add(
                  Tuple4.of(
                      topic,
                      i,
                      checked ? position.next : position.unchecked,
                      checked ? position.time : position.uncheckedTime));
            }
          }
        });
    state.update(all);
  }

  @Override
  public void processElement(KafkaPoint element, Context context, Collector<StreamPoint> out)
      throws Exception {
    Position position = position(element.topic, element.partition);
    if (element.offset != position.next && element.offset != position.next - 1) {
      gap(element, position, context);
    }
    position.read = true;
    position.next = element.offset + 1;
    position.time = Math.max(position.time, element.time);
    books.add(Count.CONSUMED, 1);
    switch (element.kind) {
      case POINT -> out.collect(element.point);
      case BAD -> books.add(Count.BAD, 1);
      case NOT_FINITE -> books.add(Count.NOT_FINITE, 1);
      case OTHER -> books.add(Count.OTHER, 1);
    }
  }

  private Position position(String topic, int partition) {
    Position[] ofTopic = positions.get(topic);
    if (ofTopic == null || ofTopic.length <= partition) {
      Position[] more = new Position[partition + 1];
      if (ofTopic != null) {
        System.arraycopy(ofTopic, 0, more, 0, ofTopic.length);
      }
      ofTopic = more;
      positions.put(topic, ofTopic);
    }
    Position position = ofTopic[partition];
    if (position == null) {
      position = new Position();
      ofTopic[partition] = position;
    }
    return position;
  }

  private void gap(KafkaPoint element, Position position, Context context) throws Exception {
    TopicPartition partition = new TopicPartition(element.topic, element.partition);
    if (element.offset < position.next) {
      LOG.error(
          "{} goes on at offset {} after {}: was the topic deleted and created again? The buckets"
              + " between are left to repair",
          partition,
          element.offset,
          position.next - 1);
      report(element, position, context);
      return;
    }
    if (position.unchecked < 0) {
      position.unchecked = position.next;
      position.uncheckedTime = position.time;
    }
    long now = context.timerService().currentProcessingTime();
    if (position.read && now - position.asked < ASK_MILLIS) {
      return;
    }
    position.asked = now;
    long first = firstOffset(partition);
    if (first > position.unchecked) {
      long missing = Math.min(first, element.offset) - position.unchecked;
      books.add(Count.MISSED, missing);
      LOG.error(
          "Kafka deleted {} messages of {} before they were read: offsets {} to {}. The retention"
              + " is too short, or the job was down for too long. Their buckets are left to repair",
          missing,
          partition,
          position.unchecked,
          position.unchecked + missing - 1);
      report(element, position, context);
    }
    position.unchecked = -1;
  }

  private void report(KafkaPoint element, Position position, Context context) {
    TopicPartition partition = new TopicPartition(element.topic, element.partition);
    if (fresh && !position.read && start.containsKey(partition)) {
      // The time from which a new job has all messages covers it.
      return;
    }
    long time = position.unchecked < 0 ? position.time : position.uncheckedTime;
    long from = time == Long.MIN_VALUE ? element.time - UNKNOWN_MILLIS : time - slackMillis;
    context.output(MISSED, Tuple2.of(from, element.time + slackMillis + 1));
  }

  private long firstOffset(TopicPartition partition) throws Exception {
    Admin open = admin;
    if (open == null) {
      open = Admin.create(kafka);
      admin = open;
    }
    try {
      return open.listOffsets(Map.of(partition, OffsetSpec.earliest()))
          .partitionResult(partition)
          .get()
          .offset();
    } catch (ExecutionException e) {
      throw e.getCause() instanceof Exception cause ? cause : e;
    }
  }

  @Override
  public void close() {
    Admin open = admin;
    if (open != null) {
      open.close();
      admin = null;
    }
  }

  /** Where the reading of a partition is. */
  private static final class Position {
    /** The next offset expected. */
    private long next;

    /** Largest time of a message read, ms. */
    private long time = Long.MIN_VALUE;

    /** Whether this task has read a message of it. */
    private boolean read;

    /** The offset from which on Kafka must be asked for a gap; -1 without. */
    private long unchecked = -1;

    /** {@link #time} before the gap. */
    private long uncheckedTime;

    /** When Kafka was asked, ms. */
    private long asked;
  }
}
