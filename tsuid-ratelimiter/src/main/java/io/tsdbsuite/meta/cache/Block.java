package io.tsdbsuite.meta.cache;

import java.util.concurrent.atomic.AtomicLongArray;
import org.jspecify.annotations.Nullable;

/**
 * Series of one metric and one length: an open-addressing table with linear probing. It extends its
 * array, which saves an object per block and a cache miss per lookup.
 *
 * <pre>
 * slot: | tags, 8 bytes each | last 4 bytes of tags, {@link State} 4 | points 8, if counting |
 * </pre>
 *
 * <p>A slot gets a series once and keeps it. Series are added, and states changed other than in
 * frequency, only inside {@code compute} of the block's key; any thread may add points at any time.
 * So the thread that takes a block out of use, for a larger one or for good, seals it: it takes the
 * points of each slot and leaves a negative number, which sends later adders back to the lookup.
 */
final class Block extends AtomicLongArray {
  private static final long serialVersionUID = 1L;

  /** Bits that {@link #replaceState} keeps. */
  private static final long KEPT = ~State.MASK | State.FREQUENT;

  /** Its name, as {@link BlockKey} writes it. */
  private final long metric;

  private final long place;
  private final int slots;
  private final short words;

  /** Of points, 0 or 1. */
  private final byte counters;

  private int size;
  private int dropped;
  private int touchedAt;

  /** Makes an empty block; it is full when one slot in ten, and one more, are free. */
  Block(BlockKey key, int slots, int words, boolean counting) {
    super(slots * (words + (counting ? 1 : 0)));
    this.metric = key.metric();
    this.place = key.place();
    this.slots = slots;
    this.words = (short) words;
    this.counters = (byte) (counting ? 1 : 0);
  }

  /** An empty block of the same kind for at least so many series. */
  Block emptyFor(int series) {
    return emptyFor(key(), series);
  }

  /** An empty block of the same kind for at least so many series, with another name. */
  Block emptyFor(BlockKey other, int series) {
    return new Block(other, slotsFor(series), words, counting()).noting(dropped, touchedAt);
  }

  private Block noting(int droppedBefore, int touchedBefore) {
    dropped = droppedBefore;
    touchedAt = touchedBefore;
    return this;
  }

  /** The fewest slots with room for so many series. */
  static int slotsFor(int series) {
    return series + 1 + series / 9;
  }

  private static int room(int slots) {
    return slots - 1 - slots / 10;
  }

  /** Its name in the cache; a new object. */
  BlockKey key() {
    return BlockKey.of(metric, place);
  }

  boolean counting() {
    return counters > 0;
  }

  private int stride() {
    return words + counters;
  }

  int size() {
    return size;
  }

  int slots() {
    return slots;
  }

  boolean isFull() {
    return size >= room(slots);
  }

  /** Series dropped since their frequencies were halved. */
  int dropped() {
    return dropped;
  }

  void dropped(int series) {
    dropped = series;
  }

  /** Second of the last touch of any of its series, approximately. */
  int touchedAt() {
    return touchedAt;
  }

  /** Index of a series' state; if it is absent, the complement of the index for it. */
  int find(Probe probe) {
    int last = words - 1;
    long wanted = probe.word(last);
    int at = home(probe.hash());
    for (; ; ) {
      long word = get(at);
      if ((word & State.USED) == 0) {
        return ~at;
      }
      if ((word ^ wanted) >>> 32 == 0 && sameHead(probe, at, last)) {
        return at;
      }
      at = next(at);
    }
  }

  private boolean sameHead(Probe probe, int at, int last) {
    for (int i = 1; i <= last; i++) {
      if (get(at - i) != probe.word(last - i)) {
        return false;
      }
    }
    return true;
  }

  private int home(long hash) {
    return (int) (((hash & 0xffffffffL) * slots) >>> 32) * stride() + words - 1;
  }

  private int next(int at) {
    int next = at + stride();
    return next < length() ? next : words - 1;
  }

  /**
   * Takes a point of the series whose state is there.
   *
   * @return null when the points are sealed: look the series up again
   */
  @Nullable TouchResult touch(int at, int now) {
    if (counters > 0 && getAndIncrement(at + 1) < 0) {
      return null;
    }
    if (touchedAt != now) {
      touchedAt = now;
    }
    long word = get(at);
    if ((word & State.FREQUENT) != State.FREQUENT) {
      // Of two concurrent touches one is counted.
      compareAndSet(at, word, word + State.ONE_TOUCH);
    }
    return State.isDue(word, now) ? TouchResult.DUE : TouchResult.FRESH;
  }

  /** Puts a series where {@link #find} said, with its first point. */
  void insert(int at, Probe probe, int now) {
    for (int i = 1; i < words; i++) {
      lazySet(at - i, probe.word(words - 1 - i));
    }
    if (counters > 0) {
      lazySet(at + 1, 1);
    }
    touchedAt = now;
    size++;
    lazySet(at, probe.word(words - 1) | State.fresh(now));
  }

  /** Adds a series of another block, which must be absent here. */
  void move(Block from, int fromAt, long word, long points) {
    int at = home(from.hash(fromAt));
    while ((get(at) & State.USED) != 0) {
      at = next(at);
    }
    for (int i = 1; i < words; i++) {
      lazySet(at - i, from.get(fromAt - i));
    }
    if (counters > 0) {
      lazySet(at + 1, points);
    }
    size++;
    lazySet(at, word);
  }

  /** Hash of the tags in that slot. */
  long hash(int at) {
    long sum = Hash.add(0, get(at) & ~State.MASK);
    for (int i = 1; i < words; i++) {
      sum = Hash.add(sum, get(at - i));
    }
    return Hash.finish(sum);
  }

  /** Index of the state of a slot; slots count from 0. */
  int at(int slot) {
    return slot * stride() + words - 1;
  }

  /** Unclaimed points. */
  long points(int at) {
    return counters > 0 ? Math.max(0, get(at + 1)) : 0;
  }

  /** Whether the series has an unclaimed write. */
  boolean isOwed(int at) {
    return (get(at) & State.OWED) != 0 || points(at) > 0;
  }

  /** Takes the points; inside {@code compute} only, where no thread seals. */
  long takePoints(int at) {
    return counters > 0 ? getAndSet(at + 1, 0) : 0;
  }

  /** Puts points back; inside {@code compute} only. */
  void addPoints(int at, long points) {
    if (counters > 0) {
      getAndAdd(at + 1, points);
    }
  }

  /** Takes the points, and sends later adders back to the lookup. */
  long seal(int at) {
    return counters > 0 ? Math.max(0, getAndSet(at + 1, Long.MIN_VALUE)) : 0;
  }

  /** Replaces the state except the frequency, which other threads may be raising. */
  void replaceState(int at, long state) {
    long word;
    do {
      word = get(at);
    } while (!compareAndSet(at, word, (word & KEPT) | (state & ~KEPT)));
  }
}
