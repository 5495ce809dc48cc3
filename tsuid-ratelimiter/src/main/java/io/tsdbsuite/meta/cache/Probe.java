package io.tsdbsuite.meta.cache;

import java.util.concurrent.atomic.AtomicLong;

/**
 * A TSUID prepared for lookups: its tags as words of 8 bytes, as in {@link Block}, the hash of the
 * tags, and a mutable {@link BlockKey}. Each thread has one probe per cache. The inherited number
 * is the number of points that the thread has touched; only that thread changes it.
 */
final class Probe extends AtomicLong {
  /** HBase's limit of a row key, bytes. */
  private static final int MAX_LENGTH = Short.MAX_VALUE;

  private static final int SAMPLE = 15;

  private static final long serialVersionUID = 1L;

  private final transient Thread thread;
  private final transient BlockKey key = new BlockKey();
  private long metric;
  private int length;
  private long[] words = new long[8];
  private int wordCount;
  private long hash;

  Probe(Thread thread) {
    this.thread = thread;
  }

  /**
   * Loads a series.
   *
   * @param metricWidth width of the metric's UID, bytes
   * @throws IllegalArgumentException when the TSUID has no tags, or is too long for a row key
   */
  void load(byte[] tsuid, int metricWidth) {
    length = tsuid.length;
    int tagLength = length - metricWidth;
    if (tagLength < 1 || length > MAX_LENGTH) {
      throw new IllegalArgumentException(
          "TSUID of "
              + length
              + " bytes: must be longer than the metric's UID, "
              + metricWidth
              + " bytes, and no longer than a row key, "
              + MAX_LENGTH
              + " bytes");
    }
    // Loops of a few bytes take as long as the rest: the usual widths have none.
    metric =
        metricWidth == 3
            ? (tsuid[0] & 0xffL) << 16 | (tsuid[1] & 0xffL) << 8 | (tsuid[2] & 0xffL)
            : bigEndian(tsuid, 0, metricWidth);
    wordCount = (tagLength + Integer.BYTES + Long.BYTES - 1) / Long.BYTES;
    if (words.length < wordCount) {
      words = new long[wordCount];
    }
    // Words are cut from the end: the tag values are at the end, so the last word decides most
    // comparisons.
    int end = length;
    int start = Math.max(metricWidth, end - Integer.BYTES);
    long sum = 0;
    int word = wordCount - 1;
    words[word] =
        end - start == Integer.BYTES
            ? (long) tsuid[start] << 56
                | (tsuid[start + 1] & 0xffL) << 48
                | (tsuid[start + 2] & 0xffL) << 40
                | (tsuid[start + 3] & 0xffL) << 32
            : bigEndian(tsuid, start, end) << 32;
    sum = Hash.add(sum, words[word]);
    while (--word >= 0) {
      end = start;
      start = Math.max(metricWidth, end - Long.BYTES);
      words[word] = end - start == Long.BYTES ? longAt(tsuid, start) : bigEndian(tsuid, start, end);
      sum = Hash.add(sum, words[word]);
    }
    hash = Hash.finish(sum);
  }

  private static long bigEndian(byte[] bytes, int start, int end) {
    long value = 0;
    for (int i = start; i < end; i++) {
      value = value << 8 | (bytes[i] & 0xff);
    }
    return value;
  }

  private static long longAt(byte[] b, int i) {
    return (long) b[i] << 56
        | (b[i + 1] & 0xffL) << 48
        | (b[i + 2] & 0xffL) << 40
        | (b[i + 3] & 0xffL) << 32
        | (b[i + 4] & 0xffL) << 24
        | (b[i + 5] & 0xffL) << 16
        | (b[i + 6] & 0xffL) << 8
        | (b[i + 7] & 0xffL);
  }

  /**
   * Sets the key to the block of this series.
   *
   * @param depth number of times that the metric's series were halved
   */
  void select(int depth) {
    key.set(metric, length, depth, BlockKey.stripe(hash, depth));
  }

  /**
   * Returns true for every 16th point. To record a use in Caffeine takes longer than the rest of a
   * touch, so the cache records only the first use of a block in a second and this sample.
   */
  boolean isSample() {
    return (get() & SAMPLE) == 0;
  }

  /** Counts a point. Only the probe's own thread calls it, so a plain increment is exact. */
  void touched() {
    lazySet(get() + 1);
  }

  /** Whether the probe's thread has ended; then the count is final. */
  boolean isOfEnded() {
    return !thread.isAlive();
  }

  /** The key of the last {@link #select}; valid until the next call of {@link #select}. */
  BlockKey key() {
    return key;
  }

  /** The metric's UID, big-endian. */
  long metric() {
    return metric;
  }

  /** Length of the TSUID, bytes. */
  int length() {
    return length;
  }

  /** Number of words of a slot for its tags and state; see {@link Block}. */
  int words() {
    return wordCount;
  }

  /** A word of the tags, from 0; in the last word, the bits of the state are 0. */
  long word(int index) {
    return words[index];
  }

  /** Hash of the tags. */
  long hash() {
    return hash;
  }
}
