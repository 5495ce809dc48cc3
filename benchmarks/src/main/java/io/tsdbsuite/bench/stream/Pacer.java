package io.tsdbsuite.bench.stream;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/** Writes messages at a constant rate, series after series, in a thread of its own. */
final class Pacer implements AutoCloseable {
  private static final long TICK_NANOS = TimeUnit.MILLISECONDS.toNanos(5);

  private final InputWriter writer;
  private final long from;
  private final double rate;
  private final double speed;
  private final Thread thread = new Thread(this::run, "pacer");
  private final AtomicReference<@Nullable Throwable> failure = new AtomicReference<>();
  private volatile boolean stopped;
  private volatile long time;
  private int series;

  /**
   * Starts to write.
   *
   * @param from time of the first message, seconds since the epoch
   * @param rate messages per second
   * @param speed seconds of the messages' time per second
   */
  Pacer(InputWriter writer, long from, double rate, double speed) {
    this.writer = writer;
    this.from = from * 1000;
    this.rate = rate;
    this.speed = speed;
    this.time = this.from;
    thread.start();
  }

  private void run() {
    try {
      MetricInput input = new MetricInput();
      long begin = System.nanoTime();
      long sent = 0;
      while (!stopped) {
        double seconds = (System.nanoTime() - begin) / 1e9;
        long due = (long) (seconds * rate);
        for (; sent < due; sent++) {
          // Its own place in the time of the messages, not that of the loop.
          long at = from + (long) (sent / rate * speed * 1000);
          writer.send(input, series, at);
          series = (series + 1) % writer.series();
          time = at;
        }
        TimeUnit.NANOSECONDS.sleep(TICK_NANOS);
      }
      writer.flush();
    } catch (Throwable e) {
      failure.compareAndSet(null, e);
    }
  }

  /** Throws what ended the thread. */
  void check() {
    Throwable found = failure.get();
    if (found != null) {
      throw new IllegalStateException("the messages stopped", found);
    }
  }

  /** Time of the newest message, milliseconds since the epoch. */
  long time() {
    check();
    return time;
  }

  @Override
  public void close() {
    stopped = true;
    try {
      thread.join();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    check();
  }
}
