package io.tsdbsuite.format.histogram;

import java.util.Arrays;

/**
 * Counts of values in bins whose width grows with the value: a percentile from the counts differs
 * from that of the values by at most {@code e} of the larger of the two values between which it is
 * interpolated, and below 2.2e-308 also by the distance of two numbers, 4.9e-324. Merging adds the
 * counts, so the same values give the same bytes in any order and by any merges, in every JVM.
 * Reusable; allocates only to grow; not thread-safe.
 *
 * <pre>
 *   value     | codec id 1 | 01 | e 1 | zeros V | n V | bins of -v | m V | bins of v |
 *   bins      first: zigzag(index) V, count V; then each: index - last - 1 V, count V; ascending
 *   e         the bound in thousandths, 0a = 1 %, 01 to 32 (hex)
 *   V         varint, 7 bits a byte, low first, the shortest form, at most 63 bits; counts from 1
 *   index(v)  floor(M (x + s (C + s (B + s A)))), v = 2^x (1 + s), v &gt; 0; a subnormal v is
 *             scaled by 2^54 first; A 6/35, B -3/5, C 10/7; M = 7 / (10 ln((1 + e) / (1 - e)))
 * </pre>
 *
 * <p>{@link #bytes} and {@link #of} have the bytes after the codec id. The cubic polynomial stands
 * for a logarithm, as in Datadog's sketches-java (Apache 2.0) and in the paper "DDSketch" (Masson,
 * Rim, Lee, 2019): its slope over ln(v) is at least 10/7, so no bin is wider than the bound allows.
 * Only additions, multiplications and one StrictMath.log are used: JVMs differ in Math.log. Source:
 * docs/histogram-codec.md.
 */
public final class Sketch implements HistogramMerger {
  /** The most bins that {@link #bytes} writes and {@link #of} reads, zeros not counted. */
  public static final int MAX_BINS = 4096;

  /** The bound of sketches of this release, thousandths. */
  public static final int BOUND = 10;

  /** The index of the byte with the bound, in {@link #bytes}. */
  public static final int BOUND_AT = 1;

  private static final int MAX_BOUND = 50;
  private static final byte VERSION = 1;

  private static final double A = 6.0 / 35;
  private static final double B = -3.0 / 5;
  private static final double C = 10.0 / 7;
  private static final long FRACTION = 0xfffffffffffffL;
  private static final long ONE = 0x3ff0000000000000L;
  private static final int EXPONENT_BIAS = 1023;
  private static final int SUBNORMAL_SHIFT = 54;

  /** Never changed: {@link #check} needs its indexes only. */
  private static final Sketch EMPTY = new Sketch();

  private final int bound;
  private final double multiplier;

  /** The indexes of the least value, of the least that is not subnormal, and of the greatest. */
  private final int least;

  private final int leastNormal;
  private final int greatest;

  private final Bins negative = new Bins();
  private final Bins positive = new Bins();
  private long zeros;
  private long count;

  /** An empty sketch with a bound of 1 %. */
  public Sketch() {
    this(BOUND);
  }

  private Sketch(int bound) {
    this.bound = bound;
    double e = bound / 1000.0;
    multiplier = 7 / (10 * StrictMath.log((1 + e) / (1 - e)));
    least = index(Double.MIN_VALUE);
    leastNormal = index(Double.MIN_NORMAL);
    greatest = index(Double.MAX_VALUE);
  }

  /** Resets to an empty sketch; the bound stays. */
  @Override
  public void clear() {
    negative.clear();
    positive.clear();
    zeros = 0;
    count = 0;
  }

  /**
   * Adds a value; NaN is skipped.
   *
   * @throws IllegalArgumentException when the value is infinite
   */
  public void add(double value) {
    if (value > 0) {
      positive.add(index(value), 1);
    } else if (value < 0) {
      negative.add(index(-value), 1);
    } else if (value == 0) {
      zeros++;
    } else {
      return;
    }
    count++;
  }

  /**
   * Adds values {@code from} to {@code to - 1}; NaN is skipped.
   *
   * @throws IllegalArgumentException when a value is infinite; those before it have been added
   */
  public void addAll(double[] values, int from, int to) {
    for (int i = from; i < to; i++) {
      add(values[i]);
    }
  }

  /**
   * Adds the values of another sketch.
   *
   * @throws IllegalArgumentException when its bound is another; nothing has been added
   * @throws ArithmeticException when there would be more than 2^63 - 1 values; nothing has been
   *     added
   */
  public void add(Sketch other) {
    checkBound(other.bound);
    long sum = Math.addExact(count, other.count);
    negative.addAll(other.negative);
    positive.addAll(other.positive);
    zeros += other.zeros;
    count = sum;
  }

  /**
   * Adds the values of a sketch from its bytes, as {@link #add(Sketch)}.
   *
   * @throws IllegalArgumentException as {@link #of}, or when the bound is another; nothing has been
   *     added
   */
  @Override
  public void add(byte[] bytes, int off, int len) {
    checkBound(bound(new PayloadBytes("sketch", bytes, off, len)));
    long sum = Math.addExact(count, scan(new PayloadBytes("sketch", bytes, off, len), false));
    scan(new PayloadBytes("sketch", bytes, off, len), true);
    count = sum;
  }

  private void checkBound(int other) {
    if (other != bound) {
      throw new IllegalArgumentException(
          "sketches must have the same bound, found " + bound + " and " + other + " thousandths");
    }
  }

  /**
   * The sketch that {@link #bytes} has written.
   *
   * @throws IllegalArgumentException when {@link #bytes} would write other bytes for the same
   *     counts, or could not write them
   */
  public static Sketch of(byte[] bytes, int off, int len) {
    Sketch sketch = new Sketch(bound(new PayloadBytes("sketch", bytes, off, len)));
    sketch.count = sketch.scan(new PayloadBytes("sketch", bytes, off, len), true);
    return sketch;
  }

  /**
   * Refuses what {@link #of} refuses, without a bin in memory.
   *
   * @throws IllegalArgumentException as {@link #of}
   */
  public static void check(byte[] bytes, int off, int len) {
    int bound = bound(new PayloadBytes("sketch", bytes, off, len));
    Sketch empty = bound == BOUND ? EMPTY : new Sketch(bound);
    empty.scan(new PayloadBytes("sketch", bytes, off, len), false);
  }

  private static int bound(PayloadBytes in) {
    in.number("the version", VERSION, VERSION);
    return (int) in.number("the bound", 1, MAX_BOUND);
  }

  /** Reads the bytes of a sketch of this bound, checks them, and adds them; returns their count. */
  private long scan(PayloadBytes in, boolean add) {
    bound(in);
    long total = in.number("the zeros", 0, Long.MAX_VALUE);
    if (add) {
      zeros += total;
    }
    long room = MAX_BINS;
    for (Bins bins : new Bins[] {negative, positive}) {
      long n = in.number("the bins", 0, room);
      room -= n;
      long index = 0;
      for (long i = 0; i < n; i++) {
        long step = in.number("an index", 0, Long.MAX_VALUE);
        index = i == 0 ? (step >>> 1) ^ -(step & 1) : index + 1 + step;
        if (!exists(index)) {
          throw in.refused("an index must be the index of a double", index);
        }
        long more = in.number("a count", 1, Long.MAX_VALUE - total);
        total += more;
        if (add) {
          bins.add((int) index, more);
        }
      }
    }
    in.expectEnd();
    return total;
  }

  /** The number of values. */
  public long count() {
    return count;
  }

  /**
   * Whether there are more than {@link #MAX_BINS} bins, so that {@link #bytes} cannot write them.
   * They are never collapsed: the bytes would depend on the order of merges. Percentiles stay good.
   */
  @Override
  public boolean isTooWide() {
    return negative.used + positive.used > MAX_BINS;
  }

  @Override
  public long memory() {
    return negative.memory() + positive.memory();
  }

  /**
   * The only bytes of these counts, without a codec id.
   *
   * @throws IllegalStateException when {@link #isTooWide}
   */
  @Override
  public byte[] bytes() {
    if (isTooWide()) {
      throw new IllegalStateException(
          "a sketch must have at most "
              + MAX_BINS
              + " bins, found "
              + (negative.used + positive.used));
    }
    PayloadBytes out = new PayloadBytes("sketch", new byte[64], 0, 64);
    out.write(VERSION);
    out.write(bound);
    out.write(zeros);
    write(negative, out);
    write(positive, out);
    return out.written();
  }

  private static void write(Bins bins, PayloadBytes out) {
    out.write(bins.used);
    int next = 0;
    for (int i = bins.low; i <= bins.high; i++) {
      long n = bins.count(i);
      if (n > 0) {
        out.write(i == bins.low ? (i << 1) ^ (i >> 31) : i - next);
        out.write(n);
        next = i + 1;
      }
    }
  }

  /**
   * The percentile as OpenTSDB's p50 to p999 estimate it (docs/storage.md 12): linear between the
   * two values around the position p / 100 (count + 1), here the values of their bins. Infinite if
   * the distance of the two is more than the greatest double.
   *
   * @param p 0 to 100; 0 is the lowest value
   * @return NaN of no values
   * @throws IllegalArgumentException when p is out of its range
   */
  public double percentile(double p) {
    if (!(p >= 0 && p <= 100)) {
      throw new IllegalArgumentException("a percentile must be 0 to 100, found " + p);
    }
    if (count == 0) {
      return Double.NaN;
    }
    double position = p / 100 * (count + 1.0);
    if (position < 1) {
      return value(1);
    }
    if (position >= count) {
      return value(count);
    }
    long below = (long) position;
    double lower = value(below);
    return lower + (position - below) * (value(below + 1) - lower);
  }

  /** The value of the bin of a value; {@code order} counts from 1, ascending. */
  private double value(long order) {
    long left = order;
    for (int i = negative.high; i >= negative.low; i--) {
      left -= negative.count(i);
      if (left <= 0) {
        return -middle(i);
      }
    }
    left -= zeros;
    if (left <= 0) {
      return 0;
    }
    int i = positive.low;
    while ((left -= positive.count(i)) > 0) {
      i++;
    }
    return middle(i);
  }

  /**
   * 2 lo hi / (lo + hi): equally far from both bounds of the bin, relative to each of them. Written
   * so that nothing overflows.
   */
  private double middle(int index) {
    double lo = lowest(index);
    double hi = index == greatest ? Double.MAX_VALUE : lowest(index + 1);
    return lo * (2 / (1 + lo / hi));
  }

  /** The lowest value whose index is at least this one, by bisection of the doubles. */
  private double lowest(int index) {
    long low = 1;
    long high = Double.doubleToRawLongBits(Double.MAX_VALUE);
    while (low < high) {
      long middle = (low + high) >>> 1;
      if (index(Double.longBitsToDouble(middle)) >= index) {
        high = middle;
      } else {
        low = middle + 1;
      }
    }
    return Double.longBitsToDouble(low);
  }

  /** The bin of a value greater than 0. */
  private int index(double value) {
    long bits = Double.doubleToRawLongBits(value);
    int exponent = (int) (bits >>> 52) - EXPONENT_BIAS;
    if (exponent > EXPONENT_BIAS) {
      throw new IllegalArgumentException("values must be finite, found an infinite one");
    }
    if (exponent == -EXPONENT_BIAS) {
      bits = Double.doubleToRawLongBits(value * 0x1p54);
      exponent = (int) (bits >>> 52) - EXPONENT_BIAS - SUBNORMAL_SHIFT;
    }
    double s = Double.longBitsToDouble((bits & FRACTION) | ONE) - 1;
    double scaled = multiplier * (exponent + s * (C + s * (B + s * A)));
    int index = (int) scaled;
    return index > scaled ? index - 1 : index;
  }

  /** Whether any value has this index: those of the least subnormals leave some out. */
  private boolean exists(long index) {
    return index >= least
        && index <= greatest
        && (index >= leastNormal || index(lowest((int) index)) == index);
  }

  /**
   * Counts by index, in pages that exist only where there are counts: few bins far apart take 4 to
   * 8 bytes for each page between them, and 144 for each page.
   */
  private static final class Bins {
    private static final int SHIFT = 4;
    private static final int PAGE = 1 << SHIFT;

    private long[][] pages = {};

    /** The number of {@code pages[0]}; that of an index is {@code index >> SHIFT}. */
    private int first;

    /** The lowest and highest index with a count; no bins: high is below low. */
    private int low = Integer.MAX_VALUE;

    private int high = Integer.MIN_VALUE;
    private int used;

    void add(int index, long more) {
      if (index < low || index > high) {
        cover(index >> SHIFT);
        low = Math.min(low, index);
        high = Math.max(high, index);
      }
      int page = (index >> SHIFT) - first;
      if (pages[page] == null) {
        pages[page] = new long[PAGE];
      }
      long before = pages[page][index & (PAGE - 1)];
      if (before == 0) {
        used++;
      }
      pages[page][index & (PAGE - 1)] = before + more;
    }

    void addAll(Bins other) {
      for (int i = other.low; i <= other.high; i++) {
        if (other.count(i) > 0) {
          add(i, other.count(i));
        }
      }
    }

    private void cover(int page) {
      if (pages.length == 0) {
        first = page;
      }
      int start = Math.min(first, page);
      int end = Math.max(first + pages.length, page + 1);
      if (end - start > pages.length) {
        // At least doubled: else bins that ascend by a page each would copy all pages for each.
        int more = Math.max(0, 2 * pages.length - (end - start));
        start -= page < first ? more : 0;
        end += page < first ? 0 : more;
        long[][] grown = new long[end - start][];
        System.arraycopy(pages, 0, grown, first - start, pages.length);
        pages = grown;
        first = start;
      }
    }

    long memory() {
      return 4L * pages.length + 144L * Math.min(used, pages.length);
    }

    long count(int index) {
      long[] page = pages[(index >> SHIFT) - first];
      return page == null ? 0 : page[index & (PAGE - 1)];
    }

    void clear() {
      for (int i = low >> SHIFT; i <= high >> SHIFT; i++) {
        if (pages[i - first] != null) {
          Arrays.fill(pages[i - first], 0);
        }
      }
      low = Integer.MAX_VALUE;
      high = Integer.MIN_VALUE;
      used = 0;
    }
  }
}
