package io.tsdbsuite.rollup.sink;

import java.util.Locale;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.common.Metric;
import org.apache.kafka.common.MetricName;
import org.jspecify.annotations.Nullable;

/**
 * Detects that brokers refuse a producer that other brokers have accepted, because one broker has
 * another certificate or the password has changed. Kafka's producer then reconnects until messages
 * expire after delivery.timeout.ms, and does not report the cause.
 *
 * <p>Not for more than one thread.
 */
final class RefusedLogins {
  static final String METRIC = "failed-authentication-total";
  static final String GROUP = "producer-metrics";

  /** Grace period, because a newly started broker may not know all users yet. */
  private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(10);

  /**
   * Kafka reconnects after about a second (reconnect.backoff.max.ms); after this time without a
   * refused login, the refusals have ended.
   */
  private static final long OVER_NANOS = TimeUnit.SECONDS.toNanos(5);

  private static final long BETWEEN_LOOKS_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

  private final @Nullable Metric metric;
  private final Throttle.Clock clock;
  private long looked;
  private long first;
  private long last;
  private double seen;

  /**
   * @param metrics of the producer
   */
  RefusedLogins(Map<MetricName, ? extends Metric> metrics, Throttle.Clock clock) {
    this.metric =
        metrics.entrySet().stream()
            .filter(entry -> entry.getKey().name().equals(METRIC))
            .filter(entry -> entry.getKey().group().equals(GROUP))
            .map(Map.Entry::getValue)
            .findFirst()
            .orElse(null);
    this.clock = clock;
    this.looked = clock.nanoTime();
  }

  /** Whether logins have been refused for 10 s. Must be polled often. */
  boolean persist() {
    long now = clock.nanoTime();
    if (metric != null && now - looked >= BETWEEN_LOOKS_NANOS) {
      look(metric, now);
    }
    return seen > 0 && last - first >= PATIENCE_NANOS;
  }

  private void look(Metric total, long now) {
    looked = now;
    double count = ((Number) total.metricValue()).doubleValue();
    if (count > seen) {
      if (seen == 0 || now - last > OVER_NANOS) {
        first = now;
      }
      last = now;
      seen = count;
    }
  }

  /** Reason for an expired message; empty unless logins were refused shortly before. */
  String reason() {
    if (metric != null) {
      look(metric, clock.nanoTime());
    }
    return seen == 0 || clock.nanoTime() - last > OVER_NANOS
        ? ""
        : String.format(
            Locale.ROOT,
            "brokers refuse the producer of this task (%.0f logins, %s): the executor's log has the"
                + " broker and the reason",
            seen,
            METRIC);
  }
}
