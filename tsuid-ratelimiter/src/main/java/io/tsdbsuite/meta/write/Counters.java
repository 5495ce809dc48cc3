package io.tsdbsuite.meta.write;

import java.util.concurrent.atomic.LongAdder;

/** Totals since the start; docs/tsuid-ratelimiter.md explains them. */
final class Counters {
  /** Counters that HBase has acknowledged, one per series and write. */
  final LongAdder writes = new LongAdder();

  /** Writes of a counter or a TSMeta that failed. */
  final LongAdder failures = new LongAdder();

  /** Failed writes that HBase may have applied. */
  final LongAdder ambiguous = new LongAdder();

  /** Failed writes that will be retried. */
  final LongAdder retries = new LongAdder();

  /** Writes without an answer within the time-out. */
  final LongAdder overdue = new LongAdder();

  /** TSMeta objects created or found. */
  final LongAdder tsMetas = new LongAdder();

  /** Exceptions inside the plugin. */
  final LongAdder errors = new LongAdder();

  /** Points that came after the cache was closed and needed a write. */
  final LongAdder late = new LongAdder();

  /** Points in acknowledged increments. */
  final LongAdder pointsWritten = new LongAdder();

  /** Abandoned writes of series. */
  final LongAdder seriesLost = new LongAdder();

  /** Points that will not be in any counter. */
  final LongAdder pointsLost = new LongAdder();

  /** Points of new series over the hourly limit. */
  final LongAdder pointsSuppressed = new LongAdder();

  /** Points of failed writes that HBase may have applied, and that are retried. */
  final LongAdder pointsAmbiguous = new LongAdder();

  /** Points in unanswered writes. */
  final LongAdder pointsInFlight = new LongAdder();
}
