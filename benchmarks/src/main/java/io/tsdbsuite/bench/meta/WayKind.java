package io.tsdbsuite.bench.meta;

import com.google.common.base.Ticker;

/** The ways that are compared. */
public enum WayKind {
  /** The suite's cache, points not counted. */
  TRACK {
    @Override
    Way create(long maxSeries, Ticker clock) {
      return new SuiteWay(maxSeries, false, clock);
    }
  },
  /** The suite's cache, points counted. */
  COUNT {
    @Override
    Way create(long maxSeries, Ticker clock) {
      return new SuiteWay(maxSeries, true, clock);
    }
  },
  /** Plain Caffeine, an entry per series, points counted. */
  CAFFEINE {
    @Override
    Way create(long maxSeries, Ticker clock) {
      return new CaffeineWay(maxSeries, clock);
    }
  },
  /** The published plugin's way. */
  PUBLISHED {
    @Override
    Way create(long maxSeries, Ticker clock) {
      return new PublishedWay(maxSeries, clock);
    }
  };

  /** How long a write of meta lasts, seconds: the default of both plugins. */
  static final int TTL_SECONDS = 3600;

  /** Makes an empty one. */
  abstract Way create(long maxSeries, Ticker clock);
}
