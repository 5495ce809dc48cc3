package io.tsdbsuite.rollup.report;

import java.io.Serializable;
import java.util.EnumMap;

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
    counts.get(reason)[0]++;
    total++;
  }

  void add(E reason, long more) {
    counts.get(reason)[0] += more;
    total += more;
  }

  long get(E reason) {
    return counts.get(reason)[0];
  }

  long total() {
    return total;
  }

  void addAll(Tally<E> other) {
    other.counts.forEach((reason, count) -> counts.get(reason)[0] += count[0]);
    total += other.total;
  }
}
