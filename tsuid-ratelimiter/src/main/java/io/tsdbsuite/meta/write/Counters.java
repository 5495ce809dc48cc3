package io.tsdbsuite.meta.write;

import java.util.concurrent.atomic.LongAdder;

/** What has happened since the start; explained in docs/tsuid-ratelimiter.md. */
final class Counters {
  /** Counters that HBase has taken, one per series and write. */
  final LongAdder writes = new LongAdder();

  /** Writes of a counter or a TSMeta that failed. */
  final LongAdder failures = new LongAdder();

  /** Those of them that HBase may have done all the same. */
  final LongAdder ambiguous = new LongAdder();

  /** Failed writes that were put off, to be tried again. */
  final LongAdder retries = new LongAdder();

  /** Writes that had no answer when they should. */
  final LongAdder overdue = new LongAdder();

  /** TSMeta objects that are known to be there now. */
  final LongAdder tsMetas = new LongAdder();

  /** Calls of the TSD that ended with an exception here. */
  final LongAdder errors = new LongAdder();

  /** Points that came after the cache was closed, and that somebody had to see to. */
  final LongAdder late = new LongAdder();

  /** Points that HBase has added. */
  final LongAdder pointsWritten = new LongAdder();

  /** Series of which a write was given up: what it would have told is not in the meta table. */
  final LongAdder seriesLost = new LongAdder();

  /** Points that nobody will add. */
  final LongAdder pointsLost = new LongAdder();

  /** Points of new series for which the hours had no place. */
  final LongAdder pointsSuppressed = new LongAdder();

  /** Points of writes that HBase may have done although they failed, and that are sent again. */
  final LongAdder pointsAmbiguous = new LongAdder();

  /** Points on their way to HBase now. */
  final LongAdder pointsInFlight = new LongAdder();
}
