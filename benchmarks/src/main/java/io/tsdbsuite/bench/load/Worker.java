package io.tsdbsuite.bench.load;

import io.tsdbsuite.synthetic.round.PointFormat;
import io.tsdbsuite.synthetic.round.TextBuffer;
import java.io.IOException;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/** Sends one connection's share of all rounds: of n workers, each sends every n-th batch. */
final class Worker implements Runnable {
  private static final long RETRY_NANOS = TimeUnit.SECONDS.toNanos(1);

  private final LoadPlan plan;
  private final int index;
  private final LoadPoints points;
  private final Books books;
  private final RoundListener listener;
  private final Ticks ticks;
  private final BooleanSupplier stop;
  private final PointFormat format;
  private final TextBuffer buffer = new TextBuffer();
  private @Nullable TsdConnection connection;

  /** Events of a worker. */
  interface RoundListener {
    /** A round begins; its delay in nanoseconds, 0 without a schedule. */
    void begins(long lateNanos);

    /** A connection broke, or a reconnection failed. */
    void lost(String why);
  }

  /**
   * Connects.
   *
   * @param index index of this worker, from 0
   * @throws IOException when the connection fails
   */
  Worker(
      LoadPlan plan,
      int index,
      LoadPoints points,
      Books books,
      RoundListener listener,
      Ticks ticks,
      BooleanSupplier stop)
      throws IOException {
    this.plan = plan;
    this.index = index;
    this.points = points;
    this.books = books;
    this.listener = listener;
    this.ticks = ticks;
    this.stop = stop;
    this.format = plan.protocol().format();
    this.connection = plan.protocol().connect(plan.tsd(index), books);
  }

  @Override
  public void run() {
    try {
      long start = ticks.nanos();
      for (long round = 0; goesOn(start, round); round++) {
        long due = start + plan.schedule().due(round);
        ticks.waitUntil(due, stop);
        listener.begins(plan.schedule().sleepNanos() == 0 ? 0 : ticks.nanos() - due);
        send(start, round);
      }
      if (connection != null) {
        connection.finish();
      }
    } catch (IOException e) {
      listener.lost(String.valueOf(e.getMessage()));
    } finally {
      disconnect();
    }
  }

  private boolean goesOn(long start, long round) {
    return !stop.getAsBoolean() && plan.includes(round, ticks.nanos() - start);
  }

  private void send(long start, long round) throws IOException {
    long timestamp = plan.schedule().timestamp(round);
    int count = points.count();
    int stride = plan.workers() * plan.batch();
    for (long from = (long) index * plan.batch(); from < count; from += stride) {
      if (stop.getAsBoolean()) {
        return;
      }
      int to = (int) Math.min(count, from + plan.batch());
      fill((int) from, to, round, timestamp);
      send(to - (int) from, start, round);
    }
    if (plan.schedule().sleepNanos() > 0 && connection != null) {
      connection.ask();
    }
  }

  private void fill(int from, int to, long round, long timestamp) {
    buffer.clear();
    format.begin(buffer);
    for (int point = from; point < to; point++) {
      points.append(format, buffer, point - from, point, round, timestamp);
    }
    format.end(buffer);
  }

  /**
   * Reconnects if there is no connection. The batch in which a connection broke is not sent again,
   * since the TSD may have it.
   */
  private void send(int size, long start, long round) {
    while (connection == null && goesOn(start, round)) {
      try {
        connection = plan.protocol().connect(plan.tsd(index), books);
      } catch (IOException e) {
        lost(e);
      }
    }
    if (connection != null) {
      try {
        connection.send(buffer, size);
      } catch (IOException e) {
        lost(e);
      }
    }
  }

  private void lost(IOException why) {
    listener.lost(String.valueOf(why.getMessage()));
    disconnect();
    ticks.waitUntil(ticks.nanos() + RETRY_NANOS, stop);
  }

  private void disconnect() {
    if (connection != null) {
      try {
        connection.close();
      } catch (IOException e) {
        listener.lost(String.valueOf(e.getMessage()));
      }
      connection = null;
    }
  }
}
