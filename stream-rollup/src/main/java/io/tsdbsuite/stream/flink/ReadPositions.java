package io.tsdbsuite.stream.flink;

import io.tsdbsuite.stream.series.StreamPoint;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.flink.api.java.tuple.Tuple3;
import org.apache.flink.api.java.tuple.Tuple4;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.Uuid;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Where the reading of each partition is, and which messages can no longer be read: Kafka deleted
 * them, or the topic is another one than that of the checkpoint.
 *
 * <p>A partition's offsets also have gaps where a transaction ended or was aborted, so after a gap
 * Kafka is asked for the first offset that it still has, once a second at most for one partition. A
 * gap of which it was not asked yet is remembered, also in the state. For one thread.
 */
final class ReadPositions {
  /** Kafka is asked once in this time for a partition with gaps of transactions, ms. */
  static final long ASK_MILLIS = 1000;

  /** Where the time of a partition is not known: longer than every bucket, ms. */
  static final long UNKNOWN_MILLIS = 2L * 86_400_000;

  /** Gaps of a partition without messages end at the present, rounded up to this, ms. */
  private static final long ROUND_MILLIS = 600_000;

  private static final Logger LOG = LoggerFactory.getLogger(ReadPositions.class);

  /** Tells what Kafka still has. */
  interface KafkaLog {
    /** The first offset that a partition still has. */
    long first(TopicPartition partition) throws Exception;
  }

  /**
   * Messages that are lost.
   *
   * @param messages number of messages; 0 if it is not known
   * @param from time from which their points are, inclusive, ms since the epoch
   * @param to exclusive
   */
  record Missed(long messages, long from, long to) {}

  /**
   * Which topic the positions of a name are of.
   *
   * @param changes how often it became another one; of two tasks the larger number is the newer one
   */
  private record TopicId(String id, long changes) {}

  private final KafkaLog log;
  private final long slackMillis;
  private final Map<String, Position[]> positions = new HashMap<>();
  private final Map<String, TopicId> ids = new HashMap<>();

  private ReadPositions(KafkaLog log, long slackMillis) {
    this.log = log;
    this.slackMillis = slackMillis;
  }

  /**
   * The positions of a new job.
   *
   * @param start where it starts to read; other partitions are read from offset 0
   * @param slackMillis time by which points may be older or newer than their message
   */
  static ReadPositions start(KafkaLog log, Map<TopicPartition, Long> start, long slackMillis) {
    ReadPositions all = new ReadPositions(log, slackMillis);
    start.forEach(
        (partition, offset) -> all.of(partition.topic(), partition.partition()).next = offset);
    return all;
  }

  /**
   * The positions of a job that goes on.
   *
   * @param saved what all tasks saved, see {@link #save}
   * @param topics what all tasks saved, see {@link #saveTopics}; states from before have none
   */
  static ReadPositions restore(
      KafkaLog log,
      Iterable<Tuple4<String, Integer, Long, Long>> saved,
      Iterable<Tuple3<String, String, Long>> topics,
      long slackMillis) {
    ReadPositions all = new ReadPositions(log, slackMillis);
    for (Tuple3<String, String, Long> each : topics) {
      TopicId known = all.ids.get(each.f0);
      if (known == null || known.changes < each.f2) {
        all.ids.put(each.f0, new TopicId(each.f1, each.f2));
      }
    }
    Set<Position> read = new HashSet<>();
    for (Tuple4<String, Integer, Long, Long> each : saved) {
      Position position = all.of(each.f0, each.f1);
      boolean isRead = each.f2 >= 0;
      long next = isRead ? each.f2 : unread(each.f2);
      // The task that reads the partition knows best: offsets begin anew with a topic that was
      // created again. Of other tasks the largest offset is the newest.
      if (isRead == read.contains(position) ? next >= position.next : isRead) {
        position.next = next;
        position.time = each.f3;
        if (isRead) {
          read.add(position);
        }
      }
    }
    return all;
  }

  /** An offset from before the start, as it is saved by tasks that do not read the partition. */
  private static long unread(long next) {
    return -1 - next;
  }

  /**
   * Topic, partition, the next offset and the largest time read, ms, of each partition. The offset
   * is -1 less the offset where this task has read no message.
   */
  List<Tuple4<String, Integer, Long, Long>> save() {
    List<Tuple4<String, Integer, Long, Long>> all = new ArrayList<>();
    positions.forEach(
        (topic, ofTopic) -> {
          for (int i = 0; i < ofTopic.length; i++) {
            Position position = ofTopic[i];
            if (position != null) {
              boolean checked = position.gapFrom < 0;
              long next = checked ? position.next : position.gapFrom;
              all.add(
                  Tuple4.of(
                      topic,
                      i,
                      position.read ? next : unread(next),
                      checked ? position.time : position.gapFromTime));
            }
          }
        });
    return all;
  }

  /** Name, id and number of changes of each topic. */
  List<Tuple3<String, String, Long>> saveTopics() {
    List<Tuple3<String, String, Long>> all = new ArrayList<>();
    ids.forEach((topic, id) -> all.add(Tuple3.of(topic, id.id, id.changes)));
    return all;
  }

  /** The position of a partition. */
  Position of(String topic, int partition) {
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

  /** All topics that the job has read, or begun to read. */
  Set<String> topics() {
    Set<String> all = new HashSet<>(positions.keySet());
    all.addAll(ids.keySet());
    return all;
  }

  /** All partitions of which an offset is known. */
  Set<TopicPartition> partitions() {
    Set<TopicPartition> all = new HashSet<>();
    save().forEach(each -> all.add(new TopicPartition(each.f0, each.f1)));
    return all;
  }

  /**
   * Looks for messages that were deleted from a partition that has none left, so that no later
   * message shows it. One missing offset is taken for the end of a transaction.
   *
   * @param first the first offset that Kafka still has
   * @param end the offset of its next message
   * @param now milliseconds since the epoch
   * @return null if nothing is missing, or a later message will show it
   */
  @Nullable Missed emptied(TopicPartition partition, long first, long end, long now) {
    Position position = of(partition.topic(), partition.partition());
    if (first < end || first <= position.next) {
      return null;
    }
    long missing = first - position.next;
    if (missing == 1) {
      position.next = first;
      return null;
    }
    return missedUntil(missing, position.time, now);
  }

  /**
   * Looks whether a topic is another one than that of the checkpoint: it was created again, or is
   * of another cluster. Flink goes on at the offsets of the checkpoint if they exist, and never
   * reads the messages before them.
   *
   * @param id {@link Uuid#ZERO_UUID} if the brokers have none
   * @param now milliseconds since the epoch
   * @return null if it is the same one, or this is not known
   */
  @Nullable Missed another(String topic, Uuid id, long now) {
    TopicId before = ids.get(topic);
    if (id.equals(Uuid.ZERO_UUID) || (before != null && before.id.equals(id.toString()))) {
      return null;
    }
    if (before == null) {
      accept(topic, id);
      return null;
    }
    long time = Long.MAX_VALUE;
    for (Position each : positions.getOrDefault(topic, new Position[0])) {
      time = each == null ? time : Math.min(time, each.time);
    }
    // Further messages may come before the source asks for the offsets.
    return missedUntil(0, time == Long.MAX_VALUE ? Long.MIN_VALUE : time, now + ROUND_MILLIS);
  }

  /** Takes the positions of a name for those of this topic; what is missing was reported. */
  void accept(String topic, Uuid id) {
    TopicId before = ids.get(topic);
    ids.put(topic, new TopicId(id.toString(), before == null ? 0 : before.changes + 1));
  }

  private Missed missedUntil(long messages, long before, long now) {
    // Each task asks at a time of its own, and all should name the same range.
    long to = now - Math.floorMod(now, ROUND_MILLIS) + ROUND_MILLIS + slackMillis;
    long from = before == Long.MIN_VALUE ? to - UNKNOWN_MILLIS : before - slackMillis;
    return new Missed(messages, from, to);
  }

  /**
   * Names the partition whose messages have the oldest times, of those read lately: it holds event
   * time back.
   *
   * @param since ms since the epoch
   * @param before names it only if its newest message is older, ms since the epoch
   * @return null if there is none
   */
  @Nullable String heldBackBy(long since, long before) {
    String slowest = null;
    long least = before;
    for (Map.Entry<String, Position[]> topic : positions.entrySet()) {
      Position[] ofTopic = topic.getValue();
      for (int i = 0; i < ofTopic.length; i++) {
        Position each = ofTopic[i];
        if (each != null
            && each.readAt != 0
            && each.readAt >= since
            && each.time != Long.MIN_VALUE
            && each.time < least) {
          least = each.time;
          slowest = topic.getKey() + "-" + i + ", whose newest message has the time " + least;
        }
      }
    }
    return slowest;
  }

  /** Goes on behind messages that were deleted, and reported. */
  void skip(TopicPartition partition, long first) {
    Position position = of(partition.topic(), partition.partition());
    position.next = first;
    position.read = true;
  }

  /**
   * Must be called for a message if {@link Position#isUnclear}, before {@link Position#advance}.
   *
   * @param time of the message; the present if it is not known, since the range of missing messages
   *     ends there. Milliseconds since the epoch
   * @param now milliseconds since the epoch
   * @return null if no message is known to be missing
   */
  @Nullable Missed check(
      TopicPartition partition, Position position, long offset, long time, long now)
      throws Exception {
    if (offset < position.next - 1) {
      LOG.error(
          "{} goes on at offset {} after {}: was the topic deleted and created again? The buckets"
              + " between are left to repair",
          partition,
          offset,
          position.next - 1);
      long before = position.gapFrom < 0 ? position.time : position.gapFromTime;
      position.gapFrom = -1;
      return missed(0, before, time);
    }
    if (offset > position.next) {
      if (position.gapFrom < 0) {
        position.gapFrom = position.next;
        position.gapFromTime = position.time;
      }
      position.gapTo = offset;
      position.gapToTime = time;
    }
    return position.read && now - position.asked < ASK_MILLIS
        ? null
        : ask(partition, position, now);
  }

  /**
   * Asks for the gaps of which Kafka was not asked, and behind which no further message came.
   *
   * @param now milliseconds since the epoch
   */
  List<Missed> waiting(long now) throws Exception {
    List<Missed> all = new ArrayList<>();
    for (Map.Entry<String, Position[]> topic : positions.entrySet()) {
      Position[] ofTopic = topic.getValue();
      for (int i = 0; i < ofTopic.length; i++) {
        Position each = ofTopic[i];
        if (each != null && each.gapFrom >= 0 && now - each.asked >= ASK_MILLIS) {
          Missed missed = ask(new TopicPartition(topic.getKey(), i), each, now);
          if (missed != null) {
            all.add(missed);
          }
        }
      }
    }
    return all;
  }

  private @Nullable Missed ask(TopicPartition partition, Position position, long now)
      throws Exception {
    position.asked = now;
    long from = position.gapFrom;
    position.gapFrom = -1;
    long first = log.first(partition);
    if (first <= from) {
      return null;
    }
    long missing = Math.min(first, position.gapTo) - from;
    LOG.error(
        "Kafka deleted {} messages of {} before they were read: offsets {} to {}. The retention"
            + " is too short, or the job was down for too long. Their buckets are left to repair",
        missing,
        partition,
        from,
        from + missing - 1);
    return missed(missing, position.gapFromTime, position.gapToTime);
  }

  private Missed missed(long messages, long before, long after) {
    long to = after + slackMillis + 1;
    // The time before may be of a clock that was ahead.
    long from =
        before == Long.MIN_VALUE ? after - UNKNOWN_MILLIS : Math.min(before, after) - slackMillis;
    return new Missed(messages, from, to);
  }

  /** Where the reading of a partition is. */
  static final class Position {
    /** The next offset expected. */
    private long next;

    /** Largest time of a message read, ms. */
    private long time = Long.MIN_VALUE;

    /** Whether this task has read a message of it, or told that all were deleted. */
    private boolean read;

    /** The first offset of gaps of which Kafka must be asked; -1 without. */
    private long gapFrom = -1;

    /** {@link #time} before them. */
    private long gapFromTime;

    /** Offset of the message behind them. */
    private long gapTo;

    /** Time of that message, ms. */
    private long gapToTime;

    /** When its last message was read, ms; 0 for never. */
    private long readAt;

    /** When Kafka was asked, ms. */
    private long asked;

    /** Whether offsets are missing before a message, or Kafka is to be asked for former ones. */
    boolean isUnclear(long offset) {
      return (offset != next && offset != next - 1) || gapFrom >= 0;
    }

    /**
     * The time up to which a series may go on by its message: not beyond a gap of which Kafka is
     * yet to be asked.
     *
     * @param messageMillis {@link StreamPoint#messageMillis}
     * @return the same, or another for it
     */
    long known(long messageMillis) {
      if (gapFrom < 0) {
        return messageMillis;
      }
      long known = Math.min(messageMillis, gapFromTime);
      return known < 0 ? -Long.MAX_VALUE : known;
    }

    /** Whether an element of the message was read last. */
    boolean isRead(long offset) {
      return next == offset + 1;
    }

    /**
     * Takes note of a message. Its elements have one offset.
     *
     * @param messageTime milliseconds since the epoch; Long.MIN_VALUE if it is not known
     * @param now milliseconds since the epoch
     */
    void advance(long offset, long messageTime, long now) {
      read = true;
      readAt = now;
      next = offset + 1;
      time = Math.max(time, messageTime);
    }
  }
}
