package io.tsdbsuite.bench.meta;

import com.google.common.base.Ticker;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;

/** A cache that decides which points need a meta write. Writes are only counted. */
abstract class MetaWay {
  /** TTL of a meta write, seconds: the default of both plugins. */
  static final int TTL_SECONDS = 3600;

  /** The compared implementations. */
  enum Kind {
    /** The suite's cache, without counts. */
    TRACK,
    /** The suite's cache, with counts. */
    COUNT,
    /** Plain Caffeine, one entry per series, with counts. */
    CAFFEINE,
    /** The cache of the published plugin. */
    PUBLISHED;

    /** Creates an empty cache. */
    MetaWay create(long maxSeries, Ticker clock) {
      return switch (this) {
        case TRACK, COUNT -> new SuiteWay(maxSeries, this == COUNT, clock);
        case CAFFEINE -> new CaffeineWay(maxSeries, clock);
        case PUBLISHED -> new PublishedWay(maxSeries, clock);
      };
    }
  }

  /** Meta writes since the start. */
  final LongAdder writes = new LongAdder();

  private final Ticker clock;
  private final long start;

  MetaWay(Ticker clock) {
    this.clock = clock;
    this.start = clock.read();
  }

  /** Seconds since the start. */
  final int now() {
    return (int) TimeUnit.NANOSECONDS.toSeconds(clock.read() - start);
  }

  /** Adds a point of a series, and counts a meta write if one is due. */
  abstract void increment(byte[] tsuid);

  /** Points since the start whose series was not in the cache. */
  abstract long misses();

  /** Series in the cache. */
  abstract long series();

  /** Its own estimate of its heap, bytes; negative if it has none. */
  long memoryBytes() {
    return -1;
  }

  /** Adds the first point of each series of a shape, in the order of {@link Shape#shuffled}. */
  final void firstPoints(Shape shape) {
    byte[] tsuid = new byte[Shape.LENGTH];
    for (int i = 0; i < shape.series(); i++) {
      shape.write(shape.shuffled(i), tsuid);
      increment(tsuid);
    }
  }

  /** Adds the first points to a cache that has room for all. */
  final MetaWay fill(Shape shape) {
    firstPoints(shape);
    if (series() != shape.series()) {
      throw new IllegalStateException(
          "the cache must hold " + shape.series() + " series, found " + series());
    }
    return this;
  }
}
