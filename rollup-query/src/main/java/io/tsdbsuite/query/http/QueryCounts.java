package io.tsdbsuite.query.http;

import io.tsdbsuite.query.limit.InFlight;
import io.tsdbsuite.query.run.AbortReason;
import io.tsdbsuite.query.run.QueryContext;
import java.util.EnumMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import net.opentsdb.stats.StatsCollector;

/** Counts queries by their outcome. */
public final class QueryCounts {
  /** Prefix of the statistics. */
  public static final String PREFIX = "rollup_query.";

  private final AtomicLong answered = new AtomicLong();
  private final AtomicLong failed = new AtomicLong();
  private final AtomicLong stock = new AtomicLong();
  private final AtomicLong cells = new AtomicLong();
  private final AtomicLong running = new AtomicLong();
  private final Map<AbortReason, AtomicLong> stopped = new EnumMap<>(AbortReason.class);

  /** Creates counts of zero. */
  public QueryCounts() {
    for (AbortReason reason : AbortReason.values()) {
      stopped.put(reason, new AtomicLong());
    }
  }

  /** A query begins. */
  void begun() {
    running.incrementAndGet();
  }

  /** A query is answered or stopped, whichever comes first. */
  void finished() {
    running.decrementAndGet();
  }

  void answered() {
    answered.incrementAndGet();
  }

  void failed() {
    failed.incrementAndGet();
  }

  /** A request that OpenTSDB's own handler answers. */
  public void passedOn() {
    stock.incrementAndGet();
  }

  void stopped(AbortReason reason) {
    AtomicLong count = stopped.get(reason);
    if (count != null) {
      count.incrementAndGet();
    }
  }

  /** A query no longer runs. */
  void ended(QueryContext context) {
    cells.addAndGet(context.cells());
  }

  /** Reports the counts, and what runs now. */
  void collect(StatsCollector collector, InFlight inFlight) {
    collector.record(PREFIX + "queries", answered.get(), "outcome=answered");
    collector.record(PREFIX + "queries", failed.get(), "outcome=failed");
    stopped.forEach(
        (reason, count) ->
            collector.record(PREFIX + "queries", count.get(), "outcome=" + reason.tag()));
    collector.record(PREFIX + "passed_on", stock.get());
    collector.record(PREFIX + "cells", cells.get());
    collector.record(PREFIX + "running", running.get());
    collector.record(PREFIX + "in_flight.cells", inFlight.cells());
    collector.record(PREFIX + "in_flight.bytes", inFlight.bytes());
  }
}
