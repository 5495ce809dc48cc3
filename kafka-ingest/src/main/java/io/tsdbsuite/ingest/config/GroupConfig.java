package io.tsdbsuite.ingest.config;

import io.tsdbsuite.message.read.MessageLimits;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Configuration of one consumer group. Immutable. */
public final class GroupConfig {
  private final String name;
  private final ConsumerType type;
  private final List<String> topics;
  private final int threads;
  private final double rate;
  private final int maxInFlight;
  private final long readyLag;
  private final long stallMillis;
  private final String deadLetterTopic;
  private final @Nullable String requeueTopic;
  private final long requeueDelayMillis;
  private final int maxRequeues;
  private final MessageLimits messageLimits;
  private final long drainMillis;
  private final long ackTimeoutMillis;
  private final Map<String, String> kafka;

  GroupConfig(GroupReader reader) {
    this.name = reader.name;
    this.type = reader.type;
    this.topics = reader.topics;
    this.threads = reader.threads;
    this.rate = reader.rate;
    this.maxInFlight = reader.maxInFlight;
    this.readyLag = reader.readyLag;
    this.stallMillis = reader.stallMillis;
    this.deadLetterTopic = reader.deadLetterTopic;
    this.requeueTopic = reader.requeueTopic;
    this.requeueDelayMillis = reader.requeueDelayMillis;
    this.maxRequeues = reader.maxRequeues;
    this.messageLimits = reader.messageLimits;
    this.drainMillis = reader.drainMillis;
    this.ackTimeoutMillis = reader.ackTimeoutMillis;
    this.kafka = reader.kafka;
  }

  /** The name in the configuration, and the {@code group.id} unless that is set. */
  public String name() {
    return name;
  }

  /** Type of the group. */
  public ConsumerType type() {
    return type;
  }

  /** Topics that the group reads, at least one; unmodifiable. */
  public List<String> topics() {
    return topics;
  }

  /** Number of consumers, each with a polling and a writing thread; at least 1. */
  public int threads() {
    return threads;
  }

  /** Initial rate in points per second, for all threads of this TSD; 0 stops the group. */
  public double rate() {
    return rate;
  }

  /** Maximum of points in flight to HBase, for all threads of this TSD. */
  public int maxInFlight() {
    return maxInFlight;
  }

  /** Maximum lag of a partition while the TSD is ready, messages. */
  public long readyLag() {
    return readyLag;
  }

  /** Time a partition with unread messages may stall while the TSD is ready, milliseconds. */
  public long stallMillis() {
    return stallMillis;
  }

  /** Topic for messages that can never be stored. */
  public String deadLetterTopic() {
    return deadLetterTopic;
  }

  /** Topic for messages that HBase rejects; null if they are retried until they are stored. */
  public @Nullable String requeueTopic() {
    return requeueTopic;
  }

  /** Minimum delay between the requeueing of a message and its next attempt, milliseconds. */
  public long requeueDelayMillis() {
    return requeueDelayMillis;
  }

  /**
   * Attempts through the requeue topic after which a message becomes a dead letter. Without that
   * topic, attempts of a message that fails in the TSD's own code.
   */
  public int maxRequeues() {
    return maxRequeues;
  }

  /**
   * Bounds of a message, the same for all groups. The first {@link MessageLimits#maxProblems} bad
   * elements of a message become a dead letter each, the others one together.
   */
  public MessageLimits messageLimits() {
    return messageLimits;
  }

  /**
   * Time for which a shutdown or rebalance waits for HBase, milliseconds; the same for all groups.
   */
  public long drainMillis() {
    return drainMillis;
  }

  /** After which time an answer of HBase is overdue, milliseconds; the same for all groups. */
  public long ackTimeoutMillis() {
    return ackTimeoutMillis;
  }

  /** Settings of Kafka's clients, including those for all groups; unmodifiable. */
  public Map<String, String> kafka() {
    return kafka;
  }
}
