package io.tsdbsuite.bulk.group;

import io.tsdbsuite.bulk.parse.SeriesText;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * Finds the number of a series by the bytes that name it. Several spellings of one series (another
 * order of its tags, say) are entries of their own with the number of the first.
 *
 * <pre>
 *   slot of the table   | hash: 32 bits | entry + 1: 32 bits |
 *   text of an entry    | metric | tags |                         as written
 * </pre>
 */
final class SeriesTable {
  /** No such series. */
  static final int NONE = -1;

  private static final int FIRST_CAPACITY = 1 << 10;

  /** Number of misses in a row after which the successor of a series is not guessed any more. */
  private static final int PATIENCE = 8;

  private long[] table = new long[FIRST_CAPACITY];
  private byte[][] texts = new byte[FIRST_CAPACITY / 2][];
  private int[] metricLengths = new int[FIRST_CAPACITY / 2];
  private int[] numbers = new int[FIRST_CAPACITY / 2];
  private int[] followers = new int[FIRST_CAPACITY / 2];
  private int entries;
  private int last;
  private int following;
  private long textBytes;

  /** The number of a series, {@link #NONE} if its text is new. */
  int find(SeriesText text) {
    int entry = last;
    if (entries == 0) {
      return NONE;
    }
    if (is(entry, text)) {
      return numbers[entry];
    }
    // Files that interleave series mostly do so in the same order again and again.
    if (following > 0) {
      int follower = followers[entry];
      if (is(follower, text)) {
        following = PATIENCE;
        last = follower;
        return numbers[follower];
      }
      following--;
    }
    int found = search(text);
    if (found == NONE) {
      return NONE;
    }
    if (followers[entry] == found) {
      following = PATIENCE;
    }
    followers[entry] = found;
    last = found;
    return numbers[found];
  }

  private int search(SeriesText text) {
    int hash = TextHash.of(text.bytes, text.metricOff, text.metricLen, text.tagsOff, text.tagsLen);
    int mask = table.length - 1;
    int i = hash & mask;
    for (long found = table[i]; found != 0; found = table[i]) {
      int entry = (int) found - 1;
      if ((int) (found >>> 32) == hash && is(entry, text)) {
        return entry;
      }
      i = (i + 1) & mask;
    }
    return NONE;
  }

  private boolean is(int entry, SeriesText text) {
    byte[] known = texts[entry];
    int metric = metricLengths[entry];
    return known.length == text.metricLen + text.tagsLen
        && metric == text.metricLen
        && Arrays.equals(
            known, metric, known.length, text.bytes, text.tagsOff, text.tagsOff + text.tagsLen)
        && Arrays.equals(known, 0, metric, text.bytes, text.metricOff, text.metricOff + metric);
  }

  /** Remembers a text that is not there yet; returns its entry. */
  int add(SeriesText text, int number) {
    if (entries == texts.length) {
      int room = entries * 2;
      texts = Arrays.copyOf(texts, room);
      metricLengths = Arrays.copyOf(metricLengths, room);
      numbers = Arrays.copyOf(numbers, room);
      followers = Arrays.copyOf(followers, room);
    }
    byte[] known = new byte[text.metricLen + text.tagsLen];
    System.arraycopy(text.bytes, text.metricOff, known, 0, text.metricLen);
    System.arraycopy(text.bytes, text.tagsOff, known, text.metricLen, text.tagsLen);
    int entry = entries++;
    texts[entry] = known;
    metricLengths[entry] = text.metricLen;
    numbers[entry] = number;
    textBytes += 24 + known.length;
    if (entries * 2 > table.length) {
      grow();
    } else {
      insert(entry);
    }
    return entry;
  }

  private void grow() {
    table = new long[table.length * 2];
    for (int entry = 0; entry < entries; entry++) {
      insert(entry);
    }
  }

  private void insert(int entry) {
    byte[] text = texts[entry];
    int metric = metricLengths[entry];
    int hash = TextHash.of(text, 0, metric, metric, text.length - metric);
    int mask = table.length - 1;
    int i = hash & mask;
    while (table[i] != 0) {
      i = (i + 1) & mask;
    }
    table[i] = ((long) hash << 32) | (entry + 1);
  }

  /** Metric and tags of an entry, a blank between them. */
  byte[] names(int entry) {
    byte[] text = texts[entry];
    int metric = metricLengths[entry];
    byte[] names = new byte[text.length + 1];
    System.arraycopy(text, 0, names, 0, metric);
    names[metric] = ' ';
    System.arraycopy(text, metric, names, metric + 1, text.length - metric);
    return names;
  }

  /** The same as text. */
  String namesText(int entry) {
    return new String(names(entry), StandardCharsets.UTF_8);
  }

  /** Bytes in use, and the next larger arrays when they are near. */
  long used() {
    long now = table.length * 8L + texts.length * 16L;
    return textBytes + (entries * 5L > table.length * 2L ? now * 3 : now);
  }
}
