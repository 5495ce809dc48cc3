package io.tsdbsuite.ingest.consume;

import java.time.Duration;
import java.util.function.Supplier;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.common.errors.InterruptException;
import org.apache.kafka.common.errors.WakeupException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The polling thread of a consumer: runs one {@link ConsumerSession} after the other until stopped.
 *
 * <p>An error that ends a session (a rejected login, a bug) is logged and reported, and a new
 * session starts after a pause.
 */
final class PollLoop implements Runnable {
  private static final Logger LOG = LoggerFactory.getLogger(PollLoop.class);
  private static final Duration CLOSE = Duration.ofSeconds(10);
  private static final long RESTART_MILLIS = 5_000;

  private final String name;
  private final Supplier<Consumer<byte[], byte[]>> consumers;
  private final GroupContext context;
  private final MessageQueue queue;

  private @Nullable Consumer<byte[], byte[]> consumer;
  private volatile @Nullable ConsumerSession session;
  private volatile boolean stopping;
  private volatile @Nullable String problem;

  PollLoop(
      String name,
      Supplier<Consumer<byte[], byte[]>> consumers,
      GroupContext context,
      MessageQueue queue) {
    this.name = name;
    this.consumers = consumers;
    this.context = context;
    this.queue = queue;
  }

  /** Stops polling, waits for HBase, commits, leaves the group. */
  void stop() {
    synchronized (this) {
      stopping = true;
      if (consumer != null) {
        consumer.wakeup();
      }
      notifyAll();
    }
  }

  /** Why the consumer makes no progress; null if there is no problem. */
  @Nullable String problem() {
    String own = problem;
    ConsumerSession current = session;
    return own != null || current == null ? own : current.problem();
  }

  /** Why a request waits although its delay is over; null if none waits. */
  @Nullable String waitsFor() {
    ConsumerSession current = session;
    return current == null ? null : current.waitsFor();
  }

  /** Whether the consumer has got its assignment, which may be empty. */
  boolean joined() {
    ConsumerSession current = session;
    return current != null && current.joined();
  }

  @Override
  public void run() {
    while (!stopping) {
      try {
        runSession();
      } catch (InterruptException e) {
        LOG.info("{} was interrupted and ends", name);
        return;
      } catch (Throwable e) {
        // Any error: the TSD must stay up, and the group must not stop for good.
        problem = e.getClass().getSimpleName() + ": " + e.getMessage();
        LOG.error("{} starts again in {} ms", name, RESTART_MILLIS, e);
        pause();
      }
    }
  }

  private synchronized void pause() {
    long until = System.nanoTime() + RESTART_MILLIS * 1_000_000;
    try {
      for (long left = RESTART_MILLIS; !stopping && left > 0; ) {
        wait(left);
        left = (until - System.nanoTime()) / 1_000_000;
      }
    } catch (InterruptedException e) {
      stopping = true;
      Thread.currentThread().interrupt();
    }
  }

  private void runSession() {
    Consumer<byte[], byte[]> opened = consumers.get();
    ConsumerSession current = new ConsumerSession(name, opened, context, queue);
    synchronized (this) {
      consumer = opened;
      session = current;
    }
    try {
      problem = null;
      while (!stopping) {
        try {
          current.round();
        } catch (WakeupException e) {
          // Only stop() wakes it.
        }
      }
      current.drain();
    } finally {
      synchronized (this) {
        consumer = null;
        session = null;
      }
      current.abandon();
      opened.close(CLOSE);
    }
  }
}
