package io.tsdbsuite.rollup.report;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.Serializable;
import java.util.EnumMap;
import java.util.Objects;

/** Counts by reason, without boxing. Not thread-safe. */
public final class Tally<E extends Enum<E> & Tally.Reason> implements Serializable {
  private static final long serialVersionUID = 1L;

  /** What is counted. */
  public interface Reason {
    /** The name in JSON. */
    String key();
  }

  private final EnumMap<E, long[]> counts;
  private long total;

  /** Counts that are all 0. */
  public Tally(Class<E> reasons) {
    counts = new EnumMap<>(reasons);
    for (E reason : reasons.getEnumConstants()) {
      counts.put(reason, new long[1]);
    }
  }

  /** Counts one. */
  public void increment(E reason) {
    count(reason)[0]++;
    total++;
  }

  void add(E reason, long more) {
    count(reason)[0] += more;
    total += more;
  }

  /** The count of a reason. */
  public long get(E reason) {
    return count(reason)[0];
  }

  /** Every reason has its count, made by the constructor. */
  private long[] count(E reason) {
    return Objects.requireNonNull(counts.get(reason));
  }

  /** The sum of all counts. */
  public long total() {
    return total;
  }

  /** Adds all counts of another one. */
  public void addAll(Tally<E> other) {
    other.counts.forEach((reason, count) -> count(reason)[0] += count[0]);
    total += other.total;
  }

  /** The counts that are not 0, by the names of their reasons, in the order of the reasons. */
  ObjectNode json() {
    ObjectNode node = JsonNodeFactory.instance.objectNode();
    counts.forEach(
        (reason, count) -> {
          if (count[0] != 0) {
            node.put(reason.key(), count[0]);
          }
        });
    return node;
  }

  /**
   * The reason with a name.
   *
   * @throws IllegalArgumentException when there is none
   */
  static <E extends Enum<E> & Reason> E reason(Class<E> reasons, String key) {
    for (E reason : reasons.getEnumConstants()) {
      if (reason.key().equals(key)) {
        return reason;
      }
    }
    throw new IllegalArgumentException("unknown count " + key);
  }
}
