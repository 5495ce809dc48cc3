package io.tsdbsuite.format.row;

import io.tsdbsuite.format.schema.StorageSchema;
import java.io.Serializable;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The row key of the data table, of the rollup and of the pre-aggregation tables. Bound to the
 * widths of one schema; immutable. All methods work on a part of an array.
 *
 * <pre>
 *   0          S            S+M         S+M+4
 *   +----------+------------+-----------+-----------+------------+----
 *   | salt (S) | metric (M) | base time | tagk (K)  | tagv (V)   | ...  n pairs
 *   +----------+------------+-----------+-----------+------------+----
 *     bucket     UID          4 bytes,    pairs ascend by tagk UID
 *                             seconds UTC
 * </pre>
 *
 * <p>Everything is unsigned and big-endian. The TSUID is the key without salt and base time.
 * Source: docs/storage.md 1.
 */
public final class RowKey implements Serializable {
  private static final long serialVersionUID = 1L;

  /** The one column family of these tables. */
  public static final String FAMILY = "t";

  /** Width of the base time, bytes. */
  public static final int TIME_WIDTH = 4;

  /** The time span of a raw row, seconds. */
  public static final int ROW_SPAN_SECONDS = 3600;

  private final int saltWidth;
  private final int saltBuckets;
  private final int metricWidth;
  private final int tagkWidth;
  private final int tagvWidth;

  /** The row keys of one installation. */
  public RowKey(StorageSchema schema) {
    saltWidth = schema.saltWidth();
    saltBuckets = schema.saltBuckets();
    metricWidth = schema.metricWidth();
    tagkWidth = schema.tagkWidth();
    tagvWidth = schema.tagvWidth();
  }

  /** The bytes of {@link #FAMILY}, in a new array. */
  public static byte[] family() {
    return FAMILY.getBytes(StandardCharsets.ISO_8859_1);
  }

  /** Offset of the metric UID, equal to the width of the salt, bytes. */
  public int metricOffset() {
    return saltWidth;
  }

  /** Offset of the base time, bytes. */
  public int timeOffset() {
    return saltWidth + metricWidth;
  }

  /** Offset of the first tag key UID, bytes. */
  public int tagsOffset() {
    return saltWidth + metricWidth + TIME_WIDTH;
  }

  /** Width of one tag pair, bytes. */
  public int pairWidth() {
    return tagkWidth + tagvWidth;
  }

  /** The first rule that the key breaks, null if it is a valid series key. */
  public @Nullable KeyProblem check(byte[] key, int off, int len) {
    int tagBytes = len - tagsOffset();
    if (tagBytes < 0) {
      return KeyProblem.TOO_SHORT;
    }
    int pairWidth = pairWidth();
    if (tagBytes % pairWidth != 0) {
      return KeyProblem.PARTIAL_TAG_PAIR;
    }
    if (tagBytes == 0) {
      return KeyProblem.NO_TAGS;
    }
    if (baseTime(key, off) % ROW_SPAN_SECONDS != 0) {
      return KeyProblem.UNALIGNED_BASE_TIME;
    }
    int end = off + len;
    for (int pair = off + tagsOffset() + pairWidth; pair < end; pair += pairWidth) {
      int order = compare(key, pair - pairWidth, key, pair, tagkWidth);
      if (order == 0) {
        return KeyProblem.DUPLICATE_TAG_KEY;
      }
      if (order > 0) {
        return KeyProblem.UNSORTED_TAGS;
      }
    }
    if (saltWidth > 0 && !hasSalt(key, off, salt(key, off, len))) {
      return KeyProblem.WRONG_SALT;
    }
    return null;
  }

  /**
   * Whether this is a row of global annotations: salt and metric UID zero, no tags. {@link #check}
   * returns {@link KeyProblem#NO_TAGS} for such a row, so call this method first.
   */
  public boolean isGlobalAnnotation(byte[] key, int off, int len) {
    if (len != tagsOffset()) {
      return false;
    }
    for (int i = 0; i < timeOffset(); i++) {
      if (key[off + i] != 0) {
        return false;
      }
    }
    return true;
  }

  /** Start of the row, unsigned seconds since the epoch, UTC. */
  public long baseTime(byte[] key, int off) {
    return Uids.read(key, off + timeOffset(), TIME_WIDTH);
  }

  /**
   * Replaces the base time of a key. The salt does not depend on it.
   *
   * @param key of at least {@link #tagsOffset} bytes
   * @param baseTime seconds since the epoch, UTC, 0..2^32-1
   * @throws IllegalArgumentException when it does not fit in 4 bytes
   */
  public void writeBaseTime(byte[] key, long baseTime) {
    Uids.write(baseTime, key, timeOffset(), TIME_WIDTH);
  }

  /** Number of whole tag pairs of a key of this length; 0 if it is too short. */
  public int tagPairs(int len) {
    return Math.max(0, len - tagsOffset()) / pairWidth();
  }

  /** The metric UID. */
  public long metricUid(byte[] key, int off) {
    return Uids.read(key, off + saltWidth, metricWidth);
  }

  /** The tag key UID of a pair, counted from 0. */
  public long tagkUid(byte[] key, int off, int pair) {
    return Uids.read(key, off + tagsOffset() + pair * pairWidth(), tagkWidth);
  }

  /** The tag value UID of a pair, counted from 0. */
  public long tagvUid(byte[] key, int off, int pair) {
    return Uids.read(key, off + tagsOffset() + pair * pairWidth() + tagkWidth, tagvWidth);
  }

  /**
   * The salt bucket of the key's metric and tag UIDs: the absolute value of Java's hash of these
   * bytes modulo the buckets. 0 without salt, and for metric UID 0, which is never salted. The salt
   * in the key is ignored.
   */
  public int salt(byte[] key, int off, int len) {
    if (saltWidth == 0 || isZero(key, off + saltWidth, metricWidth)) {
      return 0;
    }
    int hash = 1;
    int time = off + timeOffset();
    for (int i = off + saltWidth; i < time; i++) {
      hash = 31 * hash + key[i];
    }
    int end = off + len;
    for (int i = off + tagsOffset(); i < end; i++) {
      hash = 31 * hash + key[i];
    }
    return Math.abs(hash % saltBuckets);
  }

  /**
   * Overwrites the salt of a complete key. A key of metric UID 0 is not changed.
   *
   * @throws IllegalArgumentException when the key is too short to have tags
   */
  public void writeSalt(byte[] key) {
    if (key.length < tagsOffset()) {
      throw new IllegalArgumentException(
          "row key " + KeyProblem.TOO_SHORT.rule() + ", found " + key.length + " bytes");
    }
    if (saltWidth == 0 || isZero(key, saltWidth, metricWidth)) {
      return;
    }
    int salt = salt(key, 0, key.length);
    for (int i = 0; i < saltWidth; i++) {
      key[i] = saltByte(salt, i);
    }
  }

  /** The TSUID: metric UID and tag pairs in a new array. */
  public byte[] tsuid(byte[] key, int off, int len) {
    byte[] tsuid = new byte[len - saltWidth - TIME_WIDTH];
    System.arraycopy(key, off + saltWidth, tsuid, 0, metricWidth);
    System.arraycopy(key, off + tagsOffset(), tsuid, metricWidth, tsuid.length - metricWidth);
    return tsuid;
  }

  /**
   * Encodes the key of a series at a base time; sorts the tag pairs and sets the salt.
   *
   * @param metricUid the metric UID, exactly its width
   * @param baseTime seconds since the epoch, UTC, 0..2^32-1; the caller must align it to the row
   * @param tagPairs tag key UID and tag value UID, joined, in any order
   * @throws IllegalArgumentException when a width, the time, or the number of pairs is wrong, or a
   *     tag key appears twice
   */
  public byte[] encode(byte[] metricUid, long baseTime, byte[]... tagPairs) {
    if (metricUid.length != metricWidth) {
      throw new IllegalArgumentException(
          "metric UID must have " + metricWidth + " bytes, found " + metricUid.length);
    }
    if (baseTime < 0 || baseTime > 0xffffffffL) {
      throw new IllegalArgumentException(
          "base time must be seconds since the epoch on 4 bytes, found " + baseTime);
    }
    if (tagPairs.length == 0) {
      throw new IllegalArgumentException("row key " + KeyProblem.NO_TAGS.rule());
    }
    byte[][] sorted = tagPairs.clone();
    for (byte[] pair : sorted) {
      if (pair.length != pairWidth()) {
        throw new IllegalArgumentException(
            "tag pair must have " + pairWidth() + " bytes, found " + pair.length);
      }
    }
    Arrays.sort(sorted, (a, b) -> compare(a, 0, b, 0, pairWidth()));
    byte[] key = new byte[tagsOffset() + sorted.length * pairWidth()];
    System.arraycopy(metricUid, 0, key, saltWidth, metricWidth);
    writeBaseTime(key, baseTime);
    int at = tagsOffset();
    for (int i = 0; i < sorted.length; i++) {
      if (i > 0 && compare(sorted[i - 1], 0, sorted[i], 0, tagkWidth) == 0) {
        throw new IllegalArgumentException("row key: " + KeyProblem.DUPLICATE_TAG_KEY.rule());
      }
      System.arraycopy(sorted[i], 0, key, at, pairWidth());
      at += pairWidth();
    }
    writeSalt(key);
    return key;
  }

  /**
   * The first bytes of all keys in a salt bucket; empty without salt.
   *
   * @param bucket from 0
   */
  public byte[] bucket(int bucket) {
    byte[] salt = new byte[saltWidth];
    for (int i = 0; i < saltWidth; i++) {
      salt[i] = saltByte(bucket, i);
    }
    return salt;
  }

  private boolean hasSalt(byte[] key, int off, int salt) {
    for (int i = 0; i < saltWidth; i++) {
      if (key[off + i] != saltByte(salt, i)) {
        return false;
      }
    }
    return true;
  }

  /**
   * Byte {@code i} of the salt. The TSD shifts an int by up to 56 bits, and Java reduces the shift
   * distance modulo 32, so a salt wider than 4 bytes repeats its low bytes in front.
   */
  private byte saltByte(int salt, int i) {
    int shift = 8 * (saltWidth - 1 - i);
    return (byte) (salt >>> (shift & 31));
  }

  private static boolean isZero(byte[] bytes, int off, int len) {
    for (int i = 0; i < len; i++) {
      if (bytes[off + i] != 0) {
        return false;
      }
    }
    return true;
  }

  private static int compare(byte[] a, int aOff, byte[] b, int bOff, int len) {
    for (int i = 0; i < len; i++) {
      int order = (a[aOff + i] & 0xff) - (b[bOff + i] & 0xff);
      if (order != 0) {
        return order;
      }
    }
    return 0;
  }
}
