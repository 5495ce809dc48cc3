package io.tsdbsuite.bulk.parse;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Elements of JSON in a {@link TextBlock}, found but not parsed.
 *
 * <pre>
 *   element   | kind: 32 bits, length: 32 bits | offset | line | column |      4 longs
 * </pre>
 */
final class JsonElements {
  /** An object of an array; broken JSON ends the reading. */
  static final int OBJECT = 0;

  /** An object that fills its line; broken JSON rejects it. */
  static final int LINE = 1;

  /** A text that is rejected by the rule of the same place. */
  static final int REJECTED = 2;

  /** A comment. */
  static final int COMMENT = 3;

  private static final int LONGS = 4;

  /** Elements beyond which the memory is not kept for the next block. */
  private static final int MOST_KEPT = 1 << 14;

  private long[] elements = new long[LONGS << 8];
  private int end;
  private final List<String> rules = new ArrayList<>();

  void clear() {
    end = 0;
    rules.clear();
    if (elements.length > LONGS * MOST_KEPT) {
      elements = new long[LONGS << 8];
    }
  }

  void add(int kind, int off, int len, long line, long column) {
    if (end == elements.length) {
      elements = Arrays.copyOf(elements, 2 * end);
    }
    elements[end] = ((long) kind << 32) | len;
    elements[end + 1] = off;
    elements[end + 2] = line;
    elements[end + 3] = column;
    end += LONGS;
  }

  void addRejected(String rule, int off, int len, long line) {
    add(REJECTED, off, len, line, rules.size());
    rules.add(rule);
  }

  int size() {
    return end / LONGS;
  }

  int kind(int i) {
    return (int) (elements[i * LONGS] >>> 32);
  }

  int length(int i) {
    return (int) elements[i * LONGS];
  }

  int offset(int i) {
    return (int) elements[i * LONGS + 1];
  }

  long line(int i) {
    return elements[i * LONGS + 2];
  }

  long column(int i) {
    return elements[i * LONGS + 3];
  }

  /** The rule that a rejected text breaks. */
  String rule(int i) {
    return rules.get((int) elements[i * LONGS + 3]);
  }
}
