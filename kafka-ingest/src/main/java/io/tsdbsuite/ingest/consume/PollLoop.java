package io.tsdbsuite.ingest.consume;

import java.time.Duration;
import java.util.function.Supplier;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.common.errors.InterruptException;
import org.apache.kafka.common.errors.WakeupException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The polling thread of a consumer: one session with Kafka after the other, until it is stopped.
 *
 * <p>Whatever ends a session (a broker that refuses the login, a bug) is logged and shown, and a
 * new one begins after a while.
 */
final class PollLoop implements Runnable {
  private static final Logger LOG = LoggerFactory.getLogger(PollLoop.class);
  private static final Duration CLOSE = Duration.ofSeconds(10);
  private static final long RESTART_MILLIS = 5_000;

  private final String name;
  private final Supplier<Consumer<byte[], byte[]>> consumers;
  private final GroupParts parts;
  private final Backlog backlog;
  private final Storage storage;
  private final Timeouts timeouts;

  private Consumer<byte[], byte[]> consumer;
  private volatile Session session;
  private volatile boolean stopping;
  private volatile String problem;

  PollLoop(
      String name,
      Supplier<Consumer<byte[], byte[]>> consumers,
      GroupParts parts,
      Backlog backlog,
      Storage storage,
      Timeouts timeouts) {
    this.name = name;
    this.consumers = consumers;
    this.parts = parts;
    this.backlog = backlog;
    this.storage = storage;
    this.timeouts = timeouts;
  }

  /** Fetches nothing more, waits for HBase, commits, leaves the group. */
  void stop() {
    synchronized (this) {
      stopping = true;
      if (consumer != null) {
        consumer.wakeup();
      }
      notifyAll();
    }
  }

  /** Why the consumer cannot work; null while it can. */
  String problem() {
    String own = problem;
    Session current = session;
    return own != null || current == null ? own : current.problem();
  }

  /** Whether the group has given it its partitions, be they none. */
  boolean joined() {
    Session current = session;
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
        // The TSD must not suffer, and the group must not stand still for ever.
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
    Session current = new Session(name, opened, parts, backlog, storage, timeouts);
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
