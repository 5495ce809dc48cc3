package io.tsdbsuite.stream.series;

import io.tsdbsuite.message.read.MetricScanner;
import io.tsdbsuite.message.write.RollupPoint;
import java.util.Arrays;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The names of a series as bytes: equal for equal series. Reusable; not thread-safe.
 *
 * <pre>
 *   short n, metric, then for each tag, sorted by key: short n, key, short n, value
 * </pre>
 *
 * <p>Names are ISO-8859-1, as in OpenTSDB's UID table; lengths are big-endian.
 */
public final class SeriesNames {
  private static final int MAX_LENGTH = 0xffff;

  /** More have more than MAX_LENGTH bytes: two lengths each. */
  private static final int MAX_TAGS = MAX_LENGTH / 4;

  /** Insertion sort is the fastest for a few tags; OpenTSDB's default maximum is 8. */
  private static final int FEW = 16;

  private static final char LAST_LATIN1 = '\u00ff';

  private byte[] buffer = new byte[256];
  private int length;
  private String[] keys = new String[8];
  private String[] values = new String[8];

  /** Creates an encoder. */
  public SeriesNames() {}

  /**
   * Encodes names.
   *
   * @return a new array; null if a name has characters outside of ISO-8859-1, which OpenTSDB cannot
   *     store, or if all names have more than 65,535 bytes
   */
  public byte @Nullable [] encode(String metric, Map<String, String> tags) {
    if (tags.size() > MAX_TAGS) {
      return null;
    }
    int count = sort(tags);
    length = 0;
    boolean legal = append(metric);
    for (int i = 0; i < count && legal; i++) {
      legal = append(keys[i]) && append(values[i]);
    }
    return legal && length <= MAX_LENGTH ? Arrays.copyOf(buffer, length) : null;
  }

  /** Encodes the names of a point; they cannot be too long. */
  public static byte[] encode(MetricScanner point) {
    int bytes = 0;
    for (int i = 0; i < point.names(); i++) {
      bytes += 2 + point.nameTo(i) - point.nameFrom(i);
    }
    byte[] names = new byte[bytes];
    int at = 0;
    for (int i = 0; i < point.names(); i++) {
      int n = point.nameTo(i) - point.nameFrom(i);
      names[at] = (byte) (n >>> 8);
      names[at + 1] = (byte) n;
      System.arraycopy(point.message(), point.nameFrom(i), names, at + 2, n);
      at += 2 + n;
    }
    return names;
  }

  /** Sorts the tags by their keys; returns their number. */
  private int sort(Map<String, String> tags) {
    int count = 0;
    if (keys.length < tags.size()) {
      keys = new String[tags.size()];
      values = new String[tags.size()];
    }
    Map<String, String> ordered = tags.size() > FEW ? new TreeMap<>(tags) : tags;
    for (Map.Entry<String, String> tag : ordered.entrySet()) {
      int i = count++;
      for (; i > 0 && keys[i - 1].compareTo(tag.getKey()) > 0; i--) {
        keys[i] = keys[i - 1];
        values[i] = values[i - 1];
      }
      keys[i] = tag.getKey();
      values[i] = tag.getValue();
    }
    return count;
  }

  private boolean append(String name) {
    int n = name.length();
    if (n > MAX_LENGTH) {
      return false;
    }
    if (buffer.length - length < n + 2) {
      buffer = Arrays.copyOf(buffer, Math.max(2 * buffer.length, length + n + 2));
    }
    buffer[length++] = (byte) (n >>> 8);
    buffer[length++] = (byte) n;
    int all = 0;
    for (int i = 0; i < n; i++) {
      char c = name.charAt(i);
      all |= c;
      buffer[length + i] = (byte) c;
    }
    length += n;
    return all <= LAST_LATIN1;
  }

  /**
   * Points a rollup at encoded names, without a copy.
   *
   * @param point receives metric and sorted tags
   */
  public static void decode(byte[] names, int offset, int length, RollupPoint point) {
    point.clear();
    int end = offset + length;
    int n = shortAt(names, offset);
    point.metric().set(names, offset + 2, n);
    int at = offset + 2 + n;
    while (at < end) {
      int tag = point.addTag();
      n = shortAt(names, at);
      point.tagKey(tag).set(names, at + 2, n);
      at += 2 + n;
      n = shortAt(names, at);
      point.tagValue(tag).set(names, at + 2, n);
      at += 2 + n;
    }
  }

  private static int shortAt(byte[] names, int at) {
    return ((names[at] & 0xff) << 8) | (names[at + 1] & 0xff);
  }
}
