package io.tsdbsuite.bench.meta;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import com.github.benmanes.caffeine.cache.RemovalCause;
import com.google.common.base.Ticker;
import io.tsdbsuite.meta.write.WriteJitter;
import java.util.Arrays;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;

/**
 * The baseline: plain Caffeine with one entry per series. The key is the TSUID, the value a packed
 * long. It does the same as {@link SuiteWay} with counts: points are exact, and writes of different
 * series are spread over the TTL.
 *
 * <pre>
 * value: | left the cache 1 | due 31, seconds | points since the last write 32 | bits
 * </pre>
 */
final class CaffeineWay extends MetaWay {
  private static final long POINTS = 0xffffffffL;

  private final Cache<Key, AtomicLong> entries;
  private final WriteJitter jitter = new WriteJitter(TTL_SECONDS);
  private final LongAdder misses = new LongAdder();

  CaffeineWay(long maxSeries, Ticker clock) {
    super(clock);
    this.entries =
        Caffeine.newBuilder()
            .maximumSize(maxSeries)
            .executor(Runnable::run)
            .removalListener((Key key, AtomicLong value, RemovalCause cause) -> removed(value))
            .build();
  }

  private void removed(AtomicLong value) {
    // A later point finds a negative number and repeats the lookup.
    if (value != null && (value.getAndSet(Long.MIN_VALUE) & POINTS) > 0) {
      writes.increment();
    }
  }

  @Override
  void increment(byte[] tsuid) {
    int now = now();
    long before;
    AtomicLong value;
    do {
      value = entries.getIfPresent(new Key(tsuid));
      if (value == null) {
        misses.increment();
        value = entries.get(new Key(tsuid.clone()), key -> new AtomicLong((long) now << 32));
      }
      before = value.getAndIncrement();
    } while (before < 0);
    if (before >>> 32 <= now) {
      write(tsuid, value, now);
    }
  }

  private void write(byte[] tsuid, AtomicLong value, int now) {
    long next = (long) jitter.next(tsuid, now) << 32;
    for (; ; ) {
      long word = value.get();
      if (word < 0 || word >>> 32 > now) {
        return;
      }
      if (value.compareAndSet(word, next)) {
        writes.increment();
        return;
      }
    }
  }

  @Override
  long misses() {
    return misses.sum();
  }

  @Override
  long series() {
    entries.cleanUp();
    return entries.estimatedSize();
  }

  /** A TSUID with its hash. */
  private static final class Key {
    private final byte[] tsuid;
    private final int hash;

    Key(byte[] tsuid) {
      this.tsuid = tsuid;
      this.hash = Arrays.hashCode(tsuid);
    }

    @Override
    public boolean equals(Object other) {
      return other instanceof Key that && Arrays.equals(tsuid, that.tsuid);
    }

    @Override
    public int hashCode() {
      return hash;
    }
  }
}
