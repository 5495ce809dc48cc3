package io.tsdbsuite.rollup.report;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.Serializable;

/** Counts by reason, without boxing. Not thread-safe. */
public final class Tally<E extends Enum<E> & Tally.Reason> implements Serializable {
  private static final long serialVersionUID = 1L;

  /** What is counted. */
  public interface Reason {
    /** The name in JSON. */
    String key();
  }

  private final E[] reasons;

  /** By the ordinal of the reason: a task counts about thirty times a row. */
  private final long[] counts;

  private long total;

  /** Counts that are all 0. */
  public Tally(Class<E> type) {
    reasons = type.getEnumConstants();
    counts = new long[reasons.length];
  }

  /** Counts one. */
  public void increment(E reason) {
    counts[index(reason)]++;
    total++;
  }

  void add(E reason, long more) {
    counts[index(reason)] += more;
    total += more;
  }

  /** The count of a reason. */
  public long get(E reason) {
    return counts[index(reason)];
  }

  @SuppressWarnings("EnumOrdinal") // Of an array of this object, which JSON has by names.
  private static <E extends Enum<E>> int index(E reason) {
    return reason.ordinal();
  }

  /** The sum of all counts. */
  public long total() {
    return total;
  }

  /** Adds all counts of another one. */
  public void addAll(Tally<E> other) {
    for (int i = 0; i < counts.length; i++) {
      counts[i] += other.counts[i];
    }
    total += other.total;
  }

  /** The counts that are not 0, by the names of their reasons, in the order of the reasons. */
  ObjectNode json() {
    ObjectNode node = JsonNodeFactory.instance.objectNode();
    for (E reason : reasons) {
      if (get(reason) != 0) {
        node.put(reason.key(), get(reason));
      }
    }
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
