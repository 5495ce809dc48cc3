package io.tsdbsuite.bench.load;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;

/** A running load: one thread per connection. */
public final class LoadGenerator {
  private static final double NANOS = 1e9;

  private final Books books = new Books();
  private final OwnMetrics own;
  private final Ticks ticks;
  private final CountDownLatch running;
  private final AtomicInteger lost = new AtomicInteger();
  private final AtomicReference<Throwable> failure = new AtomicReference<>();
  private volatile boolean stopped;
  private volatile long lateNanos;
  private long sentBefore;
  private long before;

  private LoadGenerator(LoadPlan plan, Ticks ticks) {
    this.ticks = ticks;
    this.own = new OwnMetrics(plan.shape(), plan.schedule().sleepNanos() / 1_000_000);
    this.running = new CountDownLatch(plan.workers());
    this.before = ticks.nanos();
  }

  /**
   * Opens all connections and starts the load.
   *
   * @throws IOException when a connection fails; nothing was sent then
   */
  public static LoadGenerator start(LoadPlan plan, Ticks ticks) throws IOException {
    LoadGenerator generator = new LoadGenerator(plan, ticks);
    LoadPoints points = new LoadPoints(plan.shape(), generator.own);
    List<Worker> workers = new ArrayList<>();
    for (int index = 0; index < plan.workers(); index++) {
      workers.add(
          new Worker(
              plan,
              index,
              points,
              generator.books,
              generator.listener(index == 0),
              ticks,
              () -> generator.stopped));
    }
    for (Worker worker : workers) {
      Thread thread = new Thread(() -> generator.run(worker), "load");
      thread.setDaemon(true);
      thread.start();
    }
    return generator;
  }

  private void run(Worker worker) {
    try {
      worker.run();
    } catch (RuntimeException | Error e) {
      failure.set(e);
    } finally {
      running.countDown();
    }
  }

  /** Only the first worker reports rounds: all workers have the same schedule. */
  private Worker.RoundListener listener(boolean first) {
    return new Worker.RoundListener() {
      @Override
      public void begins(long late) {
        if (first) {
          lateNanos = late;
          tellRate();
        }
      }

      @Override
      public void lost(String why) {
        lost.incrementAndGet();
        books.reason(why);
      }
    };
  }

  private void tellRate() {
    long now = ticks.nanos();
    long sent = books.totals().sent();
    if (now > before) {
      own.rate((long) ((sent - sentBefore) * NANOS / (now - before)));
    }
    before = now;
    sentBefore = sent;
  }

  /** Ends the load early; workers finish the batch they are sending. */
  public void stop() {
    stopped = true;
  }

  /**
   * Waits for the end of the load.
   *
   * @return whether the load has ended
   * @throws IllegalStateException when the generator itself failed
   */
  public boolean await(Duration atMost) throws InterruptedException {
    boolean ended = running.await(atMost.toNanos(), TimeUnit.NANOSECONDS);
    if (failure.get() != null) {
      throw new IllegalStateException("the load generator failed", failure.get());
    }
    return ended;
  }

  /** Counts of sent, accepted and failed points. */
  public Books books() {
    return books;
  }

  /** Number of broken connections and failed reconnections. */
  public int lostConnections() {
    return lost.get();
  }

  /** Delay of the last round's start against its schedule. */
  Duration late() {
    return Duration.ofNanos(lateNanos);
  }
}
