package io.tsdbsuite.bench.load;

import io.tsdbsuite.synthetic.round.PointFormat;
import io.tsdbsuite.synthetic.round.TextBuffer;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * A running load: one thread per connection. Of n connections each sends every n-th batch of all
 * rounds.
 */
public final class LoadGenerator {
  private static final double NANOS = 1e9;
  private static final long RETRY_NANOS = TimeUnit.SECONDS.toNanos(1);

  private final LoadPlan plan;
  private final Ticks ticks;
  private final Books books = new Books();
  private final LoadPoints points;
  private final CountDownLatch running;
  private final AtomicInteger lost = new AtomicInteger();
  private final AtomicReference<Throwable> failure = new AtomicReference<>();
  private volatile boolean stopped;
  private volatile long lateNanos;
  private long sentBefore;
  private long before;

  private LoadGenerator(LoadPlan plan, Ticks ticks) {
    this.plan = plan;
    this.ticks = ticks;
    this.points = new LoadPoints(plan.shape(), plan.schedule().sleepNanos() / 1_000_000);
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
    List<Worker> workers = new ArrayList<>();
    for (int index = 0; index < plan.workers(); index++) {
      workers.add(generator.new Worker(index));
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

  /** Called by one thread only. */
  private void updateRate() {
    long now = ticks.nanos();
    long sent = books.totals().sent();
    if (now > before) {
      points.rate((long) ((sent - sentBefore) * NANOS / (now - before)));
    }
    before = now;
    sentBefore = sent;
  }

  private void lost(IOException why) {
    lost.incrementAndGet();
    books.reason(String.valueOf(why.getMessage()));
  }

  /** Ends the load early; connections finish the batch they are sending. */
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

  /** Sends one connection's share of all rounds. */
  private final class Worker {
    private final int index;
    private final PointFormat format = plan.protocol().format();
    private final TextBuffer buffer = new TextBuffer();
    private @Nullable TsdConnection connection;

    /** Connects. */
    Worker(int index) throws IOException {
      this.index = index;
      this.connection = plan.protocol().connect(plan.tsd(index), books);
    }

    void run() {
      try {
        long start = ticks.nanos();
        for (long round = 0; goesOn(start, round); round++) {
          long due = start + plan.schedule().due(round);
          ticks.waitUntil(due, () -> stopped);
          // Only the first one reports rounds: all have the same schedule.
          if (index == 0) {
            lateNanos = plan.schedule().sleepNanos() == 0 ? 0 : ticks.nanos() - due;
            updateRate();
          }
          send(start, round);
        }
        if (connection != null) {
          connection.finish();
        }
      } catch (IOException e) {
        lost(e);
      } finally {
        disconnect();
      }
    }

    private boolean goesOn(long start, long round) {
      return !stopped && plan.includes(round, ticks.nanos() - start);
    }

    private void send(long start, long round) throws IOException {
      int count = points.count();
      int stride = plan.workers() * plan.batch();
      for (long from = (long) index * plan.batch(); from < count; from += stride) {
        if (stopped) {
          return;
        }
        int to = (int) Math.min(count, from + plan.batch());
        fill((int) from, to, round);
        send(to - (int) from, start, round);
      }
      if (plan.schedule().sleepNanos() > 0 && connection != null) {
        connection.ask();
      }
    }

    private void fill(int from, int to, long round) {
      long timestamp = plan.schedule().timestamp(round);
      buffer.clear();
      format.begin(buffer);
      for (int point = from; point < to; point++) {
        points.append(format, buffer, point - from, point, round, timestamp);
      }
      format.end(buffer);
    }

    /**
     * Reconnects if there is no connection. The batch in which a connection broke is not sent
     * again, since the TSD may have it.
     */
    private void send(int size, long start, long round) {
      while (connection == null && goesOn(start, round)) {
        try {
          connection = plan.protocol().connect(plan.tsd(index), books);
        } catch (IOException e) {
          retryLater(e);
        }
      }
      if (connection != null) {
        try {
          connection.send(buffer, size);
        } catch (IOException e) {
          retryLater(e);
        }
      }
    }

    private void retryLater(IOException why) {
      lost(why);
      disconnect();
      ticks.waitUntil(ticks.nanos() + RETRY_NANOS, () -> stopped);
    }

    private void disconnect() {
      if (connection != null) {
        try {
          connection.close();
        } catch (IOException e) {
          lost(e);
        }
        connection = null;
      }
    }
  }
}
