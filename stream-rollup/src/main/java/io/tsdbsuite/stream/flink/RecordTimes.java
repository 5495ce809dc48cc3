package io.tsdbsuite.stream.flink;

import java.util.HashMap;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The times of messages. Producers set them, so they may be -1, seconds, or of a clock that is
 * wrong. A wrong time counts as that of the message's arrival: the newest good time of the
 * partition and what has passed since it was read, as long as good ones come, else the present.
 * Before the first good one it tells nothing for a while: the partition may have a backlog. For one
 * thread.
 */
final class RecordTimes {
  /** No time: event time does not go on. */
  static final long NONE = Long.MIN_VALUE;

  private static final long LOG_MILLIS = 60_000;

  /** Longer times between two messages are pauses, in which nothing is read, ms. */
  private static final long PAUSE_MILLIS = 1000;

  private static final Logger LOG = LoggerFactory.getLogger(RecordTimes.class);

  private final long earliest;
  private final long aheadMillis;
  private final long recentMillis;
  private final Map<String, Partition[]> partitions = new HashMap<>();
  private boolean wrong;

  /**
   * Creates the rule.
   *
   * @param earliest times before are wrong, ms since the epoch
   * @param aheadMillis times that are further ahead of the present are wrong
   * @param recentMillis for how long wrong times are read before they count as the present
   */
  RecordTimes(long earliest, long aheadMillis, long recentMillis) {
    this.earliest = earliest;
    this.aheadMillis = aheadMillis;
    this.recentMillis = recentMillis;
  }

  /**
   * The time of a message.
   *
   * @param time as Kafka has it
   * @param now the present; all in ms since the epoch
   * @return never later than now; {@link #NONE} if it is not known
   */
  long of(String topic, int number, long time, long now) {
    Partition partition = partition(topic, number);
    wrong = time < earliest || time - aheadMillis > now;
    if (!wrong) {
      partition.good = Math.max(partition.good, Math.min(time, now));
      partition.goodAt = now;
      partition.readAt = now;
      partition.wrongMillis = 0;
      return Math.min(time, now);
    }
    partition.wrong++;
    if (partition.logged == 0 || now - partition.logged >= LOG_MILLIS) {
      partition.logged = now;
      LOG.warn(
          "{}-{} has messages with a wrong time, found {}; {} since the start of this task. They"
              + " count as the time of their arrival. Set message.timestamp.type=LogAppendTime",
          topic,
          number,
          time,
          partition.wrong);
    }
    if (partition.goodAt == 0) {
      partition.readAt = partition.readAt == 0 ? now : partition.readAt;
      return now - partition.readAt > recentMillis ? now : NONE;
    }
    partition.wrongMillis += Math.min(now - partition.readAt, PAUSE_MILLIS);
    partition.readAt = now;
    return partition.wrongMillis > recentMillis
        ? now
        : Math.min(now, partition.good + now - partition.goodAt);
  }

  /** Whether the time of the last message was wrong. */
  boolean wasWrong() {
    return wrong;
  }

  private Partition partition(String topic, int number) {
    Partition[] ofTopic = partitions.get(topic);
    if (ofTopic == null || ofTopic.length <= number) {
      Partition[] more = new Partition[number + 1];
      if (ofTopic != null) {
        System.arraycopy(ofTopic, 0, more, 0, ofTopic.length);
      }
      ofTopic = more;
      partitions.put(topic, ofTopic);
    }
    Partition partition = ofTopic[number];
    if (partition == null) {
      partition = new Partition();
      ofTopic[number] = partition;
    }
    return partition;
  }

  private static final class Partition {
    /** The newest good time. */
    private long good;

    /** When a good one was read last; 0 for never. */
    private long goodAt;

    /**
     * When its last message was read; the first one as long as there is no good one; 0 for never.
     */
    private long readAt;

    /** For how long wrong times were read since the last good one. */
    private long wrongMillis;

    private long wrong;
    private long logged;
  }
}
