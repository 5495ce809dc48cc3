package io.tsdbsuite.ingest.consume;

import com.google.common.base.Ticker;
import io.tsdbsuite.ingest.config.GroupConfig;
import io.tsdbsuite.ingest.config.KafkaSettings;
import io.tsdbsuite.ingest.mask.MaskSink;
import io.tsdbsuite.ingest.publish.AsyncProducer;
import io.tsdbsuite.ingest.publish.RepairRequests;
import io.tsdbsuite.ingest.store.ElementSink;
import io.tsdbsuite.ingest.store.OtherWidths;
import io.tsdbsuite.ingest.store.Storage;
import io.tsdbsuite.metrics.plugin.PluginThreads;
import java.time.Clock;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.function.Function;
import java.util.function.LongFunction;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** One consumer group in this TSD: its threads, statistics and rate. */
public final class IngestGroup {
  private static final Logger LOG = LoggerFactory.getLogger(IngestGroup.class);
  private static final long GRACE_MILLIS = 30_000;

  /** The group's configuration. */
  public final GroupConfig config;

  /** The group's counters. */
  public final GroupStats stats;

  /** The group's rate limit. */
  public final PointRate rate;

  /** Lag of the group's partitions in this TSD. */
  public final GroupLag lag;

  private final GroupContext context;
  private final AsyncProducer producer;
  private final List<PollLoop> pollers = new ArrayList<>();
  private final List<WriteLoop> writers = new ArrayList<>();
  private final List<Thread> pollThreads = new ArrayList<>();
  private final List<Thread> writeThreads = new ArrayList<>();

  /**
   * Creates the group; {@link #start} starts its threads.
   *
   * @param storage HBase, for the polling threads
   * @param sink stores the elements of the group's messages
   * @param masks writes masks; null if there is no coverage
   * @param requests asks for the rollups of late points; null if nothing repairs them
   * @param rawBacklog asked before a group of type REPAIR carries out a request: why raw points
   *     that Kafka had at a time, milliseconds since the epoch, may not be stored yet; null if all
   *     are, as far as this TSD knows
   */
  public IngestGroup(
      GroupConfig config,
      Storage storage,
      ElementSink sink,
      OtherWidths otherWidths,
      LongFunction<@Nullable String> rawBacklog,
      @Nullable MaskSink masks,
      @Nullable RepairRequests requests,
      Clock clock,
      Ticker ticker) {
    String name = "kafka-ingest-" + config.name;
    this.producer =
        new AsyncProducer(name + "-outbox", KafkaSettings.producer(config.kafka, name + "-outbox"));
    this.context =
        new GroupContext(
            config,
            producer,
            clock,
            ticker,
            storage,
            config.ingest.otherTopics(),
            otherWidths,
            rawBacklog,
            new Brokers(() -> Admin.create(KafkaSettings.admin(config, name + "-admin"))),
            new Masking(masks, sink, requests, config.ingest.messageLimits, clock));
    this.config = config;
    this.stats = context.stats;
    this.rate = context.rate;
    this.lag = context.lag;
    for (int i = 0; i < config.threads; i++) {
      String member = name + "-" + i;
      MessageQueue queue = new MessageQueue();
      pollers.add(
          new PollLoop(
              member,
              () ->
                  new KafkaConsumer<>(
                      KafkaSettings.consumer(config, member),
                      new ByteArrayDeserializer(),
                      queue.polledValues),
              context,
              queue));
      writers.add(new WriteLoop(queue, sink, context));
    }
  }

  /** Starts the threads; Kafka need not be available yet. */
  public void start() {
    for (int i = 0; i < pollers.size(); i++) {
      String member = "kafka-ingest-" + config.name + "-" + i;
      writeThreads.add(PluginThreads.start(member + "-write", writers.get(i)));
      pollThreads.add(PluginThreads.start(member + "-poll", pollers.get(i)));
    }
  }

  /**
   * Stops polling, waits for HBase, commits and leaves the group. Takes the drain timeout plus the
   * time for closing the clients at most.
   */
  public void stop() {
    pollers.forEach(PollLoop::stop);
    writers.forEach(WriteLoop::stop);
    join(pollThreads, config.ingest.drainMillis + GRACE_MILLIS);
    join(writeThreads, GRACE_MILLIS);
    context.brokers.close();
    producer.close();
  }

  private void join(List<Thread> threads, long millis) {
    long until = System.nanoTime() + millis * 1_000_000;
    try {
      for (Thread thread : threads) {
        thread.join(Math.max(1, (until - System.nanoTime()) / 1_000_000));
        if (thread.isAlive()) {
          LOG.warn("{} did not end in time and is left behind", thread.getName());
        }
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** What to change in Kafka; empty if nothing. */
  public Collection<String> warnings() {
    return Collections.unmodifiableCollection(context.warnings.values());
  }

  /** Points that HBase has not answered yet. */
  public int pointsInFlight() {
    return context.inFlightLimit.used();
  }

  /** Current limit of points in flight; below the configured one after a failure. */
  public int inFlightLimit() {
    return context.inFlightLimit.limit();
  }

  /**
   * Why this TSD is not ready for queries; null if no problem stops the group, it has joined, and
   * no partition is stalled or lags more than allowed. Groups with a delay lag by design, so their
   * lag does not count.
   */
  public @Nullable String notReady() {
    String problem = first(PollLoop::problem);
    if (problem != null) {
      return problem;
    }
    if (rate.get() == 0) {
      return "the group is stopped: its rate is 0";
    }
    String stalled = lag.stalled(config.stallMillis);
    return stalled != null || config.type.delayed() ? stalled : behind();
  }

  /**
   * Why a request waits although its delay is over; null if none waits, or the group is not of type
   * REPAIR.
   */
  public @Nullable String waitsFor() {
    return first(PollLoop::waitsFor);
  }

  /** The first answer of a consumer that is not null; null if there is none. */
  private @Nullable String first(Function<PollLoop, @Nullable String> question) {
    for (PollLoop poller : pollers) {
      String answer = question.apply(poller);
      if (answer != null) {
        return answer;
      }
    }
    return null;
  }

  /**
   * Why messages of this group that Kafka had at this time may not be stored yet; null if those of
   * the partitions in this TSD are.
   *
   * @param millis milliseconds since the epoch
   */
  public @Nullable String notStoredBefore(long millis) {
    String reason = first(IngestGroup::notJoined);
    reason = reason == null ? context.storedTimes.notStoredBefore(millis) : reason;
    return reason == null ? null : "group " + config.name + ": " + reason;
  }

  private @Nullable String behind() {
    String waits = first(IngestGroup::notJoined);
    return waits == null ? lag.behind(config.readyLag) : waits;
  }

  private static @Nullable String notJoined(PollLoop poller) {
    return poller.joined() ? null : "a consumer has not joined the group yet";
  }
}
