package io.tsdbsuite.message.write;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The key of a message: the series as text, which does not depend on a cluster's UIDs.
 *
 * <pre>
 *   metric{k1=v1,k2=v2}      UTF-8, tags sorted by key, nothing escaped
 * </pre>
 *
 * <p>Reusable; not thread-safe.
 */
public final class SeriesKey {
  private byte[] text = new byte[256];
  private int length;
  private int metricLength;

  /** Creates an empty key. */
  public SeriesKey() {}

  /**
   * The key of a series given as text; for points that come one by one.
   *
   * @param tags may be null
   * @return a new array, equal to {@link #toByteArray} for the same names
   */
  public static byte[] of(String metric, @Nullable Map<String, String> tags) {
    StringBuilder key = new StringBuilder().append(metric).append('{');
    String comma = "";
    if (tags != null) {
      for (Map.Entry<String, String> tag : new TreeMap<>(tags).entrySet()) {
        key.append(comma).append(tag.getKey()).append('=').append(tag.getValue());
        comma = ",";
      }
    }
    return key.append('}').toString().getBytes(StandardCharsets.UTF_8);
  }

  /** Writes the key of a point whose tags are sorted. */
  public SeriesKey of(RollupPoint point) {
    length = 0;
    append(point.metric());
    metricLength = length;
    append('{');
    for (int i = 0, tags = point.tags(); i < tags; i++) {
      if (i > 0) {
        append(',');
      }
      append(point.tagKey(i));
      append('=');
      append(point.tagValue(i));
    }
    append('}');
    return this;
  }

  /** The array that holds the key, valid until the next {@link #of}. */
  public byte[] array() {
    return text;
  }

  /** Bytes of the key in {@link #array()}. */
  public int length() {
    return length;
  }

  /** Bytes of the metric's name, with which the key begins. */
  public int metricLength() {
    return metricLength;
  }

  /** A copy of the key. */
  public byte[] toByteArray() {
    return Arrays.copyOf(text, length);
  }

  private void append(char c) {
    ensureCapacity(1);
    text[length++] = (byte) c;
  }

  private void append(ByteSlice name) {
    ensureCapacity(2 * name.length);
    int to = length;
    for (int i = name.offset, end = name.offset + name.length; i < end; i++) {
      int c = name.array[i] & 0xff;
      if (c < 0x80) {
        text[to++] = (byte) c;
      } else {
        text[to++] = (byte) (0xc0 | c >> 6);
        text[to++] = (byte) (0x80 | (c & 0x3f));
      }
    }
    length = to;
  }

  private void ensureCapacity(int bytes) {
    if (text.length - length < bytes) {
      text = Arrays.copyOf(text, Math.max(length + bytes, 2 * text.length));
    }
  }
}
