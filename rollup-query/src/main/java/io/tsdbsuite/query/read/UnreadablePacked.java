package io.tsdbsuite.query.read;

import com.stumbleupon.async.Deferred;
import io.tsdbsuite.coverage.QueryPlan;
import io.tsdbsuite.query.run.BoundedAnswer;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeoutException;
import java.util.function.LongSupplier;
import net.opentsdb.stats.StatsCollector;
import org.jboss.netty.util.Timer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Sub-queries that have read plain tables because packed rows cannot be read: counts them, and logs
 * one a minute. A packed table that has failed, or is silent, is not read for a minute. One that
 * has answered other batches meanwhile is slow for a query alone, and others go on to read it.
 * Thread-safe.
 */
final class UnreadablePacked {
  /** How long a batch of packed rows is waited for, milliseconds. */
  static final long MAX_WAIT = 10_000;

  /** How long a table that has not answered is not read, milliseconds. */
  static final long REST = 60_000;

  private static final Logger LOG = LoggerFactory.getLogger(UnreadablePacked.class);
  private static final long MILLIS_BETWEEN_WARNINGS = 60_000;

  private final LongSupplier clock;

  /** By level, when its table has not answered the last time. */
  private final Map<String, Long> unanswered = new HashMap<>();

  /** By level, when its table has answered the last time. */
  private final Map<String, Long> answered = new ConcurrentHashMap<>();

  private long count;
  private long loggedAt;

  /**
   * @param clock milliseconds that never go back
   */
  UnreadablePacked(LongSupplier clock) {
    this.clock = clock;
  }

  synchronized void found(UnreadablePackedException failure) {
    long now = clock.getAsLong();
    if (failure.level() != null) {
      unanswered.put(failure.level(), now);
    }
    if (count++ == 0 || now - loggedAt >= MILLIS_BETWEEN_WARNINGS) {
      loggedAt = now;
      LOG.warn(
          "a query has read plain rollups in place of packed ones, the {}. since the start: {}",
          count,
          failure.getMessage());
    }
  }

  /** Whether a table of these scans rests. */
  boolean rests(List<QueryPlan.Scan> scans) {
    for (QueryPlan.Scan scan : scans) {
      QueryPlan.Table table = scan.table();
      if (table != null && rests(table.interval())) {
        return true;
      }
    }
    return false;
  }

  /** Whether the table of a level has failed, or has been silent, less than a minute ago. */
  synchronized boolean rests(String level) {
    Long since = unanswered.get(level);
    if (since != null && clock.getAsLong() - since >= REST) {
      unanswered.remove(level);
      return false;
    }
    return since != null;
  }

  /**
   * Waits for a batch of a packed table for a while. Whatever fails is a failure of the table.
   *
   * @param table its name, for people
   */
  PieceScan.Wait wait(Timer timer, String level, String table) {
    return new PieceScan.Wait() {
      @Override
      public <T> Deferred<T> of(Deferred<T> asked) {
        return BoundedAnswer.of(
                timer,
                MAX_WAIT,
                asked,
                () -> new TimeoutException("no answer for " + MAX_WAIT / 1000 + " s"))
            .addCallbacks(
                batch -> {
                  answered.put(level, clock.getAsLong());
                  return batch;
                },
                (Exception failure) -> {
                  boolean slow = failure instanceof TimeoutException && hasAnswered(level);
                  // The messages of HBase's client have several lines, with keys of rows.
                  String why = String.valueOf(failure.getMessage()).split("\n", 2)[0];
                  throw new UnreadablePackedException(
                      "table " + table + ": " + why, slow ? null : level, failure);
                });
      }
    };
  }

  /** Whether a table has answered while a batch was waited for. */
  private boolean hasAnswered(String level) {
    Long last = answered.get(level);
    return last != null && clock.getAsLong() - last < MAX_WAIT;
  }

  synchronized void collectStats(StatsCollector collector, String prefix) {
    collector.record(prefix + "packed.unreadable", count);
  }
}
