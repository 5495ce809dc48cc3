package io.tsdbsuite.rollup.pack;

import java.io.Serializable;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.SortedSet;
import java.util.TreeSet;

/** Books of packing. Not thread-safe. */
final class PackBooks implements Serializable {
  private static final long serialVersionUID = 1L;

  private static final int SAMPLES = 20;

  /** What is counted, in the order of the report. */
  enum Count {
    /** Rows of the plain table. */
    PLAIN_ROWS("rows", "plain"),
    /** Rows of the packed table. */
    PACKED_ROWS("rows", "packed"),
    /** Rows whose keys break a rule; of them nothing is packed. */
    MALFORMED_ROWS("rows", "malformed"),
    /** Rows below the floor of their metric; of them nothing is packed. */
    BELOW_FLOOR_ROWS("rows", "belowFloor"),
    /** Rows of which queries do not see what was written or kept, after the load. */
    UNSEEN_ROWS("rows", "unseen"),
    /** Parts that were read. */
    PARTS_READ("parts", "read"),
    /** Parts that cannot be read. */
    PARTS_CORRUPT("parts", "corrupt"),
    /** Parts of an aggregator that the interval does not have. */
    PARTS_OTHER("parts", "ofOtherAggregators"),
    /** Parts that stay. */
    PARTS_KEPT("parts", "kept"),
    /** Parts that are deleted. */
    PARTS_DELETED("parts", "deleted"),
    /** New parts. */
    PARTS_WRITTEN("parts", "written"),
    /** Slots whose values are equal. */
    SLOTS_EQUAL("slots", "equal"),
    /** Slots that get the values of the plain row. */
    SLOTS_ADDED("slots", "added"),
    /** Slots that the plain row does not have. */
    SLOTS_TAKEN_BACK("slots", "takenBack"),
    /** Slots that differ, without a rule which is right. */
    SLOTS_UNDECIDED("slots", "undecided"),
    /** Slots of the plain row that no packed row can have. */
    SLOTS_UNPACKABLE("slots", "unpackable");

    final String section;
    final String key;

    Count(String section, String key) {
      this.section = section;
      this.key = key;
    }
  }

  private final EnumMap<Count, Long> counts = new EnumMap<>(Count.class);
  private final List<String> samples = new ArrayList<>();
  private final TreeSet<Long> open = new TreeSet<>();
  private long oldest = Long.MAX_VALUE;

  void add(Count what, long number) {
    if (number != 0) {
      counts.merge(what, number, Long::sum);
    }
  }

  long count(Count what) {
    return counts.getOrDefault(what, 0L);
  }

  /** Whether a plain row has a rollup. */
  boolean hasRollups() {
    return count(Count.SLOTS_EQUAL)
            + count(Count.SLOTS_ADDED)
            + count(Count.SLOTS_UNDECIDED)
            + count(Count.SLOTS_UNPACKABLE)
        > 0;
  }

  /** Names something that is wrong. */
  void sample(String what) {
    if (samples.size() < SAMPLES) {
      samples.add(what);
    }
  }

  List<String> samples() {
    return List.copyOf(samples);
  }

  /** A row, by its base time, of which not all slots are equal after the writing. */
  void open(long baseTime) {
    open.add(baseTime);
  }

  /** Base times of rows that are not proven. */
  SortedSet<Long> open() {
    return open;
  }

  /** An entry that stays or is written, with its asOf. */
  void entry(long asOf) {
    oldest = Math.min(oldest, asOf);
  }

  /** The oldest asOf of an entry, milliseconds since the epoch; the largest number without any. */
  long oldest() {
    return oldest;
  }

  void add(PackBooks other) {
    for (Map.Entry<Count, Long> each : other.counts.entrySet()) {
      add(each.getKey(), each.getValue());
    }
    other.samples.forEach(this::sample);
    open.addAll(other.open);
    oldest = Math.min(oldest, other.oldest);
  }

  /** Whether each part that was read has one fate. */
  boolean close() {
    return count(Count.PARTS_READ)
        == count(Count.PARTS_KEPT) + count(Count.PARTS_DELETED) + count(Count.PARTS_OTHER);
  }
}
