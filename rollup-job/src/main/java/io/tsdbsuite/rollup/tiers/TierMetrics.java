package io.tsdbsuite.rollup.tiers;

import io.tsdbsuite.format.uid.UidKind;
import io.tsdbsuite.message.write.ByteSlice;
import io.tsdbsuite.rollup.tiers.Policy.Entry;
import io.tsdbsuite.rollup.uid.UidNames;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** Names of metrics, and what a policy says of their days. For many threads. */
final class TierMetrics {
  /** A month for the growth of what goes, days. */
  private static final int MONTH = 30;

  /**
   * A metric.
   *
   * @param entry that counts for it; null if there is none
   */
  record Metric(String name, @Nullable Entry entry) {}

  private final UidNames names;
  private final Policy policy;
  private final long today;
  private final Map<Long, Optional<Metric>> metrics = new ConcurrentHashMap<>();

  /**
   * @param now seconds since the epoch
   */
  TierMetrics(UidNames names, Policy policy, long now) {
    this.names = names;
    this.policy = policy;
    this.today = now - now % Tier.DAY;
  }

  /** Empty if the UID has no name, or one that the UID table maps to another UID. */
  Optional<Metric> of(long uid) {
    return metrics.computeIfAbsent(uid, this::read);
  }

  private Optional<Metric> read(long uid) {
    ByteSlice name = new ByteSlice();
    if (!names.lookup(UidKind.METRIC, uid, name)) {
      return Optional.empty();
    }
    return Optional.of(new Metric(name.toString(), policy.of(name.toString())));
  }

  /**
   * The time before which a table's data go by an entry, seconds since the epoch: a midnight.
   * {@link Long#MIN_VALUE} if it keeps them.
   */
  long before(@Nullable Entry entry, Tier tier) {
    Integer keep = entry == null ? null : entry.keep().get(tier.name());
    return keep == null ? Long.MIN_VALUE : today - keep * Tier.DAY;
  }

  /** Whether a day of a table goes by an entry now. */
  boolean goes(@Nullable Entry entry, Tier tier, int day) {
    return tier.dayEnd(day) <= before(entry, tier);
  }

  /** Whether it does not go now, but within the next 30 days. */
  boolean goesNextMonth(@Nullable Entry entry, Tier tier, int day) {
    long before = before(entry, tier);
    return before != Long.MIN_VALUE
        && !goes(entry, tier, day)
        && tier.dayEnd(day) <= before + MONTH * Tier.DAY;
  }

  /** What the bytes of a table's files need to know. */
  FileBytes.Metrics of(Tier tier) {
    return new FileBytes.Metrics() {
      @Override
      public boolean isKnown(long uid) {
        return of(uid).isPresent();
      }

      @Override
      public boolean someGo() {
        return policy.limits(tier.name());
      }

      @Override
      public boolean goes(long uid, int day) {
        return of(uid)
            .map(metric -> TierMetrics.this.goes(metric.entry(), tier, day))
            .orElse(false);
      }
    };
  }
}
