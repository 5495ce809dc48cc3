package io.tsdbsuite.format.histogram;

import java.util.Map;
import java.util.TreeMap;

/**
 * Merges OpenTSDB 2.4.1's SimpleHistogram: adds the counts of buckets with the same two bounds.
 *
 * <pre>
 *   n 2 | n x (lower bound, float 4 | upper bound, float 4 | count V) | underflow V | overflow V
 * </pre>
 *
 * <p>Big-endian; V: Kryo's varint. Buckets ascend by lower, then upper bound as Float.compare has
 * them. As in a TSD, of two buckets with the same bounds in one histogram the last counts, bytes
 * after the end are ignored, and sums beyond 64 bits wrap around. Source: docs/histogram-codec.md.
 */
final class SimpleHistogramMerger implements HistogramMerger {
  /** SimpleHistogram refuses fewer than 6 bytes with the codec id. */
  private static final int LEAST_BYTES = 5;

  /** Memory of a bucket: an entry of a TreeMap with two Longs. */
  private static final int ENTRY = 88;

  /** Both bounds, the lower one first, so that keys ascend as the bounds do. */
  private final TreeMap<Long, Long> buckets = new TreeMap<>();

  private final TreeMap<Long, Long> added = new TreeMap<>();
  private long underflow;
  private long overflow;

  /** See {@link HistogramMerger#simple}. */
  static byte[] encode(Map<String, Long> buckets, long underflow, long overflow) {
    SimpleHistogramMerger merger = new SimpleHistogramMerger();
    for (Map.Entry<String, Long> bucket : buckets.entrySet()) {
      String[] bounds = bucket.getKey().split(",", -1);
      if (bounds.length != 2) {
        throw new IllegalArgumentException("bucket must be lower,upper, found " + bucket.getKey());
      }
      merger.buckets.put(
          key(
              Float.floatToIntBits(Float.parseFloat(bounds[0])),
              Float.floatToIntBits(Float.parseFloat(bounds[1]))),
          bucket.getValue());
    }
    merger.underflow = underflow;
    merger.overflow = overflow;
    return merger.isTooWide() ? new byte[0] : merger.bytes();
  }

  /** A key of the bits of two bounds. */
  private static long key(int lowerBits, int upperBits) {
    long lower = ordered(lowerBits);
    int upper = ordered(upperBits) ^ Integer.MIN_VALUE;
    return (lower << 32) | (upper & 0xffffffffL);
  }

  @Override
  public void clear() {
    buckets.clear();
    underflow = 0;
    overflow = 0;
  }

  @Override
  public void add(byte[] bytes, int off, int len) {
    PayloadBytes in = new PayloadBytes("SimpleHistogram", bytes, off, len);
    if (len < LEAST_BYTES) {
      throw in.refused("it must have at least " + LEAST_BYTES + " bytes", len);
    }
    int n = in.fixed("the number of buckets", 2);
    if (n > Short.MAX_VALUE) {
      throw in.refused("at most " + Short.MAX_VALUE + " buckets", n);
    }
    added.clear();
    for (int i = 0; i < n; i++) {
      int lower = oneNan(in.fixed("a lower bound", 4));
      int upper = oneNan(in.fixed("an upper bound", 4));
      added.put(key(lower, upper), in.varint("a count"));
    }
    long under = in.varint("the underflow");
    long over = in.varint("the overflow");
    // A sum that is too wide stays too wide: its memory must not grow with each histogram.
    if (!isTooWide()) {
      added.forEach((bounds, count) -> buckets.merge(bounds, count, Long::sum));
    }
    underflow += under;
    overflow += over;
  }

  @Override
  public boolean isTooWide() {
    return buckets.size() > Short.MAX_VALUE;
  }

  @Override
  public long memory() {
    return (long) ENTRY * (buckets.size() + added.size());
  }

  @Override
  public byte[] bytes() {
    if (isTooWide()) {
      throw new IllegalStateException(
          "a SimpleHistogram must have at most "
              + Short.MAX_VALUE
              + " buckets, found "
              + buckets.size());
    }
    PayloadBytes out = new PayloadBytes("SimpleHistogram", new byte[64], 0, 64);
    out.writeFixed(buckets.size(), 2);
    for (Map.Entry<Long, Long> bucket : buckets.entrySet()) {
      long key = bucket.getKey();
      out.writeFixed(ordered((int) (key >> 32)), 4);
      out.writeFixed(ordered((int) key ^ Integer.MIN_VALUE), 4);
      out.write(bucket.getValue());
    }
    out.write(underflow);
    out.write(overflow);
    return out.written();
  }

  /** All NaN are one bound. */
  private static int oneNan(int bits) {
    return Float.floatToIntBits(Float.intBitsToFloat(bits));
  }

  /** Bits of a float as an int that ascends with it, and back. */
  private static int ordered(int bits) {
    return bits ^ ((bits >> 31) & Integer.MAX_VALUE);
  }
}
