package io.tsdbsuite.bench.meta;

import com.google.common.base.Ticker;

/** The compared implementations. */
public enum WayKind {
  /** The suite's cache, without counts. */
  TRACK {
    @Override
    Way create(long maxSeries, Ticker clock) {
      return new SuiteWay(maxSeries, false, clock);
    }
  },
  /** The suite's cache, with counts. */
  COUNT {
    @Override
    Way create(long maxSeries, Ticker clock) {
      return new SuiteWay(maxSeries, true, clock);
    }
  },
  /** Plain Caffeine, one entry per series, with counts. */
  CAFFEINE {
    @Override
    Way create(long maxSeries, Ticker clock) {
      return new CaffeineWay(maxSeries, clock);
    }
  },
  /** The cache of the published plugin. */
  PUBLISHED {
    @Override
    Way create(long maxSeries, Ticker clock) {
      return new PublishedWay(maxSeries, clock);
    }
  };

  /** TTL of a meta write, seconds: the default of both plugins. */
  static final int TTL_SECONDS = 3600;

  /** Creates an empty cache. */
  abstract Way create(long maxSeries, Ticker clock);
}
