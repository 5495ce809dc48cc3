package io.tsdbsuite.ingest.config;

import java.util.List;
import java.util.Map;

/** One consumer group; immutable. */
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
  private final String requeueTopic;
  private final long requeueDelayMillis;
  private final int maxRequeues;
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
    this.kafka = reader.kafka;
  }

  /** The name in the configuration, and the {@code group.id} unless that is set. */
  public String name() {
    return name;
  }

  /** What it reads. */
  public ConsumerType type() {
    return type;
  }

  /** At least one; unmodifiable. */
  public List<String> topics() {
    return topics;
  }

  /** Consumers, each with a thread that polls and one that writes; 1 or more. */
  public int threads() {
    return threads;
  }

  /** Points per second at the start, for all threads of this TSD together; 0 stops the group. */
  public double rate() {
    return rate;
  }

  /** Points that HBase may owe an answer for at one time, for all threads together. */
  public int maxInFlight() {
    return maxInFlight;
  }

  /** Messages that a partition may be behind while the TSD counts as caught up. */
  public long readyLag() {
    return readyLag;
  }

  /** How long a partition with messages to read may stand still while the TSD counts as ready. */
  public long stallMillis() {
    return stallMillis;
  }

  /** Where messages go that cannot be stored. */
  public String deadLetterTopic() {
    return deadLetterTopic;
  }

  /** Where messages go that HBase refuses; null if they are tried until it takes them. */
  public String requeueTopic() {
    return requeueTopic;
  }

  /** Between the requeueing of a message and its next try, milliseconds. */
  public long requeueDelayMillis() {
    return requeueDelayMillis;
  }

  /**
   * Tries by way of the requeue topic, after which the message is a dead letter. Without that
   * topic, tries of a message on which the TSD's own code fails.
   */
  public int maxRequeues() {
    return maxRequeues;
  }

  /** The group's settings for Kafka's clients, those for all groups included; unmodifiable. */
  public Map<String, String> kafka() {
    return kafka;
  }
}
