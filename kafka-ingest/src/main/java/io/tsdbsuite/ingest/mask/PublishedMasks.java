package io.tsdbsuite.ingest.mask;

import com.google.common.base.Ticker;
import com.google.common.util.concurrent.ThreadFactoryBuilder;
import io.tsdbsuite.coverage.CoverageMask.Kind;
import io.tsdbsuite.format.meta.TsuidLayout;
import java.time.Clock;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Masks late points that a TSD receives over HTTP and telnet, of which only their arrival is known:
 * HBase acknowledges them later. So each mask is written twice, after a second or two, and again
 * {@link #AGAIN} after that or later. Points that HBase stores within this time are masked; the
 * same time is in what readers allow for points at the end of an hour. The rollups are requested
 * when the second mask is acknowledged: a repair that reads only the first one leaves the second.
 * Never blocks, never throws. Thread-safe.
 */
public final class PublishedMasks implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(PublishedMasks.class);

  /** How often new masks are written, milliseconds. */
  static final long EVERY = 1_000;

  /** How long HBase may take for a point, milliseconds. */
  static final long AGAIN = 120_000;

  private static final long CLOSE_MILLIS = 5_000;

  /** Runs something again and again, until it is closed. */
  @FunctionalInterface
  interface Timer {
    Runnable start(Runnable turn);
  }

  /** Requests the rollups of series' hours. No method blocks. */
  public interface Requests {
    /**
     * Requests those of a series' hour.
     *
     * @param hour its start, seconds since the epoch
     * @param tags must not be changed any more
     */
    void late(long hour, String metric, Map<String, String> tags);

    /**
     * Counts and logs a request that is left to the nightly run.
     *
     * @param reason for the log
     */
    void leave(String reason);
  }

  /** Series' hours of which rollups are requested at a time; the others are left to the night. */
  static final int MAX_REQUESTS = 10_000;

  /** Masks, and the series' hours whose rollups are requested for them. */
  private final class Batch {
    private final MaskSet masks = new MaskSet(limits);
    private final Set<List<Object>> series = new HashSet<>();

    void add(String metric, long hour, Map<String, String> tags, String tsuid) {
      masks.add(Kind.LATE, hour, metric, tsuid);
      add(Arrays.asList(hour, metric, tags));
    }

    private void add(List<Object> late) {
      if (requests == null) {
        return;
      }
      if (series.size() < MAX_REQUESTS) {
        series.add(late);
      } else if (!series.contains(late)) {
        requests.leave(MAX_REQUESTS + " series' hours wait for their second mask");
      }
    }

    void addAll(Batch other) {
      masks.addAll(other.masks);
      other.series.forEach(this::add);
    }

    @SuppressWarnings("unchecked") // Made by add.
    void request() {
      if (requests == null) {
        return;
      }
      for (List<Object> each : series) {
        requests.late((Long) each.get(0), (String) each.get(1), (Map<String, String>) each.get(2));
      }
    }
  }

  private final MaskSink writer;
  private final @Nullable Requests requests;
  private final MaskLimits limits;
  private final Clock clock;
  private final Ticker ticker;
  private final Timer timer;

  // Guarded by this.
  private Batch fresh;

  /** To be written a second time, now. */
  private Batch second;

  /** Written once, since the last turn. */
  private Batch again;

  /** Written once, before the last turn. */
  private Batch old;

  private long turnedAt;
  private boolean writes;
  private boolean warned;
  private @Nullable Runnable stop;

  /** Whether the last write has begun, or closing was given up: later points have no masks. */
  private boolean closed;

  private boolean refused;

  /**
   * Creates it; the first late point starts its timer.
   *
   * @param requests null if nothing repairs rollups
   */
  public PublishedMasks(
      MaskSink writer, MaskLimits limits, @Nullable Requests requests, Clock clock, Ticker ticker) {
    this(writer, limits, requests, clock, ticker, PublishedMasks::everySecond);
  }

  PublishedMasks(
      MaskSink writer,
      MaskLimits limits,
      @Nullable Requests requests,
      Clock clock,
      Ticker ticker,
      Timer timer) {
    this.requests = requests;
    this.writer = writer;
    this.limits = limits;
    this.clock = clock;
    this.ticker = ticker;
    this.timer = timer;
    this.fresh = new Batch();
    this.second = new Batch();
    this.again = new Batch();
    this.old = new Batch();
  }

  /**
   * Notes a point whose put the TSD has queued.
   *
   * @param timestamp seconds or milliseconds since the epoch
   * @param tags must not be changed any more
   */
  public void add(String metric, long timestamp, Map<String, String> tags, byte[] tsuid) {
    long hour = MaskRule.hour(timestamp);
    long now = clock.millis();
    if (MaskRule.isLate(hour, now) && !writer.leavesOut(metric, hour, now, true)) {
      addLate(metric, hour, tags, TsuidLayout.hex(tsuid));
    }
  }

  private synchronized void addLate(
      String metric, long hour, Map<String, String> tags, String tsuid) {
    if (closed) {
      if (!refused) {
        refused = true;
        LOG.error(
            "the TSD stops: late points have no masks from now on, the first one is of metric {}",
            metric);
      }
      return;
    }
    fresh.add(metric, hour, tags, tsuid);
    if (stop == null) {
      turnedAt = ticker.read();
      stop = timer.start(this::turn);
    }
  }

  private static Runnable everySecond(Runnable turn) {
    ScheduledExecutorService executor =
        Executors.newSingleThreadScheduledExecutor(
            new ThreadFactoryBuilder()
                .setNameFormat("kafka-ingest-publisher-masks")
                .setDaemon(true)
                .build());
    Runnable each =
        () -> {
          try {
            turn.run();
          } catch (Throwable e) {
            // Else it was the last turn.
            LOG.error("masks of late points are tried again", e);
          }
        };
    Object unused = executor.scheduleWithFixedDelay(each, EVERY, EVERY, TimeUnit.MILLISECONDS);
    return executor::shutdownNow;
  }

  /** Writes what is due. */
  synchronized void turn() {
    long now = ticker.read();
    if (now - turnedAt >= TimeUnit.MILLISECONDS.toNanos(AGAIN)) {
      second.addAll(old);
      old = again;
      again = new Batch();
      turnedAt = now;
    }
    if (!writes) {
      write();
    }
  }

  private synchronized void write() {
    Batch first = fresh;
    Batch rest = second;
    if (first.masks.isEmpty() && rest.masks.isEmpty()) {
      return;
    }
    writes = true;
    fresh = new Batch();
    second = new Batch();
    try {
      writer.write(
          masks -> {
            masks.addAll(first.masks);
            masks.addAll(rest.masks);
          },
          failure -> written(first, rest, failure));
    } catch (Throwable e) {
      // Also an Error: else no mask would be written any more.
      written(first, rest, e);
    }
  }

  private synchronized void written(Batch first, Batch rest, @Nullable Throwable failure) {
    writes = false;
    if (failure == null) {
      again.addAll(first);
      rest.request();
    } else {
      fresh.addAll(first);
      second.addAll(rest);
      if (!warned) {
        LOG.warn("masks of late points are not written, and are tried again: {}", failure, failure);
      }
    }
    warned = failure != null;
    notifyAll();
  }

  /**
   * Writes all masks a last time, for at most five seconds, and requests their rollups. The puts of
   * the last second may be stored after it: less than what readers allow for clocks.
   */
  @Override
  public void close() {
    synchronized (this) {
      if (stop == null) {
        // The first late point would start the timer.
        stop = () -> {};
      }
      stop.run();
      long until = System.nanoTime() + CLOSE_MILLIS * 1_000_000;
      try {
        while (writes || !closed) {
          if (!writes) {
            closed = true;
            for (Batch each : Arrays.asList(old, again, fresh)) {
              second.addAll(each);
            }
            fresh = new Batch();
            write();
          }
          long left = (until - System.nanoTime()) / 1_000_000;
          if (left <= 0) {
            break;
          }
          if (writes) {
            wait(left);
          }
        }
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
      closed = true;
      if (!fresh.masks.isEmpty() || !second.masks.isEmpty() || writes) {
        LOG.error("masks of late points were not written before the TSD stopped");
      }
    }
  }
}
