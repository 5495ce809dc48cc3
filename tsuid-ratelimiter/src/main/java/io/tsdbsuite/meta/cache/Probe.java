package io.tsdbsuite.meta.cache;

import java.util.concurrent.atomic.AtomicLong;

/**
 * A TSUID on its way to its slot: the tags in words, as {@link Block} keeps them, their hash, and a
 * key that can be pointed at any of the blocks that may hold the series. One per thread and cache;
 * its number, which only that thread changes, is the points that the thread touched.
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

  /** As {@link Probes#of}. */
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
    metric = bigEndian(tsuid, 0, metricWidth);
    wordCount = (tagLength + Integer.BYTES + Long.BYTES - 1) / Long.BYTES;
    if (words.length < wordCount) {
      words = new long[wordCount];
    }
    // From the end, where the tag values are: the last word decides most comparisons.
    int end = length;
    int start = Math.max(metricWidth, end - Integer.BYTES);
    long sum = 0;
    int word = wordCount - 1;
    words[word] = bigEndian(tsuid, start, end) << 32;
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

  /** Points the key at the block of this series among 2^depth. */
  void select(int depth) {
    key.set(metric, length, depth, BlockKey.stripe(hash, depth));
  }

  /**
   * True every 16th time. Recording a use in Caffeine takes longer than the rest of a touch, so
   * only the first use of a block in a second and a sample are recorded.
   */
  boolean isSample() {
    return (get() & SAMPLE) == 0;
  }

  /** Counts a point; called by the own thread only, so a plain increment is exact. */
  void touched() {
    lazySet(get() + 1);
  }

  /** Whether its thread has ended, so it does not change any more. */
  boolean isOfEnded() {
    return !thread.isAlive();
  }

  /** The key of the last {@link #select}; changes with the next, so copy it to keep it. */
  BlockKey key() {
    return key;
  }

  /** The metric's UID, big-endian. */
  long metric() {
    return metric;
  }

  /** Bytes of the TSUID. */
  int length() {
    return length;
  }

  /** Words of a slot for its tags and state; see {@link Block}. */
  int words() {
    return wordCount;
  }

  /** One of the tags' words; the state's bits of the last one are 0. */
  long word(int index) {
    return words[index];
  }

  /** Of the tags. */
  long hash() {
    return hash;
  }
}
