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

/**
 * Sends the points of {@link RequestRate} to their topic: first the past, then each new point. The
 * topic has {@link PointMessages#partitions} partitions.
 */
public final class PointFeed implements AutoCloseable {
  private static final int LOOK_SECONDS = 1;

  private final KafkaTopics topics;
  private final PointMessages messages;
  private final Clock clock;
  private final AtomicReference<RuntimeException> failure = new AtomicReference<>();
  private final ScheduledExecutorService threads = Executors.newSingleThreadScheduledExecutor();
  private long next;

  /**
   * @param clock the present, after which there are no points
   */
  public PointFeed(KafkaTopics topics, RequestRate rate, Clock clock) {
    this.topics = topics;
    this.messages = new PointMessages(rate);
    this.clock = clock;
  }

  /**
   * Sends the points of one second, before stream-rollup starts: over a topic that never had a
   * message it would start at the present.
   *
   * @param time seconds since the epoch, a multiple of the points' step
   */
  public void first(long time) {
    send(time, time + RequestRate.STEP_SECONDS);
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
    if (next < to) {
      send(next, to);
      next = to;
    }
  }

  private void send(long from, long to) {
    topics.send(() -> messages.of(from, to).iterator());
  }

  /** Sends one point that is late. */
  void late(int server, long time, Number value) {
    topics.send(List.of(messages.single(server, time, value, clock.millis())));
  }

  /**
   * Stops.
   *
   * @throws RuntimeException when the points could not be sent
   */
  @Override
  public void close() {
    threads.shutdown();
    try {
      if (!threads.awaitTermination(5, TimeUnit.MINUTES)) {
        throw new IllegalStateException("the points were not sent within five minutes");
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    RuntimeException failed = failure.get();
    if (failed != null) {
      throw failed;
    }
  }
}
