package io.tsdbsuite.ingest.consume;

import io.tsdbsuite.ingest.config.ConsumerType;
import io.tsdbsuite.ingest.config.KafkaSettings;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.PartitionInfo;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.InterruptException;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.errors.TopicAuthorizationException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Measures the lag of partitions, from the first unfinished message: a message that was only
 * fetched is not visible to queries. Also checks that all topics exist, including those that are
 * written to. For the polling thread, except {@link #problem}.
 */
final class LagMeter {
  private static final Logger LOG = LoggerFactory.getLogger(LagMeter.class);
  private static final long EVERY_MILLIS = 5_000;
  private static final long FIRST_MILLIS = 500;

  /** Time for which a topic that was found is not looked up again. */
  static final long FOUND_MILLIS = 30_000;

  private static final Duration WAIT = Duration.ofSeconds(2);

  private final Consumer<byte[], byte[]> consumer;
  private final GroupContext context;
  private final Map<String, Long> foundAt = new HashMap<>();
  private final boolean readsCommitted;
  private long lastMillis;
  private volatile @Nullable String topicProblem;
  private volatile @Nullable String endsProblem;

  /** Whether the last question to the brokers was not answered. */
  private boolean timedOut;

  LagMeter(Consumer<byte[], byte[]> consumer, GroupContext context) {
    this.consumer = consumer;
    this.context = context;
    this.readsCommitted = KafkaSettings.readsCommitted(context.config);
    this.lastMillis = context.monotonicClock.millis() - EVERY_MILLIS;
  }

  /** The topics that do not exist or are not authorized, or cannot be measured; null if none. */
  @Nullable String problem() {
    String ofTopics = topicProblem;
    return ofTopics == null ? endsProblem : ofTopics;
  }

  /**
   * Measures if the interval has passed.
   *
   * @param waiting partitions whose next message is not due yet
   */
  void measureIfDue(Map<TopicPartition, PartitionProgress> progress, Set<TopicPartition> waiting) {
    long now = context.monotonicClock.millis();
    // A question that is not answered takes seconds of the thread that polls.
    boolean known = context.lag.worst().isPresent() && topicProblem == null;
    if (now - lastMillis < (known ? EVERY_MILLIS : FIRST_MILLIS)) {
      return;
    }
    lastMillis = now;
    try {
      findTopics(now);
      measure(progress, waiting);
    } catch (TimeoutException e) {
      // The brokers do not answer: the last measurements stay.
    }
  }

  private void findTopics(long now) {
    foundAt.values().removeIf(at -> now - at >= FOUND_MILLIS);
    Set<String> missing = new TreeSet<>();
    Set<String> refused = new TreeSet<>();
    for (String topic : context.topics) {
      if (foundAt.containsKey(topic)) {
        continue;
      }
      try {
        List<PartitionInfo> partitions = consumer.partitionsFor(topic, WAIT);
        if (partitions == null || partitions.isEmpty()) {
          missing.add(topic);
        } else {
          foundAt.put(topic, now);
          if (context.config.type == ConsumerType.REPAIR && context.config.topics.contains(topic)) {
            checkTimes(topic);
          }
        }
      } catch (TopicAuthorizationException e) {
        refused.add(topic);
      }
    }
    if (!missing.isEmpty()) {
      topicProblem = "topics that do not exist: " + missing;
    } else {
      topicProblem =
          refused.isEmpty() ? null : "topics that Kafka refuses to this user: " + refused;
    }
  }

  /** Requests are due, and buckets have ended, by the times of records. */
  private void checkTimes(String topic) {
    String found;
    try {
      found = context.brokers.timestampType(topic);
    } catch (InterruptException e) {
      throw e;
    } catch (TimeoutException e) {
      // Another connection may be what is needed; what was found last stays.
      context.brokers.close();
      return;
    } catch (KafkaException e) {
      found = "no answer: " + e;
    }
    if (found.equals("LogAppendTime")) {
      context.warnings.remove(topic);
      return;
    }
    String warning =
        String.format(
            "topic %s must have message.timestamp.type=LogAppendTime, so that no producer's"
                + " clock decides when a request is due and which buckets had ended, found %s",
            topic, found);
    if (!warning.equals(context.warnings.put(topic, warning))) {
      LOG.warn("group {}: {}", context.config.name, warning);
    }
  }

  /**
   * The ends of partitions, including messages of open transactions; null if the brokers do not
   * answer: then nothing is known of those messages.
   */
  private @Nullable Map<TopicPartition, Long> ends(Map<TopicPartition, Long> readable) {
    try {
      Map<TopicPartition, Long> ends = context.brokers.ends(readable.keySet());
      timedOut = false;
      endsProblem = null;
      return ends;
    } catch (InterruptException e) {
      throw e;
    } catch (KafkaException e) {
      if (e instanceof TimeoutException) {
        // The consumer's own question was answered: another connection may be what is needed.
        context.brokers.close();
        endsProblem = timedOut ? "the ends of the partitions are not known: " + e : endsProblem;
        timedOut = true;
        return null;
      }
      endsProblem = "the ends of the partitions are not known: " + e;
      return readable;
    }
  }

  private void measure(
      Map<TopicPartition, PartitionProgress> progress, Set<TopicPartition> waiting) {
    if (progress.isEmpty()) {
      endsProblem = null;
      return;
    }
    long before = context.clock.millis();
    // Of committed messages this is the end before the first open transaction.
    Map<TopicPartition, Long> readable = consumer.endOffsets(progress.keySet(), WAIT);
    @Nullable Map<TopicPartition, Long> ends = readsCommitted ? ends(readable) : readable;
    long now = context.monotonicClock.millis();
    progress.forEach(
        (partition, each) -> {
          long unfinished = each.firstUnfinished();
          long at = unfinished >= 0 ? unfinished : consumer.position(partition, WAIT);
          long readableEnd = Objects.requireNonNull(readable.get(partition));
          long end =
              ends == null
                  ? readableEnd
                  : Math.max(readableEnd, ends.getOrDefault(partition, readableEnd));
          long lag = Math.max(0, end - at);
          boolean held = lag > 0 && at >= readableEnd;
          if (ends != null) {
            context.storedTimes.measured(partition, at, end, before);
          }
          // A message that is not due is no excuse for one before it.
          boolean waits = unfinished < 0 && waiting.contains(partition);
          context.lag.measured(partition, at, lag, waits, held, now);
        });
  }
}
