package io.tsdbsuite.query.shadow;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import net.opentsdb.stats.StatsCollector;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Counts the checks, and keeps the last ones; differences for longer. Thread-safe. */
final class ShadowHistory {
  private static final Logger LOG = LoggerFactory.getLogger(ShadowHistory.class);
  private static final int KEPT = 20;
  private static final long MILLIS_BETWEEN_WARNINGS = 60_000;

  private final Map<ShadowOutcome, Long> counts = new EnumMap<>(ShadowOutcome.class);
  private final Deque<ShadowResult> last = new ArrayDeque<>();
  private final Deque<ShadowResult> differences = new ArrayDeque<>();
  private long series;
  private long notLogged;
  private boolean logged;
  private long loggedAt;

  /** A check that was not begun. */
  synchronized void skipped(ShadowOutcome reason) {
    counts.merge(reason, 1L, Long::sum);
  }

  /**
   * A check has ended.
   *
   * @param now milliseconds of a clock that never goes back
   */
  synchronized void ended(ShadowResult result, long now) {
    counts.merge(result.outcome(), 1L, Long::sum);
    series += result.series();
    keep(last, result);
    if (result.outcome() == ShadowOutcome.DIFFERENT) {
      keep(differences, result);
      warn(result, now);
    }
  }

  private static void keep(Deque<ShadowResult> results, ShadowResult result) {
    results.addFirst(result);
    if (results.size() > KEPT) {
      results.removeLast();
    }
  }

  private void warn(ShadowResult result, long now) {
    if (logged && now - loggedAt < MILLIS_BETWEEN_WARNINGS) {
      notLogged++;
      return;
    }
    LOG.warn(
        "shadow check: {}; {} earlier differences were not logged."
            + " docs/rollup-query.md#shadow-check has what to do",
        result,
        notLogged);
    logged = true;
    loggedAt = now;
    notLogged = 0;
  }

  synchronized List<ShadowResult> last() {
    return new ArrayList<>(last);
  }

  synchronized List<ShadowResult> differences() {
    return new ArrayList<>(differences);
  }

  /**
   * Reports the counts.
   *
   * @param prefix of the names
   */
  synchronized void collect(StatsCollector collector, String prefix) {
    long different = counts.getOrDefault(ShadowOutcome.DIFFERENT, 0L);
    collector.record(
        prefix + "shadow.checked", counts.getOrDefault(ShadowOutcome.SAME, 0L) + different);
    collector.record(prefix + "shadow.different", different);
    collector.record(prefix + "shadow.series", series);
    for (ShadowOutcome outcome : ShadowOutcome.values()) {
      if (outcome.isSkipped()) {
        collector.record(
            prefix + "shadow.skipped", counts.getOrDefault(outcome, 0L), "reason=" + outcome.tag());
      }
    }
  }
}
