package io.tsdbsuite.ingest.consume;

import com.google.common.base.Ticker;
import com.stumbleupon.async.Deferred;
import io.tsdbsuite.ingest.config.GroupConfig;
import io.tsdbsuite.ingest.config.IngestConfig;
import io.tsdbsuite.ingest.config.KafkaSettings;
import io.tsdbsuite.ingest.store.ElementStore;
import io.tsdbsuite.ingest.store.OtherWidths;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** One consumer group in this TSD: its threads, its figures, its rate. */
public final class IngestGroup {
  private static final Logger LOG = LoggerFactory.getLogger(IngestGroup.class);
  private static final long GRACE_MILLIS = 30_000;

  private final GroupParts parts;
  private final Outbox outbox;
  private final Timeouts timeouts;
  private final List<PollLoop> pollers = new ArrayList<>();
  private final List<WriteLoop> writers = new ArrayList<>();
  private final List<Thread> pollThreads = new ArrayList<>();
  private final List<Thread> writeThreads = new ArrayList<>();

  /** Makes the group; {@link #start} starts it. */
  public IngestGroup(
      GroupConfig config,
      IngestConfig all,
      ElementStore store,
      OtherWidths otherWidths,
      Clock clock,
      Ticker ticker) {
    String name = "kafka-ingest-" + config.name();
    this.outbox =
        new Outbox(name + "-outbox", KafkaSettings.producer(config.kafka(), name + "-outbox"));
    this.parts =
        new GroupParts(config, outbox, clock, ticker, all.requeueTopics().values(), otherWidths);
    this.timeouts = new Timeouts(all.drainMillis(), all.ackTimeoutMillis());
    Storage storage = storage(store);
    for (int i = 0; i < config.threads(); i++) {
      String member = name + "-" + i;
      Backlog backlog = new Backlog();
      pollers.add(
          new PollLoop(
              member,
              () -> new KafkaConsumer<>(KafkaSettings.consumer(config, member)),
              parts,
              backlog,
              storage,
              timeouts));
      writers.add(new WriteLoop(backlog, store, parts, timeouts.ackMillis));
    }
  }

  private static Storage storage(ElementStore store) {
    return new Storage() {
      @Override
      public void flush() {
        store.flush();
      }

      @Override
      public Deferred<Object> probe() {
        return store.probe();
      }
    };
  }

  /** Starts the threads; Kafka need not be there yet. */
  public void start() {
    for (int i = 0; i < pollers.size(); i++) {
      String member = "kafka-ingest-" + parts.config.name() + "-" + i;
      writeThreads.add(Threads.start(member + "-write", writers.get(i)));
      pollThreads.add(Threads.start(member + "-poll", pollers.get(i)));
    }
  }

  /**
   * Stops fetching, waits for HBase, commits, leaves the group; takes the drain time-out and a
   * little more at most.
   */
  public void stop() {
    pollers.forEach(PollLoop::stop);
    writers.forEach(WriteLoop::stop);
    join(pollThreads, timeouts.drainMillis + GRACE_MILLIS);
    join(writeThreads, GRACE_MILLIS);
    outbox.close();
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

  /** Its configuration. */
  public GroupConfig config() {
    return parts.config;
  }

  /** Its counters. */
  public GroupStats stats() {
    return parts.stats;
  }

  /** Its rate. */
  public PointRate rate() {
    return parts.rate;
  }

  /** Its partitions. */
  public GroupLag lag() {
    return parts.lag;
  }

  /** Points that HBase owes an answer for. */
  public int pointsInFlight() {
    return parts.window.used();
  }

  /** Points that HBase may owe at most just now; less than configured after a failure. */
  public int inFlightLimit() {
    return parts.window.limit();
  }

  /**
   * Why queries should go elsewhere; null while nothing stops the group, it has its partitions, and
   * none stands still or is further behind than allowed. Requeue groups lag by design, and only
   * what stops them counts.
   */
  public String notReady() {
    for (PollLoop poller : pollers) {
      if (poller.problem() != null) {
        return poller.problem();
      }
    }
    if (parts.rate.get() == 0) {
      return "the group is stopped: its rate is 0";
    }
    String stalled = parts.lag.stalled(parts.config.stallMillis());
    return stalled != null || parts.config.type().requeued() ? stalled : behind();
  }

  private String behind() {
    for (PollLoop poller : pollers) {
      if (!poller.joined()) {
        return "a consumer has not joined the group yet";
      }
    }
    OptionalLong worst = parts.lag.worst();
    if (!worst.isPresent()) {
      return "the lag of a partition is not known yet";
    }
    if (worst.getAsLong() > parts.config.readyLag()) {
      return "a partition is "
          + worst.getAsLong()
          + " messages behind, "
          + parts.config.readyLag()
          + " are allowed";
    }
    return null;
  }
}
