package io.tsdbsuite.quickstart.stream;

import io.tsdbsuite.quickstart.data.RequestRate;
import io.tsdbsuite.testkit.KafkaTopics;
import java.time.Clock;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.jspecify.annotations.Nullable;

/** Sends the points of {@link RequestRate} to a topic: first the past, then each new point. */
public final class PointFeed implements AutoCloseable {
  private static final int LOOK_SECONDS = 1;

  private final KafkaTopics topics;
  private final PointMessages messages;
  private final Clock clock;
  private final AtomicReference<RuntimeException> failure = new AtomicReference<>();
  private @Nullable ScheduledExecutorService following;
  private long next;

  /**
   * @param topics Kafka
   * @param topic topic of the points, with {@link #partitions} partitions
   * @param rate the points
   * @param clock the present, after which there are no points
   */
  public PointFeed(KafkaTopics topics, String topic, RequestRate rate, Clock clock) {
    this.topics = topics;
    this.messages = new PointMessages(topic, rate);
    this.clock = clock;
  }

  /** Partitions that the topic must have. */
  public static int partitions(RequestRate rate) {
    return PointMessages.partitions(rate);
  }

  /**
   * Sends the points of one second, before stream-rollup starts: over a topic that never had a
   * message it would start at the present.
   *
   * @param time seconds since the epoch, a multiple of the points' step
   */
  public void first(long time) {
    Iterable<ProducerRecord<byte[], byte[]>> records =
        () -> messages.of(time, time + RequestRate.STEP_SECONDS).iterator();
    topics.send(records);
  }

  /**
   * Sends the past.
   *
   * @param from first second, since the epoch, a multiple of the points' step
   * @return end of the points that were sent, exclusive, seconds since the epoch
   */
  public long past(long from) {
    next = from;
    present();
    return next;
  }

  /** Goes on in the background with each new point, after {@link #past}. */
  public void follow() {
    ScheduledExecutorService threads = Executors.newSingleThreadScheduledExecutor();
    following = threads;
    // tryPresent keeps its failure for close.
    Future<?> unused =
        threads.scheduleWithFixedDelay(this::tryPresent, 0, LOOK_SECONDS, TimeUnit.SECONDS);
  }

  private void tryPresent() {
    try {
      present();
    } catch (RuntimeException e) {
      failure.compareAndSet(null, e);
      throw e;
    }
  }

  private void present() {
    long now = clock.instant().getEpochSecond();
    long to = now - now % RequestRate.STEP_SECONDS + RequestRate.STEP_SECONDS;
    long from = next;
    if (from < to) {
      Iterable<ProducerRecord<byte[], byte[]>> records = () -> messages.of(from, to).iterator();
      topics.send(records);
      next = to;
    }
  }

  /**
   * Sends one point that is late.
   *
   * @param server its server, counted from 0
   * @param time seconds since the epoch
   * @param value the value
   */
  public void late(int server, long time, Number value) {
    topics.send(List.of(messages.single(server, time, value, clock.millis())));
  }

  /**
   * Stops.
   *
   * @throws RuntimeException when the points could not be sent
   */
  @Override
  public void close() {
    ScheduledExecutorService threads = following;
    if (threads != null) {
      threads.shutdown();
      try {
        if (!threads.awaitTermination(5, TimeUnit.MINUTES)) {
          throw new IllegalStateException("the points were not sent within a minute");
        }
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    }
    RuntimeException failed = failure.get();
    if (failed != null) {
      throw failed;
    }
  }
}
