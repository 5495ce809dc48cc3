package io.tsdbsuite.bench.meta;

import java.util.Random;

/** Distribution of points over series. */
public enum Access {
  /** Uniform. */
  UNIFORM {
    @Override
    int[] indexes(Shape shape, int count, long seed) {
      return new Random(seed).ints(count, 0, shape.series()).toArray();
    }
  },
  /** Zipf: rank r in proportion to r to the power of -0.99; ranks are spread over metrics. */
  ZIPF {
    @Override
    int[] indexes(Shape shape, int count, long seed) {
      Zipf zipf = new Zipf(shape.series(), EXPONENT);
      Random random = new Random(seed);
      int[] indexes = new int[count];
      for (int i = 0; i < count; i++) {
        indexes[i] = shape.shuffled(zipf.rank(random.nextDouble()));
      }
      return indexes;
    }
  };

  /** Exponent of the Zipf distribution. */
  static final double EXPONENT = 0.99;

  /** Indexes of a shape, one for each next point. */
  abstract int[] indexes(Shape shape, int count, long seed);
}
