package io.tsdbsuite.rollup.report;

import java.io.Serializable;
import java.util.EnumMap;
import java.util.Objects;

/** Counts by reason, without boxing. Not thread-safe. */
final class Tally<E extends Enum<E>> implements Serializable {
  private static final long serialVersionUID = 1L;

  private final EnumMap<E, long[]> counts;
  private long total;

  Tally(Class<E> reasons) {
    counts = new EnumMap<>(reasons);
    for (E reason : reasons.getEnumConstants()) {
      counts.put(reason, new long[1]);
    }
  }

  void increment(E reason) {
    count(reason)[0]++;
    total++;
  }

  void add(E reason, long more) {
    count(reason)[0] += more;
    total += more;
  }

  long get(E reason) {
    return count(reason)[0];
  }

  /** Every reason has its count, made by the constructor. */
  private long[] count(E reason) {
    return Objects.requireNonNull(counts.get(reason));
  }

  long total() {
    return total;
  }

  void addAll(Tally<E> other) {
    other.counts.forEach((reason, count) -> count(reason)[0] += count[0]);
    total += other.total;
  }
}
