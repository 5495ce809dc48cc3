package io.tsdbsuite.meta.cache;

import java.util.concurrent.atomic.AtomicLongArray;
import java.util.function.BiFunction;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Series of one metric with TSUIDs of one length, in an open-addressing hash table with linear
 * probing. The class extends its array, which saves an object per block and a cache miss per
 * lookup.
 *
 * <pre>
 * slot: | tags, words of 8 bytes | last 4 bytes of tags, {@link State} 4 | points 8, if counting |
 * </pre>
 *
 * <p>A slot keeps its series until the end of the block. A thread adds series, and changes states
 * except their frequency, only under the block's lock and while the block is in use ({@link
 * #change}); a thread that replaces or removes the block ends its use under that lock, before it
 * moves the series. Any thread may add points at any time. Therefore a thread that replaces or
 * removes a block seals it: it takes the points of each slot and stores a negative number there. A
 * thread that then adds points finds the negative number, and repeats the lookup.
 */
final class Block extends AtomicLongArray {
  private static final long serialVersionUID = 1L;

  /** Bits that {@link #replaceState} keeps. */
  private static final long KEPT = ~State.MASK | State.FREQUENT;

  /** Key of the block, as in {@link BlockKey}. */
  private final long metric;

  private final long place;
  private final int slots;
  private final short words;

  /** Number of words for points in a slot, 0 or 1. */
  private final byte counters;

  private int size;
  private int dropped;
  private int touchedAt;

  /** Whether the block was replaced or removed; changes only under the block's lock. */
  private volatile boolean ended;

  /** Makes an empty block. It is full when only one tenth of its slots and one more are free. */
  Block(BlockKey key, int slots, int words, boolean counting) {
    super(slots * (words + (counting ? 1 : 0)));
    this.metric = key.metric();
    this.place = key.place();
    this.slots = slots;
    this.words = (short) words;
    this.counters = (byte) (counting ? 1 : 0);
  }

  /** Makes an empty block of the same kind, with room for at least {@code series} series. */
  Block emptyFor(int series) {
    return emptyFor(key(), series);
  }

  /**
   * Makes an empty block of the same kind with another key, with room for at least {@code series}
   * series.
   */
  Block emptyFor(BlockKey other, int series) {
    return new Block(other, slotsFor(series), words, counting()).noting(dropped, touchedAt);
  }

  private Block noting(int droppedBefore, int touchedBefore) {
    dropped = droppedBefore;
    touchedAt = touchedBefore;
    return this;
  }

  /**
   * Changes the block in place, under its lock.
   *
   * @return the result of the change; false if the block is no longer in use
   */
  synchronized boolean change(Predicate<Block> change) {
    return !ended && change.test(this);
  }

  /**
   * Changes or replaces the block, under its lock. The use of this block ends if the function
   * returns another block or null. Called only inside {@code compute} of the block's key.
   */
  synchronized @Nullable Block replace(
      BlockKey key, BiFunction<BlockKey, Block, @Nullable Block> function) {
    Block after = function.apply(key, this);
    ended = after != this;
    return after;
  }

  /** Ends the use of a block that is out of the cache. */
  synchronized void end() {
    ended = true;
  }

  /** Whether the block is neither replaced nor removed. */
  boolean isInUse() {
    return !ended;
  }

  /** Whether the key is the block's. */
  boolean isFor(BlockKey key) {
    return key.metric() == metric && key.place() == place;
  }

  /** Number for a hash table; see {@link BlockKey#spread}. */
  long spread() {
    return BlockKey.spread(metric, place);
  }

  /** The smallest number of slots with room for {@code series} series. */
  static int slotsFor(int series) {
    return series + 1 + series / 9;
  }

  private static int room(int slots) {
    return slots - 1 - slots / 10;
  }

  /** The key of the block in the cache; a new object. */
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

  /** Number of series dropped since the last halving of the frequencies. */
  int dropped() {
    return dropped;
  }

  void dropped(int series) {
    dropped = series;
  }

  /** Time of the last touch of a series of the block, seconds, approximately. */
  int touchedAt() {
    return touchedAt;
  }

  /**
   * Returns the index of a series' state; for an absent series, the complement ({@code ~}) of the
   * index for its state.
   */
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
   * Adds a point to the series whose state is at index {@code at}.
   *
   * @return null when the points are sealed; the caller must repeat the lookup
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

  /**
   * Adds a series with its first point.
   *
   * @param at the result of {@link #find}
   */
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

  /** Adds a series of another block; this block must not have it. */
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

  /** Hash of the tags of the series whose state is at index {@code at}. */
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

  /** A slot at which to start; any slot, by the number. */
  int slotOf(long random) {
    return (int) (((random & 0xffffffffL) * slots) >>> 32);
  }

  /** The slot so many behind the first; the last slot is followed by slot 0. */
  int slot(int first, int behind) {
    int slot = first + behind;
    return slot < slots ? slot : slot - slots;
  }

  /** Halves all frequencies, except of a series that another thread touches meanwhile. */
  void age() {
    for (int slot = 0; slot < slots; slot++) {
      int at = at(slot);
      long word = get(at);
      if ((word & State.FREQUENT) != 0) {
        compareAndSet(at, word, State.aged(word));
      }
    }
  }

  /** Unclaimed points. */
  long points(int at) {
    return counters > 0 ? Math.max(0, get(at + 1)) : 0;
  }

  /** Whether the series has an unclaimed write. */
  boolean isOwed(int at) {
    return (get(at) & State.OWED) != 0 || points(at) > 0;
  }

  /**
   * Takes the unclaimed points; called only under the lock of a block in use, which is not sealed.
   */
  long takePoints(int at) {
    return counters > 0 ? getAndSet(at + 1, 0) : 0;
  }

  /** Puts points back; called only under the lock of a block in use. */
  void addPoints(int at, long points) {
    if (counters > 0) {
      getAndAdd(at + 1, points);
    }
  }

  /** Takes the unclaimed points and seals the slot. */
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
